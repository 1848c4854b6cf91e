import type { ExportView } from "../../server/exports/schemas.ts";
import type { BadgeTone } from "../ui/badge.tsx";
import { formatLocal } from "../ui/time.tsx";

export const stateWords: Record<ExportView["state"], { label: string; tone: BadgeTone }> = {
  waiting: { label: "Waiting", tone: "neutral" },
  running: { label: "Being written", tone: "info" },
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
  failureCode: "failure",
  search: "search",
};

interface Known {
  environments: readonly { id: string; name: string }[];
  units: readonly { id: string; name: string }[];
}

/** What was asked for, in words: "Production, status failed, from 1 Mar, 09:00". */
export function filterWords(filter: ExportView["filter"], known: Known): string {
  const named = (list: Known["units"], id: unknown) => list.find((each) => each.id === id)?.name;
  const moment = (value: unknown) => (typeof value === "string" ? formatLocal(value, true) : undefined);
  const from = moment(filter.createdFrom ?? filter.from);
  const to = moment(filter.createdTo ?? filter.to);
  return [
    named(known.environments, filter.environmentId) ?? "all environments",
    named(known.units, filter.unitId),
    ...Object.entries(labels).map(([name, label]) => {
      const value = filter[name];
      const text = Array.isArray(value) ? value.join(" or ") : typeof value === "string" ? value : "";
      return text === "" ? undefined : `${label} ${text}`;
    }),
    filter.connectionId === undefined ? undefined : "one provider",
    from && `from ${from}`,
    to && `until ${to}`,
  ]
    .filter(Boolean)
    .join(", ");
}
