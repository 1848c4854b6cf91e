-- Adds jobs to graphile-worker. The only way to the queue: neither role reads or writes its tables through it, and the web's
-- role adds only what its use cases add, for its own tenant (web_may_enqueue()).
-- A job that may run now gets its turn in run_at, by which graphile-worker orders the jobs of a lane: start-time fair queueing,
-- after Goyal, Vin and Cheng (1996). It gets a time of long ago, on a clock that moves on by a millisecond for each message: not
-- before the head of its lane, and after its tenant's last job. So however much one tenant has waiting, the next job of another
-- comes soon after the head. The clock starts again whenever the lane is empty. A job for later keeps its real time; once due it
-- runs at once if nothing waits, and otherwise gets its turn from give_turns().
--   p_jobs: [{ "task", "payload", "runAt"?, "priority"?, "maxAttempts"? }]   priority: 0 and more, lower is sooner; nobody
--   comes before the others, and no key replaces a job that waits.
-- Owner: kernel.
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
REVOKE ALL ON FUNCTION enqueue_jobs FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION enqueue_jobs TO tidings_web, tidings_worker;
