-- What other domains may read of an organisation. Owner: tenancy.
CREATE OR REPLACE VIEW tenant_facts WITH (security_invoker = true) AS
  SELECT id, slug, name, data_region, settings, data_key, platform_fees FROM tenants;
REVOKE ALL ON tenant_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON tenant_facts TO tidings_web, tidings_worker;
