import { createHash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import { authorizeSettings } from "../access/authorize-settings.ts";
import { refuseOutdated } from "../access/revision.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { lockTenantSettings } from "../tenancy/lock-settings.ts";
import type { ConsentPolicyOverride, TenantSettings } from "../tenancy/schemas.ts";
import { mergeConsentPolicies } from "./queries.ts";
import { placeOf } from "./schemas.ts";
import type { ConsentPolicyState, ConsentPolicyUpdate } from "./schemas.ts";
import { takeBackUnreadable } from "./tell-unreadable.ts";

/** What each class requires before a message is sent, as far as it differs from the default. */
export async function getConsentPolicy(ctx: Ctx): Promise<ConsentPolicyState> {
  const { tenant } = await authorizeSettings(ctx, "to read");
  return present(tenant);
}

/**
 * Replaces the overrides of the consent policy; in force for what is accepted or tried from then on. Audited. Throws
 * `revision_conflict` when somebody has changed it since it was read.
 */
export async function setConsentPolicy(ctx: Ctx, input: ConsentPolicyUpdate): Promise<ConsentPolicyState> {
  await authorizeSettings(ctx, "to change", "The consent policy");
  const overrides = inOrder(input.overrides);
  await inTenant(ctx, async (tx) => {
    const tenant = await lockTenantSettings(tx, ctx.tenantId);
    if (!tenant) throw notFound();
    const before = present(tenant);
    if (before.problem === "settings") {
      throw new DomainError(
        "conflict",
        "The organisation's stored settings can't be read. The operator has to repair them first.",
      );
    }
    refuseOutdated("the consent policy", input.revision, before.revision);
    if (before.problem === null && isDeepStrictEqual(before.overrides, overrides)) return;
    await mergeConsentPolicies(tx, overrides);
    if (before.problem !== null) await takeBackUnreadable(ctx, tx);
    await recordAudit(ctx, tx, {
      action: "consent_policy.changed",
      targetType: "tenant",
      targetId: ctx.tenantId,
      before: { overrides: before.problem === null ? before.overrides : null },
      after: { overrides },
    });
  });
  forgetCatalogue(ctx.tenantId);
  return getConsentPolicy(ctx);
}

function present(tenant: {
  settings: TenantSettings;
  policyProblem: ConsentPolicyState["problem"];
}): ConsentPolicyState {
  const { policyProblem: problem } = tenant;
  const overrides = inOrder(tenant.settings.consentPolicies);
  const revision = createHash("sha256")
    .update(JSON.stringify([problem, overrides]))
    .digest("base64url");
  return { overrides, problem, revision };
}

/** Each place once, the first that is stored for it, which is the one that holds; in an order of their own. */
function inOrder(stored: readonly ConsentPolicyOverride[]): ConsentPolicyOverride[] {
  const byPlace = new Map<string, ConsentPolicyOverride>();
  for (const { class: of, channel, region, policy } of stored) {
    const override = { class: of, ...(channel && { channel }), ...(region && { region }), policy };
    const place = placeOf(override);
    if (!byPlace.has(place)) byPlace.set(place, override);
  }
  return [...byPlace].sort(([one], [other]) => (one < other ? -1 : 1)).map(([, override]) => override);
}
