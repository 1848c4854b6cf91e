-- Whether somebody was ever erased in an organisation: then what stays of erased addresses has to be asked as well.
-- Owner: consent.
CREATE OR REPLACE FUNCTION has_consent_key(p_tenant uuid) RETURNS boolean LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT EXISTS (SELECT FROM consent_keys k WHERE k.tenant_id = p_tenant)
$$;
