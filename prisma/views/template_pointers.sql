-- Which version of a template is live in which environment, and whether it is switched off there. Owner: templates.
CREATE OR REPLACE VIEW template_pointers WITH (security_invoker = true) AS
  SELECT tenant_id, template_id, environment_id, version, promotion_id, deployed_at,
    disabled, disabled_at, disabled_by, disabled_reason
  FROM template_deployments;
REVOKE ALL ON template_pointers FROM tidings_web, tidings_worker;
GRANT SELECT ON template_pointers TO tidings_web, tidings_worker;
