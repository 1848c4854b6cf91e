-- The texts of templates, version by version, what moderation found, and whether AI wrote one that nobody has reviewed: for who
-- compares, exports and gates them. Owner: templates.
CREATE OR REPLACE VIEW template_contents WITH (security_invoker = true) AS
  SELECT v.tenant_id, v.template_id, v.version, v.subject, v.body, v.metadata, v.variables, v.moderation,
         v.provenance <> 'human' AND NOT EXISTS (
           SELECT FROM template_reviews r
           WHERE r.tenant_id = v.tenant_id AND r.template_id = v.template_id AND r.version = v.version
         ) AS unreviewed
  FROM template_versions v;
REVOKE ALL ON template_contents FROM tidings_web, tidings_worker;
GRANT SELECT ON template_contents TO tidings_web, tidings_worker;
