import type { Ctx } from "../kernel/ctx.ts";
import { countClicks } from "../links/count-clicks.ts";
import { authorize, may } from "../operations/authorize.ts";
import { selectStandings, selectWaiting } from "./queries.ts";
import type { StandingRow } from "./queries.ts";
import { bounceRate, complaintRate } from "./rates.ts";
import { domainGroups } from "./schemas.ts";
import { mailThresholds, mostCounted } from "./vocabulary.ts";
import type { Deliverability, DomainGroup, GroupStanding } from "./schemas.ts";

const dayMs = 86_400_000;

/** How the organisation stands with each mailbox provider: rates of the window, holds, and what waits for their end. */
export async function getDeliverability(ctx: Ctx): Promise<Deliverability> {
  authorize(ctx, "reports:read", {});
  const now = ctx.now();
  const today = Math.floor(now.getTime() / dayMs) * dayMs;
  const since = new Date(today - (mailThresholds.windowDays - 1) * dayMs);
  const [rows, clicks] = await Promise.all([selectStandings(ctx), countClicks(ctx, { since })]);
  const waiting = rows.some(({ level }) => level === "held")
    ? await selectWaiting(ctx, mostCounted)
    : new Map<DomainGroup, number>();
  return {
    from: since.toISOString(),
    to: now.toISOString(),
    groups: domainGroups.map((group) => {
      const row = rows.find((each) => each.group === group);
      return present(group, row, waiting.get(group) ?? 0, now);
    }),
    clicks,
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
    unconfirmed: row?.unconfirmed ?? 0,
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
