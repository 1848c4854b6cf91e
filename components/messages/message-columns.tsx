import type { NotificationSummary } from "../../server/sending/schemas.ts";
import type { DataColumn } from "../data-table/data-table.tsx";
import { CopyableId } from "../ui/copy-button.tsx";
import { formatMoney } from "../ui/format.ts";
import { MaskedValue } from "../ui/masked-value.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { ChannelMark } from "./channel.tsx";
import { StatusBadge } from "./status-badge.tsx";

const muted = (value: string | null) => (
  <span className="block truncate text-ink-muted" title={value ?? undefined}>
    {value ?? "–"}
  </span>
);

/** On a screen of 1440 px each column has room, and none takes another's; wider ones show more of long names. */
const nameWidth = "max-w-36 2xl:max-w-64";

/** Why a message ended badly, in a few words for a table cell. */
export function shortReason(message: NotificationSummary): string | null {
  return message.failure?.detail ?? message.reason?.detail ?? null;
}

export function messageColumns(masked: boolean): DataColumn<NotificationSummary>[] {
  return [
    {
      id: "status",
      label: "Status",
      fixed: true,
      skeleton: "w-18",
      className: "w-40",
      cell: (row) => <StatusBadge status={row.status} final={row.final} simulated={row.simulated} />,
    },
    {
      id: "to",
      label: "Recipient",
      fixed: true,
      skeleton: "w-40",
      className: "max-w-52 2xl:max-w-64",
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-2">
          <ChannelMark channel={row.channel} iconOnly />
          <MaskedValue value={row.to} masked={masked} className="truncate" />
        </span>
      ),
    },
    {
      id: "template",
      label: "Template",
      skeleton: "w-28",
      className: nameWidth,
      cell: (row) =>
        row.template ? (
          <span className="flex items-baseline gap-1" title={row.template.name}>
            <span className="truncate">{row.template.name}</span>
            <span className="text-xs text-ink-faint">v{row.template.version}</span>
          </span>
        ) : (
          muted(null)
        ),
    },
    {
      id: "application",
      label: "Application",
      skeleton: "w-20",
      className: nameWidth,
      cell: (row) => muted(row.application),
    },
    {
      id: "provider",
      label: "Provider",
      skeleton: "w-20",
      className: nameWidth,
      cell: (row) => muted(row.provider),
    },
    {
      id: "reason",
      label: "Reason",
      skeleton: "w-32",
      className: "max-w-56 2xl:max-w-96",
      cell: (row) => (
        <span className="block truncate text-ink-muted" title={shortReason(row) ?? undefined}>
          {shortReason(row) ?? ""}
        </span>
      ),
    },
    {
      id: "type",
      label: "Type",
      skeleton: "w-24",
      hiddenAtFirst: true,
      cell: (row) => muted(`${row.notificationType} / ${row.notificationSubtype}`),
    },
    {
      id: "transactionId",
      label: "Transaction ID",
      skeleton: "w-32",
      hiddenAtFirst: true,
      className: "max-w-52",
      cell: (row) =>
        row.transactionId ? (
          <CopyableId value={row.transactionId} label="Copy transaction ID" />
        ) : (
          muted(null)
        ),
    },
    {
      id: "notificationId",
      label: "Message ID",
      skeleton: "w-32",
      hiddenAtFirst: true,
      cell: (row) => <CopyableId value={row.notificationId} label="Copy message ID" short />,
    },
    {
      id: "cost",
      label: "Cost",
      align: "right",
      skeleton: "w-12",
      hiddenAtFirst: true,
      cell: (row) => (row.cost ? formatMoney(row.cost.amount, row.cost.currency) : "–"),
    },
    {
      id: "createdAt",
      label: "Accepted",
      align: "right",
      skeleton: "w-16",
      className: "w-28",
      cell: (row) => <RelativeTime value={row.createdAt} className="text-ink-muted" />,
    },
  ];
}

/** One message on a phone: two lines. */
export function CompactMessage({ message, masked }: { message: NotificationSummary; masked: boolean }) {
  return (
    <span className="block">
      <span className="flex items-center justify-between gap-3">
        <span className="flex min-w-0 items-center gap-2">
          <ChannelMark channel={message.channel} iconOnly />
          <MaskedValue value={message.to} masked={masked} className="truncate font-medium" />
        </span>
        <StatusBadge status={message.status} final={message.final} simulated={message.simulated} />
      </span>
      <span className="mt-1 flex items-center justify-between gap-3 text-sm text-ink-muted">
        <span className="truncate">
          {shortReason(message) ?? message.template?.name ?? message.application}
        </span>
        <RelativeTime value={message.createdAt} className="shrink-0 text-xs" />
      </span>
    </span>
  );
}
