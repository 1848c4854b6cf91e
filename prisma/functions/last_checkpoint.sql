-- The newest checkpoint of the audit trails, for whoever runs the installation: its number and times, not what is in it.
-- Owner: audit.
CREATE OR REPLACE FUNCTION last_checkpoint() RETURNS TABLE (number bigint, at timestamptz, filed_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT c.number, c.at, c.filed_at FROM audit_checkpoints c ORDER BY c.number DESC LIMIT 1
$$;
REVOKE ALL ON FUNCTION last_checkpoint FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION last_checkpoint TO tidings_console;
