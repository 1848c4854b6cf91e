DROP FUNCTION IF EXISTS find_api_key(uuid); -- it had fewer columns
-- An API key by its id, before a tenant is known, with what a request needs of its tenant, role and environment. The key of
-- somebody who is suspended counts as revoked for so long.
-- Owner: access.
CREATE OR REPLACE FUNCTION find_api_key(p_id uuid)
RETURNS TABLE (tenant_id uuid, tenant_slug text, id uuid, name text, hash bytea, environment_id uuid, environment_kind text,
               unit_id uuid, application_id uuid, permissions text[], rate_limit_per_minute int,
               expires_at timestamptz, revoked_at timestamptz, allowed_networks text[], agent_id uuid, agent_recipients text[],
               agent_hourly_cap int, agent_later_stages boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT k.tenant_id, t.slug, k.id, k.name, k.hash, k.environment_id, e.kind, k.unit_id, k.application_id, r.permissions,
         k.rate_limit_per_minute, k.expires_at, coalesce(k.revoked_at, u.disabled_at), k.allowed_networks, k.agent_id,
         g.recipients, g.hourly_cap, g.later_stages
  FROM api_keys k
  JOIN tenant_facts t ON t.id = k.tenant_id
  JOIN roles r ON r.tenant_id = k.tenant_id AND r.id = k.role_id
  JOIN environment_facts e ON e.tenant_id = k.tenant_id AND e.id = k.environment_id
  LEFT JOIN agents g ON g.tenant_id = k.tenant_id AND g.id = k.agent_id
  LEFT JOIN users u ON u.tenant_id = k.tenant_id AND u.id = k.created_by_id
  WHERE k.id = p_id
$$;
REVOKE ALL ON FUNCTION find_api_key FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_api_key TO tidings_web, tidings_worker;
