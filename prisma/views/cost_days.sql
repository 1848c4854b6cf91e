-- Sums of the cost ledger by whole days (UTC), by what reports tell apart. Owner: insights.
CREATE OR REPLACE VIEW cost_days WITH (security_invoker = true) AS
  SELECT r.tenant_id, r.at, k.environment_id, k.application_id, k.unit_id, k.channel, k.country, k.connection_id, r.kind, r.source,
    r.currency::text AS currency, r.entries, r.segments, r.amount
  FROM rollup_costs r JOIN rollup_keys k ON k.tenant_id = r.tenant_id AND k.id = r.key_id
  WHERE r.grain = 'day';
REVOKE ALL ON cost_days FROM tidings_web, tidings_worker;
GRANT SELECT ON cost_days TO tidings_web, tidings_worker;
