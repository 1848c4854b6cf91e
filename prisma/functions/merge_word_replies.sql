-- Writes what is answered automatically to a no, a yes or a call for help into the organisation's settings; all others stay as they are.
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION merge_word_replies(p_replies jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF jsonb_typeof(p_replies) IS DISTINCT FROM 'object' OR length(p_replies::text) > 8192 THEN
    RAISE EXCEPTION 'the replies are one object of a bounded size' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE tenants SET settings = settings || jsonb_build_object('wordReplies', p_replies) WHERE id = current_tenant();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no tenant is named' USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION merge_word_replies FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION merge_word_replies TO tidings_web, tidings_worker;
