-- The identity providers that are offered to whoever has an address of a domain: those that its organisation has switched on. The
-- answer says nothing of any person.
-- Owner: sso.
CREATE OR REPLACE FUNCTION find_identity_providers(p_domain text)
RETURNS TABLE (tenant_id uuid, id uuid, name text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT p.tenant_id, p.id, p.name
  FROM proven_domains d JOIN identity_providers p ON p.tenant_id = d.tenant_id AND p.enabled
  WHERE d.name = p_domain
  ORDER BY p.name LIMIT 10
$$;
REVOKE ALL ON FUNCTION find_identity_providers FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_identity_providers TO tidings_web;
