import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { signEvent } from "./audit-event.ts";
import type { AuditEvent } from "./audit-event.ts";

export interface AuditEntry {
  /** noun.verb in the past tense, e.g. "api_key.revoked" */
  action: string;
  targetType: string;
  targetId?: string | null;
  unitId?: string | null;
  environmentId?: string | null;
  /** What changed, as it was and as it is: the members that differ. Left out where there was, or is, nothing. */
  before?: object;
  after?: object;
  /** What else there is to say. Never secrets or texts of messages, and addresses only as addressToken() makes them. */
  data?: Record<string, unknown>;
}

/** The event of an entry, signed; for those who write it in a statement of their own. */
export function auditEvent(ctx: Ctx, entry: AuditEntry): { event: AuditEvent; mac: Buffer } {
  const { before, after, data } = entry;
  const event: AuditEvent = {
    tenantId: ctx.tenantId.toLowerCase(),
    id: newId(),
    at: ctx.now().toISOString(),
    actorType: ctx.actor.type,
    actorId: ctx.actor.id?.toLowerCase() ?? null,
    actorName: ctx.actor.name,
    action: entry.action,
    targetType: entry.targetType,
    targetId: entry.targetId ?? null,
    unitId: entry.unitId?.toLowerCase() ?? null,
    environmentId: entry.environmentId?.toLowerCase() ?? null,
    requestId: ctx.requestId,
    data: JSON.parse(
      JSON.stringify({ ...data, ...(before ? { before } : {}), ...(after ? { after } : {}) }),
    ) as object,
  };
  return { event, mac: signEvent(event) };
}

/** Writes who did what, in the transaction of the change itself. */
export async function recordAudit(ctx: Ctx, tx: Tx, entry: AuditEntry): Promise<void> {
  const { event, mac } = auditEvent(ctx, entry);
  // Without Prisma's own words: this is part of every change.
  await tx.$executeRaw`
    INSERT INTO audit_events (tenant_id, id, at, actor_type, actor_id, actor_name, action, target_type, target_id, unit_id,
      environment_id, request_id, data, mac)
    VALUES (${event.tenantId}::uuid, ${event.id}::uuid, ${event.at}::timestamptz, ${event.actorType}, ${event.actorId}::uuid,
      ${event.actorName}, ${event.action}, ${event.targetType}, ${event.targetId}, ${event.unitId}::uuid,
      ${event.environmentId}::uuid, ${event.requestId}, ${JSON.stringify(event.data)}::jsonb, ${mac})`;
}

/** The same for a change of many things at once, in one statement. */
export async function recordAudits(ctx: Ctx, tx: Tx, entries: readonly AuditEntry[]): Promise<void> {
  const events = entries.map((entry) => {
    const { event, mac } = auditEvent(ctx, entry);
    return { ...event, mac: mac.toString("hex") };
  });
  await tx.$executeRaw`
    INSERT INTO audit_events (tenant_id, id, at, actor_type, actor_id, actor_name, action, target_type, target_id, unit_id,
      environment_id, request_id, data, mac)
    SELECT e."tenantId", e.id, e.at, e."actorType", e."actorId", e."actorName", e.action, e."targetType", e."targetId",
      e."unitId", e."environmentId", e."requestId", e.data, decode(e.mac, 'hex')
    FROM jsonb_to_recordset(${JSON.stringify(events)}::jsonb)
      AS e("tenantId" uuid, id uuid, at timestamptz, "actorType" text, "actorId" uuid, "actorName" text, action text,
        "targetType" text, "targetId" text, "unitId" uuid, "environmentId" uuid, "requestId" text, data jsonb, mac text)`;
}
