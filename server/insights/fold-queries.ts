/** Statements that keep the rollup store: folding what transactions added, and holding it against the ledger. */
import {
  callCounters,
  counters,
  histograms,
  keyColumns,
  nobody,
  slicedKeys,
  smallSlices,
  storedRows,
  stores,
} from "./rollup-store.ts";
import type { Store } from "./rollup-store.ts";

const same = (columns: readonly string[], one: string, other: string) =>
  columns.map((column) => `${one}.${column} = ${other}.${column}`).join(" AND ");
/** How two rows name one combination. */
const sameKey = (one: string, other: string) => same(["tenant_id", ...keyColumns.split(", ")], one, other);
const sliceNames = `ARRAY[${smallSlices.map((name) => `'${name}'`).join(", ")}]`;
/** The key `key` of all that is told apart in a row of deltas. */
const isFullKey = (key: string, delta: string) => `${key}.slice = 'all' AND ${sameKey(key, delta)}`;

type Deltas = "metric_deltas" | "cost_deltas";
/** The $1 oldest deltas, each with the place it is at. */
const oldest = (table: Deltas) => `SELECT *, ctid AS place FROM ${table} ORDER BY id LIMIT $1`;

/** An entry of the cost ledger under its key: at the attempt's connection; a fee is nobody's. */
const keyedCost = (entries: string) => `
  SELECT c.*, n.environment_id, n.application_id, n.unit_id, n.channel, n.notification_type, n.notification_subtype,
    coalesce(n.country, n.region) AS country, coalesce(n.template_id, '${nobody}') AS template_id,
    CASE WHEN c.kind = 'platform_fee' THEN '${nobody}'::uuid ELSE coalesce(a.connection_id, '${nobody}') END AS connection_id,
    coalesce(n.mail_domain, '') AS mail_domain
  FROM ${entries} c
  CROSS JOIN LATERAL (SELECT * FROM notification_facts n WHERE n.tenant_id = c.tenant_id AND n.id = c.notification_id LIMIT 1) AS n
  LEFT JOIN LATERAL (SELECT a.connection_id FROM attempt_facts a
    WHERE a.tenant_id = c.tenant_id AND a.notification_id = c.notification_id AND a.number = c.attempt LIMIT 1) AS a ON true`;

/** CTE `missing`: the full keys of `rows` that are not there yet. */
const missing = (rows: string) => `missing AS MATERIALIZED (
    SELECT DISTINCT tenant_id, ${keyColumns} FROM (${rows}) AS d WHERE NOT EXISTS (SELECT FROM rollup_keys k WHERE ${isFullKey("k", "d")})
  )`;
/**
 * Two statements that add the keys of `rows` that are not there yet: those of smaller slices, then the full ones, which name them. The
 * first says under `missing` how many full keys are; the second is for when there are any, and leaves those to the next turn that came
 * between the two.
 */
const insertKeys = (rows: string) => [
  `WITH ${missing(rows)}, made AS (
    INSERT INTO rollup_keys (tenant_id, slice, ${keyColumns})
    SELECT DISTINCT m.tenant_id, s.* FROM missing m CROSS JOIN LATERAL (VALUES ${slicedKeys("m", smallSlices)}) AS s(slice, ${keyColumns})
    ON CONFLICT DO NOTHING
  )
  SELECT count(*)::int AS missing FROM missing`,
  `WITH ${missing(rows)}
  INSERT INTO rollup_keys (tenant_id, slice, ${keyColumns}, slice_keys)
  SELECT tenant_id, 'all', ${keyColumns}, slice_keys FROM missing m CROSS JOIN LATERAL (SELECT ARRAY(
    SELECT k.id FROM (VALUES ${slicedKeys("m", smallSlices)}) AS s(slice, ${keyColumns})
    JOIN rollup_keys k ON k.tenant_id = m.tenant_id AND k.slice = s.slice AND ${same(keyColumns.split(", "), "k", "s")}
    ORDER BY array_position(${sliceNames}, k.slice)) AS slice_keys) AS found
  WHERE cardinality(slice_keys) = ${String(smallSlices.length)} ON CONFLICT DO NOTHING`,
];

/** Statements for keys that deltas need and that are not there yet. $1: how many deltas are looked at. */
export const insertMissingKeys = (table: Deltas) =>
  insertKeys(table === "metric_deltas" ? oldest("metric_deltas") : keyedCost(`(${oldest("cost_deltas")})`));

