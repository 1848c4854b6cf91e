-- The operator's channels belong to no tenant: the worker sees them, a web request those that are assigned to its
-- tenant.
ALTER TABLE platform_channels ENABLE ROW LEVEL SECURITY;
ALTER TABLE platform_channels FORCE ROW LEVEL SECURITY;
DROP POLICY IF EXISTS given_channels ON platform_channels;
DROP POLICY IF EXISTS worker_access ON platform_channels;
DROP POLICY IF EXISTS owner_access ON platform_channels;
CREATE POLICY given_channels ON platform_channels FOR SELECT TO tidings_web USING (EXISTS (
  SELECT FROM provider_connections c WHERE c.tenant_id = (SELECT current_tenant()) AND c.platform_channel_id = platform_channels.id));
CREATE POLICY worker_access ON platform_channels FOR SELECT TO tidings_worker USING (true);
CREATE POLICY owner_access ON platform_channels TO CURRENT_USER USING (true) WITH CHECK (true);
REVOKE ALL ON platform_channels FROM tidings_web, tidings_worker;
GRANT SELECT ON platform_channels TO tidings_web, tidings_worker;
-- Whether sending is on hold is everybody's to read; the owner's commands begin a hold, and the console may end it.
REVOKE ALL ON sending_holds FROM tidings_web, tidings_worker, tidings_console;
GRANT SELECT ON sending_holds TO tidings_web, tidings_worker, tidings_console;
GRANT DELETE ON sending_holds TO tidings_console;
