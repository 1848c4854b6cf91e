-- The time after which a tenant's next turn in a task's lane comes.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION last_turn(p_task_id int, p_tenant text) RETURNS timestamptz LANGUAGE sql STABLE AS $$
  SELECT greatest(
    timestamptz '2000-01-01 00:00:00+00',
    (SELECT CASE WHEN head.run_at < '2010-01-01 00:00:00+00' THEN head.run_at END FROM (
       SELECT run_at FROM graphile_worker._private_jobs WHERE task_id = p_task_id AND is_available
       ORDER BY priority, run_at LIMIT 1) AS head),
    (SELECT run_at FROM graphile_worker._private_jobs
     WHERE task_id = p_task_id AND payload->>'tenantId' = p_tenant AND is_available AND run_at < '2010-01-01 00:00:00+00'
     ORDER BY run_at DESC LIMIT 1))
$$;
REVOKE ALL ON FUNCTION last_turn FROM PUBLIC, tidings_web, tidings_worker;
