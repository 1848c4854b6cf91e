SELECT protect_table('provider_connections');
SELECT protect_table('senders');
GRANT SELECT, INSERT, UPDATE, DELETE ON provider_connections TO tidings_web, tidings_worker;
-- Written by the trigger sync_senders() alone.
GRANT SELECT ON senders TO tidings_web, tidings_worker;
