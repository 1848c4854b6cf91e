SELECT protect_table('provider_connections');
SELECT protect_table('senders');
SELECT protect_table('connection_health');
GRANT SELECT, INSERT, UPDATE, DELETE ON provider_connections, connection_health TO tidings_web, tidings_worker;
-- Written only by the trigger sync_senders().
GRANT SELECT ON senders TO tidings_web, tidings_worker;
-- What was charged when does not change afterwards.
SELECT protect_table('price_changes');
GRANT SELECT, INSERT ON price_changes TO tidings_web;
GRANT SELECT, INSERT, DELETE ON price_changes TO tidings_worker;
