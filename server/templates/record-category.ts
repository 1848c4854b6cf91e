import { findHolders } from "../access/find-holders.ts";
import type { TemplateCategory, TemplateDecision } from "../adapters/adapter.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { withoutOpenNotice, writeNotices } from "../notices/write-notices.ts";
import { forgetLiveTemplates } from "./resolve-template.ts";
import { insertCategoryChange, lockCategories, updateCategory } from "./whatsapp-category-queries.ts";
import type { CategoryRow } from "./whatsapp-category-queries.ts";

/** How many members are told of one change. */
const maxNotified = 200;

/**
 * Records what WhatsApp has decided about the categories of approved templates, or will from a moment on, with its history, an
 * audit event and a notice for those who write the templates. Of templates that no version names, nothing is kept; what is known
 * already changes nothing.
 * @param input.templateId whose connection was asked; without it all that name the approved templates: two accounts of an
 *   organisation may each have one of the same name
 */
export async function recordCategories(
  ctx: Ctx,
  input: { connectionId: string; templateId?: string; decisions: readonly TemplateDecision[] },
): Promise<void> {
  if (input.decisions.length === 0) return;
  const changed = await inTenant(ctx, async (tx) => {
    let changes = 0;
    for (const decision of input.decisions) {
      const { template, language } = decision;
      const rows = await lockCategories(tx, ctx.tenantId, {
        template,
        language,
        templateId: input.templateId,
      });
      for (const row of rows) if (await recordCategory(ctx, tx, input.connectionId, row, decision)) changes++;
    }
    return changes;
  });
  if (changed > 0) forgetLiveTemplates();
}

async function recordCategory(
  ctx: Ctx,
  tx: Tx,
  connectionId: string,
  row: CategoryRow,
  { category, effectiveAt }: TemplateDecision,
): Promise<boolean> {
  const now = ctx.now();
  const later = effectiveAt && effectiveAt > now ? effectiveAt : null;
  const after = later
    ? { ...row, nextCategory: category, nextCategoryAt: later }
    : atOnce(row, category, now);
  const same =
    after.category === row.category &&
    after.nextCategory === row.nextCategory &&
    after.nextCategoryAt?.getTime() === row.nextCategoryAt?.getTime();
  if (same) return false;
  const { templateId, templateName, language, unitId } = row;
  const key = { tenantId: ctx.tenantId, templateId, templateName, language };
  await updateCategory(tx, key, after);
  const previous = row.category;
  // What was announced has come, or is called off: the category itself is the one it was.
  if (!later && previous === category) return true;
  await insertCategoryChange(tx, key, {
    id: newId(),
    previous,
    category,
    connectionId,
    effectiveAt: later ?? now,
    at: now,
  });
  await recordAudit(ctx, tx, {
    action: "template.whatsapp_category_changed",
    targetType: "template",
    targetId: templateId,
    unitId,
    data: { name: templateName, language, effectiveAt: (later ?? now).toISOString() },
    before: { category: previous },
    after: { category },
  });
  if (previous !== null || category === "marketing") await tell(ctx, tx, row, category, later);
  return true;
}

function atOnce(row: CategoryRow, category: TemplateCategory, now: Date): CategoryRow {
  const waits = row.nextCategoryAt !== null && row.nextCategoryAt > now && row.nextCategory !== category;
  return { ...row, category, ...(waits ? {} : { nextCategory: null, nextCategoryAt: null }) };
}

async function tell(ctx: Ctx, tx: Tx, row: CategoryRow, category: string, later: Date | null): Promise<void> {
  const about = { kind: "template.recategorised", targetId: row.templateId } as const;
  const holders = await findHolders(tx, ctx.tenantId, {
    permission: "templates:write",
    unitId: row.unitId,
    limit: maxNotified,
  });
  await writeNotices(ctx, tx, await withoutOpenNotice(ctx, tx, holders, about), {
    ...about,
    targetType: "template",
    data: {
      template: row.name,
      category,
      ...(row.category === null ? {} : { previous: row.category }),
      ...(later ? { from: later.toISOString() } : {}),
    },
  });
}
