-- Deletes checkpoints that are older than 25 months and before the newest complete one of that age.
-- Owner: audit.
CREATE OR REPLACE FUNCTION purge_audit_checkpoints() RETURNS void LANGUAGE sql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  DELETE FROM audit_checkpoints WHERE number < (
    SELECT max(number) FROM audit_checkpoints WHERE "full" AND at < now() - interval '25 months')
$$;
REVOKE ALL ON FUNCTION purge_audit_checkpoints FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION purge_audit_checkpoints TO tidings_worker;
