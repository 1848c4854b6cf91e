import { ShieldAlert } from "lucide-react";
import type { DataColumn } from "../../data-table/data-table.tsx";
import { ChannelIcon, ChannelMark, channelLabel, channels } from "../../messages/channel.tsx";
import type { PortalEnvironment } from "../../portal/portal-context.tsx";
import { Badge } from "../../ui/badge.tsx";
import { cn } from "../../ui/cn.ts";
import { plural } from "../../ui/format.ts";
import { RelativeTime } from "../../ui/time.tsx";
import { RefusedApprovals } from "../approval-badge.tsx";
import { AudienceMarks } from "./audience-marks.tsx";
import { GroupLive, VariantLive } from "./live-cell.tsx";
import { TemplateMenu, type TemplateAction } from "./template-menu.tsx";
import { factsOf, type LibraryRow, type TemplateGroup } from "./types.ts";

/** How many variants a name has on each channel. */
export function ChannelCounts({ group }: { group: TemplateGroup }) {
  return (
    <span className="inline-flex items-center gap-2.5 align-middle">
      {channels.map((channel) => {
        const count = group.variants.filter((variant) => variant.channel === channel).length;
        if (count === 0) return null;
        return (
          <span
            key={channel}
            className="inline-flex items-center gap-1 tabular"
            title={`${channelLabel(channel)}: ${plural(count, "variant")}`}
          >
            <ChannelIcon channel={channel} />
            <span className="sr-only">{channelLabel(channel)}</span>
            {count}
          </span>
        );
      })}
      {group.matching < group.total ? (
        <span className="text-xs text-ink-faint">
          {group.matching} of {group.total}
        </span>
      ) : null}
    </span>
  );
}

/** Names of keys can be long; the table's width is for what is live. */
function Author({ name }: { name: string }) {
  return (
    <span className="block truncate text-ink-muted" title={name}>
      {name}
    </span>
  );
}

export function Findings({ count }: { count: number }) {
  if (count === 0) return null;
  return (
    <Badge
      tone="warning"
      title={`Moderation remarked ${plural(count, "thing")} on the latest ${count === 1 ? "version" : "versions"}`}
    >
      <ShieldAlert aria-hidden />
      {count}
      <span className="sr-only"> {count === 1 ? "finding" : "findings"}</span>
    </Badge>
  );
}

/** The columns of the library: one for each environment, because what is live where is what people look for. */
export function libraryColumns({
  environments,
  manyApplications,
  archived = false,
  grouped = true,
  onAction,
}: {
  environments: readonly PortalEnvironment[];
  manyApplications: boolean;
  archived?: boolean;
  /** False: only variants, of one name. */
  grouped?: boolean;
  onAction: TemplateAction;
}): DataColumn<LibraryRow>[] {
  return [
    {
      id: "name",
      label: grouped ? "Name" : "For",
      fixed: true,
      skeleton: "w-36",
      cell: (row) =>
        row.kind === "group" ? (
          <span className="font-medium">{row.group.name}</span>
        ) : row.kind === "rest" ? (
          <span className="pl-5 text-ink-muted">{row.count} more, narrow the search to see them</span>
        ) : (
          <span className={cn("flex items-center gap-2.5", grouped && "pl-5")}>
            <ChannelMark channel={row.variant.channel} />
            <AudienceMarks audience={row.variant} />
          </span>
        ),
    },
    ...(manyApplications
      ? [
          {
            id: "application",
            label: "Application",
            skeleton: "w-20",
            cell: (row: LibraryRow) =>
              row.kind === "group" ? <span className="text-ink-muted">{row.group.application}</span> : null,
          },
        ]
      : []),
    ...(grouped
      ? [
          {
            id: "type",
            label: "Type",
            skeleton: "w-28",
            className: "max-w-56",
            cell: (row: LibraryRow) =>
              row.kind === "group" ? (
                <span className="block truncate text-ink-muted">
                  {row.group.notificationType} / {row.group.notificationSubtype}
                </span>
              ) : null,
          },
        ]
      : []),
    {
      id: "variants",
      label: grouped ? "Variants" : "Latest",
      skeleton: "w-14",
      cell: (row) =>
        row.kind === "group" ? (
          <ChannelCounts group={row.group} />
        ) : row.kind === "variant" ? (
          <span className="text-ink-muted tabular">
            {grouped ? "latest " : ""}v{row.variant.latestVersion}
          </span>
        ) : null,
    },
    ...environments.map((environment): DataColumn<LibraryRow> => ({
      id: `live:${environment.slug}`,
      label: environment.name,
      skeleton: "w-8",
      cell: (row) =>
        row.kind === "group" ? (
          <GroupLive group={row.group} environmentId={environment.id} />
        ) : row.kind === "variant" ? (
          <VariantLive variant={row.variant} environmentId={environment.id} />
        ) : null,
    })),
    {
      id: "findings",
      label: "Findings",
      skeleton: "w-8",
      cell: (row) =>
        row.kind === "rest" ? null : (
          <span className="flex items-center gap-1.5">
            <Findings count={row.kind === "group" ? row.group.findings : row.variant.findings} />
            <RefusedApprovals variants={row.kind === "group" ? row.group.variants : [row.variant]} />
          </span>
        ),
    },
    {
      id: "changedBy",
      label: "By",
      skeleton: "w-20",
      className: "max-w-32",
      cell: (row) =>
        row.kind === "rest" ? null : (
          <Author name={row.kind === "group" ? row.group.changedBy : row.variant.author} />
        ),
    },
    {
      id: "changed",
      label: archived ? "Archived" : "Changed",
      align: "right",
      skeleton: "w-14",
      className: "w-24",
      cell: (row) =>
        row.kind === "rest" ? null : (
          <RelativeTime
            value={row.kind === "group" ? row.group.changedAt : row.variant.updatedAt}
            className="text-ink-muted"
          />
        ),
    },
    {
      id: "actions",
      label: "Actions",
      hideLabel: true,
      fixed: true,
      align: "right",
      skeleton: "w-4",
      className: "w-10",
      cell: (row) =>
        row.kind === "variant" ? (
          <TemplateMenu template={factsOf(row.group, row.variant)} onAction={onAction} />
        ) : null,
    },
  ];
}
