-- What tells a program's click from a person's, of the message that a link is in. Owner: sending.
CREATE OR REPLACE VIEW clicked_messages WITH (security_invoker = true) AS
  SELECT n.tenant_id, n.id, n.channel, n.sandbox, coalesce(n.delivered_at, n.sent_at) AS arrived_at,
    (SELECT b.request_id FROM broadcasts b WHERE b.tenant_id = n.tenant_id AND b.request_id = n.request_id) AS broadcast
  FROM notifications n;
REVOKE ALL ON clicked_messages FROM tidings_web, tidings_worker;
GRANT SELECT ON clicked_messages TO tidings_web, tidings_worker;
