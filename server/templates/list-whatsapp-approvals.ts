import type { Ctx } from "../kernel/ctx.ts";
import { requireTemplate } from "./present-template.ts";
import type { WhatsappApproval } from "./schemas.ts";
import { selectTemplateApprovals } from "./whatsapp-approval-queries.ts";
import { presentApproval } from "./whatsapp-approvals.ts";

/** Every approved WhatsApp template that versions of a template have named, the most recently changed first. */
export async function listWhatsappApprovals(
  ctx: Ctx,
  input: { templateId: string },
): Promise<{ data: WhatsappApproval[] }> {
  const row = await requireTemplate(ctx, "templates:read", input.templateId);
  return { data: (await selectTemplateApprovals(ctx, row.id)).map(presentApproval) };
}
