import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { refuseUnreported } from "../kernel/report-period.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectTemplateNames } from "./queries.ts";
import { nobody } from "./rollup-store.ts";
import type { RollupFilter } from "./rollup-source.ts";
import type { Dimension, GroupKey, Interval } from "./schemas.ts";
import type { reportFilterSchema } from "./schemas.ts";
import type { z } from "zod";

const hour = 3_600_000;
const day = 24 * hour;
/** Points of the courses of all groups of a report, so that an answer fits into memory. */
const mostPoints = 50_000;
/** The longest period that is given by the hour. */
const longestByHour = 31 * day;

/** A report's period in whole hours. Throws `invalid_request` for one that cannot be answered. */
export function readPeriod(
  ctx: Ctx,
  input: { from?: string | undefined; to?: string | undefined; interval?: Interval | undefined },
  defaultFrom: (to: Date) => Date,
): { from: Date; to: Date; interval: Interval } {
  const to = new Date(Math.ceil((input.to ? Date.parse(input.to) : ctx.now().getTime()) / hour) * hour);
  const asked = input.from ? Date.parse(input.from) : defaultFrom(to).getTime();
  const from = new Date(Math.floor(asked / hour) * hour);
  refuseUnreported(from, to);
  const span = to.getTime() - from.getTime();
  const interval = input.interval ?? (span <= 3 * day ? "hour" : "day");
  if (interval === "hour" && span > longestByHour) {
    throw new DomainError("invalid_request", "Hourly figures are given for at most 31 days.", {
      errors: [{ pointer: "/interval", code: "too_fine", detail: "Use interval=day for longer periods" }],
    });
  }
  return { from, to, interval };
}

/** Throws `invalid_request` where groups would have more points in their courses, all together, than one answer takes. */
export function checkCourses(
  { from, to, interval }: { from: Date; to: Date; interval: Interval },
  groups: number,
): void {
  if (groups * timeline(from, to, interval).length <= mostPoints) return;
  const most = new Intl.NumberFormat("en").format(mostPoints);
  throw new DomainError("invalid_request", `The courses of groups have at most ${most} points in all.`, {
    errors: [
      { pointer: "/limit", code: "too_many", detail: "Fewer groups, a shorter period or a coarser interval" },
    ],
  });
}

/** The start of the interval (UTC) that an instant is in; weeks begin on Monday. */
export function startOf(interval: Interval, at: Date): Date {
  const [year, month, date] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()];
  switch (interval) {
    case "hour":
      return new Date(Math.floor(at.getTime() / hour) * hour);
    case "day":
      return new Date(Date.UTC(year, month, date));
    case "week":
      return new Date(Date.UTC(year, month, date - ((at.getUTCDay() + 6) % 7)));
    case "month":
      return new Date(Date.UTC(year, month, 1));
  }
}

/** The start of every interval of a period, those without messages among them. */
export function timeline(from: Date, to: Date, interval: Interval): Date[] {
  const all: Date[] = [];
  for (let at = startOf(interval, from); at < to;) {
    all.push(at);
    const past =
      interval === "month" ? 32 * day : interval === "week" ? 7 * day : interval === "day" ? day : hour;
    at = startOf(interval, new Date(at.getTime() + past));
  }
  return all;
}

export type ReportFilter = z.output<typeof reportFilterSchema> & {
  environmentId?: string | undefined;
  unitId?: string | undefined;
};

/** A report's filter by ids. What is not known matches nothing. */
export async function readFilter(
  ctx: Ctx,
  period: { from: Date; to: Date },
  input: ReportFilter,
): Promise<RollupFilter> {
  const catalogue = await getCatalogue(ctx);
  const idOf = <T extends { id: string }>(all: readonly T[], is: (entry: T) => boolean) =>
    all.find(is)?.id ?? nobody;
  return {
    from: period.from,
    to: period.to,
    environmentId: input.environmentId,
    unitId:
      input.unitId ??
      (input.unit === undefined ? undefined : idOf(catalogue.units, ({ slug }) => slug === input.unit)),
    applicationId:
      input.application === undefined
        ? undefined
        : idOf(catalogue.applications, (entry) => entry.name === input.application),
    channel: input.channel,
    connectionId: input.provider,
    country: input.country,
    notificationType: input.notificationType,
    notificationSubtype: input.notificationSubtype,
    templateId: input.template,
    mailDomain: input.mailDomain,
  };
}

const mailDomains: Record<string, string> = {
  gmail: "Gmail",
  yahoo: "Yahoo",
  microsoft: "Microsoft",
  other: "Other mail",
};
/** How channels are written. */
export const channelNames: Record<string, string> = { sms: "SMS", email: "E-mail", whatsapp: "WhatsApp" };

const countryNames = new Intl.DisplayNames("en", { type: "region", fallback: "none" });

function countryName(code: string): string {
  const name = /^[A-Z]{2}$/.test(code) ? countryNames.of(code) : undefined;
  return name === undefined ? code || "Unknown" : `${name} (${code})`;
}

/** What people call the groups of a report. @param keys their values, in the order of `by` */
export async function groupNames(
  ctx: Ctx,
  by: readonly Dimension[],
  keys: readonly string[][],
): Promise<(key: readonly string[]) => GroupKey> {
  const at = by.indexOf("template");
  const [catalogue, connections, templates] = await Promise.all([
    getCatalogue(ctx),
    tenantConnections(ctx),
    selectTemplateNames(ctx, at < 0 ? [] : [...new Set(keys.map((key) => key[at] ?? nobody))]),
  ]);
  const nameOf = (dimension: Dimension, value: string): { value: string | null; label: string } => {
    switch (dimension) {
      case "application": {
        const found = catalogue.applications.find(({ id }) => id === value);
        return { value: found?.name ?? null, label: found?.title ?? "Removed application" };
      }
      case "environment": {
        const found = catalogue.environments.find(({ id }) => id === value);
        return { value: found?.slug ?? null, label: found?.name ?? "Removed environment" };
      }
      case "unit": {
        const found = catalogue.units.find(({ id }) => id === value);
        return { value: found?.slug ?? null, label: found?.name ?? "Removed unit" };
      }
      case "provider":
        return value === nobody
          ? { value: null, label: "No provider" }
          : { value, label: connections.get(value)?.name ?? "Removed connection" };
      case "template":
        return value === nobody
          ? { value: null, label: "No template" }
          : { value, label: templates.get(value) ?? "Removed template" };
      case "channel":
        return { value, label: channelNames[value] ?? value };
      case "mailDomain":
        return value === ""
          ? { value: null, label: "Not e-mail" }
          : { value, label: mailDomains[value] ?? value };
      case "country":
        return { value: value === "" ? null : value, label: countryName(value) };
      case "notificationType":
      case "notificationSubtype":
        return { value: value === "" ? null : value, label: value === "" ? "Unknown" : value };
    }
  };
  return (key) =>
    Object.fromEntries(by.map((dimension, index) => [dimension, nameOf(dimension, key[index] ?? "")]));
}

/** Rows by something that they have, in the order of the first of each. */
export function groupRows<T>(rows: readonly T[], keyOf: (row: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const row of rows) {
    const members = groups.get(keyOf(row));
    if (members) members.push(row);
    else groups.set(keyOf(row), [row]);
  }
  return groups;
}
