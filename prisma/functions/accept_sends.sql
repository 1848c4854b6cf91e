-- Accepts send requests of one tenant: idempotency, consent and suppression, rows, first events, owed webhooks,
-- counts and jobs, all or nothing.
--   p_requests: [{ id, environmentId, applicationId, unitId, sandbox, source, actorType, actorId, transactionId,
--                  keyKind, key, bodyHash (hex), keyExpiresAt, region, language, type, subtype, class, variables,
--                  metadata, scheduledAt, expiresAt, task, priority,
--                  messages: [{ id, position, channel, recipient, variables, templateId, templateVersion, policy,
--                               reasonCode, reasonDetail }] }]   no two with the same key
--   result: { accepted: [requestId], refused: [{ id, code, detail }],
--             known: [{ id, requestId, sameBody }] }   known: the key was used before, by requestId
--   Its plans outlive the moment when a partition or a list was empty, so no plan may read a whole table.
CREATE OR REPLACE FUNCTION accept_sends(p_tenant uuid, p_requests jsonb) RETURNS jsonb LANGUAGE plpgsql SET enable_seqscan = off AS $$
DECLARE
  v_now timestamptz := date_trunc('milliseconds', now());
  v_fresh uuid[];
  v_known jsonb;
  v_refused jsonb;
  v_jobs jsonb;
  v_webhook_jobs jsonb;
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true), set_config('lock_timeout', '5s', true);

  -- Waits here for a request under way with the same key; ordered, so that two batches cannot wait for each other.
  WITH r AS (
    SELECT * FROM jsonb_to_recordset(p_requests) AS r(id uuid, "environmentId" uuid, "applicationId" uuid,
      "keyKind" text, key text, "bodyHash" text, "keyExpiresAt" timestamptz)
  ), claimed AS (
    INSERT INTO idempotency_keys AS i (tenant_id, environment_id, application_id, kind, key, body_hash, request_id, expires_at)
    SELECT p_tenant, "environmentId", "applicationId", "keyKind", key, decode("bodyHash", 'hex'), id, "keyExpiresAt"
    FROM r WHERE key IS NOT NULL ORDER BY "environmentId", "applicationId", "keyKind", key
    ON CONFLICT (tenant_id, environment_id, application_id, kind, key) DO UPDATE
      SET body_hash = excluded.body_hash, request_id = excluded.request_id, expires_at = excluded.expires_at
      WHERE i.expires_at < now()
    RETURNING i.request_id
  )
  SELECT coalesce(array_agg(r.id) FILTER (WHERE r.key IS NULL OR c.request_id IS NOT NULL), '{}')
  INTO v_fresh FROM r LEFT JOIN claimed c ON c.request_id = r.id;

  IF cardinality(v_fresh) < jsonb_array_length(p_requests) THEN
    SELECT jsonb_agg(jsonb_build_object('id', r.id, 'requestId', i.request_id, 'sameBody', i.body_hash = decode(r."bodyHash", 'hex')))
    INTO v_known
    FROM jsonb_to_recordset(p_requests) AS r(id uuid, "environmentId" uuid, "applicationId" uuid, "keyKind" text, key text, "bodyHash" text)
    CROSS JOIN LATERAL (SELECT i.request_id, i.body_hash FROM idempotency_keys i WHERE i.tenant_id = p_tenant
      AND i.environment_id = r."environmentId" AND i.application_id = r."applicationId" AND i.kind = r."keyKind"
      AND i.key = r.key OFFSET 0) AS i
    WHERE r.id <> ALL (v_fresh);
  END IF;

  WITH r AS (
    SELECT * FROM jsonb_to_recordset(p_requests) AS r(id uuid, "environmentId" uuid, "applicationId" uuid, "unitId" uuid,
      sandbox boolean, source text, "actorType" text, "actorId" uuid, "transactionId" text, region text, language text,
      type text, subtype text, class text, variables jsonb, metadata jsonb, "scheduledAt" timestamptz,
      "expiresAt" timestamptz, task text, priority int, messages jsonb)
    WHERE r.id = ANY (v_fresh)
  ), ins_requests AS (
    INSERT INTO send_requests (tenant_id, id, environment_id, application_id, transaction_id, source, actor_type, actor_id,
      region, language, notification_type, notification_subtype, variables, metadata, created_at)
    SELECT p_tenant, id, "environmentId", "applicationId", "transactionId", source, "actorType", "actorId",
      region, language, type, subtype, variables, metadata, v_now FROM r
  ), m AS (
    SELECT r.id AS request_id, r."environmentId", r."applicationId", r."unitId", r.sandbox, r.region, r.language, r.type,
      r.subtype, r.class, r."scheduledAt", r."expiresAt", r.task, r.priority,
      m.id, m.position, m.channel, m.recipient, m.variables, m."templateId", m."templateVersion",
      coalesce(m."reasonCode", refusal.code) AS reason_code,
      coalesce(m."reasonDetail", refusal_detail(refusal.code)) AS reason_detail,
      CASE WHEN coalesce(m."reasonCode", refusal.code) IS NOT NULL THEN 'rejected'
           WHEN r."scheduledAt" IS NOT NULL THEN 'scheduled' ELSE 'queued' END AS status
    FROM r
    CROSS JOIN LATERAL jsonb_to_recordset(r.messages) AS m(id uuid, position int, channel text, recipient text,
      variables jsonb, "templateId" uuid, "templateVersion" int, policy text, "reasonCode" text, "reasonDetail" text)
    -- OFFSET keeps the planner from asking again for each mention of the code.
    CROSS JOIN LATERAL (SELECT CASE WHEN m."reasonCode" IS NULL THEN (SELECT f.code FROM send_refusal(p_tenant, r.sandbox,
      m.channel, m.recipient, r.region, r.class, m.policy) AS f) END AS code OFFSET 0) AS refusal
  ), ins_notifications AS (
    INSERT INTO notifications (tenant_id, id, request_id, position, environment_id, application_id, unit_id, sandbox, channel,
      recipient, variables, region, language, notification_type, notification_subtype, class, template_id, template_version,
      status, reason_code, reason_detail, sequence, due_at, scheduled_at, expires_at, created_at)
    SELECT p_tenant, id, request_id, position, "environmentId", "applicationId", "unitId", sandbox, channel,
      recipient, variables, region, language, type, subtype, class, "templateId", "templateVersion",
      status, reason_code, reason_detail, 1, CASE WHEN status <> 'rejected' THEN coalesce("scheduledAt", v_now) END,
      "scheduledAt", "expiresAt", v_now FROM m
  ), ins_events AS (
    INSERT INTO notification_events (tenant_id, notification_id, sequence, at, type, data)
    SELECT p_tenant, id, 1, v_now, status, CASE WHEN reason_code IS NULL THEN '{}'::jsonb
      ELSE jsonb_build_object('reason', jsonb_build_object('code', reason_code, 'detail', reason_detail)) END FROM m
  ), owed AS (
    INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event, notification_id, sequence, at, next_attempt_at)
    SELECT p_tenant, uuidv7_new(), e.id, webhook_event_of(m.status), m.id, 1, v_now, v_now
    FROM m JOIN webhook_endpoints e ON e.tenant_id = p_tenant AND e.application_id = m."applicationId"
      AND e.environment_id = m."environmentId" AND e.enabled
      AND (e.events = '{}' OR webhook_event_of(m.status) = ANY (e.events))
    WHERE webhook_event_of(m.status) IS NOT NULL
    RETURNING id
  ), counted AS (
    INSERT INTO metric_deltas (tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type,
      notification_subtype, region, connection_id, status, code, latency, count)
    SELECT p_tenant, date_trunc('hour', v_now, 'UTC'), 'status', "environmentId", "applicationId", "unitId", channel, type,
      subtype, region, NULL::uuid, status, coalesce(reason_code, ''), -1, count(*)
    FROM m GROUP BY "environmentId", "applicationId", "unitId", channel, type, subtype, region, status, reason_code
    UNION ALL
    SELECT p_tenant, date_trunc('hour', v_now, 'UTC'), 'status', "environmentId", "applicationId", "unitId", channel, type,
      subtype, region, NULL::uuid, 'accepted', '', -1, count(*)
    FROM m GROUP BY "environmentId", "applicationId", "unitId", channel, type, subtype, region
  )
  SELECT
    (SELECT jsonb_agg(jsonb_build_object('id', id, 'code', reason_code, 'detail', reason_detail)) FROM m WHERE status = 'rejected'),
    (SELECT jsonb_agg(jsonb_build_object('task', task, 'payload', jsonb_build_object('tenantId', p_tenant, 'notificationIds', ids),
      'runAt', "scheduledAt", 'priority', priority) ORDER BY first) FROM (
       SELECT task, "scheduledAt", priority, jsonb_agg(id ORDER BY id) AS ids, min(id::text) AS first FROM (
         SELECT *, (row_number() OVER (PARTITION BY task, "scheduledAt" ORDER BY id) - 1) / messages_per_job(task) AS share
         FROM m WHERE status <> 'rejected') AS numbered
       GROUP BY task, "scheduledAt", priority, share) AS jobs),
    (SELECT jsonb_agg(jsonb_build_object('task', 'deliver_webhook', 'payload', jsonb_build_object('tenantId', p_tenant, 'deliveryId', id)))
     FROM owed)
  INTO v_refused, v_jobs, v_webhook_jobs;

  IF coalesce(v_jobs, v_webhook_jobs) IS NOT NULL THEN
    PERFORM enqueue_jobs(coalesce(v_jobs, '[]') || coalesce(v_webhook_jobs, '[]'));
  END IF;
  RETURN jsonb_build_object('accepted', to_jsonb(v_fresh), 'refused', coalesce(v_refused, '[]'), 'known', coalesce(v_known, '[]'));
END
$$;
REVOKE ALL ON FUNCTION accept_sends FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION accept_sends TO tidings_web, tidings_worker;
