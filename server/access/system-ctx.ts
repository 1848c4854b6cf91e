import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";

/**
 * The ctx of work without a request: it may do everything in one tenant.
 * @param name as shown in the audit trail, e.g. "Retention"
 */
export function systemCtx(db: Db, tenantId: string, name: string, requestId: string = newId()): Ctx {
  return {
    db,
    tenantId,
    actor: { type: "system", id: null, name },
    grants: [],
    requestId,
    log: logger(),
    now: () => new Date(),
  };
}
