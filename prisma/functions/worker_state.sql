-- The worker processes of the last day, the newest sign of life first, for whoever runs the installation.
-- Owner: worker.
CREATE OR REPLACE FUNCTION worker_state() RETURNS TABLE (name text, lanes text[], beat_at timestamptz, given_up_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.name, p.lanes, p.beat_at, p.given_up_at FROM worker_processes p
  WHERE p.beat_at > now() - interval '1 day' ORDER BY p.beat_at DESC LIMIT 100
$$;
REVOKE ALL ON FUNCTION worker_state FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION worker_state TO tidings_console;
