-- The only writer of a notification after it was accepted: claims it for an attempt, closes an attempt, or applies a
-- receipt or a decision, together with the status event, the owed webhooks, the costs, the counts and the next job.
-- A change that the state machine forbids is left out; nothing else in the call is affected. The first word that a message
-- was sent charges the tenant's platform fee, once, as attempt 0. In the sandbox nothing costs anything.
--   p_tenant   the caller's tenant, or null for a worker's batch over many tenants
--   p_changes  at most one per notification: [{
--     tenantId, id, at?            when it happened; default now
--     to?                          status reached, or read | clicked | bounced | complained
--     claim?, worker?              open an attempt over connectionId (then `to` is "sending"), ...
--     policy?, token?, consentClass?   ... unless consent or a suppression forbid it at this moment, by policy, see send_refusal(),
--     cap?                         ... or its recipient has had as many as this allows, see over_frequency_caps()
--     attempt?, outcome?, code?, detail?, providerCode?, providerMessage?   close this attempt
--     connectionId?, provider?, providerMessageId?, segments?, final?, reason? {code,detail}, failure?, data?
--     price? { amount, currency, source, countedAs? }, priceAttempt?   the attempt that it is for; the one closed, else the newest
--     dueAt?, task?, priority?     look at it again then, with a job for `task`; with a reason, if it waits for one
--     jobs?                        further jobs, as enqueue_jobs takes them
--   }]
--   result: the changes that took effect: id, status now, sequence now, number of the attempt opened or closed, and whether its
--     price is the first of its attempt; and the claims that were refused, with the code of send_refusal() or frequency_cap, of
--     which nothing was changed
-- One statement, so that one snapshot sees it all and the executor starts once: (1) parse, (2) lock and judge, (3) write the
-- notification, (4) its event, attempt, webhooks, costs and counts, (5) the next jobs. What it needs in between are small SQL
-- functions that become part of it.
-- Owner: sending.

DROP FUNCTION IF EXISTS advance_notifications(uuid, jsonb); -- it did not return refusals, then not what is priced
CREATE OR REPLACE FUNCTION advance_notifications(p_tenant uuid, p_changes jsonb)
RETURNS TABLE (tenant_id uuid, id uuid, status text, sequence int, attempt int, refused text, priced boolean) LANGUAGE plpgsql SET enable_seqscan = off AS $$
#variable_conflict use_column
DECLARE
  v_now timestamptz := date_trunc('milliseconds', clock_timestamp());
  v_applied jsonb;
  v_refused jsonb;
  v_jobs jsonb;
  v_ended_tenants uuid[];
  v_ended_requests uuid[];
  -- Most calls have none.
  v_capped boolean := jsonb_path_exists(p_changes, '$[*].cap');
  v_over uuid[];
  v_none CONSTANT uuid := '00000000-0000-0000-0000-000000000000';
