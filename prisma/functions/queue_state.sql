-- The queue by kind of job, for whoever runs the installation: how many may run now, are for later, were given up, and since when
-- the one at the head waits. Counts end at p_most and each is read off an index, so that a long queue does not make looking at it
-- slow. Nothing of what a job carries. A job that has its turn keeps when it got it in updated_at (give_turns()).
-- Owner: worker.
CREATE OR REPLACE FUNCTION queue_state(p_most int) RETURNS TABLE (task text, ready int, later int, given_up int, waiting_since timestamptz,
                                                                 given_up_at timestamptz)
LANGUAGE sql STABLE SECURITY DEFINER SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  SELECT t.identifier, least(inturn.jobs + due.jobs, p_most), later.jobs, ended.jobs, least(head.since, due.since), ended.at
  FROM graphile_worker._private_tasks t
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS jobs FROM (
      SELECT FROM graphile_worker._private_jobs WHERE task_id = t.id AND is_available AND run_at < '2010-01-01 00:00:00+00'
      LIMIT p_most) AS j) AS inturn
  CROSS JOIN LATERAL (
    SELECT min(j.updated_at) AS since FROM (
      SELECT updated_at FROM graphile_worker._private_jobs
      WHERE task_id = t.id AND is_available AND run_at < '2010-01-01 00:00:00+00' ORDER BY priority, run_at LIMIT 100) AS j) AS head
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS jobs, min(j.run_at) AS since FROM (
      SELECT run_at FROM graphile_worker._private_jobs
      WHERE task_id = t.id AND is_available AND run_at >= '2010-01-01 00:00:00+00' AND run_at <= now() ORDER BY run_at
      LIMIT p_most) AS j) AS due
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS jobs FROM (
      SELECT FROM graphile_worker._private_jobs
      WHERE task_id = t.id AND is_available AND run_at >= '2010-01-01 00:00:00+00' AND run_at > now() LIMIT p_most) AS j) AS later
  CROSS JOIN LATERAL (
    SELECT count(*)::int AS jobs, max(j.updated_at) AS at FROM (
      SELECT updated_at FROM graphile_worker._private_jobs WHERE task_id = t.id AND attempts >= max_attempts
      ORDER BY updated_at DESC LIMIT p_most) AS j) AS ended
  ORDER BY t.identifier
$$;
REVOKE ALL ON FUNCTION queue_state FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION queue_state TO tidings_console;
