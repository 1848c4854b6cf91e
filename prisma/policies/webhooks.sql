SELECT protect_table('webhook_endpoints');
SELECT protect_table('webhook_deliveries');
SELECT protect_table('webhook_attempts');
SELECT protect_table('feed_events');
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_endpoints TO tidings_web, tidings_worker;
GRANT SELECT, INSERT, UPDATE ON webhook_deliveries, webhook_attempts TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON webhook_deliveries, webhook_attempts TO tidings_worker;
GRANT SELECT, INSERT ON feed_events TO tidings_web;
-- The purge deletes them, and an erasure takes a recipient out of them.
GRANT SELECT, INSERT, DELETE, UPDATE (payload) ON feed_events TO tidings_worker;
