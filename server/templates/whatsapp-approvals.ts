import type { Ctx } from "../kernel/ctx.ts";
import { selectApprovals } from "./whatsapp-approval-queries.ts";
import type { ApprovalRow } from "./whatsapp-approval-queries.ts";

/** An approved WhatsApp template as a version names it; `language` is empty text when the version names none. */
export interface ApprovalReference {
  templateId: string;
  templateName: string;
  language: string;
}

/** The key of a reference in the map that `approvalsOf` answers. */
export const approvalKey = (reference: ApprovalReference) =>
  JSON.stringify([reference.templateId, reference.templateName, reference.language]);

/**
 * What is known of approvals at the provider, by `approvalKey`; a reference that is missing was never submitted. One
 * statement, whatever their number. The caller has authorised the templates.
 */
export async function approvalsOf(
  ctx: Pick<Ctx, "db" | "tenantId">,
  references: readonly ApprovalReference[],
): Promise<Map<string, { status: ApprovalRow["status"]; reason: string | null }>> {
  if (references.length === 0) return new Map();
  const rows = await selectApprovals(ctx, references);
  return new Map(
    rows.map((row) => [
      approvalKey({
        templateId: row.template_id,
        templateName: row.template_name,
        language: row.language,
      }),
      { status: row.status, reason: row.reason },
    ]),
  );
}
