-- Writes the words of the organisation's own, by which recipients say no, yes or help, into its settings; all others stay as they are.
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION merge_consent_words(p_words jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF jsonb_typeof(p_words) IS DISTINCT FROM 'object' OR length(p_words::text) > 32768 THEN
    RAISE EXCEPTION 'the words are one object of a bounded size' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE tenants SET settings = settings || jsonb_build_object('consentWords', p_words) WHERE id = current_tenant();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no tenant is named' USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION merge_consent_words FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION merge_consent_words TO tidings_web, tidings_worker;
