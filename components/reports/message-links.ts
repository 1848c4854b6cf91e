import type { Dimension, GroupKey } from "../../server/insights/schemas.ts";
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

/** Which messages a figure counts. */
export type Counted =
  | "accepted"
  | "sent"
  | "delivered"
  | "sentWithoutReceipt"
  | "failed"
  | "rejected"
  | "expired"
  | "canceled"
  | "undetermined"
  | "undelivered";

const outcome: Record<Counted, Record<string, string>> = {
  accepted: {},
  sent: { sent: "true" },
  delivered: { status: "delivered" },
  sentWithoutReceipt: { status: "sent", final: "true" },
  failed: { status: "failed" },
  rejected: { status: "rejected" },
  expired: { status: "expired" },
  canceled: { status: "canceled" },
  undetermined: { status: "undetermined" },
  undelivered: { status: "failed,rejected,expired,undetermined" },
};

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
  if (group) {
    const name = filterNames.find((each) => each === group.by);
    const value = group.key[group.by]?.value;
    if (name === undefined || value === null || value === undefined) return null;
    values[messageFilter[name]] = value;
  }
  return values;
}
