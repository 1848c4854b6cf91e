-- Writes the overrides of the consent policy into the tenant's settings; all others stay as they are.
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION merge_consent_policies(p_policies jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF jsonb_typeof(p_policies) IS DISTINCT FROM 'array' OR length(p_policies::text) > 65536 THEN
    RAISE EXCEPTION 'the consent policies are one list of at most 64 KiB' USING ERRCODE = 'check_violation';
  END IF;
  -- Beside settings that cannot be read at all nothing is written: the others' strictest would be lost.
  IF EXISTS (SELECT FROM tenants WHERE id = current_tenant() AND jsonb_typeof(settings) <> 'object') THEN
    RAISE EXCEPTION 'the settings are no object' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE tenants SET settings = settings || jsonb_build_object('consentPolicies', p_policies) WHERE id = current_tenant();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no tenant is named' USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION merge_consent_policies FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION merge_consent_policies TO tidings_web, tidings_worker;
