SELECT protect_table('connection_health');
SELECT protect_table('connection_incidents');
GRANT SELECT, INSERT, UPDATE, DELETE ON connection_health TO tidings_web, tidings_worker;
-- Written once.
GRANT SELECT, INSERT ON connection_incidents TO tidings_web;
GRANT SELECT, INSERT, DELETE ON connection_incidents TO tidings_worker;
