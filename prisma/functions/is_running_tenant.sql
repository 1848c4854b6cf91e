-- Whether there is such an organisation that is not suspended. For delete_organisation().
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION is_running_tenant(p_tenant uuid) RETURNS boolean LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT EXISTS (SELECT FROM tenants WHERE id = p_tenant AND suspended_at IS NULL)
$$;
REVOKE ALL ON FUNCTION is_running_tenant FROM PUBLIC, tidings_web, tidings_worker;
