-- What other domains may read of an organisation's units. Owner: tenancy.
CREATE OR REPLACE VIEW unit_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, slug, name FROM organization_units;
REVOKE ALL ON unit_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON unit_facts TO tidings_web, tidings_worker;
