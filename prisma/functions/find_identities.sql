DROP FUNCTION IF EXISTS find_identities(text); -- it had fewer columns
-- The accounts of an address that an identity provider vouches for, the oldest first, each with the version of its row.
-- Owner: access.
CREATE OR REPLACE FUNCTION find_identities(p_email text)
RETURNS TABLE (tenant_id uuid, tenant_slug text, user_id uuid, name text, password_hash text, disabled_at timestamptz,
               known_address boolean, version text)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.tenant_id, t.slug, u.id, u.name, NULL::text, u.disabled_at, false, u.xmin::text
  FROM users u JOIN tenant_facts t ON t.id = u.tenant_id
  WHERE u.email = lower(p_email) AND u.disabled_at IS NULL
  ORDER BY u.created_at, u.id LIMIT 100
$$;
REVOKE ALL ON FUNCTION find_identities FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_identities TO tidings_web;
