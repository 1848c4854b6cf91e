-- The account that somebody signs in to, by organisation and address; without an organisation that of the only one there
-- is. Whether the person has signed in from this address in the last 90 days comes with it, in one statement, so that the
-- answer takes as long for an account that is not there.
-- Owner: access.
CREATE OR REPLACE FUNCTION find_sign_in(p_organisation text, p_email text, p_ip text)
RETURNS TABLE (tenant_id uuid, tenant_slug text, user_id uuid, name text, password_hash text, disabled_at timestamptz,
               known_address boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.tenant_id, t.slug, u.id, u.name, u.password_hash, u.disabled_at,
         EXISTS (SELECT FROM sessions s WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.ip = p_ip
                 AND s.created_at > now() - interval '90 days')
  FROM tenant_facts t JOIN users u ON u.tenant_id = t.id AND u.email = lower(p_email)
  WHERE t.slug = coalesce(lower(p_organisation),
                          (SELECT min(o.slug) FROM (SELECT slug FROM tenant_facts LIMIT 2) AS o HAVING count(*) = 1))
$$;
REVOKE ALL ON FUNCTION find_sign_in FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_sign_in TO tidings_web;