BEGIN
  IF p_tenant IS NOT NULL THEN
    PERFORM set_config('app.tenant', p_tenant::text, true);
  END IF;

  IF v_capped THEN
    v_over := over_frequency_caps(p_changes);
  END IF;
  -- What is judged by other rows than the notification's own is read once nobody else writes them.
  IF jsonb_path_exists(p_changes, '$[*] ? (@.to == "bounced" || @.to == "complained" || @.to == "clicked")') THEN
    PERFORM FROM notifications n JOIN notification_changes(p_changes) AS a ON n.tenant_id = a.tenant_id AND n.id = a.id
    WHERE p_tenant IS NULL OR n.tenant_id = p_tenant ORDER BY n.tenant_id, n.id FOR UPDATE OF n;
  END IF;

  WITH
  -- 1. The changes.
  asked AS (
    SELECT * FROM notification_changes(p_changes)
  ),
  -- 2. The notifications, locked in one order, so that two calls cannot deadlock. Only those whose change may happen
  --    now. `moves`: it is an event of the notification, a new status or a recipient's action that was not known yet.
  locked AS (
    SELECT a.*, n.status AS was, n.final AS was_final,
      n.sent_at IS NULL AND a.reached IN ('sent', 'delivered') AS first_sent,
      -- A receipt has said that the provider has it: what the call itself ended with takes nothing of that back.
      a.attempt IS NOT NULL AND a.outcome IS DISTINCT FROM 'sent' AND n.status = 'sent' AS known_sent,
      coalesce(CASE
        WHEN a.attempt IS NOT NULL AND a.outcome IS DISTINCT FROM 'sent' AND n.status = 'sent' THEN false
        WHEN a.reached = 'read' THEN n.read_at IS NULL
        -- A provider that got no answer reports the same click again; another has another time.
        WHEN a.reached = 'clicked' THEN a.data->>'source' IS DISTINCT FROM 'receipt' OR NOT EXISTS (
          SELECT FROM notification_events e WHERE e.tenant_id = n.tenant_id AND e.notification_id = n.id AND e.type = 'clicked'
            AND e.at = a.at)
        WHEN a.reached IN ('bounced', 'complained') THEN NOT EXISTS (
          SELECT FROM notification_events e WHERE e.tenant_id = n.tenant_id AND e.notification_id = n.id AND e.type = a.reached)
        ELSE notification_may_become(n.status, a.reached) END, false) AS moves,
      coalesce(CASE WHEN NOT coalesce(a.claim, false) THEN NULL
        WHEN a.token IS NULL THEN (SELECT f.code FROM send_refusal(n.tenant_id, n.sandbox, n.channel, n.recipient, n.region,
          coalesce(a.consent_class, n.class), a.policy) AS f)
        ELSE (SELECT f.code FROM send_refusal_of(n.tenant_id, n.sandbox, n.channel, ARRAY[n.recipient, a.token], n.region,
          coalesce(a.consent_class, n.class), a.policy) AS f) END,
        CASE WHEN a.id = ANY (v_over) THEN 'frequency_cap' END) AS refused
    FROM notifications n JOIN asked a ON n.tenant_id = a.tenant_id AND n.id = a.id
    WHERE (p_tenant IS NULL OR n.tenant_id = p_tenant)
      AND CASE
        -- A claim. Due, as the worker saw it: of two jobs for one message the slower one must not repeat what the other
        -- just did.
        WHEN a.claim THEN n.open_attempt IS NULL AND n.due_at <= v_now + interval '1 second'
          AND notification_rank(n.status) < 2
        -- An outcome, of the open attempt.
        WHEN a.attempt IS NOT NULL THEN n.open_attempt = a.attempt
        -- Rescheduled, while no attempt is open.
        WHEN a.reached IS NULL AND a.next_at IS NOT NULL THEN n.open_attempt IS NULL AND notification_rank(n.status) < 2
        -- A price, even if the status that comes with it is not new.
        WHEN a.price IS NOT NULL OR a.next_at IS NOT NULL THEN true
        WHEN is_recipient_action(a.reached) THEN true
        -- No provider has it, none is being called, and none may have got it.
        WHEN a.reached = 'canceled' THEN notification_may_become(n.status, a.reached) AND n.open_attempt IS NULL
          AND n.unknown_outcomes = 0
        ELSE notification_may_become(n.status, a.reached) END
    ORDER BY n.tenant_id, n.id
    FOR UPDATE OF n
  ),
  judged AS (
    -- `waits`: why it waits is said anew, or it waits no more.
    SELECT l.*, CASE WHEN moves AND NOT is_recipient_action(reached) THEN reached END AS new_status,
      coalesce(claim, false) OR (reached IS NULL AND attempt IS NULL AND next_at IS NOT NULL) AS waits
    FROM locked l
    WHERE refused IS NULL
  ),
  -- 3. The notification itself.
  changed AS (
    UPDATE notifications n SET
      status = coalesce(j.new_status, n.status),
      sequence = n.sequence + j.moves::int,
      attempts = n.attempts + coalesce(j.claim, false)::int,
      open_attempt = CASE WHEN j.claim THEN n.attempts + 1 WHEN j.attempt IS NOT NULL THEN NULL ELSE n.open_attempt END,
      unknown_outcomes = n.unknown_outcomes + (j.outcome IS NOT DISTINCT FROM 'unknown')::int,
      due_at = CASE
        WHEN is_terminal_status(j.new_status) OR is_terminal_status(n.status) OR n.final THEN NULL
        WHEN j.final AND j.reached = 'sent' THEN NULL
        WHEN j.claim THEN v_now + interval '1 minute'
        WHEN j.known_sent THEN n.due_at
        ELSE coalesce(j.next_at, n.due_at) END,
      final = n.final OR (j.moves AND coalesce(j.final, is_terminal_status(j.new_status) AND j.new_status <> 'undetermined')),
      connection_id = coalesce(j.connection_id, n.connection_id),
      provider = coalesce(j.provider, n.provider),
      provider_message_id = coalesce(j.provider_message_id, n.provider_message_id),
      segments = coalesce(j.segments, n.segments),
      reason_code = CASE WHEN j.moves AND j.reason IS NOT NULL THEN j.reason->>'code'
                         WHEN j.new_status IN ('delivered', 'failed') THEN NULL
                         WHEN j.waits THEN j.reason->>'code' ELSE n.reason_code END,
      reason_detail = CASE WHEN j.moves AND j.reason IS NOT NULL THEN j.reason->>'detail'
                           WHEN j.new_status IN ('delivered', 'failed') THEN NULL
                           WHEN j.waits THEN j.reason->>'detail' ELSE n.reason_detail END,
      failure = CASE WHEN j.new_status IN ('sent', 'delivered') THEN NULL
                     WHEN j.failure IS NOT NULL
                       AND (j.moves OR (j.attempt IS NOT NULL AND NOT j.known_sent AND NOT is_terminal_status(n.status)))
                       THEN j.failure ELSE n.failure END,
      -- Also when it becomes known only after the end.
      sent_at = CASE WHEN j.reached IN ('sent', 'delivered') THEN coalesce(n.sent_at, j.at, v_now) ELSE n.sent_at END,
      delivered_at = CASE WHEN j.new_status = 'delivered' THEN coalesce(j.at, v_now) ELSE n.delivered_at END,
      failed_at = CASE WHEN j.new_status = 'failed' THEN coalesce(j.at, v_now)
                       WHEN j.new_status = 'delivered' THEN NULL ELSE n.failed_at END,
      read_at = CASE WHEN j.moves AND j.reached = 'read' THEN coalesce(j.at, v_now) ELSE n.read_at END,
      -- A one-time code is redacted at the end.
      variables = CASE WHEN n.class = 'authentication' AND NOT n.sandbox AND (j.final OR is_terminal_status(j.new_status))
                         THEN redact_variables(n.variables) ELSE n.variables END
    FROM judged j WHERE n.tenant_id = j.tenant_id AND n.id = j.id
    RETURNING n.tenant_id, n.id, n.request_id, n.environment_id, n.application_id, n.unit_id, n.sandbox, n.channel,
      coalesce(n.mail_domain, '') AS mail_domain, n.notification_type, n.notification_subtype, coalesce(n.country, n.region) AS country, n.template_id, n.class,
      n.connection_id, n.provider, n.segments, n.status, n.final, n.sequence,
      n.attempts, n.reason_code, n.failure, n.due_at, n.scheduled_at, n.created_at,
      j.was, j.was_final, j.first_sent, j.moves, j.new_status, j.reached, coalesce(j.at, v_now) AS at, j.data, j.claim, j.worker,
      j.attempt, j.outcome, j.code, j.detail, j.provider_code, j.provider_message, j.provider_message_id,
      j.price, j.price_attempt, j.next_at, j.task, j.priority, j.jobs, j.decision, j.known_sent
  ),
  -- 4. What belongs to it: the event, ...
  written_events AS (
    INSERT INTO notification_events (tenant_id, notification_id, sequence, at, type, data)
    SELECT tenant_id, id, sequence, at, reached, coalesce(data, '{}') FROM changed WHERE moves
  ),
  -- ... the attempt that is opened, ...
  opened_attempts AS (
    INSERT INTO attempts (tenant_id, notification_id, number, connection_id, provider, worker, started_at, decision)
    SELECT tenant_id, id, attempts, connection_id, provider, worker, v_now, decision FROM changed WHERE claim
  ),
  -- ... or closed. It returns what is counted below: joined there, each would be compared with each.
  closed_attempts AS (
    UPDATE attempts a SET finished_at = v_now, outcome = c.outcome, code = c.code, detail = c.detail,
      provider_code = c.provider_code, provider_message = c.provider_message, provider_message_id = c.provider_message_id
    FROM changed c WHERE c.attempt IS NOT NULL AND a.tenant_id = c.tenant_id AND a.notification_id = c.id AND a.number = c.attempt
    RETURNING a.started_at, a.connection_id AS made_over, c.*
  ),
  -- ... the event's webhook deliveries, ...
  owed_webhooks AS (
    INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event, notification_id, sequence, at, state, next_attempt_at)
    SELECT c.tenant_id, uuidv7_new(), e.id, webhook_event_of(c.reached), c.id, c.sequence, c.at,
      CASE WHEN e.enabled THEN 'pending' ELSE 'discarded' END, CASE WHEN e.enabled THEN v_now END
    FROM changed c
    CROSS JOIN LATERAL endpoints_for_event(c.tenant_id, c.application_id, c.environment_id, webhook_event_of(c.reached)) AS e
    WHERE c.moves
    RETURNING tenant_id, id, state
  ),
  -- ... what it costs: the provider's price at the time of the try, and once the operator's fee. ...
  written_costs AS (
    INSERT INTO cost_entries AS ce (tenant_id, id, notification_id, attempt, kind, amount, currency, source, segments, counted_as, at)
    SELECT c.tenant_id, uuidv7_new(), c.id, p.attempt, p.kind, (p.price->>'amount')::numeric, p.price->>'currency', p.source,
      p.segments, p.price->>'countedAs', CASE p.kind WHEN 'message' THEN coalesce((SELECT a.started_at FROM attempts a
        WHERE a.tenant_id = c.tenant_id AND a.notification_id = c.id AND a.number = p.attempt), v_now) ELSE v_now END
    FROM changed c CROSS JOIN LATERAL (VALUES
      ('message', c.price, coalesce(c.price_attempt, c.attempt, greatest(c.attempts, 1)), coalesce(c.price->>'source', 'estimated'),
        c.segments),
      ('platform_fee', CASE WHEN c.first_sent THEN
        (SELECT t.platform_fees->c.channel FROM tenant_facts t WHERE t.id = c.tenant_id) END, 0, 'reported', NULL)
    ) AS p(kind, price, attempt, source, segments)
    WHERE p.price IS NOT NULL AND NOT c.sandbox
      -- A receipt's report about this attempt is better than the estimate made before it was sent, which may be written
      -- later.
      AND NOT (p.kind = 'message' AND p.source = 'estimated' AND c.attempt IS NOT NULL AND EXISTS (
        SELECT FROM cost_entries e WHERE e.tenant_id = c.tenant_id AND e.notification_id = c.id AND e.attempt = p.attempt
          AND e.kind = 'message'))
    ON CONFLICT (tenant_id, notification_id, attempt, kind) DO UPDATE
      SET amount = excluded.amount, currency = excluded.currency, source = excluded.source, segments = excluded.segments
      WHERE ce.source = 'estimated'
    -- Of a new row. As what an old one counts stays: see recountEntry() in server/costs/queries.ts.
    RETURNING ce.tenant_id, ce.notification_id, ce.kind, ce.xmax = 0 AS is_first
  ),
  -- ... and the counts: that it was sent, an end, or a recipient's action, in the hour of the acceptance; ...
  counts AS (
    SELECT tenant_id, date_trunc('hour', created_at, 'UTC') AS hour, 'status' AS kind, environment_id, application_id, unit_id,
      channel, notification_type, notification_subtype, country, template_id, connection_id, mail_domain, r.status,
      metric_code(r.status, reason_code, failure) AS code,
      CASE WHEN r.status = 'failed' THEN coalesce(failure->>'providerCode', '') ELSE '' END AS provider_code,
      -- From its scheduled time: a message scheduled for tomorrow is not slow.
      CASE WHEN r.status IN ('sent', 'delivered') THEN latency_bucket(at - coalesce(scheduled_at, created_at)) ELSE -1 END AS latency,
      r.count
    FROM changed c CROSS JOIN LATERAL (VALUES
      ('sent', CASE WHEN c.first_sent THEN 1 END),
      ('final', CASE WHEN c.moves AND c.reached = 'sent' AND c.final THEN 1
                     -- it was not the last word
                     WHEN c.was = 'sent' AND c.was_final AND is_terminal_status(c.new_status) THEN -1 END),
      (c.reached, CASE WHEN c.moves AND (is_terminal_status(c.reached) OR is_recipient_action(c.reached)) THEN 1 END)
    ) AS r(status, count)
    WHERE r.count IS NOT NULL
    UNION ALL
    -- minus what was given up and has ended after all; ...
    SELECT tenant_id, date_trunc('hour', created_at, 'UTC'), 'status', environment_id, application_id, unit_id,
      channel, notification_type, notification_subtype, country, template_id, connection_id, mail_domain, was, 'no_receipt', '', -1, -1
    FROM changed WHERE was = 'undetermined' AND is_terminal_status(new_status)
    UNION ALL
    -- and attempts, in the hour of their end.
    SELECT tenant_id, date_trunc('hour', v_now, 'UTC'), 'attempt', environment_id, application_id, unit_id,
      channel, notification_type, notification_subtype, country, template_id, made_over, mail_domain, outcome, coalesce(code, ''),
      coalesce(provider_code, ''), latency_bucket(v_now - started_at), 1
    FROM closed_attempts
  ),
  written_counts AS (
    INSERT INTO metric_deltas (tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type,
      notification_subtype, country, template_id, connection_id, mail_domain, status, code, provider_code, latency, count)
    SELECT tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type, notification_subtype, country,
      coalesce(template_id, v_none), coalesce(connection_id, v_none), mail_domain, status, code,
      left(provider_code, 40), latency, sum(count)
    FROM counts GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17
  ),
  -- 5. The jobs: messages that are due at about the same time share one; ...
  shares AS (
    SELECT *, date_bin('100 ms', next_at, 'epoch') AS about,
      (row_number() OVER (PARTITION BY task, tenant_id, date_bin('100 ms', next_at, 'epoch') ORDER BY id) - 1)
        / messages_per_job(task) AS share
    FROM changed WHERE task IS NOT NULL AND due_at IS NOT NULL AND NOT known_sent
  ),
  next_jobs AS (
    SELECT delivery_job(task, tenant_id, jsonb_agg(id ORDER BY id), max(next_at), priority) AS job
    FROM shares GROUP BY task, tenant_id, priority, about, share
    UNION ALL
    -- ... those that came with a change, and one for each webhook to an endpoint that is on.
    SELECT job FROM changed c CROSS JOIN LATERAL jsonb_array_elements(c.jobs) AS job
    UNION ALL
    SELECT webhook_job(tenant_id, id) FROM owed_webhooks WHERE state = 'pending'
  ),
  -- The requests of one-time codes of which a message has ended.
  ended AS (
    SELECT DISTINCT tenant_id, request_id FROM changed
    WHERE class = 'authentication' AND NOT sandbox AND new_status IS NOT NULL AND (final OR is_terminal_status(status))
  )
  SELECT
    (SELECT jsonb_agg(jsonb_build_array(tenant_id, id, status, sequence, coalesce(attempt, CASE WHEN claim THEN attempts END), NULL,
       (tenant_id, id) IN (SELECT tenant_id, notification_id FROM written_costs WHERE kind = 'message' AND is_first)))
     FROM changed),
    (SELECT jsonb_agg(jsonb_build_array(tenant_id, id, was, NULL, NULL, refused, false)) FROM locked WHERE refused IS NOT NULL),
    (SELECT jsonb_agg(job) FROM next_jobs),
    (SELECT array_agg(tenant_id ORDER BY tenant_id, request_id) FROM ended),
    (SELECT array_agg(request_id ORDER BY tenant_id, request_id) FROM ended)
  INTO v_applied, v_refused, v_jobs, v_ended_tenants, v_ended_requests;

  IF v_capped AND v_applied IS NOT NULL THEN
    PERFORM record_capped_sends(p_changes, ARRAY(SELECT (r->>1)::uuid FROM jsonb_array_elements(v_applied) AS r));
  END IF;
  IF v_ended_requests IS NOT NULL THEN
    PERFORM redact_ended_requests(v_ended_tenants, v_ended_requests);
  END IF;
  IF v_jobs IS NOT NULL THEN
    PERFORM enqueue_jobs(v_jobs);
  END IF;
  RETURN QUERY SELECT (r->>0)::uuid, (r->>1)::uuid, r->>2, (r->>3)::int, (r->>4)::int, r->>5, (r->>6)::boolean
    FROM jsonb_array_elements(coalesce(v_applied, '[]') || coalesce(v_refused, '[]')) AS r;
END
$$;
REVOKE ALL ON FUNCTION advance_notifications FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION advance_notifications TO tidings_web, tidings_worker;
