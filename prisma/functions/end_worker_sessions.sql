-- Ends the database sessions of worker processes that were given up: a process that hangs may hold locks.
-- Owner: worker.
CREATE OR REPLACE FUNCTION end_worker_sessions(p_names text[]) RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(pg_terminate_backend(a.pid))::int FROM pg_stat_activity a
  JOIN worker_processes p ON a.application_name = 'tidings worker ' || p.name
  WHERE p.name = ANY (p_names) AND p.given_up_at IS NOT NULL AND a.datname = current_database() AND a.pid <> pg_backend_pid()
$$;
REVOKE ALL ON FUNCTION end_worker_sessions FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION end_worker_sessions TO tidings_worker;
