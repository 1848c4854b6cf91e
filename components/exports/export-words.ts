import type { ExportView } from "../../server/exports/schemas.ts";
import type { BadgeTone } from "../ui/badge.tsx";
import { plural } from "../ui/format.ts";
import { formatLocal } from "../ui/time.tsx";
import { dateFormat } from "../ui/intl.ts";

export const stateWords: Record<ExportView["state"], { label: string; tone: BadgeTone }> = {
  waiting: { label: "Waiting", tone: "neutral" },
  running: { label: "Writing file", tone: "info" },
  finished: { label: "Ready", tone: "success" },
  canceled: { label: "Canceled", tone: "neutral" },
  failed: { label: "Failed", tone: "danger" },
  expired: { label: "Deleted after 7 days", tone: "neutral" },
};

export const kindWords: Record<ExportView["kind"], string> = { messages: "Messages", costs: "Costs" };

const labels: Record<string, string> = {
  statuses: "status",
  channel: "channel",
  to: "recipient",
  application: "application",
  template: "template",
  transactionId: "transaction",
  provider: "provider",
  notificationType: "type",
  notificationSubtype: "subtype",
  country: "country",
  mailDomain: "mail domain",
  providerCode: "provider code",
  without: "without",
  failureCode: "failure",
  search: "search",
};

interface Known {
  environments: readonly { id: string; name: string }[];
  units: readonly { id: string; name: string }[];
}

/** The day in UTC, as costs are counted. */
const day = (value: unknown) =>
  typeof value === "string"
    ? dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(value))
    : undefined;
const moment = (value: unknown) => (typeof value === "string" ? formatLocal(value, true) : undefined);

/** What was asked for, in words: "Production, status failed, from 1 Mar, 09:00". */
export function filterWords({ kind, filter }: Pick<ExportView, "kind" | "filter">, known: Known): string {
  const named = (list: Known["units"], id: unknown) => list.find((each) => each.id === id)?.name;
  const costs = kind === "costs";
  const from = costs ? day(filter.from) : moment(filter.createdFrom);
  const before = costs ? day(filter.to) : moment(filter.createdTo);
  return [
    named(known.environments, filter.environmentId) ?? "all environments",
    named(known.units, filter.unitId),
    ...Object.entries(labels).map(([name, label]) => {
      const value = costs && name === "to" ? undefined : filter[name];
      const text = Array.isArray(value) ? value.join(" or ") : typeof value === "string" ? value : "";
      return text === "" ? undefined : `${label} ${text}`;
    }),
    Array.isArray(filter.ids) && plural(filter.ids.length, "selected message"),
    filter.connectionId === undefined ? undefined : "one provider",
    filter.templateId === undefined ? undefined : "one template",
    filter.sent === undefined ? undefined : filter.sent ? "handed to a provider" : "not handed to a provider",
    filter.final === undefined ? undefined : filter.final ? "completed" : "in progress",
    from && `from ${from}`,
    before && `before ${before}`,
  ]
    .filter(Boolean)
    .join(", ");
}
