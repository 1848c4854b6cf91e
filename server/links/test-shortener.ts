import { recordAudit } from "../audit/record-audit.ts";
import { providerHttp } from "../connections/provider-http.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import { manageableEnvironment } from "./manageable-environment.ts";
import { environmentShortener, forgetShorteners } from "./load-shorteners.ts";
import { saveTest } from "./queries.ts";
import { isService } from "./vocabulary.ts";
import type { ShortenerTestResult } from "./schemas.ts";
import type { ServiceKind } from "./vocabulary.ts";
import { callService, describeProblem } from "./services.ts";
import type { LinkProblemCode } from "./services.ts";
import { openSecret } from "./shortener.ts";
import type { Shortener } from "./shortener.ts";

const timeoutMs = 10_000;

/**
 * Shortens an address through the environment's saved service, and stores whether that worked. Needs settings:manage
 * there; audited. 409 without a service: there is nothing to test.
 */
export async function testShortener(
  ctx: Ctx,
  input: { environment: string; url: string },
  deps: { http: OutboundClient } = { http: providerHttp() },
): Promise<ShortenerTestResult> {
  const { environment, tenant } = await manageableEnvironment(ctx, input.environment);
  const shortener = await environmentShortener(ctx, environment.id);
  const { kind } = shortener;
  if (!isService(kind))
    throw new DomainError("conflict", "This environment uses no service that could be tested.");
  const allowed = allowedRegions(tenant).has(shortener.processingRegion ?? "");
  const answer = allowed
    ? await ask({ ...shortener, kind }, input.url, deps.http)
    : { ok: false as const, code: "region_not_allowed" as const };
  const problem = answer.ok ? null : describeProblem(answer.code, kind);
  const key = { tenantId: ctx.tenantId, environmentId: environment.id };
  await inTenant(ctx, async (tx) => {
    await saveTest(tx, key, { testedAt: ctx.now(), testProblem: problem });
    await recordAudit(ctx, tx, {
      action: "shortener.tested",
      targetType: "environment",
      targetId: environment.id,
      environmentId: environment.id,
      data: { kind, result: answer.ok ? "ok" : answer.code },
    });
  });
  forgetShorteners(ctx.tenantId);
  return { ok: answer.ok, url: input.url, shortUrl: answer.ok ? answer.shortUrl : null, problem };
}

async function ask(
  shortener: Shortener & { kind: ServiceKind },
  url: string,
  http: OutboundClient,
): Promise<{ ok: true; shortUrl: string } | { ok: false; code: LinkProblemCode }> {
  const secret = openSecret(shortener);
  if (secret === null) return { ok: false, code: "shortener_credentials" };
  const { kind, domain, account, baseUrl } = shortener;
  return callService({ kind, secret, domain, account, baseUrl }, url, { http, timeoutMs });
}
