/** What the rollup store holds, and how: statements' parts that its readers and writers share. */

/** In place of a connection or template that there is not. */
export const nobody = "00000000-0000-0000-0000-000000000000";

/** What a key consists of besides its tenant and slice. */
export const keyColumns =
  "environment_id, application_id, unit_id, channel, notification_type, notification_subtype, country, template_id, connection_id, mail_domain";

const base = ["environment_id", "application_id", "unit_id", "channel"];
/** What reports tell apart one at a time, next to the base. */
const single = {
  provider: ["connection_id"],
  country: ["country"],
  type: ["notification_type", "notification_subtype"],
  template: ["template_id"],
  mail_domain: ["mail_domain"],
};
const withSingle = (prefix: string, columns: readonly string[]) =>
  Object.entries(single).map(([name, more]) => [prefix + name, [...columns, ...more]] as const);

/**
 * Everything is counted once in each slice, which tells only some columns apart; so that the usual question reads a few rows. The
 * smallest come first: those of a whole environment, those of an application's channel, and what answers all the rest.
 */
export const slices: ReadonlyMap<string, readonly string[]> = new Map([
  ["whole", ["environment_id"]],
  ...withSingle("whole_", ["environment_id"]),
  ["base", base],
  ...withSingle("", base),
  ["all", keyColumns.split(", ")],
]);
/** All but `all`, in the order of a full key's `slice_keys`. */
export const smallSlices = [...slices.keys()].filter((slice) => slice !== "all");

/** Rows of a slice's name and key, for VALUES: of `of`'s full key, with what the slice does not tell apart left out. */
export function slicedKeys(of: string, names = [...slices.keys()]): string {
  const left = (column: string) => (column.endsWith("_id") ? `'${nobody}'::uuid` : "''");
  const rows = names.map((name) => {
    const kept = slices.get(name) ?? [];
    const cells = keyColumns
      .split(", ")
      .map((column) => (kept.includes(column) ? `${of}.${column}` : left(column)));
    return `('${name}', ${cells.join(", ")})`;
  });
  return rows.join(", ");
}

/** The counters of a row of `rollups`, in the order of its columns. */
export const counters = [
  "accepted",
  "sent",
  "delivered",
  "final",
  "failed",
  "rejected",
  "expired",
  "canceled",
  "undetermined",
  "read",
  "clicked",
  "bounced",
  "complained",
] as const;
export type Counter = (typeof counters)[number];

/** Calls to providers by outcome. */
export const callCounters = ["calls_sent", "calls_not_sent", "calls_unknown"] as const;
/** What took how long: from accepted to sent and to delivered, and calls. */
export const histograms = ["sent_ms", "delivered_ms", "call_ms"] as const;

/** Where what is counted of an hour or a day is: in a table of recent rows, and in a column of packs before. */
export const stores = {
  counts: { table: "rollups", columns: ["key_id", ...counters, ...callCounters, ...histograms] },
  reasons: { table: "rollup_reasons", columns: ["key_id", "status", "code", "provider_code", "count"] },
  costs: {
    table: "rollup_costs",
    columns: ["key_id", "kind", "source", "currency", "entries", "segments", "amount"],
  },
} as const;
export type Store = keyof typeof stores;

/**
 * The rows of a store. A pack and recent rows may be of the same hour and key: what they say is to be added.
 * @param where conditions on `tenant_id`, `grain`, `slice` and `at`
 */
export function storedRows(store: Store, where: string): string {
  const { table, columns } = stores[store];
  const all = ["tenant_id", "grain", "slice", "at", ...columns].join(", ");
  return `SELECT ${all} FROM ${table} WHERE ${where}
    UNION ALL SELECT ${all} FROM rollup_packs CROSS JOIN LATERAL unnest(${store}) WHERE ${where}`;
}
