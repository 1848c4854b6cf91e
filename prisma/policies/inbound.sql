SELECT protect_table('conversations');
SELECT protect_table('inbound_messages');
-- Recipients' messages are kept as received; only the worker erases them.
GRANT SELECT, INSERT, UPDATE ON conversations TO tidings_web;
GRANT SELECT, INSERT ON inbound_messages TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON conversations TO tidings_worker;
-- ... or takes out of them the address of somebody who is erased.
GRANT SELECT, INSERT, DELETE, UPDATE (text, button, provider_message_id) ON inbound_messages TO tidings_worker;
-- Parts come over sessions, which only workers have.
SELECT protect_table('inbound_parts');
GRANT SELECT ON inbound_parts TO tidings_web;
GRANT SELECT, INSERT, UPDATE, DELETE ON inbound_parts TO tidings_worker;
