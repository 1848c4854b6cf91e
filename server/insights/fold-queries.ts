/** Statements that keep the rollup store: folding what transactions added, and holding it against the ledger. */
import { counters, keyColumns, nobody } from "./rollup-source.ts";

/** How two rows name one combination. */
const sameKey = (one: string, other: string) =>
  ["tenant_id", ...keyColumns.split(", ")]
    .map((column) => `${one}.${column} = ${other}.${column}`)
    .join(" AND ");

/** An entry of the cost ledger under its key: at the attempt's connection; a fee is nobody's. */
const keyedCost = (entries: string) => `
  SELECT c.*, n.environment_id, n.application_id, n.unit_id, n.channel, n.notification_type, n.notification_subtype,
    coalesce(n.country, n.region) AS country, coalesce(n.template_id, '${nobody}') AS template_id,
    CASE WHEN c.kind = 'platform_fee' THEN '${nobody}'::uuid ELSE coalesce(a.connection_id, '${nobody}') END AS connection_id,
    coalesce(n.mail_domain, '') AS mail_domain
  FROM ${entries} c
  JOIN notification_facts n ON n.tenant_id = c.tenant_id AND n.id = c.notification_id
  LEFT JOIN attempt_facts a ON a.tenant_id = c.tenant_id AND a.notification_id = c.notification_id AND a.number = c.attempt`;

/** Keys that deltas need and that are not there yet. $1: how many deltas are looked at. */
export const insertMissingKeys = (table: "metric_deltas" | "cost_deltas") => `
  INSERT INTO rollup_keys (tenant_id, ${keyColumns})
  SELECT DISTINCT tenant_id, ${keyColumns} FROM (${
    table === "metric_deltas"
      ? `SELECT tenant_id, ${keyColumns} FROM metric_deltas ORDER BY id LIMIT $1`
      : keyedCost("(SELECT * FROM cost_deltas ORDER BY id LIMIT $1)")
  }) AS d
  WHERE NOT EXISTS (SELECT FROM rollup_keys k WHERE ${sameKey("k", "d")})
  ON CONFLICT DO NOTHING`;

const statusOf = (status: string) => `kind = 'status' AND status = '${status}'`;
const outcomeOf = (outcome: string) => `kind = 'attempt' AND status = '${outcome}'`;
/** Columns of `rollups` with what of the deltas they count. */
const counted: readonly (readonly [string, string])[] = [
  ...counters.map((counter) => [counter, statusOf(counter)] as const),
  ["calls_sent", outcomeOf("sent")],
  ["calls_not_sent", outcomeOf("not_sent")],
  ["calls_unknown", outcomeOf("unknown")],
];
const columns = counted.map(([column]) => column);
const measures = [
  ["sent_ms", statusOf("sent")],
  ["delivered_ms", statusOf("delivered")],
  ["call_ms", "kind = 'attempt'"],
] as const;
const isReason = `CASE kind WHEN 'attempt' THEN status IN ('not_sent', 'unknown')
    ELSE status IN ('failed', 'rejected', 'expired', 'canceled', 'undetermined') END`;
const grains = "(VALUES ('hour'), ('day')) AS grains(grain)";

