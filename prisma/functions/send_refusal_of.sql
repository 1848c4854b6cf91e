-- As send_refusal(), for an address that may have been erased: by itself, and by the token that stays of it.
-- Owner: consent.
CREATE OR REPLACE FUNCTION send_refusal_of(p_tenant uuid, p_sandbox boolean, p_channel text, p_addresses text[], p_region text, p_class text, p_policy text)
RETURNS TABLE (code text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM suppressions s WHERE s.tenant_id = p_tenant AND s.sandbox = p_sandbox
                 AND s.channel = p_channel AND s.address = ANY (p_addresses)
                 AND (s.expires_at IS NULL OR s.expires_at > now())) THEN 'suppressed'
    WHEN p_policy = 'opt_in_required' AND (SELECT c.state FROM newest_consent_of(p_tenant, p_sandbox, p_channel, p_addresses,
           p_region, p_class) AS c) IS DISTINCT FROM 'opted_in' THEN 'consent_denied'
    WHEN p_policy = 'opt_out' AND (SELECT c.state FROM newest_consent_of(p_tenant, p_sandbox, p_channel, p_addresses,
           p_region, p_class) AS c) = 'opted_out' THEN 'consent_denied'
  END
$$;
