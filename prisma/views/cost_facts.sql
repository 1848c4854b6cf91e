-- The cost ledger. Owner: costs.
CREATE OR REPLACE VIEW cost_facts WITH (security_invoker = true) AS
  SELECT tenant_id, id, notification_id, attempt, kind, amount, currency, source, segments, at FROM cost_entries;
REVOKE ALL ON cost_facts FROM tidings_web, tidings_worker;
GRANT SELECT ON cost_facts TO tidings_web, tidings_worker;