/** CTEs `summed`, `reasons` and so on, which write deltas (`taken`: with key_id) into the rollups. */
const addCounts = `
  slices AS MATERIALIZED (
    SELECT tenant_id, grain, date_trunc(grain, hour, 'UTC') AS at, key_id, kind, status, code, provider_code, latency,
      sum(count)::bigint AS count
    FROM taken CROSS JOIN ${grains} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  ),
  measured AS (
    SELECT tenant_id, grain, at, key_id,
      ${measures.map(([column]) => `array_agg((latency::bigint << 40) | n ORDER BY latency) FILTER (WHERE measure = '${column}') AS ${column}`).join(", ")}
    FROM (
      SELECT tenant_id, grain, at, key_id, CASE ${measures.map(([column, when]) => `WHEN ${when} THEN '${column}'`).join(" ")} END AS measure,
        latency, sum(count)::bigint AS n
      FROM slices WHERE latency >= 0 GROUP BY 1, 2, 3, 4, 5, 6
    ) AS m GROUP BY 1, 2, 3, 4
  ),
  summed AS (
    INSERT INTO rollups (tenant_id, grain, at, key_id, ${columns.join(", ")}, sent_ms, delivered_ms, call_ms)
    SELECT s.*, m.sent_ms, m.delivered_ms, m.call_ms FROM (
      SELECT tenant_id, grain, at, key_id,
        ${counted.map(([, when]) => `coalesce(sum(count) FILTER (WHERE ${when}), 0)`).join(",\n        ")}
      FROM slices GROUP BY 1, 2, 3, 4
    ) AS s(tenant_id, grain, at, key_id) LEFT JOIN measured m USING (tenant_id, grain, at, key_id)
    ON CONFLICT (tenant_id, grain, at, key_id) DO UPDATE SET
      ${columns.map((column) => `${column} = rollups.${column} + excluded.${column}`).join(", ")},
      ${measures.map(([column]) => `${column} = merge_histograms(rollups.${column}, excluded.${column})`).join(", ")}
  ),
  reasons AS (
    INSERT INTO rollup_reasons (tenant_id, grain, at, key_id, status, code, provider_code, count)
    SELECT tenant_id, grain, at, key_id, status, code, provider_code, sum(count)
    FROM slices WHERE ${isReason} GROUP BY 1, 2, 3, 4, 5, 6, 7 HAVING sum(count) <> 0
    ON CONFLICT (tenant_id, grain, at, key_id, status, code, provider_code) DO UPDATE
      SET count = rollup_reasons.count + excluded.count
  )`;

const addCosts = `
  summed AS (
    INSERT INTO rollup_costs (tenant_id, grain, at, key_id, kind, source, currency, entries, segments, amount)
    SELECT tenant_id, grain, date_trunc(grain, hour, 'UTC'), key_id, kind, source, currency, sum(entries), sum(segments), sum(amount)
    FROM taken CROSS JOIN ${grains} GROUP BY 1, 2, 3, 4, 5, 6, 7
    ON CONFLICT (tenant_id, grain, at, key_id, kind, source, currency) DO UPDATE SET entries = rollup_costs.entries + excluded.entries,
      segments = rollup_costs.segments + excluded.segments, amount = rollup_costs.amount + excluded.amount
  )`;

/** Moves the $1 oldest counts into the rollups; `folded`: how many. One whose key is not there yet stays. */
export const foldCounts = `
  WITH taken AS (
    DELETE FROM metric_deltas d USING rollup_keys k
    WHERE (d.tenant_id, d.id) IN (SELECT tenant_id, id FROM metric_deltas ORDER BY id LIMIT $1) AND ${sameKey("k", "d")}
    RETURNING d.tenant_id, d.hour, d.kind, k.id AS key_id, d.status, d.code, d.provider_code, d.latency, d.count
  ), ${addCounts}
  SELECT count(*)::int AS folded FROM taken`;

/** The same of the $1 oldest changes of the ledger. */
export const foldCosts = `
  WITH keyed AS (
    SELECT d.tenant_id, d.id, k.id AS key_id FROM (${keyedCost("(SELECT * FROM cost_deltas ORDER BY id LIMIT $1)")}) AS d
    JOIN rollup_keys k ON ${sameKey("k", "d")}
  ), taken AS (
    DELETE FROM cost_deltas c USING keyed d WHERE c.tenant_id = d.tenant_id AND c.id = d.id
    RETURNING c.tenant_id, c.hour, d.key_id, c.kind, c.source, c.currency, c.entries, c.segments, c.amount
  ), ${addCosts}
  SELECT count(*)::int AS folded FROM taken`;

/**
 * What the ledger says of a tenant ($1) in the day from $2 to $3: rows as deltas have them. $4 and $5 are ids just outside of
 * messages accepted in it, $6 an id before all whose calls may have ended in it.
 */
