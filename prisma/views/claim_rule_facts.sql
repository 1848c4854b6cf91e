-- What other domains may read of the rules of identity providers: which role each gives, and where. Owner: sso.
CREATE OR REPLACE VIEW claim_rule_facts WITH (security_invoker = true) AS
  SELECT r.tenant_id, r.id, r.role_id, r.unit_id,
         p.name || CASE WHEN r.value IS NULL THEN '' ELSE ', ' || p.role_claim || ' ' || r.value END AS rule_name
  FROM identity_provider_rules r JOIN identity_providers p ON p.tenant_id = r.tenant_id AND p.id = r.provider_id;
REVOKE ALL ON claim_rule_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON claim_rule_facts TO tidings_web, tidings_worker;
