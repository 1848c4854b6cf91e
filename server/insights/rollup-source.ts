/** Which rows of the rollup store make up a period. */
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import { slices, storedRows } from "./rollup-store.ts";
import type { Store } from "./rollup-store.ts";
import type { Dimension, Interval } from "./schemas.ts";

const columnOf: Record<Dimension, string> = {
  channel: "k.channel",
  application: "k.application_id",
  environment: "k.environment_id",
  unit: "k.unit_id",
  provider: "k.connection_id",
  country: "k.country",
  notificationType: "k.notification_type",
  notificationSubtype: "k.notification_subtype",
  template: "k.template_id",
  mailDomain: "k.mail_domain",
};

/** A period of whole hours, and what of it is counted; ids, not names. */
export interface RollupFilter {
  from: Date;
  to: Date;
  environmentId?: string | undefined;
  unitId?: string | undefined;
  applicationId?: string | undefined;
  channel?: string | undefined;
  connectionId?: string | undefined;
  /** Over one of these connections, or over none of them. */
  amongConnections?: readonly string[] | undefined;
  exceptConnections?: readonly string[] | undefined;
  country?: string | undefined;
  notificationType?: string | undefined;
  notificationSubtype?: string | undefined;
  templateId?: string | undefined;
  mailDomain?: string | undefined;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** What of a filter is a dimension. */
const dimensionOf = {
  environmentId: "environment",
  unitId: "unit",
  applicationId: "application",
  channel: "channel",
  connectionId: "provider",
  amongConnections: "provider",
  exceptConnections: "provider",
  country: "country",
  notificationType: "notificationType",
  notificationSubtype: "notificationSubtype",
  templateId: "template",
  mailDomain: "mailDomain",
} as const satisfies Record<Exclude<keyof RollupFilter, "from" | "to">, Dimension>;

/** The smallest slice that tells all of it apart, and what somebody may see where that is not everything. */
function sliceFor(by: readonly Dimension[], filter: RollupFilter, scoped: boolean): string {
  const asked = (Object.keys(dimensionOf) as (keyof typeof dimensionOf)[]).filter(
    (each) => filter[each] !== undefined,
  );
  const dimensions = [
    ...by,
    ...asked.map((each) => dimensionOf[each]),
    ...(scoped ? (["unit", "application"] as const) : []),
  ];
  const needed = dimensions.map((each) => columnOf[each].slice("k.".length));
  const [name] = [...slices].find(([, columns]) => needed.every((column) => columns.includes(column))) ?? [
    "all",
  ];
  return name;
}

/**
 * The rows `r` of a store in a period, with their keys `k`, of the smallest slice that tells apart what the filter names and `by`.
 * `fine`: by the hour; else whole days come as one row.
 */
export function rollupSource(
  store: Store,
  tenantId: string,
  scopes: Required<Scope>[] | null,
  filter: RollupFilter,
  { fine, by }: { fine: boolean; by: readonly Dimension[] | "all" },
): { from: string; where: Conditions } {
  const where = new Conditions(
    [tenantId, filter.from, filter.to],
    "k.tenant_id = $1",
    // Where whole days are enough no other condition names them.
    "$2::timestamptz < $3::timestamptz",
  )
    .given("k.environment_id = ?", filter.environmentId)
    .given("k.unit_id = ?", filter.unitId)
    .given("k.application_id = ?", filter.applicationId)
    .given("k.channel = ?", filter.channel)
    .given("k.connection_id = ?", filter.connectionId)
    .given("k.connection_id = ANY (?::uuid[])", filter.amongConnections)
    .given("k.connection_id <> ALL (?::uuid[])", filter.exceptConnections)
    .given("k.country = ?", filter.country)
    .given("k.notification_type = ?", filter.notificationType)
    .given("k.notification_subtype = ?", filter.notificationSubtype)
    .given("k.template_id = ?", filter.templateId)
    .given("k.mail_domain = ?", filter.mailDomain)
    .within(scopes, "k");
  const slice = by === "all" ? by : sliceFor(by, filter, scopes !== null);
  const firstDay = Math.ceil(filter.from.getTime() / dayMs) * dayMs;
  const lastDay = Math.max(firstDay, Math.floor(filter.to.getTime() / dayMs) * dayMs);
  const part = (grain: "day" | "hour", from: string, to: string) =>
    storedRows(
      store,
      `tenant_id = $1 AND grain = '${grain}' AND slice = '${slice}' AND at >= ${from} AND at < ${to}`,
    );
  const parts: string[] = [];
  if (fine || lastDay === firstDay) parts.push(part("hour", "$2", "$3"));
  else {
    const [first, last] = [where.bind(new Date(firstDay)), where.bind(new Date(lastDay))];
    parts.push(part("day", first, last));
    if (filter.from.getTime() < firstDay) parts.push(part("hour", "$2", first));
    if (filter.to.getTime() > lastDay) parts.push(part("hour", last, "$3"));
  }
  return {
    from: `(${parts.join(" UNION ALL ")}) AS r JOIN rollup_keys k ON k.tenant_id = r.tenant_id AND k.id = r.key_id`,
    where,
  };
}

/**
 * Columns of a group: `key`, its values in the order of the dimensions, and `at`, the start of its interval. `group`: what to group
 * by, as the columns themselves are compared faster than a key.
 */
export function groupColumns(
  by: readonly Dimension[],
  interval: Interval | null,
): { key: string; at: string; group: string[] } {
  const columns = by.map((each) => columnOf[each]);
  const at = interval === null ? "NULL::timestamptz" : `date_trunc('${interval}', r.at, 'UTC')`;
  return {
    key:
      columns.length === 0
        ? "'{}'::text[]"
        : `ARRAY[${columns.map((column) => `${column}::text`).join(", ")}]`,
    at,
    group: interval === null ? columns : [...columns, at],
  };
}
