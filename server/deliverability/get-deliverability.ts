import type { Ctx } from "../kernel/ctx.ts";
import { authorize, may } from "../operations/authorize.ts";
import { selectStandings, selectWaiting } from "./queries.ts";
import type { StandingRow } from "./queries.ts";
import { bounceRate, complaintRate } from "./rates.ts";
import { domainGroups, mailThresholds, mostCounted } from "./schemas.ts";
import type { Deliverability, DomainGroup, GroupStanding } from "./schemas.ts";

/** How the organisation stands with each mailbox provider: rates of the window, holds, and what waits for their end. */
export async function getDeliverability(ctx: Ctx): Promise<Deliverability> {
  authorize(ctx, "reports:read", {});
  const rows = await selectStandings(ctx);
  const waiting = rows.some(({ level }) => level === "held")
    ? await selectWaiting(ctx, mostCounted)
    : new Map<DomainGroup, number>();
  const now = ctx.now();
  return {
    from: new Date(now.getTime() - mailThresholds.windowDays * 86_400_000).toISOString(),
    to: now.toISOString(),
    groups: domainGroups.map((group) => {
      const row = rows.find((each) => each.group === group);
      return present(group, row, waiting.get(group) ?? 0, now);
    }),
    mayRelease: may(ctx, "routing:manage", {}),
  };
}

function present(
  group: DomainGroup,
  row: StandingRow | undefined,
  waiting: number,
  now: Date,
): GroupStanding {
  const counts = {
    delivered: row?.delivered ?? 0,
    bounced: row?.bounced ?? 0,
    complained: row?.complained ?? 0,
  };
  const level = row?.level ?? "fine";
  const accepted =
    row?.acceptedUntil && row.acceptedUntil > now
      ? {
          until: row.acceptedUntil.toISOString(),
          byName: row.releasedByName ?? "",
          note: row.releaseNote ?? "",
          at: (row.releasedAt ?? now).toISOString(),
        }
      : null;
  return {
    group,
    ...counts,
    complaintRate: complaintRate(counts),
    bounceRate: bounceRate(counts),
    level,
    cause: level === "fine" ? null : (row?.cause ?? null),
    since: level === "fine" ? null : (row?.since?.toISOString() ?? null),
    waiting,
    accepted,
  };
}
