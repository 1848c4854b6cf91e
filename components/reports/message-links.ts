import { lackable } from "../../server/costs/vocabulary.ts";
import type { DeliveryCounts, DeliveryReport, Dimension, GroupKey } from "../../server/insights/schemas.ts";
import type { Absentee } from "../../server/sending/schemas.ts";
import { undelivered, underWay } from "../overview/overview-data.ts";
import { filterNames } from "./report-filters.tsx";
import type { FilterName, ReportFilters } from "./report-filters.tsx";

/** How the Messages page calls what reports are narrowed by. */
const messageFilter: Record<FilterName, string> = {
  application: "application",
  channel: "channel",
  provider: "provider",
  country: "country",
  notificationType: "type",
  notificationSubtype: "subtype",
  template: "templateId",
  mailDomain: "mailDomain",
};

const outcome = {
  accepted: {},
  sent: { sent: "true" },
  delivered: { status: "delivered" },
  sentWithoutReceipt: { status: "sent", final: "true" },
  underWay: { status: "pending_approval,scheduled,queued,sending,sent", final: "false" },
  failed: { status: "failed" },
  rejected: { status: "rejected" },
  expired: { status: "expired" },
  canceled: { status: "canceled" },
  undetermined: { status: "undetermined" },
  undelivered: { status: "failed,rejected,expired,undetermined" },
  /** Of which the delivery rate is the share that arrived. */
  ended: { status: "delivered,failed,expired,undetermined" },
} as const satisfies Record<string, Record<string, string>>;

/** Which messages a figure counts. */
export type Counted = keyof typeof outcome;
export const isCounted = (name: string): name is Counted => name in outcome;

/** What a report says of them. */
export function countOf(counts: DeliveryCounts, what: Counted): number {
  if (what === "undelivered") return undelivered(counts);
  if (what === "underWay") return underWay(counts);
  if (what === "ended") return counts.delivered + counts.failed + counts.expired + counts.undetermined;
  return counts[what];
}

/** The period of a report. */
export const boundsOf = ({ from, to }: Pick<DeliveryReport, "from" | "to">) => ({
  from: Date.parse(from),
  to: Date.parse(to),
});

/** A period of a report, or what of it a bucket of its course has: the first and last one may reach beyond it. */
export function within(
  report: { from: number; to: number },
  bucket: { from: number; to: number } = report,
): { from: string; to: string } {
  return {
    from: new Date(Math.max(report.from, bucket.from)).toISOString(),
    to: new Date(Math.min(report.to, bucket.to)).toISOString(),
  };
}

/**
 * Parameters that say what a group of a report has in common, or lacks. `nameOf` is how a page calls a filter. Null: it cannot be said,
 * as the thing is gone that the group is named after.
 */
export function groupFilter(
  by: Dimension,
  key: GroupKey,
  nameOf: (name: FilterName) => string,
): Record<string, string> | null {
  const value = key[by]?.value ?? null;
  if (value === null) return lackable.some((each) => each === by) ? { without: by } : null;
  // Where one looks is said by the portal's own parameters.
  if (by === "environment") return { env: value };
  if (by === "unit") return { unit: value };
  return { [nameOf(by)]: value };
}

/**
 * The parameters of a link to the messages behind a figure of the delivery report, exactly as many as it says. Null: the figure is of a group
 * that messages cannot be found by.
 * @param group the values that the figure's group has; the filters that the whole report has come from `filters`
 */
export function messagesBehind(
  filters: ReportFilters,
  period: { from: string; to: string },
  counted: Counted,
  group: { by: Dimension; key: GroupKey } | null = null,
): Record<string, string> | null {
  const values: Record<string, string> = { from: period.from, to: period.to, ...outcome[counted] };
  for (const name of filterNames) {
    const value = filters[name];
    if (value !== null) values[messageFilter[name]] = value;
  }
  const own = group ? groupFilter(group.by, group.key, (name) => messageFilter[name]) : {};
  return own && { ...values, ...own };
}

/** The same for a line of the reasons why messages did not arrive. */
export function messagesOfFailure(
  filters: ReportFilters,
  period: { from: string; to: string },
  { status, code, providerCode, connectionId }: DeliveryReport["failures"][number],
): Record<string, string> | null {
  if (!isCounted(status)) return null;
  const without: Absentee[] = [];
  if (code === "") without.push("code");
  if (connectionId === null) without.push("provider");
  // Only failures are told apart by it.
  if (providerCode === "" && status === "failed") without.push("providerCode");
  return {
    ...messagesBehind(filters, period, status),
    ...(code === "" ? {} : { code }),
    ...(providerCode === "" ? {} : { providerCode }),
    ...(connectionId === null ? {} : { provider: connectionId }),
    ...(without.length === 0 ? {} : { without: without.join(",") }),
  };
}
