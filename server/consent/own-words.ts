import { authorizeSettings } from "../access/authorize-settings.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { lockTenantSettings } from "../tenancy/lock-settings.ts";
import type { ConsentWords } from "../tenancy/schemas.ts";
import { mergeConsentWords } from "./queries.ts";

/** The organisation's own words, in addition to those that every organisation has. */
export async function getOwnWords(ctx: Ctx): Promise<ConsentWords> {
  const { tenant } = await authorizeSettings(ctx, "to read");
  return tenant.settings.consentWords;
}

/** Replaces the organisation's own words, for what is written from now on. Audited. */
export async function updateOwnWords(ctx: Ctx, input: ConsentWords): Promise<ConsentWords> {
  await authorizeSettings(ctx, "to change");
  await inTenant(ctx, async (tx) => {
    const tenant = await lockTenantSettings(tx, ctx.tenantId);
    if (!tenant) throw notFound();
    const change = changes(tenant.settings.consentWords, input);
    if (Object.keys(change.after).length === 0) return;
    await mergeConsentWords(tx, input);
    await recordAudit(ctx, tx, {
      action: "consent_words.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      ...change,
    });
  });
  forgetCatalogue(ctx.tenantId);
  return input;
}
