import type { Ctx } from "../kernel/ctx.ts";
import { requireTemplate } from "./present-template.ts";
import type { CategoryChange, WhatsappApproval } from "./schemas.ts";
import { selectTemplateApprovals } from "./whatsapp-approval-queries.ts";
import { presentApproval } from "./whatsapp-approvals.ts";
import { selectCategoryChanges } from "./whatsapp-category-queries.ts";

/**
 * Every approved WhatsApp template that versions of a template have named, the most recently changed first, and what WhatsApp has
 * decided about their categories, newest first.
 */
export async function listWhatsappApprovals(
  ctx: Ctx,
  input: { templateId: string },
): Promise<{ data: WhatsappApproval[]; categoryChanges: CategoryChange[] }> {
  const row = await requireTemplate(ctx, "templates:read", input.templateId);
  const [approvals, changes] = await Promise.all([
    selectTemplateApprovals(ctx, row.id),
    selectCategoryChanges(ctx, row.id),
  ]);
  return {
    data: approvals.map(presentApproval),
    categoryChanges: changes.map(({ connectionId: _, effectiveAt, at, ...change }) => ({
      ...change,
      effectiveAt: effectiveAt.toISOString(),
      at: at.toISOString(),
    })),
  };
}
