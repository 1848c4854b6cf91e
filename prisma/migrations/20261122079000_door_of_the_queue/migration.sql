-- The door of the queue asks who comes, and so does the guard of the operator's channels.

-- Whether the caller may add this job: the worker and the owner any, the web's role those of its own tenant that its use
-- cases add. Meant for enqueue_jobs, which runs as its owner: who calls is the role that was set, else the login.
CREATE OR REPLACE FUNCTION web_may_enqueue(p_task text, p_payload jsonb) RETURNS boolean LANGUAGE sql STABLE
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

-- Adds jobs to graphile-worker. The only door to the queue: neither role reads or writes its tables through it, and the web's
-- role adds only what its use cases add, for its own tenant.
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

-- An operator's channel: the worker and the owner change it, the organisation only which of its units a lent sender is.
CREATE OR REPLACE FUNCTION guard_platform_connection() RETURNS trigger LANGUAGE plpgsql SET search_path = public, pg_temp AS $$
BEGIN
  IF current_user = 'tidings_worker'
     OR EXISTS (SELECT FROM pg_class c JOIN pg_roles o ON o.oid = c.relowner WHERE c.oid = TG_RELID AND o.rolname = current_user) THEN
    RETURN coalesce(NEW, OLD);
  END IF;
  IF TG_OP <> 'UPDATE'
     OR NEW.platform_channel_id IS DISTINCT FROM OLD.platform_channel_id
     OR (SELECT jsonb_agg(e - 'unitId' ORDER BY n) FROM jsonb_array_elements(NEW.senders) WITH ORDINALITY AS x(e, n))
        IS DISTINCT FROM
        (SELECT jsonb_agg(e - 'unitId' ORDER BY n) FROM jsonb_array_elements(OLD.senders) WITH ORDINALITY AS x(e, n))
     OR (NEW.tenant_id, NEW.id, NEW.unit_id, NEW.adapter, NEW.channels, NEW.credentials, NEW.settings,
         NEW.rate_per_second, NEW.price_list, NEW.processing_region)
        IS DISTINCT FROM
        (OLD.tenant_id, OLD.id, OLD.unit_id, OLD.adapter, OLD.channels, OLD.credentials, OLD.settings,
         OLD.rate_per_second, OLD.price_list, OLD.processing_region) THEN
    RAISE EXCEPTION 'an operator''s channel is given and changed by the operator only' USING ERRCODE = 'insufficient_privilege';
  END IF;
  RETURN NEW;
END
$$;
