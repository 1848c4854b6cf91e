-- Writes how long the organisation keeps what into its settings; all others stay as they are.
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION merge_retention_settings(p_retention jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
BEGIN
  IF jsonb_typeof(p_retention) IS DISTINCT FROM 'object' OR length(p_retention::text) > 1024 THEN
    RAISE EXCEPTION 'the retention is one small object' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE tenants SET settings = settings || jsonb_build_object('retention', p_retention) WHERE id = current_tenant();
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no tenant is named' USING ERRCODE = 'insufficient_privilege';
  END IF;
END
$$;
REVOKE ALL ON FUNCTION merge_retention_settings FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION merge_retention_settings TO tidings_web, tidings_worker;
