import { authorizeSettings } from "../access/authorize-settings.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { lockTenantSettings } from "../tenancy/lock-settings.ts";
import type { WordReplies } from "../tenancy/schemas.ts";
import { mergeWordReplies } from "./queries.ts";
import type { WordRepliesUpdate } from "./schemas.ts";

/** What is answered automatically when a recipient says no, yes or help. */
export async function getWordReplies(ctx: Ctx): Promise<WordReplies> {
  const { tenant } = await authorizeSettings(ctx, "to read");
  return tenant.settings.wordReplies;
}

/** Changes what is answered automatically from now on; what the input leaves out stays. Audited. */
export async function updateWordReplies(ctx: Ctx, input: WordRepliesUpdate): Promise<WordReplies> {
  await authorizeSettings(ctx, "to change");
  const replies = await inTenant(ctx, async (tx) => {
    const tenant = await lockTenantSettings(tx, ctx.tenantId);
    if (!tenant) throw notFound();
    const before = tenant.settings.wordReplies;
    const change = changes(before, input);
    if (Object.keys(change.after).length === 0) return before;
    const after = { ...before, ...change.after };
    await mergeWordReplies(tx, after);
    await recordAudit(ctx, tx, {
      action: "word_replies.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      ...change,
    });
    return after;
  });
  forgetCatalogue(ctx.tenantId);
  return replies;
}
