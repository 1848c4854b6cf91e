-- After an organisation has changed how long it keeps what: the purge looks at every step again.
-- Owner: privacy.
CREATE OR REPLACE FUNCTION restart_purge(p_tenant uuid) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  UPDATE retention_marks SET checked_at = NULL WHERE tenant_id = p_tenant AND tenant_id = current_tenant()
$$;
REVOKE ALL ON FUNCTION restart_purge FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION restart_purge TO tidings_web, tidings_worker;
