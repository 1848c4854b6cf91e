/** Statements about the rollup store: what it tells apart, and which of its rows make up a period. */
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import type { Dimension, Interval } from "./schemas.ts";

/** In place of a connection or template that there is not. */
export const nobody = "00000000-0000-0000-0000-000000000000";

/** What a key consists of besides its tenant. */
export const keyColumns =
  "environment_id, application_id, unit_id, channel, notification_type, notification_subtype, country, template_id, connection_id, mail_domain";

const columnOf: Record<Dimension, string> = {
  channel: "k.channel",
  application: "k.application_id::text",
  environment: "k.environment_id::text",
  unit: "k.unit_id::text",
  provider: "k.connection_id::text",
  country: "k.country",
  notificationType: "k.notification_type",
  notificationSubtype: "k.notification_subtype",
  template: "k.template_id::text",
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
  country?: string | undefined;
  notificationType?: string | undefined;
  notificationSubtype?: string | undefined;
  templateId?: string | undefined;
  mailDomain?: string | undefined;
}

const hourMs = 3_600_000;
const dayMs = 24 * hourMs;

/** The rows `r` of a table of the store in a period, with their keys `k`. `fine`: by the hour; else whole days come as one row. */
export function rollupSource(
  table: "rollups" | "rollup_reasons" | "rollup_costs",
  tenantId: string,
  scopes: Required<Scope>[] | null,
  filter: RollupFilter,
  fine: boolean,
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
    .given("k.country = ?", filter.country)
    .given("k.notification_type = ?", filter.notificationType)
    .given("k.notification_subtype = ?", filter.notificationSubtype)
    .given("k.template_id = ?", filter.templateId)
    .given("k.mail_domain = ?", filter.mailDomain)
    .within(scopes, "k");
  const firstDay = Math.ceil(filter.from.getTime() / dayMs) * dayMs;
  const lastDay = Math.max(firstDay, Math.floor(filter.to.getTime() / dayMs) * dayMs);
  const part = (grain: "day" | "hour", from: string, to: string) =>
    `SELECT * FROM ${table} WHERE tenant_id = $1 AND grain = '${grain}' AND at >= ${from} AND at < ${to}`;
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

/** Columns of a group: `key`, its values in the order of the dimensions, and `at`, the start of its interval. */
export function groupColumns(
  by: readonly Dimension[],
  interval: Interval | null,
): { key: string; at: string } {
  return {
    key: by.length === 0 ? "'{}'::text[]" : `ARRAY[${by.map((each) => columnOf[each]).join(", ")}]`,
    at: interval === null ? "NULL::timestamptz" : `date_trunc('${interval}', r.at, 'UTC')`,
  };
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
