-- What other domains may read of notification types. Owner: tenancy.
CREATE OR REPLACE VIEW type_facts WITH (security_invoker = true) AS
  SELECT tenant_id, type, class FROM notification_types;
REVOKE ALL ON type_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON type_facts TO tidings_web, tidings_worker;
