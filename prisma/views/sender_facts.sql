-- What other domains may read of senders. Owner: connections.
CREATE OR REPLACE VIEW sender_facts WITH (security_invoker = true) AS
  SELECT tenant_id, connection_id, position, channel, region, sender, kind, address, unit_id, platform_channel_id, sandbox
  FROM senders;
REVOKE ALL ON sender_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON sender_facts TO tidings_web, tidings_worker;
