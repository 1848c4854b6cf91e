-- Lanes in which tenants take turns, jobs that carry several messages, processes whose life is their progress, and codes
-- that are forgotten when their message has ended.

-- Processes -------------------------------------------------------------------------------------------------------

-- The worker processes and when each last said so itself, once a second and from its event loop: a process that exists
-- but does nothing (stopped, out of memory, in an endless loop) is as good as dead.
CREATE UNLOGGED TABLE worker_processes (
  name text PRIMARY KEY,
  lanes text[],
  -- graphile-worker's names for its job pools.
  pools text[] DEFAULT '{}',
  beat_at timestamptz(3) NOT NULL,
  -- The connections with a rate that it used lately: the rate is divided among those that do.
  limited uuid[] DEFAULT '{}',
  -- Another process has taken its work over; it ends as soon as it notices.
  given_up_at timestamptz(3)
);
GRANT SELECT, INSERT, UPDATE, DELETE ON worker_processes TO tidings_worker;
GRANT SELECT ON worker_processes TO tidings_web;

-- The lanes that no process gets on with now: what is accepted for them waits. The lanes are those of worker/lanes.ts.
CREATE FUNCTION lanes_without_worker() RETURNS text[] LANGUAGE sql STABLE AS $$
  SELECT coalesce(array_agg(lane), '{}')
  FROM unnest(ARRAY['otp', 'transactional', 'bulk', 'sandbox', 'webhook', 'maintenance']) AS lane
  WHERE NOT EXISTS (SELECT FROM worker_processes p WHERE lane = ANY (p.lanes) AND p.given_up_at IS NULL
                    AND p.beat_at > clock_timestamp() - interval '10 seconds')
$$;

-- Ends the database sessions of worker processes that were given up: a process that hangs may hold locks.
CREATE FUNCTION end_worker_sessions(p_names text[]) RETURNS int LANGUAGE sql SECURITY DEFINER SET search_path = public, pg_temp AS $$
  SELECT count(pg_terminate_backend(a.pid))::int FROM pg_stat_activity a
  JOIN worker_processes p ON a.application_name = 'tidings worker ' || p.name
  WHERE p.name = ANY (p_names) AND p.given_up_at IS NOT NULL AND a.datname = current_database() AND a.pid <> pg_backend_pid()
$$;
REVOKE EXECUTE ON FUNCTION end_worker_sessions(text[]) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION end_worker_sessions(text[]) TO tidings_worker;

-- Turns -----------------------------------------------------------------------------------------------------------

-- How many messages of one tenant one job may carry. One-time codes have a job each.
CREATE FUNCTION messages_per_job(p_task text) RETURNS int LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT CASE p_task WHEN 'deliver_otp' THEN 1 ELSE 10 END
$$;

-- Tasks of which every tenant may cause any number: within a lane, tenants take turns.
CREATE FUNCTION takes_turns(p_task text) RETURNS boolean LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT starts_with(p_task, 'deliver_') OR starts_with(p_task, 'post_')
$$;

-- Turns are kept in run_at, by which graphile-worker orders the jobs of a lane: start-time fair queueing, after Goyal, Vin
-- and Cheng (1996). A job that may run now gets a time of long ago, on a clock that moves on by a millisecond for each
-- message: not before the head of its lane, and after its tenant's last job. So however much one tenant has waiting, the
-- next job of another comes soon after the head. The clock starts again whenever the lane is empty. A job for later keeps
-- its real time; once due it runs at once if nothing waits, and otherwise gets its turn from give_turns().
CREATE INDEX jobs_in_turn_idx ON graphile_worker._private_jobs (task_id, (payload->>'tenantId'), run_at)
  WHERE is_available AND run_at < '2010-01-01 00:00:00+00';
CREATE INDEX jobs_for_later_idx ON graphile_worker._private_jobs (task_id, run_at)
  WHERE is_available AND run_at >= '2010-01-01 00:00:00+00';

-- The time after which a tenant's next turn in a task's lane comes.
CREATE FUNCTION last_turn(p_task_id int, p_tenant text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT greatest(
    timestamptz '2000-01-01 00:00:00+00',
    (SELECT CASE WHEN head.run_at < '2010-01-01 00:00:00+00' THEN head.run_at END FROM (
       SELECT run_at FROM graphile_worker._private_jobs WHERE task_id = p_task_id AND is_available
       ORDER BY priority, run_at LIMIT 1) AS head),
    (SELECT run_at FROM graphile_worker._private_jobs
     WHERE task_id = p_task_id AND payload->>'tenantId' = p_tenant AND is_available AND run_at < '2010-01-01 00:00:00+00'
     ORDER BY run_at DESC LIMIT 1))
$$;

-- How many messages a job carries.
CREATE FUNCTION job_size(p_payload jsonb) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_array_length(p_payload->'notificationIds'), 1)
$$;

