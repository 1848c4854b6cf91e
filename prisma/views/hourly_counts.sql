-- Counts by the hour, also those that are not folded yet. Owner: insights.
CREATE OR REPLACE VIEW hourly_counts WITH (security_invoker = true) AS
  SELECT tenant_id, at, kind, environment_id, application_id, unit_id, channel, connection_id, status, code, latency, count
  FROM metric_summaries WHERE grain = 'hour'
  UNION ALL
  SELECT tenant_id, hour, kind, environment_id, application_id, unit_id, channel, connection_id, status, code, latency, count
  FROM metric_deltas;
REVOKE ALL ON hourly_counts FROM tidings_web, tidings_worker;
GRANT SELECT ON hourly_counts TO tidings_web, tidings_worker;
