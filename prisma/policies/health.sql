SELECT protect_table('connection_incidents');
-- Written once.
GRANT SELECT, INSERT ON connection_incidents TO tidings_web;
GRANT SELECT, INSERT, DELETE ON connection_incidents TO tidings_worker;
