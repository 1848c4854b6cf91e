-- What the safety net found, for whoever runs the installation; no row before it has looked.
-- Owner: worker.
CREATE OR REPLACE FUNCTION sweep_state() RETURNS TABLE (at timestamptz, found int, total bigint, found_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT s.at, s.found, s.total, s.found_at FROM sweep_reports s
$$;
REVOKE ALL ON FUNCTION sweep_state FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION sweep_state TO tidings_console;
