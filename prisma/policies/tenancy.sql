SELECT protect_table('tenants', 'id');
SELECT protect_table('organization_units');
SELECT protect_table('environments');
SELECT protect_table('applications');
SELECT protect_table('pipeline_stages');
SELECT protect_table('notification_types');
GRANT SELECT, INSERT, UPDATE, DELETE ON organization_units, environments, applications, pipeline_stages,
  notification_types  TO tidings_web, tidings_worker;

SELECT protect_table('brandings');
SELECT protect_table('brand_logos');
GRANT SELECT, INSERT, UPDATE, DELETE ON brandings, brand_logos TO tidings_web;
-- The worker's mails show them.
GRANT SELECT ON brandings TO tidings_worker;
GRANT SELECT ON brand_logos TO tidings_worker;

-- Operators add organisations; no request does. Region, fees, data key and name are the operator's. The id cannot
-- change (the policy prevents it), and locking the row for a transaction takes a right to one column.
GRANT SELECT, UPDATE (id) ON tenants TO tidings_web;
GRANT SELECT, INSERT, UPDATE ON tenants TO tidings_worker;

-- The console sees of organisations what runs an installation: never settings or data key, and nothing that they own.
DROP POLICY IF EXISTS console_access ON tenants;
CREATE POLICY console_access ON tenants TO tidings_console USING (true) WITH CHECK (true);
REVOKE ALL ON tenants FROM tidings_console;
GRANT SELECT (id, slug, name, data_region, platform_fees, created_at, suspended_at, resumed_at),
  UPDATE (suspended_at, resumed_at, platform_fees) ON tenants TO tidings_console;
-- What lets the web's role make one organisation: create_permitted_tenant() takes it.
REVOKE ALL ON tenant_permits FROM tidings_web, tidings_worker, tidings_console;
GRANT INSERT ON tenant_permits TO tidings_console;
