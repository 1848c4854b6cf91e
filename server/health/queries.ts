import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Breaker } from "./schemas.ts";

export interface HealthRow {
  connectionId: string;
  breaker: Breaker;
  since: Date;
  reasonCode: string | null;
  reasonDetail: string | null;
  openings: number;
  nextProbeAt: Date | null;
  slow: boolean;
  slowSince: Date | null;
}

/** What is known of the tenant's connections; one that was never in trouble has no row. */
export function selectHealth(ctx: Pick<Ctx, "db" | "tenantId">): Promise<HealthRow[]> {
  return queryInTenant<HealthRow>(
    ctx,
    `SELECT connection_id AS "connectionId", breaker, since, reason_code AS "reasonCode", reason_detail AS "reasonDetail",
            openings, next_probe_at AS "nextProbeAt", slow, slow_since AS "slowSince"
     FROM connection_health WHERE tenant_id = $1 LIMIT 1000`,
    [ctx.tenantId],
  );
}
