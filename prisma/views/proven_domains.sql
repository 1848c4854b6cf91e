-- The domains that organisations have proven to be their own: each is one organisation's. Owner: directory.
CREATE OR REPLACE VIEW proven_domains WITH (security_invoker = true) AS
  SELECT tenant_id, claimed_name AS name FROM domains WHERE claimed_name IS NOT NULL;
REVOKE ALL ON proven_domains FROM tidings_web, tidings_worker;
GRANT SELECT ON proven_domains TO tidings_web, tidings_worker;
