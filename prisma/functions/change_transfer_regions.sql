-- Replaces the regions outside its own in which the tenant's data may be processed, and writes who did it and why: for each
-- region that comes or goes exactly one entry { id, at, action, actorType, actorId, actorName, requestId, data: { region,
-- reason, … }, mac }.
-- Owner: tenancy.
CREATE OR REPLACE FUNCTION change_transfer_regions(p_regions text[], p_entries jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp AS $$
DECLARE
  v_tenant uuid := current_tenant();
  v_own text;
  v_before text[];
  v_changed text[];
BEGIN
  SELECT data_region, CASE WHEN jsonb_typeof(settings -> 'allowedTransferRegions') = 'array'
                           THEN ARRAY(SELECT jsonb_array_elements_text(settings -> 'allowedTransferRegions')) ELSE '{}' END
  INTO v_own, v_before FROM tenants WHERE id = v_tenant FOR UPDATE;
  IF NOT FOUND THEN
    RAISE EXCEPTION 'no tenant is named' USING ERRCODE = 'insufficient_privilege';
  END IF;
  IF p_regions IS NULL OR cardinality(p_regions) > 100
     OR EXISTS (SELECT FROM unnest(p_regions) AS r WHERE r IS NULL OR r !~ '^[A-Za-z0-9-]{1,40}$') THEN
    RAISE EXCEPTION 'the regions are at most 100 codes' USING ERRCODE = 'check_violation';
  END IF;
  v_before := array_remove(v_before, v_own);
  v_changed := ARRAY((SELECT unnest(p_regions) EXCEPT SELECT unnest(v_before))
                     UNION (SELECT unnest(v_before) EXCEPT SELECT unnest(p_regions)) ORDER BY 1);
  IF v_changed IS DISTINCT FROM ARRAY(SELECT e #>> '{data,region}' FROM jsonb_array_elements(p_entries) AS e
                                      WHERE length(btrim(e #>> '{data,reason}')) > 0 ORDER BY 1)
     OR cardinality(v_changed) <> jsonb_array_length(p_entries) THEN
    RAISE EXCEPTION 'each region that comes or goes needs one entry with its reason' USING ERRCODE = 'check_violation';
  END IF;
  IF EXISTS (SELECT FROM jsonb_array_elements(p_entries) AS e WHERE e ->> 'action' IS DISTINCT FROM
               CASE WHEN e #>> '{data,region}' = ANY (p_regions) THEN 'residency.transfer_allowed'
                    ELSE 'residency.transfer_withdrawn' END) THEN
    RAISE EXCEPTION 'an entry says something else than what is done' USING ERRCODE = 'check_violation';
  END IF;
  UPDATE tenants SET settings = settings || jsonb_build_object('allowedTransferRegions', to_jsonb(p_regions))
  WHERE id = v_tenant;
  INSERT INTO audit_events (tenant_id, id, at, actor_type, actor_id, actor_name, action, target_type, target_id, request_id, data, mac)
  SELECT v_tenant, (e ->> 'id')::uuid, (e ->> 'at')::timestamptz, e ->> 'actorType', (e ->> 'actorId')::uuid,
         e ->> 'actorName', e ->> 'action', 'tenant', v_tenant::text, e ->> 'requestId', e -> 'data',
         decode(e ->> 'mac', 'hex')
  FROM jsonb_array_elements(p_entries) AS e;
END
$$;
REVOKE ALL ON FUNCTION change_transfer_regions FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION change_transfer_regions TO tidings_web, tidings_worker;
