-- Writes the members of the AI settings that are given into the tenant's settings; all others stay as they are.
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION merge_ai_settings(p_changes jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF jsonb_typeof(p_changes) IS DISTINCT FROM 'object' OR length(p_changes::text) > 65536 THEN
    RAISE EXCEPTION 'the AI settings are one object of at most 64 KiB' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE tenants SET settings = settings || jsonb_build_object('ai', coalesce(settings -> 'ai', '{}') || p_changes)
  WHERE id = current_tenant();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no tenant is named' USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION merge_ai_settings FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION merge_ai_settings TO tidings_web, tidings_worker;