const statusOf = (status: string) => `kind = 'status' AND status = '${status}'`;
const outcomeOf = (outcome: string) => `kind = 'attempt' AND status = '${outcome}'`;
/** Columns of `rollups` with what of the deltas they count. */
const counted: readonly (readonly [string, string])[] = [
  ...counters.map((counter) => [counter, statusOf(counter)] as const),
  ...callCounters.map((counter) => [counter, outcomeOf(counter.slice("calls_".length))] as const),
];
const measures = [
  ["sent_ms", statusOf("sent")],
  ["delivered_ms", statusOf("delivered")],
  ["call_ms", "kind = 'attempt'"],
] as const satisfies readonly (readonly [(typeof histograms)[number], string])[];
const isReason = `CASE kind WHEN 'attempt' THEN status IN ('not_sent', 'unknown')
    ELSE status IN ('failed', 'rejected', 'expired', 'canceled', 'undetermined') END`;
const grains = "(VALUES ('hour'), ('day')) AS grains(grain)";
const place = "tenant_id, grain, slice, at, key_id";

/** Of each full key, the key it is counted under in each slice. No join: its size could not be foreseen. */
const inEachSlice = `CROSS JOIN LATERAL unnest(slice_keys || full_id, ${sliceNames} || 'all'::text) AS s(key_id, slice)`;

/** CTEs `summed`, `reasons` and so on, which write deltas (`taken`: with the id of their full key) into the rollups. */
const addCounts = `
  collapsed AS MATERIALIZED (
    SELECT tenant_id, hour, full_id, slice_keys, kind, status, code, provider_code, latency, sum(count)::bigint AS count
    FROM taken GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9
  ),
  parts AS MATERIALIZED (
    SELECT tenant_id, grain, slice, date_trunc(grain, hour, 'UTC') AS at, key_id, kind, status, code, provider_code, latency,
      sum(count)::bigint AS count
    FROM collapsed ${inEachSlice} CROSS JOIN ${grains} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8, 9, 10
  ),
  summed AS (
    INSERT INTO rollups (${place}, ${counted.map(([column]) => column).join(", ")}, ${histograms.join(", ")})
    SELECT ${place},
      ${counted.map(([, when]) => `coalesce(sum(count) FILTER (WHERE ${when}), 0)`).join(",\n      ")},
      ${measures.map(([, when]) => `array_agg((latency::bigint << 40) | count ORDER BY latency) FILTER (WHERE ${when} AND latency >= 0)`).join(",\n      ")}
    FROM (SELECT ${place}, kind, status, latency, sum(count)::bigint AS count FROM parts GROUP BY 1, 2, 3, 4, 5, 6, 7, 8) AS p
    GROUP BY 1, 2, 3, 4, 5
    ON CONFLICT (${place}) DO UPDATE SET
      ${counted.map(([column]) => `${column} = rollups.${column} + excluded.${column}`).join(", ")},
      ${histograms.map((column) => `${column} = merge_histograms(rollups.${column}, excluded.${column})`).join(", ")}
  ),
  reasons AS (
    INSERT INTO rollup_reasons (${place}, status, code, provider_code, count)
    SELECT ${place}, status, code, provider_code, sum(count)
    FROM parts WHERE ${isReason} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8 HAVING sum(count) <> 0
    ON CONFLICT (${place}, status, code, provider_code) DO UPDATE SET count = rollup_reasons.count + excluded.count
  )`;

const addCosts = `
  collapsed AS MATERIALIZED (
    SELECT tenant_id, hour, full_id, slice_keys, kind, source, currency, sum(entries) AS entries, sum(segments) AS segments, sum(amount) AS amount
    FROM taken GROUP BY 1, 2, 3, 4, 5, 6, 7
  ),
  summed AS (
    INSERT INTO rollup_costs (${place}, kind, source, currency, entries, segments, amount)
    SELECT tenant_id, grain, slice, date_trunc(grain, hour, 'UTC'), key_id, kind, source, currency, sum(entries), sum(segments), sum(amount)
    FROM collapsed ${inEachSlice} CROSS JOIN ${grains} GROUP BY 1, 2, 3, 4, 5, 6, 7, 8
    ON CONFLICT (${place}, kind, source, currency) DO UPDATE SET entries = rollup_costs.entries + excluded.entries,
      segments = rollup_costs.segments + excluded.segments, amount = rollup_costs.amount + excluded.amount
  )`;

/**
 * CTEs `taken` and `removed`: the deltas of `rows` (each with its `place`) whose full key is there, as `columns`, and their
 * removal. Their tables are emptied all the time, so that what the planner knows of them is that there is nothing in them: it
 * would join them by the tenant alone and compare each with each. A look-up each (LATERAL, LIMIT) and the places of rows leave it no
 * such choice; nothing changes a delta, and whoever folds holds the lock, so what is at a place is what was read.
 */
