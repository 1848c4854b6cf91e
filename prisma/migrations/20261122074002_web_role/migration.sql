-- What the web's role may change beside its tenant's rows: nothing that the operator decides.

-- Region, fees, data key and name are the operator's. The id cannot change (the policy holds it), and a right to one column
-- is what locking the row for a transaction takes.
REVOKE UPDATE ON tenants FROM tidings_web;
GRANT UPDATE (id) ON tenants TO tidings_web;

-- Writes the members of the AI settings that are given into the tenant's settings; all others stay as they are.
CREATE FUNCTION merge_ai_settings(p_changes jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
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

-- Replaces the regions outside its own in which the tenant's data may be processed, and writes who did it and why: for each
-- region that comes or goes exactly one entry { id, actorType, actorId, actorName, requestId, data: { region, reason, … } }.
CREATE FUNCTION change_transfer_regions(p_regions text[], p_entries jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
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
  UPDATE tenants SET settings = settings || jsonb_build_object('allowedTransferRegions', to_jsonb(p_regions))
  WHERE id = v_tenant;
  INSERT INTO audit_events (tenant_id, id, at, actor_type, actor_id, actor_name, action, target_type, target_id, request_id, data)
  SELECT v_tenant, (e ->> 'id')::uuid, now(), e ->> 'actorType', (e ->> 'actorId')::uuid, e ->> 'actorName',
         CASE WHEN e #>> '{data,region}' = ANY (p_regions) THEN 'residency.transfer_allowed'
              ELSE 'residency.transfer_withdrawn' END,
         'tenant', v_tenant::text, e ->> 'requestId', e -> 'data'
  FROM jsonb_array_elements(p_entries) AS e;
END
$$;
REVOKE EXECUTE ON FUNCTION merge_ai_settings(jsonb), change_transfer_regions(text[], jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION merge_ai_settings(jsonb), change_transfer_regions(text[], jsonb) TO tidings_web, tidings_worker;

-- Request counts only go up, through the function, in the minutes that are under way.
REVOKE INSERT, UPDATE, DELETE ON rate_windows FROM tidings_web;
CREATE OR REPLACE FUNCTION add_requests(p_tenants uuid[], p_keys uuid[], p_windows timestamptz[], p_used int[])
RETURNS TABLE (api_key_id uuid, used int) LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  INSERT INTO rate_windows AS w (tenant_id, api_key_id, window_start, used)
  SELECT r.tenant_id, r.api_key_id, r.window_start, least(greatest(r.used, 0), 1000000)
  FROM unnest(p_tenants, p_keys, p_windows, p_used) AS r (tenant_id, api_key_id, window_start, used)
  WHERE r.window_start BETWEEN now() - interval '5 minutes' AND now() + interval '5 minutes'
  ORDER BY r.tenant_id, r.api_key_id, r.window_start -- so that two processes cannot wait for each other
  ON CONFLICT (tenant_id, api_key_id, window_start) DO UPDATE SET used = least(w.used + excluded.used, 1000000000)
  RETURNING w.api_key_id, w.used
$$;

-- Whether the caller may add this job: the worker and the owner any, the web's role those of its own tenant that its use
-- cases add. Meant for enqueue_jobs, which runs as its owner: who calls is the role that was set, else the login.
CREATE FUNCTION web_may_enqueue(p_task text, p_payload jsonb) RETURNS boolean LANGUAGE sql STABLE
SET search_path = public, pg_temp AS $$
  SELECT CASE WHEN c.role = 'tidings_worker' THEN true
              WHEN c.role <> 'tidings_web' AND EXISTS (
                SELECT FROM pg_class t JOIN pg_roles o ON o.oid = t.relowner
                WHERE t.oid = 'tenants'::regclass AND o.rolname = c.role) THEN true
              ELSE p_task IN ('deliver_otp', 'deliver_transactional', 'deliver_bulk', 'deliver_sandbox', 'deliver_webhook', 'import_templates',
                              'post_recipient_action', 'post_simulated_callback', 'report_link_problem')
                   AND coalesce(p_payload ->> 'tenantId' = current_tenant()::text, false)
         END
  FROM (SELECT CASE current_setting('role') WHEN 'none' THEN session_user::text ELSE current_setting('role') END AS role) AS c
$$;
REVOKE EXECUTE ON FUNCTION web_may_enqueue(text, jsonb) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION web_may_enqueue(text, jsonb) TO tidings_web, tidings_worker;
