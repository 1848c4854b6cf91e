-- Deletes the oldest entries of a tenant's chain, up to one that is older than the tenant keeps them, and leaves the signed
-- note of it with which the rest can be verified. Answers how many.
-- Owner: audit.
--   p_through    the last one to go, at most 5,000 after the first
--   p_hash       its hash
--   p_signature  of the note, at p_at
CREATE OR REPLACE FUNCTION purge_audit(p_tenant uuid, p_through bigint, p_hash bytea, p_at timestamptz, p_signature text)
RETURNS int LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_chain audit_chains;
  v_count int;
BEGIN
  SELECT * INTO v_chain FROM audit_chains WHERE tenant_id = p_tenant FOR UPDATE;
  IF NOT FOUND OR p_through <= v_chain.purged_sequence OR p_through > v_chain.purged_sequence + 5000 THEN
    RAISE EXCEPTION 'no such entries' USING ERRCODE = 'check_violation';
  END IF;
  IF NOT EXISTS (SELECT FROM audit_links WHERE tenant_id = p_tenant AND sequence = p_through AND hash = p_hash) THEN
    RAISE EXCEPTION 'that is not the hash of this entry' USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT FROM audit_links l JOIN audit_events e ON e.tenant_id = l.tenant_id AND e.id = l.event_id
             WHERE l.tenant_id = p_tenant AND l.sequence <= p_through
               AND e.at >= now() - make_interval(months => v_chain.retention_months)) THEN
    RAISE EXCEPTION 'an entry is not old enough' USING ERRCODE = 'insufficient_privilege';
  END IF;
  WITH gone AS (DELETE FROM audit_links WHERE tenant_id = p_tenant AND sequence <= p_through RETURNING event_id)
  DELETE FROM audit_events e USING gone WHERE e.tenant_id = p_tenant AND e.id = gone.event_id;
  GET DIAGNOSTICS v_count = ROW_COUNT;
  UPDATE audit_chains SET purged_sequence = p_through, purged_hash = p_hash, purged_at = p_at, purged_signature = p_signature
  WHERE tenant_id = p_tenant;
  RETURN v_count;
END
$$;
REVOKE ALL ON FUNCTION purge_audit FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION purge_audit TO tidings_worker;
