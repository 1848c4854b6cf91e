-- What whoever runs the installation sees of an organisation. Owner: tenancy.
CREATE OR REPLACE VIEW tenant_states WITH (security_invoker = true) AS
  SELECT id, slug, name, data_region, platform_fees, created_at, suspended_at, resumed_at FROM tenants;
REVOKE ALL ON tenant_states FROM tidings_web, tidings_worker, tidings_console;
GRANT SELECT ON tenant_states TO tidings_worker, tidings_console;
