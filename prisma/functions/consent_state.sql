-- The newest consent that covers an address in a region for a class; null: none was ever given or withdrawn.
-- Owner: consent.
CREATE OR REPLACE FUNCTION consent_state(p_tenant uuid, p_sandbox boolean, p_channel text, p_address text, p_region text, p_class text)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT state FROM newest_consent(p_tenant, p_sandbox, p_channel, p_address, p_region, p_class)
$$;
