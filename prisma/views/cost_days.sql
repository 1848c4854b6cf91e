-- Sums of the cost ledger by whole days (UTC), by what reports tell apart; several rows may be of the same. Owner: insights.
CREATE OR REPLACE VIEW cost_days WITH (security_invoker = true) AS
  SELECT r.tenant_id, r.at, k.environment_id, k.application_id, k.unit_id, k.channel, k.country, k.connection_id, r.kind, r.source,
    r.currency, r.entries, r.segments, r.amount
  FROM (
    SELECT tenant_id, at, key_id, kind, source, currency::text AS currency, entries, segments, amount::numeric AS amount FROM rollup_costs
    WHERE grain = 'day' AND slice = 'all'
    UNION ALL
    SELECT p.tenant_id, p.at, c.key_id, c.kind, c.source, c.currency, c.entries, c.segments, c.amount
    FROM rollup_packs p CROSS JOIN LATERAL unnest(p.costs) AS c WHERE p.grain = 'day' AND p.slice = 'all'
  ) AS r JOIN rollup_keys k ON k.tenant_id = r.tenant_id AND k.id = r.key_id;
REVOKE ALL ON cost_days FROM tidings_web, tidings_worker;
GRANT SELECT ON cost_days TO tidings_web, tidings_worker;
