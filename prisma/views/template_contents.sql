-- The texts of templates, version by version, and what moderation found: for who compares, exports and gates them. Owner: templates.
CREATE OR REPLACE VIEW template_contents WITH (security_invoker = true) AS
  SELECT tenant_id, template_id, version, subject, body, metadata, variables, moderation FROM template_versions;
REVOKE ALL ON template_contents FROM tidings_web, tidings_worker;
GRANT SELECT ON template_contents TO tidings_web, tidings_worker;