const ledgerCounts = `
  SELECT n.tenant_id, date_trunc('hour', n.created_at, 'UTC') AS hour, 'status' AS kind, n.environment_id, n.application_id,
    n.unit_id, n.channel, n.notification_type, n.notification_subtype, coalesce(n.country, n.region) AS country,
    coalesce(n.template_id, '${nobody}') AS template_id,
    CASE WHEN s.status = 'accepted' THEN '${nobody}' ELSE coalesce(n.connection_id, '${nobody}') END AS connection_id,
    coalesce(n.mail_domain, '') AS mail_domain, s.status, metric_code(s.status, n.reason_code, n.failure) AS code,
    CASE WHEN s.status = 'failed' THEN left(coalesce(n.failure->>'providerCode', ''), 40) ELSE '' END AS provider_code,
    CASE WHEN s.since IS NOT NULL THEN latency_bucket(s.since - coalesce(n.scheduled_at, n.created_at)) ELSE -1 END AS latency, s.count
  FROM notification_facts n
  CROSS JOIN LATERAL (
    SELECT 'accepted' AS status, NULL::timestamptz AS since, 1 AS count
    UNION ALL SELECT 'sent', n.sent_at, 1 WHERE n.sent_at IS NOT NULL
    UNION ALL SELECT 'final', NULL, 1 WHERE n.status = 'sent' AND n.final
    UNION ALL SELECT n.status, n.delivered_at, 1 WHERE is_terminal_status(n.status)
    UNION ALL SELECT e.type, NULL, count(*)::int FROM event_facts e
      WHERE e.tenant_id = n.tenant_id AND e.notification_id = n.id AND is_recipient_action(e.type) GROUP BY e.type
  ) AS s
  WHERE n.tenant_id = $1 AND n.id >= $4 AND n.id < $5 AND n.created_at >= $2 AND n.created_at < $3
  UNION ALL
  SELECT n.tenant_id, date_trunc('hour', a.finished_at, 'UTC'), 'attempt', n.environment_id, n.application_id, n.unit_id, n.channel,
    n.notification_type, n.notification_subtype, coalesce(n.country, n.region), coalesce(n.template_id, '${nobody}'), a.connection_id,
    coalesce(n.mail_domain, ''), a.outcome, coalesce(a.code, ''), left(coalesce(a.provider_code, ''), 40),
    latency_bucket(a.finished_at - a.started_at), 1
  FROM attempt_facts a JOIN notification_facts n ON n.tenant_id = a.tenant_id AND n.id = a.notification_id
  WHERE a.tenant_id = $1 AND a.notification_id >= $6 AND a.notification_id < $5 AND a.finished_at >= $2 AND a.finished_at < $3`;

const ledgerCosts = `
  SELECT d.tenant_id, date_trunc('hour', d.at, 'UTC') AS hour, ${keyColumns}, d.kind, d.source, d.currency, 1 AS entries,
    coalesce(d.segments, 0) AS segments, d.amount
  FROM (${keyedCost("(SELECT * FROM cost_facts WHERE tenant_id = $1 AND at >= $2 AND at < $3)")}) AS d`;

/** Deltas and rollups in one form, so that they can be compared: an hour, a key, what is measured, its value. */
const flatDeltas = (deltas: string) => `
  SELECT d.hour, ROW(${keyColumns})::text AS key, f.measure, f.value FROM (${deltas}) AS d CROSS JOIN LATERAL (
    SELECT d.kind || ' ' || d.status AS measure, d.count::numeric AS value
    UNION ALL SELECT concat_ws(' ', 'reason', d.kind, d.status, d.code, d.provider_code), d.count WHERE ${isReason}
    UNION ALL SELECT concat_ws(' ', CASE d.kind WHEN 'attempt' THEN 'call' ELSE d.status END, 'latency', d.latency), d.count
      WHERE d.latency >= 0) AS f`;
const flatCosts = (costs: string) => `
  SELECT d.hour, ROW(${keyColumns})::text, f.measure, f.value FROM (${costs}) AS d CROSS JOIN LATERAL (VALUES
    (concat_ws(' ', 'entries', d.kind, d.source, d.currency), d.entries::numeric),
    (concat_ws(' ', 'segments', d.kind, d.source, d.currency), d.segments),
    (concat_ws(' ', 'amount', d.kind, d.source, d.currency), d.amount)) AS f(measure, value)`;

