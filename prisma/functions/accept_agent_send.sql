-- Accepts one request of an agent: as accept_sends(), within the agent's hourly cap, which holds across all processes because the
-- agent's row is held until the transaction ends. A repetition under the same key counts nothing.
--   p_limits    { agentId, hourlyCap }
--   p_request   as accept_sends() takes it
--   p_approval  { apiKeyId, apiKeyName, timeToLive?, expiresAt } for a request that is held; null for any other
--   result      that of accept_sends(), or { capped: true } when nothing was accepted
-- Owner: sending.
CREATE OR REPLACE FUNCTION accept_agent_send(p_tenant uuid, p_limits jsonb, p_request jsonb, p_approval jsonb) RETURNS jsonb
LANGUAGE plpgsql AS $$
DECLARE
  v_agent uuid := (p_limits->>'agentId')::uuid;
  v_cap int := (p_limits->>'hourlyCap')::int;
  v_id uuid := (p_request->>'id')::uuid;
  v_now timestamptz := date_trunc('milliseconds', now());
  v_messages int;
  v_room int;
  v_result jsonb;
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true), set_config('lock_timeout', '5s', true);
  SELECT count(*) INTO v_messages FROM requested_messages(p_request->'messages') WHERE reason_code IS NULL;
  v_room := agent_room(p_tenant, v_agent, v_cap);
  IF v_messages > v_room AND NOT EXISTS (
    SELECT FROM requested_keys(jsonb_build_array(p_request)) AS r
    JOIN idempotency_keys i ON i.tenant_id = p_tenant AND i.environment_id = r.environment_id
      AND i.application_id = r.application_id AND i.kind = r.kind AND i.key = r.key
    WHERE i.expires_at IS NULL OR i.expires_at >= now())
  THEN
    RETURN jsonb_build_object('capped', true);
  END IF;

  v_result := accept_sends(p_tenant, jsonb_build_array(p_request));
  IF jsonb_array_length(v_result->'accepted') = 0 THEN
    RETURN v_result;
  END IF;
  SELECT count(*) INTO v_messages FROM notifications n
  WHERE n.tenant_id = p_tenant AND n.request_id = v_id AND n.status <> 'rejected';
  IF v_messages > v_room THEN
    -- The key of an earlier request has expired since it was looked for.
    RAISE EXCEPTION 'the cap of agent % is reached', v_agent USING ERRCODE = '53400';
  END IF;
  PERFORM count_agent_messages(p_tenant, v_agent, v_messages);
  IF p_approval IS NOT NULL AND v_messages > 0 THEN
    INSERT INTO send_approvals (tenant_id, request_id, environment_id, application_id, unit_id, api_key_id, api_key_name,
      messages, time_to_live, expires_at, created_at)
    VALUES (p_tenant, v_id, (p_request->>'environmentId')::uuid, (p_request->>'applicationId')::uuid,
      (p_request->>'unitId')::uuid, (p_approval->>'apiKeyId')::uuid, p_approval->>'apiKeyName', v_messages,
      (p_approval->>'timeToLive')::int, (p_approval->>'expiresAt')::timestamptz, v_now);
  END IF;
  RETURN v_result;
END
$$;
REVOKE ALL ON FUNCTION accept_agent_send FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION accept_agent_send TO tidings_web;
