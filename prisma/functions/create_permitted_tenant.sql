-- Adds the organisation that the operator has permitted, once: with create_first_tenant() the only ways in which the web's role
-- adds one. The answer is made, taken when another has the short name, or refused when the permit is over, was used, or is for
-- another short name. The tenant is the one that the transaction has named.
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION create_permitted_tenant(p_hash bytea, p_slug text, p_name text, p_data_region text, p_settings jsonb,
                                                   p_data_key bytea) RETURNS text
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
BEGIN
  DELETE FROM tenant_permits WHERE hash = p_hash AND slug = p_slug AND expires_at > now();
  IF NOT FOUND THEN
    RETURN 'refused';
  END IF;
  DELETE FROM tenant_permits WHERE expires_at < now();
  INSERT INTO tenants (id, slug, name, data_region, settings, data_key)
  VALUES (current_tenant(), p_slug, p_name, p_data_region, p_settings, p_data_key)
  ON CONFLICT (slug) DO NOTHING;
  RETURN CASE WHEN FOUND THEN 'made' ELSE 'taken' END;
END
$$;
REVOKE ALL ON FUNCTION create_permitted_tenant FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION create_permitted_tenant TO tidings_web;
