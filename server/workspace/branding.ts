import { createHash } from "node:crypto";
import { authorizeSettings } from "../access/authorize-settings.ts";
import { changes } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import {
  deleteLogo,
  lockBranding,
  readChosen,
  readLogo,
  selectBranding,
  writeChosen,
  writeLogo,
} from "./branding-queries.ts";
import type { LogoFacts } from "./branding-queries.ts";
import { forgetPicture } from "./load-picture.ts";
import { forgetBranding } from "./read-branding.ts";
import { readPicture } from "./read-picture.ts";
import type { SetLogoInput, UpdateBrandingInput } from "./schemas.ts";
import type { Branding } from "./vocabulary.ts";

const subject = "Branding";

/** How the organisation looks to its people, as it is chosen. */
export async function getBranding(ctx: Ctx): Promise<Branding> {
  await authorizeSettings(ctx, "to read");
  return selectBranding(ctx);
}

/** Chooses colour, name and support address; null takes one away, and what is left out stays. */
export async function updateBranding(ctx: Ctx, input: UpdateBrandingInput): Promise<Branding> {
  await authorizeSettings(ctx, "to change", subject);
  await inTenant(ctx, async (tx) => {
    await lockBranding(tx, ctx.tenantId);
    const changed = changes(await readChosen(tx, ctx.tenantId), input);
    if (Object.keys(changed.after).length === 0) return;
    await writeChosen(tx, ctx.tenantId, changed.after);
    await recordAudit(ctx, tx, {
      action: "branding.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      ...changed,
    });
  });
  forgetBranding(ctx.tenantId);
  return selectBranding(ctx);
}

/** Makes a picture the logo, in place of the one before. Throws `invalid_request` with what is wrong with the picture. */
export async function setLogo(ctx: Ctx, input: SetLogoInput): Promise<Branding> {
  await authorizeSettings(ctx, "to change", subject);
  const picture = Buffer.from(input.picture, "base64");
  const facts = readPicture(picture);
  const digest = createHash("sha256").update(picture).digest("hex");
  return changeLogo(ctx, { facts: { digest, ...facts }, picture });
}

/** Takes the logo away; mails that were sent with it show the name in its place. */
export async function removeLogo(ctx: Ctx): Promise<Branding> {
  await authorizeSettings(ctx, "to change", subject);
  return changeLogo(ctx, null);
}

async function changeLogo(ctx: Ctx, next: { facts: LogoFacts; picture: Buffer } | null): Promise<Branding> {
  const { tenantId } = ctx;
  const before = await inTenant(ctx, async (tx) => {
    await lockBranding(tx, tenantId);
    const logo = await readLogo(tx, tenantId);
    if (logo?.digest === next?.facts.digest) return logo;
    await (next ? writeLogo(tx, tenantId, next.facts, next.picture) : deleteLogo(tx, tenantId));
    await recordAudit(ctx, tx, {
      action: next ? "branding.logo_set" : "branding.logo_removed",
      targetType: "tenant",
      targetId: tenantId,
      before: { logo },
      after: { logo: next?.facts ?? null },
    });
    return logo;
  });
  for (const facts of [before, next?.facts]) if (facts) forgetPicture(tenantId, facts.digest);
  forgetBranding(tenantId);
  return selectBranding(ctx);
}
