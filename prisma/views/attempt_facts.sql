-- What other domains may read of attempts. Owner: sending.
CREATE OR REPLACE VIEW attempt_facts WITH (security_invoker = true) AS
  SELECT tenant_id, notification_id, number, provider_message_id, connection_id, started_at, finished_at,
    outcome, code, provider_code, provider FROM attempts;
REVOKE ALL ON attempt_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON attempt_facts TO tidings_web, tidings_worker;
