import { ChannelMark } from "../../messages/channel.tsx";
import type { PortalEnvironment } from "../../portal/portal-context.tsx";
import { EnvironmentSwatch } from "../../layout/environment-mark.tsx";
import { RefusedApprovals } from "../approval-badge.tsx";
import { AudienceMarks } from "./audience-marks.tsx";
import { ChannelCounts, Findings } from "./library-columns.tsx";
import { GroupLive, VariantLive } from "./live-cell.tsx";
import type { LibraryRow } from "./types.ts";

/** A line of the library on a narrow screen. */
export function CompactRow({
  row,
  environments,
}: {
  row: LibraryRow;
  environments: readonly PortalEnvironment[];
}) {
  if (row.kind === "rest")
    return (
      <span className="block text-sm text-ink-muted">{row.count} more, narrow the search to see them</span>
    );
  const live = (
    <span className="mt-1.5 flex flex-wrap items-center gap-x-3 gap-y-1 text-xs">
      {environments.map((environment) => (
        <span key={environment.id} className="inline-flex items-center gap-1.5">
          <EnvironmentSwatch kind={environment.kind} />
          <span className="text-ink-muted">{environment.name}</span>
          {row.kind === "group" ? (
            <GroupLive group={row.group} environmentId={environment.id} />
          ) : (
            <VariantLive variant={row.variant} environmentId={environment.id} />
          )}
        </span>
      ))}
    </span>
  );
  if (row.kind === "variant") {
    return (
      <span className="block pl-3">
        <span className="flex items-center justify-between gap-3 text-sm">
          <span className="flex min-w-0 items-center gap-2">
            <ChannelMark channel={row.variant.channel} iconOnly />
            <AudienceMarks audience={row.variant} />
          </span>
          <span className="flex items-center gap-1.5">
            <Findings count={row.variant.findings} />
            <RefusedApprovals variants={[row.variant]} />
          </span>
        </span>
        {live}
      </span>
    );
  }
  return (
    <span className="block">
      <span className="flex items-center justify-between gap-3">
        <span className="truncate font-medium">{row.group.name}</span>
        <span className="shrink-0 text-sm">
          <RefusedApprovals variants={row.group.variants} /> <ChannelCounts group={row.group} />
        </span>
      </span>
      <span className="mt-0.5 block truncate text-sm text-ink-muted">
        {row.group.application}, {row.group.notificationType} / {row.group.notificationSubtype}
      </span>
      {live}
    </span>
  );
}
