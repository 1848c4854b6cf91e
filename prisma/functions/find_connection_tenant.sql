-- Whose a connection is, for a callback that names it before a tenant is known.
-- Owner: connections.
CREATE OR REPLACE FUNCTION find_connection_tenant(p_id uuid) RETURNS uuid
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT tenant_id FROM provider_connections WHERE id = p_id
$$;
REVOKE ALL ON FUNCTION find_connection_tenant FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_connection_tenant TO tidings_web, tidings_worker;
