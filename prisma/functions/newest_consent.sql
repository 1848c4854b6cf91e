-- The newest consent that covers an address in a region for a class; no row: none was ever given or withdrawn. What was said
-- last counts, whenever it arrived; of a yes and a no of the same moment, the no ("opted_out" sorts after "opted_in"). Returns a
-- set, because only such a function becomes part of the statement that uses it; one call a message costs ten times as much.
-- Owner: consent.
CREATE OR REPLACE FUNCTION newest_consent(p_tenant uuid, p_sandbox boolean, p_channel text, p_address text, p_region text, p_class text)
RETURNS TABLE (state text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.state FROM consent_entries c
  WHERE c.tenant_id = p_tenant AND c.sandbox = p_sandbox AND c.channel = p_channel AND c.address = p_address
    AND (c.region IS NULL OR c.region = p_region) AND (c.class IS NULL OR c.class = p_class)
  ORDER BY c.at DESC, c.state DESC, c.id DESC LIMIT 1
$$;
