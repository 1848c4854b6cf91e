-- Webhook deliveries that are due, since when the oldest is, and those that wait for another try, of all organisations, for metrics.
-- Counts end at p_most each.
-- Owner: webhooks.
CREATE OR REPLACE FUNCTION webhook_backlog(p_most int) RETURNS TABLE (due int, due_since timestamptz, later int)
LANGUAGE sql STABLE SET search_path = public, pg_temp SET enable_seqscan = off AS $$
  SELECT
    (SELECT count(*)::int FROM (
      SELECT FROM webhook_deliveries WHERE state = 'pending' AND next_attempt_at <= now() LIMIT p_most) AS d),
    (SELECT next_attempt_at FROM webhook_deliveries WHERE state = 'pending' AND next_attempt_at <= now()
     ORDER BY next_attempt_at LIMIT 1),
    (SELECT count(*)::int FROM (
      SELECT FROM webhook_deliveries WHERE state = 'pending' AND next_attempt_at > now() LIMIT p_most) AS d)
$$;
REVOKE ALL ON FUNCTION webhook_backlog FROM PUBLIC, tidings_web, tidings_worker;
GRANT EXECUTE ON FUNCTION webhook_backlog TO tidings_worker;
