-- Removes an organisation itself, and its data key with it; only one that is suspended. For delete_organisation().
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION remove_tenant(p_tenant uuid) RETURNS void LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  DELETE FROM tenants WHERE id = p_tenant AND suspended_at IS NOT NULL
$$;
REVOKE ALL ON FUNCTION remove_tenant FROM PUBLIC, tidings_web, tidings_worker;
