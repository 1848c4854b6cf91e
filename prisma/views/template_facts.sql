-- What other domains may read of text lines; not their texts. Owner: templates.
CREATE OR REPLACE VIEW template_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, application_id, name, notification_type, notification_subtype, channel, region, language, provider,
    latest_version, archived_at
  FROM templates;
REVOKE ALL ON template_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON template_facts TO tidings_web, tidings_worker;
