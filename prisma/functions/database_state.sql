-- How large the database is and how many connections it has, for whoever runs the installation.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION database_state() RETURNS TABLE (bytes bigint, connections int, most_connections int, version text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT pg_database_size(current_database()), (SELECT count(*)::int FROM pg_stat_activity WHERE datid IS NOT NULL),
         current_setting('max_connections')::int, current_setting('server_version')
$$;
REVOKE ALL ON FUNCTION database_state FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION database_state TO tidings_console;
