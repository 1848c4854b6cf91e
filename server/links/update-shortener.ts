import { isDeepStrictEqual } from "node:util";
import { outdated } from "../access/revision.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { sealText } from "../kernel/secrets.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import { manageableEnvironment } from "./manageable-environment.ts";
import { getShortener } from "./get-shorteners.ts";
import { forgetShorteners } from "./load-shorteners.ts";
import { lockShortener, saveShortener } from "./queries.ts";
import { isService, serviceNames } from "./vocabulary.ts";
import type { ShortenerSettings, ShortenerUpdate } from "./schemas.ts";
import { defaultValidDays, secretContext } from "./shortener.ts";

function wrong(pointer: string, detail: string): DomainError {
  return new DomainError("invalid_request", detail, {
    errors: [{ pointer, code: "invalid_value", detail }],
  });
}

/**
 * Chooses the shortener of an environment. Needs settings:manage there; audited when it changes anything. A service needs a secret (the stored
 * one stays when none is given and the service and its address are the same) and a region in which the organisation
 * allows its data to be processed: 422 `region_not_allowed` otherwise. The sandbox takes no service, because nothing
 * leaves it. Throws `revision_conflict` when `updatedAt` is given and somebody has changed it since.
 */
export async function updateShortener(
  ctx: Ctx,
  input: ShortenerUpdate & { environment: string },
): Promise<ShortenerSettings> {
  const { environment, tenant } = await manageableEnvironment(ctx, input.environment);
  const { kind } = input;
  const service = isService(kind);
  const processingRegion = service ? (input.processingRegion ?? null) : null;
  if (service) {
    if (environment.kind === "sandbox")
      throw wrong("/kind", "Nothing leaves the sandbox: it takes the built-in shortener or none.");
    if (processingRegion === null)
      throw wrong("/processingRegion", `Say in which region ${serviceNames[kind]} processes your data.`);
    const allowed = allowedRegions(tenant);
    if (!allowed.has(processingRegion)) {
      const detail = `The organisation's data may be processed in ${[...allowed].join(", ")}, not in ${processingRegion}. Its settings can allow the transfer.`;
      throw new DomainError("region_not_allowed", detail, {
        errors: [{ pointer: "/processingRegion", code: "region_not_allowed", detail }],
      });
    }
  }
  const key = { tenantId: ctx.tenantId, environmentId: environment.id };
  await inTenant(ctx, async (tx) => {
    const dataKey = await dataKeyForWriting(tx, ctx.tenantId);
    const before = await lockShortener(tx, key.tenantId, key.environmentId);
    const basedOn = input.updatedAt && Date.parse(input.updatedAt);
    if (basedOn !== undefined && basedOn !== (before?.updatedAt.getTime() ?? null))
      throw outdated("the shortener");
    // Another address may belong to somebody else: the secret has to be given again.
    const stays = before?.kind === kind && before.baseUrl === (input.baseUrl ?? null);
    let credentials = service && stays ? before.credentials : null;
    if (service && input.secret !== undefined) {
      credentials = Uint8Array.from(
        sealText(ctx.tenantId, dataKey, secretContext(environment.id), input.secret),
      );
    }
    if (service && credentials === null)
      throw wrong("/secret", `Enter the token or key for ${serviceNames[kind]} at this address.`);
    const settings = {
      validDays: input.validDays ?? defaultValidDays,
      ...(service
        ? {
            domain: input.domain ?? null,
            account: input.account ?? null,
            baseUrl: input.baseUrl ?? null,
          }
        : {}),
    };
    const same =
      before?.kind === kind &&
      before.processingRegion === processingRegion &&
      isDeepStrictEqual(before.settings, settings);
    if (same && input.secret === undefined) return;
    await saveShortener(tx, key, {
      ...{ kind, credentials, settings, processingRegion },
      updatedAt: ctx.now(),
    });
    await recordAudit(ctx, tx, {
      action: "shortener.updated",
      targetType: "environment",
      targetId: environment.id,
      environmentId: environment.id,
      data: { name: environment.name, ...(service ? { secretChanged: input.secret !== undefined } : {}) },
      before: { kind: before?.kind ?? "built_in", baseUrl: before?.baseUrl ?? null },
      after: {
        kind,
        baseUrl: input.baseUrl ?? null,
        ...(service ? { processingRegion, domain: input.domain ?? null } : {}),
      },
    });
  });
  forgetShorteners(ctx.tenantId);
  return getShortener(ctx, { environment: environment.slug });
}
