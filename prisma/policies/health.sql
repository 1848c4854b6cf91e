SELECT protect_table('connection_incidents');
-- Written once.
GRANT SELECT, INSERT ON connection_incidents TO tidings_web;
-- ... but for the address of somebody who is erased.
GRANT SELECT, INSERT, DELETE, UPDATE (detail) ON connection_incidents TO tidings_worker;
