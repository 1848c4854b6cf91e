-- Which webhooks notifications owed, where they went and how they fared. Owner: webhooks.
CREATE OR REPLACE VIEW delivery_facts WITH (security_invoker = true) AS
  SELECT d.tenant_id, d.id, d.notification_id, d.endpoint_id, e.url, d.event, d.sequence, d.at, d.state, d.attempts,
    d.last_status, d.last_error, d.delivered_at
  FROM webhook_deliveries d LEFT JOIN webhook_endpoints e ON e.tenant_id = d.tenant_id AND e.id = d.endpoint_id;
REVOKE ALL ON delivery_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON delivery_facts TO tidings_web, tidings_worker;
