SELECT protect_table('provider_connections');
SELECT protect_table('senders');
SELECT protect_table('connection_health');
GRANT SELECT, INSERT, UPDATE, DELETE ON provider_connections, connection_health TO tidings_web, tidings_worker;
-- Written only by the trigger sync_senders().
GRANT SELECT ON senders TO tidings_web, tidings_worker;
