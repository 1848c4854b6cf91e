-- What the texts of notifications are made from, for who shows them; the variables of their requests come on top, in
-- request_texts. Owner: sending.
CREATE OR REPLACE VIEW notification_texts WITH (security_invoker = true) AS
  SELECT tenant_id, id, request_id, environment_id, application_id, connection_id, channel, recipient, region, language,
    template_id, template_version, variables, status, read_at, created_at
  FROM notifications;
REVOKE ALL ON notification_texts FROM tidings_web, tidings_worker;
GRANT SELECT ON notification_texts TO tidings_web, tidings_worker;
