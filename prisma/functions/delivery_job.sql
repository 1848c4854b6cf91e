-- A job, as enqueue_jobs() takes it, that delivers notifications of one tenant.
--   p_ids   JSON list of ids, at most messages_per_job(p_task)
-- Owner: sending.
CREATE OR REPLACE FUNCTION delivery_job(p_task text, p_tenant uuid, p_ids jsonb, p_run_at timestamptz, p_priority int)
RETURNS jsonb LANGUAGE sql STABLE PARALLEL SAFE AS $$
  SELECT jsonb_build_object('task', p_task, 'payload', jsonb_build_object('tenantId', p_tenant, 'notificationIds', p_ids),
    'runAt', p_run_at, 'priority', p_priority)
$$;
