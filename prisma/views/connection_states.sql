-- How connections are doing. The worker also writes three columns through it: `health` brings probes forward, which takes routing
-- rules, and `sending` wakes what waits, in the statements that keep the list of it. Owner: connections.
CREATE OR REPLACE VIEW connection_states WITH (security_invoker = true) AS
  SELECT tenant_id, connection_id, breaker, since, trial, slow, next_probe_at, wake_at, wake_size FROM connection_health;
REVOKE ALL ON connection_states FROM tidings_web, tidings_worker;
GRANT SELECT ON connection_states TO tidings_web, tidings_worker;
GRANT UPDATE (next_probe_at, wake_at, wake_size) ON connection_states TO tidings_worker;
