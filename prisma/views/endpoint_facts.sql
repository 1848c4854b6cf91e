-- What other domains may read of webhook endpoints; not their secrets. Owner: webhooks.
CREATE OR REPLACE VIEW endpoint_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, application_id, environment_id, enabled FROM webhook_endpoints;
REVOKE ALL ON endpoint_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON endpoint_facts TO tidings_web, tidings_worker;
