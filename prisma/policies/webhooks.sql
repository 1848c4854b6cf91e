SELECT protect_table('webhook_endpoints');
SELECT protect_table('webhook_deliveries');
SELECT protect_table('webhook_attempts');
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoints TO tidings_web, tidings_worker;
GRANT SELECT, INSERT, UPDATE ON webhook_deliveries, webhook_attempts TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries, webhook_attempts TO tidings_worker;