const inDay = (table: string, at: string) => `${table}.tenant_id = $1 AND ${at} >= $2 AND ${at} < $3`;
const stored = (grain: "hour" | "day") => `
  SELECT r.at AS hour, ROW(${keyColumns})::text AS key, f.measure, f.value
  FROM rollups r JOIN rollup_keys k ON k.tenant_id = r.tenant_id AND k.id = r.key_id CROSS JOIN LATERAL (
    SELECT c.measure, c.value::numeric AS value FROM (VALUES ${columns
      .map((column) =>
        column.startsWith("calls_")
          ? `('attempt ${column.slice("calls_".length)}', r.${column})`
          : `('status ${column}', r.${column})`,
      )
      .join(", ")}) AS c(measure, value)
    ${measures.map(([column]) => `UNION ALL SELECT '${column.slice(0, -"_ms".length)} latency ' || (entry >> 40), entry & 1099511627775 FROM unnest(r.${column}) AS entry`).join("\n    ")}
  ) AS f
  WHERE r.grain = '${grain}' AND ${inDay("r", "r.at")}
  UNION ALL
  SELECT r.at, ROW(${keyColumns})::text, concat_ws(' ', 'reason', CASE WHEN r.status IN ('not_sent', 'unknown') THEN 'attempt' ELSE 'status' END,
    r.status, r.code, r.provider_code), r.count
  FROM rollup_reasons r JOIN rollup_keys k ON k.tenant_id = r.tenant_id AND k.id = r.key_id
  WHERE r.grain = '${grain}' AND ${inDay("r", "r.at")}
  UNION ALL
  ${flatCosts(`SELECT r.at AS hour, ${keyColumns}, r.kind, r.source, r.currency, r.entries, r.segments, r.amount
    FROM rollup_costs r JOIN rollup_keys k ON k.tenant_id = r.tenant_id AND k.id = r.key_id WHERE r.grain = '${grain}' AND ${inDay("r", "r.at")}`)}`;
const unfolded = `
  ${flatDeltas(`SELECT * FROM metric_deltas m WHERE ${inDay("m", "m.hour")}`)}
  UNION ALL ${flatCosts(keyedCost(`(SELECT * FROM cost_deltas m WHERE ${inDay("m", "m.hour")})`))}`;

/** Where store and ledger differ in a day, the largest difference first. Parameters as of the ledger's, $7: how many rows. */
export const differences = (grain: "hour" | "day") => `
  WITH ledger AS (${flatDeltas(ledgerCounts)} UNION ALL ${flatCosts(ledgerCosts)}),
  kept AS (${stored(grain)} UNION ALL ${unfolded}),
  sides AS (
    SELECT date_trunc('${grain}', hour, 'UTC') AS at, key, measure, value AS ledger, 0 AS stored FROM ledger
    UNION ALL SELECT date_trunc('${grain}', hour, 'UTC'), key, measure, 0, value FROM kept
  )
  SELECT at, key, measure, sum(ledger)::text AS ledger, sum(stored)::text AS stored FROM sides
  GROUP BY 1, 2, 3 HAVING sum(ledger) <> sum(stored) ORDER BY abs(sum(ledger) - sum(stored)) DESC, at, measure LIMIT $7`;

const missingKeysOf = (ledger: string) => `
  INSERT INTO rollup_keys (tenant_id, ${keyColumns}) SELECT DISTINCT tenant_id, ${keyColumns} FROM (${ledger}) AS l
  WHERE NOT EXISTS (SELECT FROM rollup_keys k WHERE ${sameKey("k", "l")}) ON CONFLICT DO NOTHING`;
const takenFrom = (ledger: string) => `
  WITH taken AS (SELECT l.*, k.id AS key_id FROM (${ledger}) AS l JOIN rollup_keys k ON ${sameKey("k", "l")})`;

/**
 * Statements that put the ledger's day in the place of the store's, in a transaction with one snapshot. `byIds`: with all
 * parameters of the ledger; else with the first three.
 */
export const replaceDay: readonly { text: string; byIds: boolean }[] = [
  ...["rollups", "rollup_reasons", "rollup_costs"].map((table) => ({
    text: `DELETE FROM ${table} r WHERE ${inDay("r", "r.at")}`,
    byIds: false,
  })),
  ...["metric_deltas", "cost_deltas"].map((table) => ({
    text: `DELETE FROM ${table} m WHERE ${inDay("m", "m.hour")}`,
    byIds: false,
  })),
  { text: missingKeysOf(ledgerCounts), byIds: true },
  { text: missingKeysOf(ledgerCosts), byIds: false },
  { text: `${takenFrom(ledgerCounts)}, ${addCounts} SELECT 1`, byIds: true },
  { text: `${takenFrom(ledgerCosts)}, ${addCosts} SELECT 1`, byIds: false },
];
