import type { TemplateCategory } from "../adapters/adapter.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import type { ApprovalKey } from "./whatsapp-approval-queries.ts";

export interface CategoryRow {
  templateId: string;
  templateName: string;
  language: string;
  category: TemplateCategory | null;
  nextCategory: TemplateCategory | null;
  nextCategoryAt: Date | null;
  /** Of the template. */
  name: string;
  unitId: string;
}

/** What is known of an approved template's category, locked, for each template whose versions name it, or for one; at most 200. */
export function lockCategories(
  tx: Tx,
  tenantId: string,
  named: { template: string; language: string; templateId: string | undefined },
): Promise<CategoryRow[]> {
  return tx.$queryRaw<CategoryRow[]>`
    SELECT w.template_id AS "templateId", w.template_name AS "templateName", w.language, w.category,
      w.next_category AS "nextCategory", w.next_category_at AS "nextCategoryAt", t.name, a.unit_id AS "unitId"
    FROM whatsapp_approvals w
    JOIN templates t ON t.tenant_id = w.tenant_id AND t.id = w.template_id
    JOIN application_facts a ON a.tenant_id = t.tenant_id AND a.id = t.application_id
    WHERE w.tenant_id = ${tenantId}::uuid AND w.template_name = ${named.template}
      AND (${named.templateId ?? null}::uuid IS NULL OR w.template_id = ${named.templateId ?? null}::uuid)
      AND replace(w.language, '-', '_') IN ('', replace(${named.language}, '-', '_'))
    ORDER BY w.template_id, w.language LIMIT 200 FOR UPDATE OF w`;
}

export async function updateCategory(
  tx: Tx,
  key: ApprovalKey,
  {
    category,
    nextCategory,
    nextCategoryAt,
  }: Pick<CategoryRow, "category" | "nextCategory" | "nextCategoryAt">,
): Promise<void> {
  await tx.whatsappApproval.update({
    where: { tenantId_templateId_templateName_language: key },
    data: { category, nextCategory, nextCategoryAt },
  });
}

export interface CategoryChange {
  id: string;
  previous: TemplateCategory | null;
  category: TemplateCategory;
  connectionId: string | null;
  effectiveAt: Date;
  at: Date;
}

export async function insertCategoryChange(tx: Tx, key: ApprovalKey, change: CategoryChange): Promise<void> {
  await tx.whatsappCategoryChange.createMany({ data: [{ ...key, ...change }] });
}

/** What was decided about the categories of the approved templates that a template's versions name, newest first. */
export function selectCategoryChanges(
  ctx: Pick<Ctx, "db" | "tenantId">,
  templateId: string,
): Promise<(CategoryChange & { templateName: string; language: string })[]> {
  return queryInTenant(
    ctx,
    `SELECT id, template_name AS "templateName", language, previous, category, connection_id AS "connectionId",
       effective_at AS "effectiveAt", at
     FROM whatsapp_category_changes WHERE tenant_id = $1 AND template_id = $2 ORDER BY at DESC, id DESC LIMIT 50`,
    [ctx.tenantId, templateId],
  );
}
