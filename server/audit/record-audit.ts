import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";

export interface AuditEntry {
  /** noun.verb in the past tense, e.g. "api_key.revoked" */
  action: string;
  targetType: string;
  targetId?: string | null;
  unitId?: string | null;
  environmentId?: string | null;
  /** What changed; never secrets, addresses or texts of messages. */
  data?: Record<string, unknown>;
}

/** Writes who did what, in the transaction of the change itself. */
export async function recordAudit(ctx: Ctx, tx: Tx, entry: AuditEntry): Promise<void> {
  await tx.auditEvent.create({
    data: {
      tenantId: ctx.tenantId,
      id: newId(),
      at: ctx.now(),
      actorType: ctx.actor.type,
      actorId: ctx.actor.id,
      actorName: ctx.actor.name,
      action: entry.action,
      targetType: entry.targetType,
      targetId: entry.targetId ?? null,
      unitId: entry.unitId ?? null,
      environmentId: entry.environmentId ?? null,
      requestId: ctx.requestId,
      data: JSON.parse(JSON.stringify(entry.data ?? {})) as object,
    },
  });
}
