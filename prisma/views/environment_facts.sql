-- What other domains may read of environments. Owner: tenancy.
CREATE OR REPLACE VIEW environment_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, slug, name, kind, position FROM environments;
REVOKE ALL ON environment_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON environment_facts TO tidings_web, tidings_worker;
