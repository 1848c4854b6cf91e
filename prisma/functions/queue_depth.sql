-- How much waits in each lane, for metrics: messages that may run now and for later, jobs that were given up, how the first are
-- divided between the organisation that has most of them and the others, and since when the oldest of either waits.
-- What has its turn is not counted but measured: a turn moves on by a millisecond per message (enqueue_jobs()), so the messages of an
-- organisation in line are the distance of its last turn from its first. That takes three look-ups an organisation, however
-- long the line. What has no turn, or is for later, is counted.
--   p_tasks, p_lanes   the lane of each task; all others are in p_rest
--   p_tenants          of so many organisations a task
--   p_jobs             so many jobs of a task that have no turn, are for later, or were given up
--   result: a row for each lane that has ever had a job; `busiest`: messages of the organisation with most, and which it is
-- Owner: worker.
CREATE OR REPLACE FUNCTION queue_depth(p_tasks text[], p_lanes text[], p_rest text, p_tenants int, p_jobs int)
RETURNS TABLE (lane text, due bigint, later bigint, given_up bigint, tenants bigint, busiest bigint, busiest_tenant text,
               busiest_since timestamptz, others_since timestamptz)
LANGUAGE sql STABLE SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  WITH RECURSIVE tasks AS MATERIALIZED (
    SELECT t.id, t.identifier, coalesce(l.lane, p_rest) AS lane
    FROM graphile_worker._private_tasks t LEFT JOIN unnest(p_tasks, p_lanes) AS l(task, lane) ON l.task = t.identifier
  ),
  -- From one organisation to the next along the index, and no further.
  found(task_id, tenant, number) AS (
    SELECT t.id, (
      SELECT j.payload->>'tenantId' FROM graphile_worker._private_jobs j
      WHERE j.task_id = t.id AND j.is_available AND j.run_at < '2010-01-01 00:00:00+00' ORDER BY j.payload->>'tenantId' LIMIT 1), 1
    FROM tasks t WHERE takes_turns(t.identifier)
    UNION ALL
    SELECT f.task_id, (
      SELECT j.payload->>'tenantId' FROM graphile_worker._private_jobs j
      WHERE j.task_id = f.task_id AND j.is_available AND j.run_at < '2010-01-01 00:00:00+00' AND j.payload->>'tenantId' > f.tenant
      ORDER BY j.payload->>'tenantId' LIMIT 1), f.number + 1
    FROM found f WHERE f.tenant IS NOT NULL AND f.number < p_tenants
  ),
  waiting AS (
    SELECT f.task_id, f.tenant, round(extract(epoch FROM last.run_at - first.run_at) * 1000)::bigint + first.size AS messages, first.since
    FROM found f
    CROSS JOIN LATERAL (
      SELECT j.run_at, j.updated_at AS since, job_size(j.payload::jsonb) AS size FROM graphile_worker._private_jobs j
      WHERE j.task_id = f.task_id AND j.payload->>'tenantId' = f.tenant AND j.is_available AND j.run_at < '2010-01-01 00:00:00+00'
      ORDER BY j.run_at LIMIT 1) AS first
    CROSS JOIN LATERAL (
      SELECT j.run_at FROM graphile_worker._private_jobs j
      WHERE j.task_id = f.task_id AND j.payload->>'tenantId' = f.tenant AND j.is_available AND j.run_at < '2010-01-01 00:00:00+00'
      ORDER BY j.run_at DESC LIMIT 1) AS last
    UNION ALL
    SELECT t.id, j.tenant, j.size, j.run_at
    FROM tasks t
    CROSS JOIN LATERAL (
      SELECT payload->>'tenantId' AS tenant, job_size(payload::jsonb) AS size, run_at FROM graphile_worker._private_jobs
      WHERE task_id = t.id AND is_available AND run_at >= '2010-01-01 00:00:00+00' AND run_at <= now() ORDER BY run_at LIMIT p_jobs) AS j
  ),
  by_tenant AS (
    SELECT t.lane, w.tenant, sum(w.messages)::bigint AS messages, min(w.since) AS since
    FROM waiting w JOIN tasks t ON t.id = w.task_id GROUP BY 1, 2
  ),
  ranked AS (
    SELECT *, tenant IS NOT NULL AND row_number() OVER (PARTITION BY lane ORDER BY tenant IS NULL, messages DESC, tenant) = 1 AS most
    FROM by_tenant
  ),
  depths AS (
    SELECT r.lane, sum(r.messages)::bigint AS due, count(r.tenant) AS tenants, max(r.messages) FILTER (WHERE most) AS busiest,
      max(r.tenant) FILTER (WHERE most) AS busiest_tenant, min(r.since) FILTER (WHERE most) AS busiest_since,
      min(r.since) FILTER (WHERE NOT most) AS others_since
    FROM ranked r GROUP BY r.lane
  ),
  rest AS (
    SELECT t.lane, sum(later.messages)::bigint AS later, sum(ended.jobs)::bigint AS given_up
    FROM tasks t
    CROSS JOIN LATERAL (
      SELECT coalesce(sum(j.size), 0) AS messages FROM (
        SELECT job_size(payload::jsonb) AS size FROM graphile_worker._private_jobs
        WHERE task_id = t.id AND is_available AND run_at >= '2010-01-01 00:00:00+00' AND run_at > now() LIMIT p_jobs) AS j) AS later
    CROSS JOIN LATERAL (
      SELECT count(*) AS jobs FROM (
        SELECT FROM graphile_worker._private_jobs WHERE task_id = t.id AND attempts >= max_attempts
        ORDER BY updated_at DESC LIMIT p_jobs) AS j) AS ended
    GROUP BY t.lane
  )
  SELECT r.lane, coalesce(d.due, 0), r.later, r.given_up, coalesce(d.tenants, 0), coalesce(d.busiest, 0), d.busiest_tenant,
    d.busiest_since, d.others_since
  FROM rest r LEFT JOIN depths d ON d.lane = r.lane ORDER BY r.lane
$$;
REVOKE ALL ON FUNCTION queue_depth FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION queue_depth TO tidings_worker;
