-- What is due to be probed, of all tenants: read every second.
CREATE INDEX connection_health_probe_idx ON connection_health (next_probe_at) WHERE breaker <> 'closed';

-- Latencies of calls by connection, in hours and days: as fold_metrics keeps them from now on, made from what it kept so far.
INSERT INTO metric_summaries (tenant_id, grain, kind, at, environment_id, application_id, unit_id, channel, connection_id,
  status, code, latency, count)
SELECT tenant_id, grain, 'call', date_trunc(grain, hour, 'UTC'), environment_id, application_id, unit_id, channel,
  connection_id, '', '', latency, sum(count)
FROM metric_rollups CROSS JOIN (VALUES ('hour'), ('day')) AS grains(grain)
WHERE kind = 'attempt' AND latency >= 0
GROUP BY 1, 2, 4, 5, 6, 7, 8, 9, 12;
