-- An open invitation by the SHA-256 of its token, before a tenant is known.
-- Owner: access.
CREATE OR REPLACE FUNCTION find_invitation(p_hash bytea) RETURNS TABLE (tenant_id uuid, id uuid)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT i.tenant_id, i.id FROM invitations i
  WHERE i.token_hash = p_hash AND i.ended_at IS NULL AND i.expires_at > now()
$$;
REVOKE ALL ON FUNCTION find_invitation FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_invitation TO tidings_web;
