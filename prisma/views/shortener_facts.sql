-- Where links are shortened by a provider. Owner: links.
CREATE OR REPLACE VIEW shortener_facts WITH (security_invoker = true) AS
  SELECT tenant_id, environment_id, processing_region FROM shorteners;
REVOKE ALL ON shortener_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON shortener_facts TO tidings_web, tidings_worker;
