-- What other domains may read of people: whether somebody may sign in at present, who they are, whether they are no member any
-- more and since when their directory has them deactivated. Owner: access.
CREATE OR REPLACE VIEW member_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, disabled_at IS NULL AS active, name, email, removed_at IS NOT NULL AS removed, deactivated_at, created_at
  FROM users;
REVOKE ALL ON member_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON member_facts TO tidings_web, tidings_worker;
