import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";

export interface ApprovalRow {
  template_id: string;
  template_name: string;
  language: string;
  status: "unsubmitted" | "pending" | "approved" | "rejected" | "paused";
  reason: string | null;
}

/** What is known of the named references; those that nobody has asked about are missing. */
export async function selectApprovals(
  ctx: Pick<Ctx, "db" | "tenantId">,
  references: readonly { templateId: string; templateName: string; language: string }[],
): Promise<ApprovalRow[]> {
  return queryInTenant<ApprovalRow>(
    ctx,
    `SELECT w.template_id, w.template_name, w.language, w.status, w.reason
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
