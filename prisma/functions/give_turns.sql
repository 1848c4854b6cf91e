-- Gives turns to jobs that have become due in lanes where others wait: up to p_limit of each task, the longest due first.
-- One process at a time; returns how many. Where nothing waits they need no turn, they run as they are.
-- Owner: kernel.
CREATE OR REPLACE FUNCTION give_turns(p_tasks text[], p_limit int) RETURNS int LANGUAGE plpgsql SECURITY DEFINER
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
    UPDATE graphile_worker._private_jobs j SET run_at = turns.run_at, updated_at = now() FROM turns WHERE j.id = turns.id;
    GET DIAGNOSTICS v_given = ROW_COUNT;
    v_all := v_all + v_given;
  END LOOP;
  RETURN v_all;
END
$$;
REVOKE ALL ON FUNCTION give_turns FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION give_turns TO tidings_worker;
