-- What other domains may read of promotions under way: who asked for one and who approved it, a row each. Owner: pipelines.
CREATE OR REPLACE VIEW open_promotion_facts WITH (security_invoker = true) AS
  SELECT p.tenant_id, p.id, p.requested_by_person_id AS person_id, 'requested' AS part
  FROM promotions p WHERE p.state IN ('pending', 'approved')
  UNION ALL
  SELECT p.tenant_id, p.id, d.person_id, 'approved'
  FROM promotions p JOIN promotion_decisions d ON d.tenant_id = p.tenant_id AND d.promotion_id = p.id AND d.decision = 'approve'
  WHERE p.state IN ('pending', 'approved');
REVOKE ALL ON open_promotion_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON open_promotion_facts TO tidings_web, tidings_worker;
