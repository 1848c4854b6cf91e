-- The organisations that the operator has stopped. Every process asks every two seconds.
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION suspended_tenants() RETURNS SETOF uuid LANGUAGE sql STABLE SECURITY DEFINER
SET search_path = public, pg_temp AS $$
  SELECT id FROM tenants WHERE suspended_at IS NOT NULL
$$;
REVOKE ALL ON FUNCTION suspended_tenants FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION suspended_tenants TO tidings_web, tidings_worker;
