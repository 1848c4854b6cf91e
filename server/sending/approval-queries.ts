import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";

export type ApprovalState = "waiting" | "approved" | "refused" | "expired" | "canceled";

/** An agent's request that waits, or waited, for a person. */
export interface ApprovalRow {
  /** Of the request. */
  id: string;
  environmentId: string;
  applicationId: string;
  unitId: string;
  apiKeyId: string;
  apiKeyName: string;
  messages: number;
  expiresAt: Date;
  state: ApprovalState;
  decidedByName: string | null;
  decidedAt: Date | null;
  reason: string | null;
  createdAt: Date;
  transactionId: string | null;
  notificationType: string;
  notificationSubtype: string;
  /** The first message, as the page names it. */
  channel: Channel;
  recipient: string;
  templateName: string | null;
}

const columns = `
  SELECT a.request_id AS id, a.environment_id, a.application_id, a.unit_id, a.api_key_id, a.api_key_name, a.messages,
    a.expires_at, a.state, a.decided_by_name, a.decided_at, a.reason, a.created_at, r.transaction_id, r.notification_type,
    r.notification_subtype, n.channel, n.recipient, t.name AS template_name`;
const joins = `
  JOIN send_requests r ON r.tenant_id = a.tenant_id AND r.id = a.request_id
  JOIN LATERAL (SELECT m.channel, m.recipient, m.template_id FROM notifications m
                WHERE m.tenant_id = a.tenant_id AND m.request_id = a.request_id
                ORDER BY m.status = 'rejected', m.position LIMIT 1) AS n ON true
  LEFT JOIN template_facts t ON t.tenant_id = a.tenant_id AND t.id = n.template_id`;

/** A page of requests, newest first; the page is selected before anything is joined to it. */
export function selectApprovals(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  filter: {
    waiting: boolean;
    environmentId?: string | undefined;
    unitId?: string | undefined;
    before?: string | undefined;
    limit: number;
  },
): Promise<ApprovalRow[]> {
  const where = new Conditions([ctx.tenantId], "tenant_id = $1")
    .and(filter.waiting ? "state = 'waiting'" : "state <> 'waiting'")
    .given("environment_id = ?", filter.environmentId)
    .given("unit_id = ?", filter.unitId)
    .given("request_id < ?", filter.before)
    .within(scopes, "");
  return queryInTenant<ApprovalRow>(
    ctx,
    `WITH page AS (SELECT * FROM send_approvals WHERE ${where.sql} ORDER BY request_id DESC LIMIT ${where.bind(filter.limit)})
     ${columns} FROM page a ${joins} ORDER BY a.request_id DESC`,
    where.values,
  );
}

export async function selectApproval(ctx: Ctx, id: string): Promise<ApprovalRow | undefined> {
  const rows = await queryInTenant<ApprovalRow>(
    ctx,
    `${columns} FROM send_approvals a ${joins} WHERE a.tenant_id = $1 AND a.request_id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0];
}

/** How many wait in the scopes; counts no further than `limit`. */
export async function countWaiting(
  ctx: Ctx,
  scopes: Required<Scope>[] | null,
  limit: number,
): Promise<number> {
  const where = new Conditions([ctx.tenantId], "tenant_id = $1", "state = 'waiting'").within(scopes, "");
  const rows = await queryInTenant<{ count: number }>(
    ctx,
    `SELECT count(*)::int AS count FROM (
       SELECT FROM send_approvals WHERE ${where.sql} LIMIT ${where.bind(limit)}) AS waiting`,
    where.values,
  );
  return rows[0]?.count ?? 0;
}

interface LockedApproval {
  state: ApprovalState;
  timeToLive: number | null;
  expiresAt: Date;
}

/** A request that waits or waited, locked until the transaction ends: of two decisions the second sees the first. */
export async function lockApproval(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<LockedApproval | undefined> {
  const rows = await tx.$queryRaw<LockedApproval[]>`
    SELECT state, time_to_live AS "timeToLive", expires_at AS "expiresAt" FROM send_approvals
    WHERE tenant_id = ${tenantId}::uuid AND request_id = ${id}::uuid FOR UPDATE`;
  return rows[0];
}

/** Whether a request of a key waits for a person. */
export async function isWaiting(tx: Tx, tenantId: string, apiKeyId: string): Promise<boolean> {
  const found = await tx.sendApproval.findFirst({
    where: { tenantId, apiKeyId, state: "waiting" },
    select: { requestId: true },
  });
  return found !== null;
}

export async function writeDecision(
  tx: Tx,
  tenantId: string,
  id: string,
  decision: {
    state: Exclude<ApprovalState, "waiting">;
    decidedById?: string;
    decidedByName?: string;
    decidedAt: Date;
    reason?: string;
  },
): Promise<void> {
  await tx.sendApproval.update({
    where: { tenantId_requestId: { tenantId, requestId: id } },
    data: decision,
  });
}

export interface HeldMessage {
  id: string;
  class: NotificationClass;
  sandbox: boolean;
  scheduledAt: Date | null;
}

/** The messages of a request that wait for a person, locked until the transaction ends. */
export async function lockHeldMessages(tx: Tx, tenantId: string, requestId: string): Promise<HeldMessage[]> {
  return tx.$queryRaw`
    SELECT id, class, sandbox, scheduled_at AS "scheduledAt" FROM notifications
    WHERE tenant_id = ${tenantId}::uuid AND request_id = ${requestId}::uuid AND status = 'pending_approval'
    ORDER BY id FOR UPDATE`;
}

/** From when on messages that were approved count as sent late, and until when they live; null: as it was. */
export async function writeTimes(
  tx: Tx,
  tenantId: string,
  ids: readonly string[],
  times: { from: Date; timeToLive: number | null },
): Promise<void> {
  await tx.$executeRaw`
    UPDATE notifications SET
      scheduled_at = greatest(scheduled_at, ${times.from}),
      expires_at = CASE WHEN ${times.timeToLive}::int IS NULL THEN expires_at
                   ELSE greatest(scheduled_at, ${times.from}) + ${times.timeToLive}::int * interval '1 millisecond' END
    WHERE tenant_id = ${tenantId}::uuid AND id = ANY (${[...ids]}::uuid[])`;
}

/** After one of its messages was canceled: a request of which none waits any more waits no longer. */
export async function settleCanceled(tx: Tx, tenantId: string, requestId: string, at: Date): Promise<void> {
  await tx.$executeRaw`
    UPDATE send_approvals SET state = 'canceled', decided_at = ${at}
    WHERE tenant_id = ${tenantId}::uuid AND request_id = ${requestId}::uuid AND state = 'waiting'
      AND NOT EXISTS (SELECT FROM notifications n WHERE n.tenant_id = ${tenantId}::uuid AND n.request_id = ${requestId}::uuid
                      AND n.status = 'pending_approval')`;
}

/** Requests of any tenants that have waited too long, one of each before the second of any (worker's role). */
export async function selectOverdueApprovals(
  db: Db,
  limit: number,
): Promise<{ tenantId: string; id: string }[]> {
  const { rows } = await db.pool.query<{ tenantId: string; id: string }>(
    `SELECT tenant_id AS "tenantId", request_id AS id FROM send_approvals
     WHERE state = 'waiting' AND expires_at <= now()
     ORDER BY row_number() OVER (PARTITION BY tenant_id ORDER BY random()), random() LIMIT $1`,
    [limit],
  );
  return rows;
}
