-- Who writes to which of our senders, and whose that is. Owner: inbound.
CREATE OR REPLACE VIEW conversation_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, sandbox, channel, address, own_address, connection_id, application_id, environment_id, unit_id,
    last_inbound_at, unread, created_at,
    -- When the recipient last wrote; null: they only turned the switch in their app.
    CASE WHEN EXISTS (SELECT FROM inbound_messages m WHERE m.tenant_id = c.tenant_id AND m.conversation_id = c.id
      AND NOT (m.text = '' AND m.button IS NULL
        AND (m.kind IS NOT DISTINCT FROM 'user_preferences' OR m.kind IS NULL AND m.opt_out IS NOT NULL)))
      THEN last_inbound_at END AS last_heard_at
  FROM conversations c;
REVOKE ALL ON conversation_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON conversation_facts TO tidings_web, tidings_worker;
