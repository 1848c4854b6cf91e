-- What other domains may read of applications. Owner: tenancy.
CREATE OR REPLACE VIEW application_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, unit_id, name, title, default_region, default_language FROM applications;
REVOKE ALL ON application_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON application_facts TO tidings_web, tidings_worker;