const take = (table: Deltas, rows: string, columns: string) => `
  taken AS MATERIALIZED (
    SELECT d.place, d.tenant_id, d.hour, k.full_id, k.slice_keys, ${columns}
    FROM (${rows}) AS d
    CROSS JOIN LATERAL (SELECT k.id AS full_id, k.slice_keys FROM rollup_keys k WHERE ${isFullKey("k", "d")} LIMIT 1) AS k
  ), removed AS (
    DELETE FROM ${table} WHERE ctid = ANY (ARRAY(SELECT place FROM taken))
  )`;

/**
 * Moves the $1 oldest counts into the rollups; `folded`: how many, `reached`: how many messages reached a status by them, as
 * [[channel, status, count], …]. One whose key is not there yet stays.
 */
export const foldCounts = `
  WITH ${take("metric_deltas", oldest("metric_deltas"), "d.kind, d.status, d.code, d.provider_code, d.latency, d.count, d.channel")},
  ${addCounts}
  SELECT count(*)::int AS folded, (SELECT coalesce(jsonb_agg(jsonb_build_array(channel, status, count)), '[]') FROM (
    SELECT channel, status, sum(count) AS count FROM taken WHERE kind = 'status' AND count > 0 GROUP BY 1, 2) AS s) AS reached
  FROM taken`;

