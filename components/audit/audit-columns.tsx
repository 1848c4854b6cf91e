import { Bot, KeyRound, User } from "lucide-react";
import type { AuditEventView } from "../../server/audit/schemas.ts";
import type { DataColumn } from "../data-table/data-table.tsx";
import type { PortalEnvironment, PortalUnit } from "../portal/portal-context.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { actionLabel, targetLabel } from "./audit-words.ts";

const actorFaces = {
  user: { icon: User, label: "Person" },
  apiKey: { icon: KeyRound, label: "API key" },
  system: { icon: Bot, label: "System" },
} as const;

/** Who acted, with a mark that tells people, keys and the service apart. */
export function ActorName({ event }: { event: Pick<AuditEventView, "actorType" | "actorName"> }) {
  const { icon: Icon, label } = actorFaces[event.actorType];
  return (
    <span className="flex min-w-0 items-center gap-1.5">
      <Icon className="size-3.5 shrink-0 text-ink-faint" aria-label={label} />
      <span className="truncate">{event.actorName}</span>
    </span>
  );
}

/** The target's name at that time. */
export function nameOf(event: AuditEventView): string | null {
  const { name } = event.data;
  return typeof name === "string" && name !== "" ? name : null;
}

export function auditColumns(
  environments: readonly PortalEnvironment[],
  units: readonly PortalUnit[],
): DataColumn<AuditEventView>[] {
  const environmentName = (id: string | null) => environments.find((each) => each.id === id)?.name ?? "–";
  const unitName = (id: string | null) => units.find((each) => each.id === id)?.name ?? "–";
  return [
    {
      id: "at",
      label: "When",
      fixed: true,
      skeleton: "w-20",
      className: "w-28",
      cell: (row) => <RelativeTime value={row.at} className="text-ink-muted" />,
    },
    {
      id: "actor",
      label: "Who",
      fixed: true,
      skeleton: "w-28",
      className: "max-w-52",
      cell: (row) => <ActorName event={row} />,
    },
    {
      id: "action",
      label: "What",
      fixed: true,
      skeleton: "w-36",
      cell: (row) => <span className="font-medium">{actionLabel(row.action)}</span>,
    },
    {
      id: "target",
      label: "Target",
      skeleton: "w-40",
      className: "max-w-64",
      cell: (row) => (
        <span className="block truncate">
          <span className="text-ink-muted">{targetLabel(row.targetType)}</span>
          {nameOf(row) ? <span> {nameOf(row)}</span> : null}
        </span>
      ),
    },
    {
      id: "environment",
      label: "Environment",
      skeleton: "w-20",
      cell: (row) => <span className="text-ink-muted">{environmentName(row.environmentId)}</span>,
    },
    {
      id: "unit",
      label: "Team",
      skeleton: "w-16",
      cell: (row) => <span className="text-ink-muted">{unitName(row.unitId)}</span>,
    },
    {
      id: "sequence",
      label: "Entry",
      align: "right",
      skeleton: "w-10",
      hiddenAtFirst: true,
      cell: (row) => <span className="text-ink-muted">{row.sequence ?? "–"}</span>,
    },
  ];
}

export function CompactEvent({ event }: { event: AuditEventView }) {
  return (
    <span className="grid gap-1">
      <span className="flex items-baseline justify-between gap-3">
        <span className="truncate text-sm font-medium">{actionLabel(event.action)}</span>
        <RelativeTime value={event.at} className="shrink-0 text-xs text-ink-muted" />
      </span>
      <span className="flex min-w-0 items-center gap-3 text-sm text-ink-muted">
        <ActorName event={event} />
        {nameOf(event) ? <span className="truncate">{nameOf(event)}</span> : null}
      </span>
    </span>
  );
}
