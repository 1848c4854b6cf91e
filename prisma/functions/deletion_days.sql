-- How many days the deletion of an organisation can be taken back. The only place that says so.
-- Owner: console.
CREATE OR REPLACE FUNCTION deletion_days() RETURNS int LANGUAGE sql IMMUTABLE SET search_path = public, pg_temp AS $$
  SELECT 7
$$;
REVOKE ALL ON FUNCTION deletion_days FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION deletion_days TO tidings_console;