/** The same of the $1 oldest changes of the ledger. */
export const foldCosts = `
  WITH ${take("cost_deltas", keyedCost(`(${oldest("cost_deltas")})`), "d.kind, d.source, d.currency, d.entries, d.segments, d.amount")},
  ${addCosts}
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

/** Everything counts once in each slice. */
const inSlices = `CROSS JOIN LATERAL (
    SELECT ROW(v.*)::text AS key FROM (VALUES ${slicedKeys("d")}) AS v(slice, ${keyColumns})) AS s`;
/** Deltas and rollups in one form, so that they can be compared: an hour, a key, what is measured, its value. */
const flatDeltas = (deltas: string) => `
  SELECT d.hour, s.key, f.measure, f.value FROM (${deltas}) AS d CROSS JOIN LATERAL (
    SELECT d.kind || ' ' || d.status AS measure, d.count::numeric AS value
    UNION ALL SELECT concat_ws(' ', 'reason', d.kind, d.status, d.code, d.provider_code), d.count WHERE ${isReason}
    UNION ALL SELECT concat_ws(' ', CASE d.kind WHEN 'attempt' THEN 'call' ELSE d.status END, 'latency', d.latency), d.count
      WHERE d.latency >= 0) AS f ${inSlices}`;
const costMeasures = `(VALUES
    (concat_ws(' ', 'entries', d.kind, d.source, d.currency), d.entries::numeric),
    (concat_ws(' ', 'segments', d.kind, d.source, d.currency), d.segments),
    (concat_ws(' ', 'amount', d.kind, d.source, d.currency), d.amount)) AS f(measure, value)`;
const flatCosts = (costs: string) => `
  SELECT d.hour, s.key, f.measure, f.value FROM (${costs}) AS d CROSS JOIN LATERAL ${costMeasures} ${inSlices}`;

const inDay = (table: string, at: string) => `${table}.tenant_id = $1 AND ${at} >= $2 AND ${at} < $3`;
const storedOf = (store: Store, grain: "hour" | "day") =>
  `(${storedRows(store, `tenant_id = $1 AND grain = '${grain}' AND at >= $2 AND at < $3`)}) AS d
  JOIN rollup_keys k ON k.tenant_id = d.tenant_id AND k.id = d.key_id`;
const storedKey = `ROW(d.slice, ${keyColumns})::text AS key`;
const stored = (grain: "hour" | "day") => `
  SELECT d.at AS hour, ${storedKey}, f.measure, f.value FROM ${storedOf("counts", grain)} CROSS JOIN LATERAL (
    SELECT c.measure, c.value::numeric AS value FROM (VALUES ${[
      ...counters.map((column) => `('status ${column}', d.${column})`),
      ...callCounters.map((column) => `('attempt ${column.slice("calls_".length)}', d.${column})`),
    ].join(", ")}) AS c(measure, value)
    ${histograms.map((column) => `UNION ALL SELECT '${column.slice(0, -"_ms".length)} latency ' || (entry >> 40), entry & 1099511627775 FROM unnest(d.${column}) AS entry`).join("\n    ")}
  ) AS f
  UNION ALL
  SELECT d.at, ${storedKey}, concat_ws(' ', 'reason', CASE WHEN d.status IN ('not_sent', 'unknown') THEN 'attempt' ELSE 'status' END,
    d.status, d.code, d.provider_code), d.count
  FROM ${storedOf("reasons", grain)}
  UNION ALL
  SELECT d.at, ${storedKey}, f.measure, f.value FROM ${storedOf("costs", grain)} CROSS JOIN LATERAL ${costMeasures}`;
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

const takenFrom = (table: string) => `
  WITH taken AS (SELECT l.*, k.id AS full_id, k.slice_keys FROM ${table} l JOIN rollup_keys k ON ${isFullKey("k", "l")})`;

/**
 * Statements that put the ledger's day in the place of the store's, in a transaction with one snapshot, each with how many
 * parameters of the ledger's it takes. The ledger is read once, into tables that go with the transaction.
 */
export const replaceDay: readonly { text: string; parameters: 0 | 3 | 6 }[] = [
  ...["rollups", "rollup_reasons", "rollup_costs", "rollup_packs"].map((table) => ({
    text: `DELETE FROM ${table} r WHERE ${inDay("r", "r.at")}`,
    parameters: 3 as const,
  })),
  ...["metric_deltas", "cost_deltas"].map((table) => ({
    text: `DELETE FROM ${table} m WHERE ${inDay("m", "m.hour")}`,
    parameters: 3 as const,
  })),
  { text: `CREATE TEMP TABLE day_counts ON COMMIT DROP AS ${ledgerCounts}`, parameters: 6 },
  { text: `CREATE TEMP TABLE day_costs ON COMMIT DROP AS ${ledgerCosts}`, parameters: 3 },
  ...[
    "ANALYZE day_counts, day_costs",
    ...insertKeys(
      `SELECT tenant_id, ${keyColumns} FROM day_counts UNION ALL SELECT tenant_id, ${keyColumns} FROM day_costs`,
    ),
    `${takenFrom("day_counts")}, ${addCounts} SELECT 1`,
    `${takenFrom("day_costs")}, ${addCosts} SELECT 1`,
  ].map((text) => ({ text, parameters: 0 as const })),
];

const groupOf: Record<Store, readonly string[]> = {
  counts: ["key_id"],
  reasons: ["key_id", "status", "code", "provider_code"],
  costs: ["key_id", "kind", "source", "currency"],
};
const cellType: Record<Store, string> = {
  counts: "rollup_count",
  reasons: "rollup_reason",
  costs: "rollup_cost",
};

/**
 * Puts the recent rows of a tenant ($1) of hours before $2 and days before $3 into packs, with what these held; of at most $4 hours,
 * days and slices at once. `packed`: of how many.
 */
export const packStore = (store: Store): string => {
  const { table, columns } = stores[store];
  const group = groupOf[store];
  const cells = columns.map((column) => {
    if (group.includes(column)) return column;
    const [recent, packed] = [`r.${column}`, `p.${column}`];
    return (histograms as readonly string[]).includes(column)
      ? `merge_histograms(${recent}, ${packed})`
      : `coalesce(${recent}, 0) + coalesce(${packed}, 0)`;
  });
  return `
  WITH chosen AS MATERIALIZED (
    SELECT DISTINCT grain, slice, at FROM ${table}
    WHERE tenant_id = $1 AND ((grain = 'hour' AND at < $2) OR (grain = 'day' AND at < $3)) LIMIT $4
  ), taken AS (
    DELETE FROM ${table} t USING chosen c WHERE t.tenant_id = $1 AND ${same(["grain", "slice", "at"], "t", "c")}
    RETURNING t.grain, t.slice, t.at, ${columns.map((column) => (column === "currency" ? "t.currency::text AS currency" : `t.${column}`)).join(", ")}
  ), packed AS (
    SELECT grain, slice, at, ${columns.join(", ")} FROM rollup_packs JOIN chosen USING (grain, slice, at) CROSS JOIN LATERAL unnest(${store})
    WHERE tenant_id = $1
  ), written AS (
    INSERT INTO rollup_packs AS k (tenant_id, grain, slice, at, ${store})
    SELECT $1, grain, slice, at, array_agg(ROW(${cells.join(", ")})::${cellType[store]} ORDER BY ${group.join(", ")})
    FROM taken r FULL JOIN packed p USING (grain, slice, at, ${group.join(", ")}) GROUP BY 2, 3, 4
    ON CONFLICT (tenant_id, grain, slice, at) DO UPDATE SET ${store} = excluded.${store}
  )
  SELECT count(*)::int AS packed FROM chosen`;
};

/** Organisations with rows of hours before $1; every count and cost of an hour is in its slice `base` too. */
export const selectToPack = `
  SELECT t.id FROM tenant_states t
  WHERE EXISTS (SELECT FROM rollups r WHERE r.tenant_id = t.id AND r.grain = 'hour' AND r.slice = 'base' AND r.at < $1)
    OR EXISTS (SELECT FROM rollup_costs r WHERE r.tenant_id = t.id AND r.grain = 'hour' AND r.slice = 'base' AND r.at < $1)`;
