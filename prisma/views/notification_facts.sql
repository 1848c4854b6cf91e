-- What other domains may read of notifications; not what their texts are made from. Owner: sending.
CREATE OR REPLACE VIEW notification_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, request_id, environment_id, application_id, unit_id, sandbox, channel, recipient, class,
    status, final, connection_id, provider, provider_message_id, attempts, created_at, region, template_id,
    template_version, language, notification_type, notification_subtype, country, mail_domain, reason_code, failure, scheduled_at, sent_at,
    delivered_at, read_at, segments, position
  FROM notifications;
REVOKE ALL ON notification_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON notification_facts TO tidings_web, tidings_worker;
