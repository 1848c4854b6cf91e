import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { isUuid, newId } from "../kernel/ids.ts";
import { authorize, visibleScopes } from "../operations/authorize.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { managedEndpoint, toWebhook } from "./manage-endpoint.ts";
import { environmentExists, lockEndpoints, selectApplications } from "./queries.ts";
import type { ApplicationRow } from "./queries.ts";
import type { WebhookCreate, WebhookWithSecret } from "./schemas.ts";
import { newSigningSecret, sealSigningSecret } from "./signing-secret.ts";
import { checkWebhookUrl } from "./webhook-url.ts";

/** Each event is delivered to all of them. */
const maxEndpoints = 50;

/**
 * Registers an endpoint for the events of one application in one environment. The environment is the input's, or the
 * API key's; the application may be left out when the caller manages only one. Only this answer contains the secret.
 */
export async function createWebhookEndpoint(
  ctx: Ctx,
  input: WebhookCreate & { environmentId?: string },
): Promise<WebhookWithSecret> {
  const environmentId = input.environmentId ?? ownEnvironment(ctx);
  if (!isUuid(environmentId)) throw notFound();
  const application = await chooseApplication(ctx, input.application);
  const scope = { unitId: application.unitId, applicationId: application.id, environmentId };
  authorize(ctx, "webhooks:manage", scope);
  if (!(await environmentExists(ctx, environmentId))) throw notFound();
  const url = await checkWebhookUrl(input.url);

  const id = newId();
  const secret = newSigningSecret();
  await inTenant(ctx, async (tx) => {
    const place = { tenantId: ctx.tenantId, applicationId: application.id, environmentId };
    if ((await lockEndpoints(tx, place)) >= maxEndpoints) {
      throw new DomainError(
        "conflict",
        `An application has at most ${String(maxEndpoints)} endpoints in an environment.`,
      );
    }
    const dataKey = await dataKeyForWriting(tx, ctx.tenantId);
    await tx.webhookEndpoint.create({
      data: {
        ...place,
        id,
        url,
        description: input.description ?? null,
        events: input.events,
        retrySchedule: input.retrySchedule ?? [],
        secret: new Uint8Array(sealSigningSecret(ctx.tenantId, dataKey, id, secret)),
        createdAt: ctx.now(),
        updatedAt: ctx.now(),
      },
    });
    await recordAudit(ctx, tx, {
      action: "webhook.created",
      targetType: "webhook",
      targetId: id,
      unitId: application.unitId,
      environmentId,
      data: { name: new URL(url).host },
      after: {
        host: new URL(url).host,
        description: input.description ?? null,
        events: input.events,
        retrySchedule: input.retrySchedule ?? [],
      },
    });
  });
  return { ...toWebhook(await managedEndpoint(ctx, id), ctx.now()), secret };
}

/** The only environment of all the caller's grants: an API key's. */
function ownEnvironment(ctx: Ctx): string {
  const [first, ...others] = new Set(ctx.grants.map((grant) => grant.environmentId));
  if (first && others.length === 0) return first;
  throw new DomainError("invalid_request", "Name the environment.", {
    errors: [{ pointer: "/environmentId", code: "required", detail: "Name the environment." }],
  });
}

async function chooseApplication(ctx: Ctx, name: string | undefined): Promise<ApplicationRow> {
  const found = await selectApplications(ctx, visibleScopes(ctx, "webhooks:manage"), name);
  const [application] = found;
  if (application && found.length === 1) return application;
  const detail =
    name === undefined
      ? "Name the application: you manage several, or none."
      : "There is no such application, or it is not yours to manage.";
  throw new DomainError(name === undefined ? "invalid_request" : "unknown_application", detail, {
    errors: [{ pointer: "/application", code: name === undefined ? "required" : "unknown", detail }],
  });
}
