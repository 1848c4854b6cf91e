import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { requireTemplate } from "./present-template.ts";
import { authorizeTemplates } from "./template-access.ts";
import type { WhatsappApproval, WhatsappApprovalSet } from "./schemas.ts";
import { isReportedByProvider } from "./whatsapp-approval-queries.ts";
import { changeApproval, requireApproval, requireApprovalRow } from "./whatsapp-approvals.ts";

/**
 * Sets the approval of a WhatsApp template by hand, where the provider cannot be asked or somebody knows better; from
 * then on it is asked only on request. Needs templates:write, and promotions:approve to overrule the provider; audited.
 */
export async function setWhatsappApproval(
  ctx: Ctx,
  input: WhatsappApprovalSet & { templateId: string },
): Promise<WhatsappApproval> {
  const row = await requireTemplate(ctx, "templates:write", input.templateId);
  const { templateName, language, status } = input;
  const reference = { templateId: row.id, templateName, language };
  const known = await requireApprovalRow(ctx, reference);
  // Production's gate relies on this: only those who approve promotions may overrule the provider.
  if (isReportedByProvider(known)) authorizeTemplates(ctx, "promotions:approve", row);
  const explained = status === "rejected" || status === "paused";
  await inTenant(ctx, (tx) =>
    changeApproval(ctx, tx, row.unitId, reference, {
      status,
      reason: explained && input.reason ? input.reason : null,
      source: "manual",
      connectionId: null,
    }),
  );
  return requireApproval(ctx, reference);
}