-- Adds jobs to graphile-worker. The only door to the queue: neither role reads or writes its tables through it, and the web's
-- role adds only what its use cases add, for its own tenant: web_may_enqueue(), which a later migration of this release makes.
-- p_jobs: [{ "task", "payload", "runAt"?, "priority"?, "maxAttempts"? }]   priority: 0 and more, lower is sooner; nobody comes
-- before the others, and no key replaces a job that waits.
CREATE OR REPLACE FUNCTION enqueue_jobs(p_jobs jsonb) RETURNS void LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET enable_seqscan = off AS $$
BEGIN
  IF EXISTS (SELECT FROM jsonb_array_elements(p_jobs) AS j WHERE NOT web_may_enqueue(j->>'task', j->'payload')) THEN
    RAISE EXCEPTION 'this role may not add such a job' USING ERRCODE = 'insufficient_privilege';
  END IF;
  PERFORM count(*) FROM graphile_worker.add_jobs(ARRAY(
    WITH j AS (
      SELECT e.number, e.job->>'task' AS task, e.job->'payload' AS payload, (e.job->>'runAt')::timestamptz AS run_at,
        (e.job->>'maxAttempts')::smallint AS max_attempts, greatest((e.job->>'priority')::smallint, 0::smallint) AS priority,
        takes_turns(e.job->>'task') AND coalesce((e.job->>'runAt')::timestamptz <= now(), true) AS now_in_turn
      FROM jsonb_array_elements(p_jobs) WITH ORDINALITY AS e(job, number)
    ), lines AS MATERIALIZED (
      SELECT l.task, l.tenant, last_turn(t.id, l.tenant) AS after FROM (
        SELECT DISTINCT task, payload->>'tenantId' AS tenant FROM j WHERE now_in_turn) AS l
      LEFT JOIN graphile_worker._private_tasks t ON t.identifier = l.task
    )
    SELECT ROW(j.task, j.payload::json, NULL,
        CASE WHEN j.now_in_turn THEN coalesce(l.after, timestamptz '2000-01-01 00:00:00+00') + interval '1 ms'
          * sum(job_size(j.payload)) OVER (PARTITION BY j.task, j.payload->>'tenantId', j.now_in_turn ORDER BY j.number)
        ELSE j.run_at END,
        j.max_attempts, NULL, j.priority, NULL)::graphile_worker.job_spec
    FROM j LEFT JOIN lines l ON j.now_in_turn AND l.task = j.task AND l.tenant = j.payload->>'tenantId'
    ORDER BY j.number));
END
$$;

-- Gives turns to jobs that have become due in lanes where others wait: up to p_limit of each task, the longest due first.
-- One process at a time; returns how many. Where nothing waits they need no turn, they run as they are.
CREATE FUNCTION give_turns(p_tasks text[], p_limit int) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
SET search_path = public, pg_temp SET enable_seqscan = off AS $$
DECLARE
  v_task record;
  v_given int;
  v_all int := 0;
BEGIN
  FOR v_task IN SELECT id FROM graphile_worker._private_tasks WHERE identifier = ANY (p_tasks) AND takes_turns(identifier) LOOP
    CONTINUE WHEN NOT pg_try_advisory_xact_lock(7461003, v_task.id);
    CONTINUE WHEN last_turn(v_task.id, '') = '2000-01-01 00:00:00+00';
    WITH due AS (
      SELECT id, payload->>'tenantId' AS tenant, run_at, job_size(payload::jsonb) AS size FROM graphile_worker._private_jobs
      WHERE task_id = v_task.id AND is_available AND run_at >= '2010-01-01 00:00:00+00' AND run_at <= now()
      ORDER BY run_at LIMIT p_limit FOR UPDATE SKIP LOCKED
    ), lines AS MATERIALIZED (
      SELECT tenant, last_turn(v_task.id, tenant) AS after FROM (SELECT DISTINCT tenant FROM due) AS l
    ), turns AS (
      SELECT id, after + interval '1 ms' * sum(size) OVER (PARTITION BY tenant ORDER BY run_at, id) AS run_at
      FROM due JOIN lines USING (tenant)
    )
    UPDATE graphile_worker._private_jobs j SET run_at = turns.run_at FROM turns WHERE j.id = turns.id;
    GET DIAGNOSTICS v_given = ROW_COUNT;
    v_all := v_all + v_given;
  END LOOP;
  RETURN v_all;
END
$$;
REVOKE EXECUTE ON FUNCTION give_turns(text[], int), last_turn(int, text) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION give_turns(text[], int) TO tidings_worker;

-- Within a lane there are no priorities any more; those of before would keep new jobs and old ones apart.
UPDATE graphile_worker._private_jobs j SET priority = 0 FROM graphile_worker._private_tasks t
WHERE t.id = j.task_id AND takes_turns(t.identifier) AND j.priority <> 0;

-- Small functions of the hot paths ----------------------------------------------------------------------------------

-- Quarter octaves of milliseconds: bucket b holds latencies up to 2^(b/4) ms. In floating point: a numeric logarithm
-- takes longer than all else that is done for a message here.
CREATE OR REPLACE FUNCTION latency_bucket(p_latency interval) RETURNS smallint LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_latency IS NULL THEN -1 ELSE
    ceil(round((4 * ln(greatest(extract(epoch FROM p_latency)::float8 * 1000, 1)) / ln(2::float8))::numeric, 9))::smallint END
$$;

