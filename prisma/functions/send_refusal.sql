-- Why a message must not be sent, or null; always one row.
--   p_policy: opt_in_required | opt_out | exempt
-- Owner: consent.
CREATE OR REPLACE FUNCTION send_refusal(p_tenant uuid, p_sandbox boolean, p_channel text, p_address text, p_region text, p_class text, p_policy text)
RETURNS TABLE (code text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM suppressions s WHERE s.tenant_id = p_tenant AND s.sandbox = p_sandbox
                 AND s.channel = p_channel AND s.address = p_address
                 AND (s.expires_at IS NULL OR s.expires_at > now())) THEN 'suppressed'
    WHEN p_policy = 'opt_in_required' AND (SELECT c.state FROM newest_consent(p_tenant, p_sandbox, p_channel, p_address,
           p_region, p_class) AS c) IS DISTINCT FROM 'opted_in' THEN 'consent_denied'
    WHEN p_policy = 'opt_out' AND (SELECT c.state FROM newest_consent(p_tenant, p_sandbox, p_channel, p_address,
           p_region, p_class) AS c) = 'opted_out' THEN 'consent_denied'
  END
$$;
