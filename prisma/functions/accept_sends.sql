-- Accepts send requests of one tenant: idempotency, consent and suppression, rows, first events, owed webhooks,
-- counts and jobs, all or nothing.
--   p_requests: [{ id, environmentId, applicationId, unitId, sandbox, held?, appended?, source, actorType, actorId, transactionId,
--                  keyKind, key, bodyHash (hex), keyExpiresAt, region, language, type, subtype, class, variables,
--                  metadata, scheduledAt, expiresAt, task, priority, traceContext?,
--                  messages: [{ id, position, channel, recipient, variables, templateId, templateVersion, policy,
--                               reasonCode, reasonDetail, token?, consentClass? }] }]   no two with the same key
--   consentClass: of which class consent is asked, where it is another than the request's
--   held: a person has to approve it
--   appended: the request exists, these are further messages of it; of one request there may be several
--   traceContext: the trace that it belongs to, as the header traceparent has it
--   token: what stays of the address when it is erased. Without tokens, a tenant that may have erased somebody gets the
--   error TD001, and nothing is written.
--   result: { accepted: [requestId], refused: [{ id, code, detail }],
--             known: [{ id, requestId, sameBody }] }   known: the key was used before, by requestId
-- Its plans outlive the moment when a partition or a list was empty, so no plan may read a whole table. It always keeps them: for
-- one message, planning takes as long as all the rest.
-- Owner: sending.
CREATE OR REPLACE FUNCTION accept_sends(p_tenant uuid, p_requests jsonb) RETURNS jsonb LANGUAGE plpgsql
SET enable_seqscan = off SET plan_cache_mode = force_generic_plan AS $$
DECLARE
  v_now timestamptz := date_trunc('milliseconds', now());
  v_fresh uuid[];
  v_known jsonb;
  v_refused jsonb;
  v_jobs jsonb;
  v_none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  PERFORM set_config('app.tenant', p_tenant::text, true), set_config('lock_timeout', '5s', true);

  -- 1. Claim the keys. Waits here for a concurrent request with the same key; ordered, so that two batches cannot
  --    deadlock. An expired key is free.
  WITH asked AS (
    SELECT * FROM requested_keys(p_requests)
  ), claimed AS (
    INSERT INTO idempotency_keys AS i (tenant_id, environment_id, application_id, kind, key, body_hash, request_id, expires_at)
    SELECT p_tenant, environment_id, application_id, kind, key, body_hash, id, expires_at
    FROM asked WHERE key IS NOT NULL ORDER BY environment_id, application_id, kind, key
    ON CONFLICT (tenant_id, environment_id, application_id, kind, key) DO UPDATE
      SET body_hash = excluded.body_hash, request_id = excluded.request_id, expires_at = excluded.expires_at
      WHERE i.expires_at < now()
    RETURNING i.request_id
  )
  SELECT coalesce(array_agg(a.id) FILTER (WHERE a.key IS NULL OR c.request_id IS NOT NULL), '{}')
  INTO v_fresh FROM asked a LEFT JOIN claimed c ON c.request_id = a.id;

  -- 2. The results of repetitions.
  IF cardinality(v_fresh) < jsonb_array_length(p_requests) THEN
    SELECT jsonb_agg(jsonb_build_object('id', r.id, 'requestId', i.request_id, 'sameBody', i.body_hash = r.body_hash))
    INTO v_known
    FROM requested_keys(p_requests) AS r
    CROSS JOIN LATERAL (SELECT i.request_id, i.body_hash FROM idempotency_keys i WHERE i.tenant_id = p_tenant
      AND i.environment_id = r.environment_id AND i.application_id = r.application_id AND i.kind = r.kind
      AND i.key = r.key OFFSET 0) AS i
    WHERE r.id <> ALL (v_fresh);
  END IF;

  WITH
  -- 3. Write the new requests, ...
  fresh AS (
    SELECT * FROM requested_sends(p_requests) AS r WHERE r.id = ANY (v_fresh)
  ),
  written_requests AS (
    INSERT INTO send_requests (tenant_id, id, environment_id, application_id, transaction_id, source, actor_type, actor_id,
      region, language, notification_type, notification_subtype, variables, metadata, created_at, trace_context)
    SELECT p_tenant, id, environment_id, application_id, transaction_id, source, actor_type, actor_id,
      region, language, type, subtype, variables, metadata, v_now, trace_context FROM fresh WHERE appended IS NOT TRUE
  ),
  -- ... and decide each message: rejected by its plan, by a suppression or for want of consent; held; later; or now.
  messages AS (
    SELECT r.id AS request_id, r.environment_id, r.application_id, r.unit_id, r.sandbox, r.region, r.language, r.type,
      r.subtype, r.class, r.scheduled_at, r.expires_at, r.task, r.priority,
      m.id, m.position, m.channel, m.recipient, m.country, mail_domain_group(m.channel, m.recipient) AS mail_domain, m.variables, m.template_id, m.template_version,
      coalesce(m.reason_code, refusal.code) AS reason_code,
      CASE WHEN m.reason_code IS NOT NULL OR refusal.code IS NULL THEN m.reason_detail
           -- Only for those that are refused; the state is looked at once more, to tell a no from nothing.
           ELSE refusal_detail(refusal.code, CASE WHEN refusal.code = 'consent_denied' THEN
             CASE WHEN m.token IS NULL THEN (SELECT c.state FROM newest_consent(p_tenant, r.sandbox,
               m.channel, m.recipient, r.region, coalesce(m.consent_class, r.class)) AS c)
             ELSE (SELECT c.state FROM newest_consent_of(p_tenant, r.sandbox,
               m.channel, ARRAY[m.recipient, m.token], r.region, coalesce(m.consent_class, r.class)) AS c) END END,
             m.channel, coalesce(m.consent_class, r.class)) END AS reason_detail,
      CASE WHEN coalesce(m.reason_code, refusal.code) IS NOT NULL THEN 'rejected'
           WHEN r.held THEN 'pending_approval'
           WHEN r.scheduled_at IS NOT NULL THEN 'scheduled' ELSE 'queued' END AS status
    FROM fresh r
    CROSS JOIN LATERAL requested_messages(r.messages) AS m
    -- OFFSET keeps the planner from evaluating it again for each mention of the code.
    CROSS JOIN LATERAL (SELECT CASE WHEN m.reason_code IS NULL THEN 
      CASE WHEN m.token IS NULL THEN (SELECT f.code FROM send_refusal(p_tenant, r.sandbox,
        m.channel, m.recipient, r.region, coalesce(m.consent_class, r.class), m.policy) AS f)
      ELSE (SELECT f.code FROM send_refusal_of(p_tenant, r.sandbox,
        m.channel, ARRAY[m.recipient, m.token], r.region, coalesce(m.consent_class, r.class), m.policy) AS f) END END AS code OFFSET 0) AS refusal
  ),
  -- 4. Write the notifications, ...
  written_notifications AS (
    INSERT INTO notifications (tenant_id, id, request_id, position, environment_id, application_id, unit_id, sandbox, channel,
      recipient, variables, region, country, mail_domain, language, notification_type, notification_subtype, class, template_id, template_version,
      status, reason_code, reason_detail, sequence, due_at, scheduled_at, expires_at, created_at)
    SELECT p_tenant, id, request_id, position, environment_id, application_id, unit_id, sandbox, channel,
      recipient, variables, region, country, mail_domain, language, type, subtype, class, template_id, template_version,
      status, reason_code, reason_detail, 1,
      CASE WHEN status NOT IN ('rejected', 'pending_approval') THEN coalesce(scheduled_at, v_now) END,
      scheduled_at, expires_at, v_now FROM messages
  ),
  -- ... their first events, ...
  written_events AS (
    INSERT INTO notification_events (tenant_id, notification_id, sequence, at, type, data)
    SELECT p_tenant, id, 1, v_now, status, CASE WHEN reason_code IS NULL THEN '{}'::jsonb
      ELSE jsonb_build_object('reason', jsonb_build_object('code', reason_code, 'detail', reason_detail)) END FROM messages
  ),
  -- ... their webhook deliveries, ...
  owed_webhooks AS (
    INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event, notification_id, sequence, at, state, next_attempt_at)
    SELECT p_tenant, uuidv7_new(), e.id, webhook_event_of(m.status), m.id, 1, v_now,
      CASE WHEN e.enabled THEN 'pending' ELSE 'discarded' END, CASE WHEN e.enabled THEN v_now END
    FROM messages m
    CROSS JOIN LATERAL endpoints_for_event(p_tenant, m.application_id, m.environment_id, webhook_event_of(m.status)) AS e
    RETURNING id, state
  ),
  -- ... and the counts: each as accepted, and as rejected.
  written_counts AS (
    INSERT INTO metric_deltas (tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type,
      notification_subtype, country, template_id, connection_id, mail_domain, status, code, provider_code, latency, count)
    SELECT p_tenant, date_trunc('hour', v_now, 'UTC'), 'status', environment_id, application_id, unit_id, channel, type,
      subtype, coalesce(country, region), coalesce(template_id, v_none), v_none, mail_domain, s.status, s.code,
      '', -1, count(*)
    FROM messages m CROSS JOIN LATERAL (
      SELECT 'accepted' AS status, '' AS code
      UNION ALL SELECT m.status, coalesce(m.reason_code, '') WHERE m.status = 'rejected') AS s
    GROUP BY environment_id, application_id, unit_id, channel, type, subtype, coalesce(country, region), coalesce(template_id, v_none),
      mail_domain, s.status, s.code
  ),
  -- 5. The jobs: messages for the same time share one; and one for each webhook delivery to an endpoint that is on.
  shares AS (
    SELECT *, (row_number() OVER (PARTITION BY task, scheduled_at ORDER BY id) - 1) / messages_per_job(task) AS share
    FROM messages WHERE status NOT IN ('rejected', 'pending_approval')
  ),
  delivery_jobs AS (
    SELECT delivery_job(task, p_tenant, jsonb_agg(id ORDER BY id), scheduled_at, priority) AS job
    FROM shares GROUP BY task, scheduled_at, priority, share ORDER BY min(id::text)
  ),
  first_jobs AS (
    SELECT job FROM delivery_jobs
    UNION ALL
    SELECT webhook_job(p_tenant, id) FROM owed_webhooks WHERE state = 'pending'
  )
  SELECT
    (SELECT jsonb_agg(jsonb_build_object('id', id, 'code', reason_code, 'detail', reason_detail)) FROM messages
     WHERE status = 'rejected'),
    (SELECT jsonb_agg(job) FROM first_jobs)
  INTO v_refused, v_jobs;

  -- After the decision: had somebody who said no been erased before it, this sees the key.
  IF (p_requests #> '{0,messages,0}') IS NOT NULL AND (p_requests #> '{0,messages,0,token}') IS NULL
     AND has_consent_key(p_tenant) THEN
    RAISE EXCEPTION 'addresses may have been erased: their tokens are needed' USING ERRCODE = 'TD001';
  END IF;
  IF v_jobs IS NOT NULL THEN
    PERFORM enqueue_jobs(v_jobs);
  END IF;
  RETURN jsonb_build_object('accepted', to_jsonb(v_fresh), 'refused', coalesce(v_refused, '[]'), 'known', coalesce(v_known, '[]'));
END
$$;
REVOKE ALL ON FUNCTION accept_sends FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION accept_sends TO tidings_web, tidings_worker;
