SELECT protect_table('tenant_quotas');
SELECT protect_table('quota_days');
SELECT protect_table('quota_warnings');
-- Quotas are the operator's: a command's, over the worker's role, and the console's. Counts are written by add_quota_use().
GRANT SELECT ON tenant_quotas, quota_days TO tidings_web;
GRANT SELECT, INSERT, UPDATE ON tenant_quotas TO tidings_worker;
GRANT SELECT, INSERT, UPDATE, DELETE ON quota_days TO tidings_worker;
GRANT SELECT, INSERT ON quota_warnings TO tidings_web, tidings_worker;

DROP POLICY IF EXISTS console_access ON tenant_quotas;
CREATE POLICY console_access ON tenant_quotas TO tidings_console USING (true) WITH CHECK (true);
DROP POLICY IF EXISTS console_access ON quota_days;
CREATE POLICY console_access ON quota_days FOR SELECT TO tidings_console USING (true);
REVOKE ALL ON tenant_quotas, quota_days, quota_warnings FROM tidings_console;
GRANT SELECT, INSERT, UPDATE ON tenant_quotas TO tidings_console;
GRANT SELECT ON quota_days TO tidings_console;
