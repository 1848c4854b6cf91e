-- What has happened to notifications. Owner: sending.
CREATE OR REPLACE VIEW event_facts WITH (security_invoker = true) AS
  SELECT tenant_id, notification_id, sequence, at, type, data, written_at FROM notification_events;
REVOKE ALL ON event_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON event_facts TO tidings_web, tidings_worker;
