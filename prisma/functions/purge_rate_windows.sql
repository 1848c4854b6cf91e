-- Deletes the request counts of windows that are over.
-- Owner: access.
CREATE OR REPLACE FUNCTION purge_rate_windows() RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM rate_windows WHERE window_start < now() - interval '10 minutes'
$$;
REVOKE ALL ON FUNCTION purge_rate_windows FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION purge_rate_windows TO tidings_web, tidings_worker;
