import { authorizeSettings } from "../access/authorize-settings.ts";
import { outdated } from "../access/revision.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { lockTenantSettings } from "../tenancy/lock-settings.ts";
import type { ConsentWords } from "../tenancy/schemas.ts";
import { mergeConsentWords } from "./queries.ts";
import { ownWordsSchema } from "./schemas.ts";
import type { OwnWordsUpdate } from "./schemas.ts";

/** The organisation's own words, in addition to those that every organisation has. */
export async function getOwnWords(ctx: Ctx): Promise<ConsentWords> {
  const { tenant } = await authorizeSettings(ctx, "to read");
  return tenant.settings.consentWords;
}

/**
 * Replaces lists of the organisation's own words, for what is written from now on; what the input leaves out stays. Audited. Throws
 * `revision_conflict` when lists that the change is based on are given, and somebody has changed one of them since.
 */
export async function updateOwnWords(
  ctx: Ctx,
  { expected = {}, ...input }: OwnWordsUpdate,
): Promise<ConsentWords> {
  await authorizeSettings(ctx, "to change");
  const words = await inTenant(ctx, async (tx) => {
    const tenant = await lockTenantSettings(tx, ctx.tenantId);
    if (!tenant) throw notFound();
    const before = tenant.settings.consentWords;
    if (Object.keys(changes(before, expected).after).length > 0) throw outdated("the keywords");
    const change = changes(before, input);
    if (Object.keys(change.after).length === 0) return before;
    const after = withoutRepetition({ ...before, ...change.after });
    await mergeConsentWords(tx, after);
    await recordAudit(ctx, tx, {
      action: "consent_words.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      ...change,
    });
    return after;
  });
  forgetCatalogue(ctx.tenantId);
  return words;
}

/** Throws `invalid_request` for a word that two lists have, also one that somebody else has just saved. */
function withoutRepetition(words: ConsentWords): ConsentWords {
  const { error } = ownWordsSchema.safeParse(words);
  if (!error) return words;
  throw new DomainError("invalid_request", "A word can be in one list only.", {
    errors: error.issues.map(({ path, message }) => ({
      pointer: `/${path.join("/")}`,
      code: "repeated",
      detail: message,
    })),
  });
}
