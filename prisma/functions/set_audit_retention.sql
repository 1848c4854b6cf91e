-- How many months the tenant's audit trail is kept: 12 at least, so that nobody sweeps up behind themselves. Answers what it
-- was before, nothing for a tenant that has no chain yet.
-- Owner: audit.
CREATE OR REPLACE FUNCTION set_audit_retention(p_months int) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE v_before int;
BEGIN
  IF p_months IS NULL OR p_months NOT BETWEEN 12 AND 120 THEN
    RAISE EXCEPTION 'the audit trail is kept for 12 to 120 months' USING ERRCODE = 'check_violation';
  END IF;
  SELECT retention_months INTO v_before FROM audit_chains WHERE tenant_id = current_tenant() FOR UPDATE;
  UPDATE audit_chains SET retention_months = p_months WHERE tenant_id = current_tenant();
  RETURN v_before;
END
$$;
REVOKE ALL ON FUNCTION set_audit_retention FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION set_audit_retention TO tidings_web, tidings_worker;