-- Not STRICT, although null gives null: only then do they become part of the statement that uses them.
CREATE OR REPLACE FUNCTION notification_rank(p_status text) RETURNS int LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_status IN ('scheduled', 'queued') THEN 0 WHEN p_status = 'sending' THEN 1 WHEN p_status = 'sent' THEN 2
              WHEN p_status IS NOT NULL THEN 3 END
$$;
CREATE OR REPLACE FUNCTION notification_may_become(p_from text, p_to text) RETURNS boolean LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN p_to IN ('scheduled', 'queued') THEN false
    WHEN p_from = 'undetermined' THEN p_to IN ('delivered', 'failed')
    WHEN p_to = 'canceled' THEN p_from IN ('scheduled', 'queued')
    WHEN p_to IN ('expired', 'rejected') THEN p_from IN ('scheduled', 'queued', 'sending')
    ELSE notification_rank(p_to) > notification_rank(p_from)
  END
$$;
CREATE OR REPLACE FUNCTION webhook_event_of(p_type text) RETURNS text LANGUAGE sql IMMUTABLE PARALLEL SAFE AS $$
  SELECT CASE WHEN p_type IN ('scheduled', 'bounced', 'complained') THEN NULL
              WHEN p_type = 'clicked' THEN 'link.clicked'
              ELSE 'notification.' || p_type END
$$;

-- The newest consent that covers an address in a region for a class; no row: none was ever given or withdrawn. Returns a
-- set, because only such a function becomes part of the statement that uses it; one call a message costs ten times as much.
CREATE FUNCTION newest_consent(p_tenant uuid, p_sandbox boolean, p_channel text, p_address text, p_region text, p_class text)
RETURNS TABLE (state text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT c.state FROM consent_entries c
  WHERE c.tenant_id = p_tenant AND c.sandbox = p_sandbox AND c.channel = p_channel AND c.address = p_address
    AND (c.region IS NULL OR c.region = p_region) AND (c.class IS NULL OR c.class = p_class)
  ORDER BY c.at DESC, c.id DESC LIMIT 1
$$;
CREATE OR REPLACE FUNCTION consent_state(p_tenant uuid, p_sandbox boolean, p_channel text, p_address text, p_region text, p_class text)
RETURNS text LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT state FROM newest_consent(p_tenant, p_sandbox, p_channel, p_address, p_region, p_class)
$$;

-- Why a message must not be sent, or null; always one row. p_policy: opt_in_required | opt_out | exempt.
DROP FUNCTION send_refusal(uuid, boolean, text, text, text, text, text);
CREATE FUNCTION send_refusal(p_tenant uuid, p_sandbox boolean, p_channel text, p_address text, p_region text, p_class text, p_policy text)
RETURNS TABLE (code text) LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT CASE
    WHEN EXISTS (SELECT FROM suppressions s WHERE s.tenant_id = p_tenant AND s.sandbox = p_sandbox
                 AND s.channel = p_channel AND s.address = p_address) THEN 'suppressed'
    WHEN p_policy = 'opt_in_required' AND (SELECT c.state FROM newest_consent(p_tenant, p_sandbox, p_channel, p_address,
           p_region, p_class) AS c) IS DISTINCT FROM 'opted_in' THEN 'consent_denied'
    WHEN p_policy = 'opt_out' AND (SELECT c.state FROM newest_consent(p_tenant, p_sandbox, p_channel, p_address,
           p_region, p_class) AS c) = 'opted_out' THEN 'consent_denied'
  END
$$;

-- Every value replaced; the names stay, so that one sees what a message was made from.
CREATE FUNCTION redact_variables(p_variables jsonb) RETURNS jsonb LANGUAGE sql IMMUTABLE STRICT PARALLEL SAFE AS $$
  SELECT coalesce(jsonb_object_agg(key, '[redacted]'), '{}') FROM jsonb_object_keys(p_variables) AS key
$$;

-- What ended before this rule.
UPDATE send_requests r SET variables = redact_variables(r.variables)
WHERE EXISTS (SELECT FROM notifications n WHERE n.tenant_id = r.tenant_id AND n.request_id = r.id AND n.class = 'authentication' AND NOT n.sandbox)
  AND NOT EXISTS (SELECT FROM notifications n WHERE n.tenant_id = r.tenant_id AND n.request_id = r.id
                  AND NOT (n.final OR notification_rank(n.status) = 3));
UPDATE notifications SET variables = redact_variables(variables)
WHERE class = 'authentication' AND NOT sandbox AND variables IS NOT NULL AND (final OR notification_rank(status) = 3);

-- Accept and advance --------------------------------------------------------------------------------------------------

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
    RETURNING a.tenant_id, a.notification_id, a.started_at
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
    SELECT c.tenant_id, date_trunc('hour', v_now, 'UTC'), 'attempt', c.environment_id, c.application_id, c.unit_id, c.channel,
      c.notification_type, c.notification_subtype, c.region, c.connection_id, c.outcome, coalesce(c.code, ''),
      latency_bucket(v_now - a.started_at), count(*)
    FROM changed c JOIN closed a ON a.tenant_id = c.tenant_id AND a.notification_id = c.id
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
