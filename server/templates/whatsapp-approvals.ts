import { recordAudit } from "../audit/record-audit.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import type {
  TemplateMetadata,
  WhatsappApprovalStatus,
  WhatsappMetadata,
} from "../template-language/metadata.ts";
import type { Template, WhatsappApproval } from "./schemas.ts";
import { insertApproval, selectApprovals, updateApproval } from "./whatsapp-approval-queries.ts";
import type { ApprovalRow } from "./whatsapp-approval-queries.ts";

/** An approved WhatsApp template as a version names it; `language` is empty text when the version names none. */
export interface ApprovalReference {
  templateId: string;
  templateName: string;
  language: string;
}

/** The key of a reference in the result of `approvalsOf`. */
export const approvalKey = ({ templateId, templateName, language }: ApprovalReference) =>
  JSON.stringify([templateId, templateName, language]);

/**
 * Approvals by `approvalKey`; a missing reference was never submitted. One statement, whatever their number. The caller
 * has authorised the templates.
 */
export async function approvalsOf(
  ctx: Pick<Ctx, "db" | "tenantId">,
  references: readonly ApprovalReference[],
): Promise<Map<string, Pick<ApprovalRow, "status" | "reason" | "category" | "nextCategory">>> {
  if (references.length === 0) return new Map();
  const rows = await selectApprovals(ctx, references);
  return new Map(
    rows.map((row) => {
      const { category, nextCategory } = categoryOf(row);
      return [approvalKey(row), { status: row.status, reason: row.reason, category, nextCategory }];
    }),
  );
}

/** The approved template that a content names; null when it names none. */
export function approvalReference(
  templateId: string,
  content: { channel: Channel; metadata: TemplateMetadata },
): ApprovalReference | null {
  if (content.channel !== "whatsapp") return null;
  const { templateName, language = "" } = content.metadata as WhatsappMetadata;
  return templateName === undefined ? null : { templateId, templateName, language };
}

/** An approval as answers present it. */
export function presentApproval(row: ApprovalRow): WhatsappApproval {
  return {
    templateName: row.templateName,
    language: row.language,
    status: row.status,
    reason: row.reason,
    source: row.source,
    checkedAt: row.checkedAt?.toISOString() ?? null,
    ...categoryOf(row),
    updatedBy: row.updatedBy,
    updatedAt: row.updatedAt.toISOString(),
  };
}

function categoryOf({ category, nextCategory, nextCategoryAt }: ApprovalRow) {
  // What was announced counts from its moment on, whether or not WhatsApp has said that it is done.
  if (nextCategoryAt && nextCategoryAt.getTime() <= Date.now()) {
    return { category: nextCategory, nextCategory: null, nextCategoryAt: null };
  }
  return { category, nextCategory, nextCategoryAt: nextCategoryAt?.toISOString() ?? null };
}

/** The stored approval; `invalid_request` when no version has named such a template. */
export async function requireApproval(ctx: Ctx, reference: ApprovalReference): Promise<WhatsappApproval> {
  return presentApproval(await requireApprovalRow(ctx, reference));
}

/** Its row. */
export async function requireApprovalRow(ctx: Ctx, reference: ApprovalReference): Promise<ApprovalRow> {
  const [row] = await selectApprovals(ctx, [reference]);
  if (row) return row;
  throw new DomainError("invalid_request", "No version of the template names this WhatsApp template.", {
    errors: [
      {
        pointer: "/templateName",
        code: "unknown_whatsapp_template",
        detail: "Save a version with this name and language in its metadata first.",
      },
    ],
  });
}

/** The `whatsappApproval` of an answer. */
export async function approvalOf(
  ctx: Pick<Ctx, "db" | "tenantId">,
  templateId: string,
  content: { channel: Channel; metadata: TemplateMetadata },
): Promise<Template["whatsappApproval"]> {
  const reference = approvalReference(templateId, content);
  if (!reference) return null;
  const [row] = await selectApprovals(ctx, [reference]);
  if (!row) {
    const category = { category: null, nextCategory: null, nextCategoryAt: null };
    return { status: "unsubmitted", reason: null, source: "provider", checkedAt: null, ...category };
  }
  const { status, reason, source, checkedAt, category, nextCategory, nextCategoryAt } = presentApproval(row);
  return { status, reason, source, checkedAt, category, nextCategory, nextCategoryAt };
}

/**
 * Throws `environment_mismatch` when a caller limited to the sandbox sets an approval: production's gate relies on it.
 */
export function refuseApprovalFromSandbox(
  metadata: TemplateMetadata,
  application: { stages: readonly string[] },
  environmentIds: readonly string[],
): void {
  if (!("approvalStatus" in metadata) || metadata.approvalStatus === undefined) return;
  if (application.stages.some((stage) => environmentIds.includes(stage))) return;
  throw new DomainError(
    "environment_mismatch",
    "A key of the sandbox cannot say how far the approval of a WhatsApp template is. Leave approvalStatus out.",
  );
}

/**
 * Records the approved template that a version names, in the transaction that saves it. The approval is not part of the
 * version: a status in the request counts as set by hand, unless the provider has reported one, and is removed from the
 * returned metadata.
 */
export async function recordApproval(
  ctx: Ctx,
  tx: Tx,
  template: { id: string; unitId: string },
  content: { channel: Channel; metadata: TemplateMetadata },
): Promise<TemplateMetadata> {
  if (content.channel !== "whatsapp") return content.metadata;
  const { approvalStatus, rejectionReason, ...metadata } = content.metadata as WhatsappMetadata;
  const reference = approvalReference(template.id, content);
  if (reference) {
    await insertApproval(tx, { tenantId: ctx.tenantId, ...reference }, ctx.actor.name, ctx.now());
    if (approvalStatus !== undefined) {
      await changeApproval(ctx, tx, template.unitId, reference, {
        status: approvalStatus,
        reason: rejectionReason ?? null,
        source: "manual",
        connectionId: null,
        unless: "reported",
      });
    }
  }
  return metadata;
}

/** Sets an existing approval, with an audit event when that changes anything. */
export async function changeApproval(
  ctx: Ctx,
  tx: Tx,
  unitId: string,
  { templateId, templateName, language }: ApprovalReference,
  change: {
    status: WhatsappApprovalStatus;
    reason: string | null;
    source: "provider" | "manual";
    connectionId: string | null;
    unless?: "reported" | "manual" | undefined;
  },
): Promise<void> {
  const key = { tenantId: ctx.tenantId, templateId, templateName, language };
  const before = await updateApproval(tx, key, { ...change, by: ctx.actor.name, now: ctx.now() });
  if (!before || (before.status === change.status && before.source === change.source)) return;
  await recordAudit(ctx, tx, {
    action: "template.whatsapp_approval_changed",
    targetType: "template",
    targetId: templateId,
    unitId,
    data: { name: templateName, language },
    before: { status: before.status, source: before.source },
    after: { status: change.status, source: change.source },
  });
}
