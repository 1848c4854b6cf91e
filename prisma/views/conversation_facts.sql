-- Who writes to which of our senders, and whose that is. Owner: inbound.
CREATE OR REPLACE VIEW conversation_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, sandbox, channel, address, own_address, connection_id, application_id, environment_id, unit_id,
    last_inbound_at, unread, created_at
  FROM conversations;
REVOKE ALL ON conversation_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON conversation_facts TO tidings_web, tidings_worker;
