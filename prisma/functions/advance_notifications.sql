-- Outcomes of a batch were joined with its attempts, each with each, for the counts. The attempts' own update now returns
-- what is counted; nothing else differs from before.
-- The only writer of a notification after it was accepted: claims it for an attempt, closes an attempt, or applies a
-- receipt or a decision, together with the status event, the owed webhooks, the costs, the counts and the next job.
-- A change that the state machine forbids is left out; nothing else in the call is affected. The first word that a message
-- was sent charges the tenant's platform fee, once, as attempt 0. In the sandbox nothing costs anything.
--   p_tenant   the caller's tenant, or null for a worker's batch over many tenants
--   p_changes  at most one per notification: [{
--     tenantId, id, at?            when it happened; default now
--     to?                          status reached, or read | clicked | bounced | complained
--     claim?, worker?              open an attempt over connectionId (then `to` is "sending")
--     attempt?, outcome?, code?, detail?, providerCode?, providerMessage?   close this attempt
--     connectionId?, provider?, providerMessageId?, segments?, final?, reason? {code,detail}, failure?, data?
--     price? { amount, currency, source }, priceAttempt?   the attempt that it is for; the one closed, else the newest
--     dueAt?, task?, priority?     look at it again then, with a job for `task`
--     jobs?                        further jobs, as enqueue_jobs takes them
--   }]
--   result: the changes that took effect: id, status now, sequence now, number of the attempt opened or closed
CREATE OR REPLACE FUNCTION advance_notifications(p_tenant uuid, p_changes jsonb)
RETURNS TABLE (tenant_id uuid, id uuid, status text, sequence int, attempt int) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_rows jsonb;
  v_jobs jsonb;
  v_more_jobs jsonb;
  v_webhook_jobs jsonb;
  v_ended uuid[];
