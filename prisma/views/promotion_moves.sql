-- Which version a promotion brings to a stage, and what it replaces there; `open`: it is under way. Owner: pipelines.
CREATE OR REPLACE VIEW promotion_moves WITH (security_invoker = true) AS
  SELECT tenant_id, promotion_id, template_id, to_environment_id, version, previous_version, previous_promotion_id, open
  FROM promotion_items;
REVOKE ALL ON promotion_moves FROM tidings_web, tidings_worker;
GRANT SELECT ON promotion_moves TO tidings_web, tidings_worker;
