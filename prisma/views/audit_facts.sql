-- What was done in an organisation, and by whom. Owner: audit.
CREATE OR REPLACE VIEW audit_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, at, actor_name, action, target_type, data FROM audit_events;
REVOKE ALL ON audit_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON audit_facts TO tidings_web, tidings_worker;
