-- As newest_consent(), for an address that may have been erased: by itself, and by the token that stays of it.
-- Owner: consent.
CREATE OR REPLACE FUNCTION newest_consent_of(p_tenant uuid, p_sandbox boolean, p_channel text, p_addresses text[], p_region text, p_class text)
RETURNS TABLE (state text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.state FROM consent_entries c
  WHERE c.tenant_id = p_tenant AND c.sandbox = p_sandbox AND c.channel = p_channel AND c.address = ANY (p_addresses)
    AND (c.region IS NULL OR c.region = p_region) AND (c.class IS NULL OR c.class = p_class)
  ORDER BY c.at DESC, c.state DESC, c.id DESC LIMIT 1
$$;