BEGIN
  IF p_tenant IS NOT NULL THEN
    PERFORM set_config('app.tenant', p_tenant::text, true);
  END IF;

  WITH x AS (
    SELECT * FROM notification_changes(p_changes)
  ), locked AS (
    SELECT x.*, n.status AS was, n.final AS was_final,
      n.sent_at IS NULL AND x."to" IN ('sent', 'delivered') AS first_sent,
      coalesce(CASE
        WHEN x."to" = 'read' THEN n.read_at IS NULL
        WHEN x."to" = 'clicked' THEN true
        WHEN x."to" IN ('bounced', 'complained') THEN NOT EXISTS (
          SELECT FROM notification_events e WHERE e.tenant_id = n.tenant_id AND e.notification_id = n.id AND e.type = x."to")
        ELSE notification_may_become(n.status, x."to") END, false) AS moves
    FROM notifications n JOIN x ON n.tenant_id = x."tenantId" AND n.id = x.id
    WHERE (p_tenant IS NULL OR n.tenant_id = p_tenant)
      AND CASE
        -- Due, as the worker saw it: of two jobs for one message the slower one must not try again what the other just did.
        WHEN x.claim THEN n.open_attempt IS NULL AND n.due_at <= v_now + interval '1 second'
          AND n.status IN ('scheduled', 'queued', 'sending')
        WHEN x.attempt IS NOT NULL THEN n.open_attempt = x.attempt
        WHEN x."to" IS NULL AND x."dueAt" IS NOT NULL THEN n.open_attempt IS NULL AND n.status IN ('scheduled', 'queued', 'sending')
        WHEN x.price IS NOT NULL OR x."dueAt" IS NOT NULL THEN true
        WHEN x."to" IN ('read', 'clicked', 'bounced', 'complained') THEN true
        ELSE notification_may_become(n.status, x."to") END
    ORDER BY n.tenant_id, n.id
    FOR UPDATE OF n
  ), changed AS (
    UPDATE notifications n SET
      status = CASE WHEN x.moves AND x."to" NOT IN ('read', 'clicked', 'bounced', 'complained') THEN x."to" ELSE n.status END,
      sequence = n.sequence + x.moves::int,
      attempts = n.attempts + coalesce(x.claim, false)::int,
      open_attempt = CASE WHEN x.claim THEN n.attempts + 1 WHEN x.attempt IS NOT NULL THEN NULL ELSE n.open_attempt END,
      unknown_outcomes = n.unknown_outcomes + (x.outcome IS NOT DISTINCT FROM 'unknown')::int,
      due_at = CASE
        WHEN x.moves AND notification_rank(x."to") = 3 AND x."to" NOT IN ('read', 'clicked', 'bounced', 'complained') THEN NULL
        WHEN notification_rank(n.status) = 3 OR n.final THEN NULL
        WHEN x.final AND x."to" = 'sent' THEN NULL
        WHEN x.claim THEN v_now + interval '1 minute'
        ELSE coalesce(x."dueAt", n.due_at) END,
      final = n.final OR (x.moves AND coalesce(x.final, notification_rank(x."to") = 3 AND x."to" NOT IN ('read', 'clicked', 'bounced', 'complained', 'undetermined'))),
      connection_id = coalesce(x."connectionId", n.connection_id),
      provider = coalesce(x.provider, n.provider),
      provider_message_id = coalesce(x."providerMessageId", n.provider_message_id),
      segments = coalesce(x.segments, n.segments),
      reason_code = CASE WHEN x.moves AND x.reason IS NOT NULL THEN x.reason->>'code'
                         WHEN x.moves AND x."to" IN ('delivered', 'failed') THEN NULL ELSE n.reason_code END,
      reason_detail = CASE WHEN x.moves AND x.reason IS NOT NULL THEN x.reason->>'detail'
                           WHEN x.moves AND x."to" IN ('delivered', 'failed') THEN NULL ELSE n.reason_detail END,
      failure = CASE WHEN x.moves AND x."to" IN ('sent', 'delivered') THEN NULL
                     WHEN x.failure IS NOT NULL AND (x.moves OR (x.attempt IS NOT NULL AND notification_rank(n.status) < 3))
                       THEN x.failure ELSE n.failure END,
      -- Also when the word of it comes after the end.
      sent_at = CASE WHEN x."to" IN ('sent', 'delivered') THEN coalesce(n.sent_at, x.at, v_now) ELSE n.sent_at END,
      delivered_at = CASE WHEN x.moves AND x."to" = 'delivered' THEN coalesce(x.at, v_now) ELSE n.delivered_at END,
      failed_at = CASE WHEN x.moves AND x."to" = 'failed' THEN coalesce(x.at, v_now)
                       WHEN x.moves AND x."to" = 'delivered' THEN NULL ELSE n.failed_at END,
      read_at = CASE WHEN x.moves AND x."to" = 'read' THEN coalesce(x.at, v_now) ELSE n.read_at END,
      variables = CASE
        WHEN n.variables IS NULL OR n.class <> 'authentication' OR n.sandbox THEN n.variables
        WHEN x.final OR (x.moves AND notification_rank(x."to") = 3 AND x."to" NOT IN ('read', 'clicked', 'bounced', 'complained'))
          THEN redact_variables(n.variables)
        ELSE n.variables END
    FROM locked x WHERE n.tenant_id = x."tenantId" AND n.id = x.id
    RETURNING n.tenant_id, n.id, n.environment_id, n.application_id, n.unit_id, n.channel, n.notification_type,
      n.notification_subtype, n.region, n.connection_id, n.provider, n.status, n.sequence, n.attempts, n.created_at, n.scheduled_at,
      n.reason_code, n.failure, n.final, x.moves, x.was, x.was_final, x.claim, x.worker, x.attempt, x.outcome, x.code, x.detail, x."providerCode",
      x."providerMessage", x."providerMessageId", x."to", x.price, x."priceAttempt", x.first_sent, n.sandbox, x.data, x.task, x.priority, x."dueAt",
      x.jobs, n.due_at, n.class, n.request_id, coalesce(x.at, v_now) AS at
  ), ins_events AS (
    INSERT INTO notification_events (tenant_id, notification_id, sequence, at, type, data)
    SELECT tenant_id, id, sequence, at, "to", coalesce(data, '{}') FROM changed WHERE moves
  ), ins_attempts AS (
    INSERT INTO attempts (tenant_id, notification_id, number, connection_id, provider, worker, started_at)
    SELECT tenant_id, id, attempts, connection_id, provider, worker, v_now FROM changed WHERE claim
  ), closed AS (
    UPDATE attempts a SET finished_at = v_now, outcome = c.outcome, code = c.code, detail = c.detail,
      provider_code = c."providerCode", provider_message = c."providerMessage", provider_message_id = c."providerMessageId"
    FROM changed c WHERE c.attempt IS NOT NULL AND a.tenant_id = c.tenant_id AND a.notification_id = c.id AND a.number = c.attempt
    -- With what is counted below: joined there, each would be compared with each.
    RETURNING a.started_at, c.tenant_id, c.environment_id, c.application_id, c.unit_id, c.channel, c.notification_type,
      c.notification_subtype, c.region, c.connection_id, c.outcome, c.code
  ), owed AS (
    INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event, notification_id, sequence, at, next_attempt_at)
    SELECT c.tenant_id, uuidv7_new(), e.id, webhook_event_of(c."to"), c.id, c.sequence, c.at, v_now
    FROM changed c JOIN webhook_endpoints e ON e.tenant_id = c.tenant_id AND e.application_id = c.application_id
      AND e.environment_id = c.environment_id AND e.enabled
      AND (e.events = '{}' OR webhook_event_of(c."to") = ANY (e.events))
    WHERE c.moves AND webhook_event_of(c."to") IS NOT NULL
    RETURNING tenant_id, id
  ), ins_costs AS (
    INSERT INTO cost_entries AS ce (tenant_id, id, notification_id, attempt, kind, amount, currency, source, at)
    SELECT c.tenant_id, uuidv7_new(), c.id, p.attempt, p.kind, (p.price->>'amount')::numeric, p.price->>'currency', p.source, v_now
    FROM changed c CROSS JOIN LATERAL (VALUES
      ('message', c.price, coalesce(c."priceAttempt", c.attempt, greatest(c.attempts, 1)), coalesce(c.price->>'source', 'estimated')),
      ('platform_fee', CASE WHEN c.first_sent THEN
        (SELECT t.platform_fees->c.channel FROM tenants t WHERE t.id = c.tenant_id) END, 0, 'reported')
    ) AS p(kind, price, attempt, source)
    WHERE p.price IS NOT NULL AND NOT c.sandbox
      -- What a receipt said about this attempt is better than the guess made before it was sent, which may be written later.
      AND NOT (p.kind = 'message' AND p.source = 'estimated' AND c.attempt IS NOT NULL AND EXISTS (
        SELECT FROM cost_entries e WHERE e.tenant_id = c.tenant_id AND e.notification_id = c.id AND e.attempt = p.attempt
          AND e.kind = 'message'))
    ON CONFLICT (tenant_id, notification_id, attempt, kind) DO UPDATE
      SET amount = excluded.amount, currency = excluded.currency, source = excluded.source, at = excluded.at
      WHERE ce.source = 'estimated'
  ), counted AS (
    INSERT INTO metric_deltas (tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type,
      notification_subtype, region, connection_id, status, code, latency, count)
    SELECT tenant_id, date_trunc('hour', created_at, 'UTC'), 'status', environment_id, application_id, unit_id, channel,
      notification_type, notification_subtype, region, connection_id, "to",
      CASE WHEN "to" = 'sent' AND final THEN 'final' WHEN "to" IN ('sent', 'delivered', 'sending') THEN ''
           WHEN "to" IN ('rejected', 'canceled', 'undetermined') THEN coalesce(reason_code, '')
           ELSE coalesce(failure->>'code', reason_code, '') END,
      -- From when it was to be sent: a message scheduled for tomorrow is not slow.
      CASE WHEN "to" IN ('sent', 'delivered') THEN latency_bucket(at - coalesce(scheduled_at, created_at)) ELSE -1 END, count(*)
    FROM changed WHERE moves
    GROUP BY 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
    UNION ALL
    -- What was counted as an end and turned out not to be one; it was sent all the same.
    SELECT tenant_id, date_trunc('hour', created_at, 'UTC'), 'status', environment_id, application_id, unit_id, channel,
      notification_type, notification_subtype, region, connection_id, was, correction.code, -1, sum(correction.count)
    FROM changed CROSS JOIN LATERAL (
      SELECT 'no_receipt' AS code, -1 AS count WHERE was = 'undetermined'
      UNION ALL SELECT 'final', -1 WHERE was = 'sent'
      UNION ALL SELECT '', 1 WHERE was = 'sent') AS correction
    WHERE moves AND notification_rank("to") = 3 AND "to" NOT IN ('read', 'clicked', 'bounced', 'complained')
      AND (was = 'undetermined' OR (was = 'sent' AND was_final))
    GROUP BY 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13
    UNION ALL
    SELECT tenant_id, date_trunc('hour', v_now, 'UTC'), 'attempt', environment_id, application_id, unit_id, channel,
      notification_type, notification_subtype, region, connection_id, outcome, coalesce(code, ''),
      latency_bucket(v_now - started_at), count(*)
    FROM closed
    GROUP BY 1, 2, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14
  )
  SELECT
    (SELECT jsonb_agg(jsonb_build_array(tenant_id, id, status, sequence, coalesce(attempt, CASE WHEN claim THEN attempts END))) FROM changed),
    (SELECT jsonb_agg(jsonb_build_object('task', task, 'payload', jsonb_build_object('tenantId', tenant_id, 'notificationIds', ids),
       'runAt', run_at, 'priority', priority)) FROM (
       SELECT task, tenant_id, priority, jsonb_agg(id ORDER BY id) AS ids, max("dueAt") AS run_at FROM (
         -- Messages that are to be looked at at about the same time share a job.
         SELECT *, (row_number() OVER (PARTITION BY task, tenant_id, date_bin('100 ms', "dueAt", 'epoch') ORDER BY id) - 1)
           / messages_per_job(task) AS share
         FROM changed WHERE task IS NOT NULL AND due_at IS NOT NULL) AS numbered
       GROUP BY task, tenant_id, priority, date_bin('100 ms', "dueAt", 'epoch'), share) AS jobs),
    (SELECT jsonb_agg(j) FROM changed c, jsonb_array_elements(c.jobs) AS j),
    (SELECT jsonb_agg(jsonb_build_object('task', 'deliver_webhook', 'payload', jsonb_build_object('tenantId', tenant_id, 'deliveryId', id)))
     FROM owed),
    (SELECT array_agg(DISTINCT request_id) FROM changed
     WHERE class = 'authentication' AND NOT sandbox AND moves AND (final OR notification_rank(status) = 3)
       AND "to" NOT IN ('read', 'clicked', 'bounced', 'complained'))
  INTO v_rows, v_jobs, v_more_jobs, v_webhook_jobs, v_ended;

  -- What a one-time code was made from has served its purpose when the last message of its request has ended. Two messages
  -- that end at once meet at the lock, and the later one sees the other's end.
  IF v_ended IS NOT NULL THEN
    PERFORM FROM send_requests r WHERE r.id = ANY (v_ended) AND (p_tenant IS NULL OR r.tenant_id = p_tenant)
      AND r.tenant_id IN (SELECT (applied->>0)::uuid FROM jsonb_array_elements(v_rows) AS applied) ORDER BY r.id FOR UPDATE;
    UPDATE send_requests r SET variables = redact_variables(r.variables)
    WHERE r.id = ANY (v_ended) AND r.tenant_id IN (SELECT (applied->>0)::uuid FROM jsonb_array_elements(v_rows) AS applied)
      AND NOT EXISTS (SELECT FROM notifications n WHERE n.tenant_id = r.tenant_id AND n.request_id = r.id
                      AND NOT n.final AND notification_rank(n.status) < 3);
  END IF;

  IF coalesce(v_jobs, v_more_jobs, v_webhook_jobs) IS NOT NULL THEN
    PERFORM enqueue_jobs(coalesce(v_jobs, '[]') || coalesce(v_more_jobs, '[]') || coalesce(v_webhook_jobs, '[]'));
  END IF;
  RETURN QUERY SELECT (r->>0)::uuid, (r->>1)::uuid, r->>2, (r->>3)::int, (r->>4)::int
    FROM jsonb_array_elements(coalesce(v_rows, '[]')) AS r;
END
$$;
REVOKE ALL ON FUNCTION advance_notifications FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION advance_notifications TO tidings_web, tidings_worker;
