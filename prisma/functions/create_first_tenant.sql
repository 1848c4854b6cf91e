-- Adds the first organisation for whoever has the token of the set-up page, and ends the token: the only way in which the web's
-- role adds one. False when the token is another or was used, or there is an organisation already; of several at the same time
-- one gets true. The tenant is the one that the transaction has named.
-- Owner: onboarding.
CREATE OR REPLACE FUNCTION create_first_tenant(p_hash bytea, p_slug text, p_name text, p_data_region text, p_settings jsonb,
                                               p_data_key bytea) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
DECLARE
  v_hash bytea;
BEGIN
  SELECT t.hash INTO v_hash FROM set_up_tokens t FOR UPDATE;
  IF v_hash IS NULL OR v_hash IS DISTINCT FROM p_hash OR EXISTS (SELECT FROM tenants) THEN
    RETURN false;
  END IF;
  INSERT INTO tenants (id, slug, name, data_region, settings, data_key)
  VALUES (current_tenant(), p_slug, p_name, p_data_region, p_settings, p_data_key);
  RETURN true;
END
$$;
REVOKE ALL ON FUNCTION create_first_tenant FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION create_first_tenant TO tidings_web;
