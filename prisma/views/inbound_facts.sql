-- What recipients wrote. Owner: inbound.
CREATE OR REPLACE VIEW inbound_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, conversation_id, at, text, kind, button, opt_out, replies_to FROM inbound_messages;
REVOKE ALL ON inbound_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON inbound_facts TO tidings_web, tidings_worker;
