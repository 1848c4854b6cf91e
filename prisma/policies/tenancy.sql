SELECT protect_table('tenants', 'id');
SELECT protect_table('organization_units');
SELECT protect_table('environments');
SELECT protect_table('applications');
SELECT protect_table('pipeline_stages');
SELECT protect_table('notification_types');
GRANT SELECT, INSERT, UPDATE, DELETE ON organization_units, environments, applications, pipeline_stages,
  notification_types  TO tidings_web, tidings_worker;

-- Operators add organisations; no request does. Region, fees, data key and name are the operator's. The id cannot
-- change (the policy prevents it), and locking the row for a transaction takes a right to one column.
GRANT SELECT, UPDATE (id) ON tenants TO tidings_web;
GRANT SELECT, INSERT, UPDATE ON tenants TO tidings_worker;
