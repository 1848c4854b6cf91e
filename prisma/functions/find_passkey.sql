-- The passkey of a credential id, with its account. Whether the person has signed in from this address in the last 90 days comes
-- with it, as in find_sign_in().
-- Owner: access.
CREATE OR REPLACE FUNCTION find_passkey(p_credential_id bytea, p_ip text)
RETURNS TABLE (tenant_id uuid, tenant_slug text, user_id uuid, name text, email text, disabled_at timestamptz, handle bytea,
               passkey_id uuid, public_key bytea, known_address boolean)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT u.tenant_id, t.slug, u.id, u.name, u.email, u.disabled_at, u.passkey_handle, p.id, p.public_key,
         EXISTS (SELECT FROM sessions s WHERE s.tenant_id = u.tenant_id AND s.user_id = u.id AND s.ip = p_ip
                 AND s.created_at > now() - interval '90 days')
  FROM passkeys p
  JOIN users u ON u.tenant_id = p.tenant_id AND u.id = p.user_id
  JOIN tenant_facts t ON t.id = p.tenant_id
  WHERE p.credential_id = p_credential_id
$$;
REVOKE ALL ON FUNCTION find_passkey FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION find_passkey TO tidings_web;
