-- The category at WhatsApp of the approved template that a version names: as decided there, else as the version says.
-- Owner: templates.
CREATE OR REPLACE VIEW template_categories WITH (security_invoker = true) AS
  SELECT v.tenant_id, v.template_id, v.version,
    coalesce(CASE WHEN w.next_category_at <= now() THEN w.next_category END, w.category, v.metadata->>'category') AS category
  FROM template_versions v
  LEFT JOIN whatsapp_approvals w ON w.tenant_id = v.tenant_id AND w.template_id = v.template_id
    AND w.template_name = v.metadata->>'templateName' AND w.language = coalesce(v.metadata->>'language', '')
  WHERE v.metadata->>'templateName' IS NOT NULL;
REVOKE ALL ON template_categories FROM tidings_web, tidings_worker;
GRANT SELECT ON template_categories TO tidings_web, tidings_worker;
