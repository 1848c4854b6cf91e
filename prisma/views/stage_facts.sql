-- What other domains may read of the stages of applications' pipelines and their gates. Owner: tenancy.
CREATE OR REPLACE VIEW stage_facts WITH (security_invoker = true) AS
  SELECT tenant_id, application_id, position, environment_id, gates FROM pipeline_stages;
REVOKE ALL ON stage_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON stage_facts TO tidings_web, tidings_worker;
