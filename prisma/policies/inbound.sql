SELECT protect_table('conversations');
SELECT protect_table('inbound_messages');
-- Recipients' messages are kept as received; only the worker erases them.
GRANT SELECT, INSERT, UPDATE ON conversations TO tidings_web;
GRANT SELECT, INSERT ON inbound_messages TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON conversations TO tidings_worker;
GRANT SELECT, INSERT, DELETE ON inbound_messages TO tidings_worker;
