import type { TemplateCategory } from "../adapters/adapter.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { WhatsappApprovalStatus } from "../template-language/metadata.ts";

export interface ApprovalRow {
  templateId: string;
  templateName: string;
  language: string;
  status: WhatsappApprovalStatus;
  reason: string | null;
  source: "provider" | "manual";
  /** The connection that reported the status; null: none did. */
  connectionId: string | null;
  checkedAt: Date | null;
  updatedBy: string;
  updatedAt: Date;
  category: TemplateCategory | null;
  nextCategory: TemplateCategory | null;
  nextCategoryAt: Date | null;
}

const columns = `w.template_id, w.template_name, w.language, w.status, w.reason, w.source, w.connection_id, w.checked_at, w.updated_by,
                 w.updated_at, w.category, w.next_category, w.next_category_at`;

/** Whether the provider itself has reported the approval; otherwise somebody set it, or nobody has asked. */
export const isReportedByProvider = (row: { source: string; connectionId: string | null }): boolean =>
  row.source === "provider" && row.connectionId !== null;

/** Approvals of the named references; those that nobody has asked about are missing. */
export async function selectApprovals(
  ctx: Pick<Ctx, "db" | "tenantId">,
  references: readonly { templateId: string; templateName: string; language: string }[],
): Promise<ApprovalRow[]> {
  return queryInTenant<ApprovalRow>(
    ctx,
    `SELECT ${columns}
     FROM unnest($2::uuid[], $3::text[], $4::text[]) AS r (template_id, template_name, language)
     JOIN whatsapp_approvals w ON w.tenant_id = $1 AND w.template_id = r.template_id
       AND w.template_name = r.template_name AND w.language = r.language`,
    [
      ctx.tenantId,
      references.map((reference) => reference.templateId),
      references.map((reference) => reference.templateName),
      references.map((reference) => reference.language),
    ],
  );
}

/** Every approval that versions of a template have named, the most recently changed first. */
export async function selectTemplateApprovals(
  ctx: Pick<Ctx, "db" | "tenantId">,
  templateId: string,
): Promise<ApprovalRow[]> {
  return queryInTenant<ApprovalRow>(
    ctx,
    `SELECT ${columns} FROM whatsapp_approvals w WHERE w.tenant_id = $1 AND w.template_id = $2
     ORDER BY w.updated_at DESC, w.template_name, w.language LIMIT 100`,
    [ctx.tenantId, templateId],
  );
}

export interface ApprovalKey {
  tenantId: string;
  templateId: string;
  templateName: string;
  language: string;
}

/** Records that a version names an approved template, so that the provider is asked about it; existing ones stay. */
export async function insertApproval(tx: Tx, key: ApprovalKey, by: string, now: Date): Promise<void> {
  await tx.whatsappApproval.createMany({
    data: [{ ...key, status: "unsubmitted", source: "provider", updatedBy: by, updatedAt: now }],
    skipDuplicates: true,
  });
}

/** Sets an existing approval; returns its previous state, undefined when there is none. Locks the row. */
export async function updateApproval(
  tx: Tx,
  key: ApprovalKey,
  change: {
    status: WhatsappApprovalStatus;
    reason: string | null;
    source: "provider" | "manual";
    connectionId: string | null;
    by: string;
    now: Date;
    /** Leaves what the provider has reported, or what somebody has set by hand. */
    unless?: "reported" | "manual" | undefined;
  },
): Promise<{ status: WhatsappApprovalStatus; source: string } | undefined> {
  const [before] = await tx.$queryRaw<
    {
      status: WhatsappApprovalStatus;
      source: string;
      reason: string | null;
      connectionId: string | null;
    }[]
  >`
    SELECT status, source, reason, connection_id AS "connectionId" FROM whatsapp_approvals
    WHERE tenant_id = ${key.tenantId}::uuid AND template_id = ${key.templateId}::uuid
      AND template_name = ${key.templateName} AND language = ${key.language} FOR UPDATE`;
  if (!before) return undefined;
  if (change.unless === "reported" && isReportedByProvider(before)) return undefined;
  if (change.unless === "manual" && before.source === "manual") return undefined;
  const same =
    before.status === change.status && before.source === change.source && before.reason === change.reason;
  await tx.whatsappApproval.update({
    where: { tenantId_templateId_templateName_language: key },
    data: {
      status: change.status,
      reason: change.reason,
      source: change.source,
      // Only on a change: the age of a decision determines how often to ask.
      ...(same ? {} : { updatedBy: change.by, updatedAt: change.now }),
      ...(change.source === "provider" ? { connectionId: change.connectionId, checkedAt: change.now } : {}),
    },
  });
  return before;
}

/** Records that the provider was asked, whatever it answered. */
export async function touchApproval(tx: Tx, key: ApprovalKey, now: Date): Promise<void> {
  await tx.whatsappApproval.updateMany({ where: key, data: { checkedAt: now } });
}

export interface DueApproval {
  tenantId: string;
  templateId: string;
  templateName: string;
  language: string;
}

/**
 * Claims the approvals that are due, organisations in turns, of each those never asked about first, and records the time,
 * so that nobody else takes them. Undecided ones are due after a quarter of the time that they have been waiting, at
 * least 4 minutes and at most 6 hours; decided ones once a day, as they may be paused or rejected later. Approvals set by
 * hand are left alone.
 */
export async function takeDueApprovals(db: Db, now: Date, limit: number): Promise<DueApproval[]> {
  const result = await db.pool.query(
    `WITH turns AS (
       SELECT w.tenant_id, w.template_id, w.template_name, w.language, w.checked_at,
         row_number() OVER (PARTITION BY w.tenant_id ORDER BY w.checked_at NULLS FIRST) AS turn
       FROM whatsapp_approvals w
       JOIN templates t ON t.tenant_id = w.tenant_id AND t.id = w.template_id AND t.archived_at IS NULL
       WHERE w.source = 'provider' AND (w.checked_at IS NULL OR w.checked_at <= $1::timestamptz -
         CASE WHEN w.status IN ('unsubmitted', 'pending')
              THEN least(greatest((w.checked_at - w.updated_at) / 4, interval '4 minutes'), interval '6 hours')
              ELSE interval '1 day' END)
     ), due AS (
       SELECT w.tenant_id, w.template_id, w.template_name, w.language
       FROM turns JOIN whatsapp_approvals w USING (tenant_id, template_id, template_name, language)
       -- Again of the locked row: somebody else may have claimed it.
       WHERE w.checked_at IS NOT DISTINCT FROM turns.checked_at AND w.source = 'provider'
       ORDER BY turns.turn, turns.checked_at NULLS FIRST LIMIT $2 FOR UPDATE OF w SKIP LOCKED
     )
     UPDATE whatsapp_approvals w SET checked_at = $1 FROM due
     WHERE w.tenant_id = due.tenant_id AND w.template_id = due.template_id
       AND w.template_name = due.template_name AND w.language = due.language
     RETURNING w.tenant_id, w.template_id, w.template_name, w.language`,
    [now, limit],
  );
  return camelRows(result);
}
