-- The tenant that the transaction named (setting app.tenant), or null. Policies of row-level security ask for it.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION current_tenant() RETURNS uuid LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT nullif(current_setting('app.tenant', true), '')::uuid
$$;
