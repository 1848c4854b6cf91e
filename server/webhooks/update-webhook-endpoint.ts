import { isDeepStrictEqual } from "node:util";
import { changes as changesOf } from "../audit/changes.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Prisma } from "../kernel/db.ts";
import { notFound } from "../kernel/errors.ts";
import { settleTurnedOff } from "./disable-endpoint.ts";
import { managedEndpoint, toWebhook } from "./manage-endpoint.ts";
import type { EndpointRow } from "./queries.ts";
import type { Webhook, WebhookUpdate } from "./schemas.ts";
import { checkWebhookUrl } from "./webhook-url.ts";

/** Changes an endpoint; what the input leaves out or names as it is stays. Applies to attempts that start from now on. */
export async function updateWebhookEndpoint(
  ctx: Ctx,
  input: { id: string; changes: WebhookUpdate },
): Promise<Webhook> {
  const row = await managedEndpoint(ctx, input.id);
  const { changes } = input;
  const data: Prisma.WebhookEndpointUpdateManyMutationInput = {};
  if (changes.url !== undefined) {
    const url = await checkWebhookUrl(changes.url);
    data.url = url;
    // What another address did says nothing about this one.
    if (url !== row.url) data.failingSince = null;
  }
  if (changes.description !== undefined) data.description = changes.description;
  if (changes.events !== undefined) data.events = changes.events;
  if (changes.retrySchedule !== undefined) data.retrySchedule = changes.retrySchedule ?? [];
  Object.assign(data, switched(row, changes.enabled, ctx.now()));
  const differs = Object.entries(data).some(
    ([name, value]) => !isDeepStrictEqual(row[name as keyof EndpointRow], value),
  );
  if (!differs) return toWebhook(row, ctx.now());

  await inTenant(ctx, async (tx) => {
    const { count } = await tx.webhookEndpoint.updateMany({
      where: { tenantId: ctx.tenantId, id: row.id },
      data: { ...data, updatedAt: ctx.now() },
    });
    if (count === 0) throw notFound();
    if (data.enabled === true) await settleTurnedOff(ctx, tx, row.id);
    await recordAudit(ctx, tx, {
      action: "webhook.updated",
      targetType: "webhook",
      targetId: row.id,
      unitId: row.unitId,
      environmentId: row.environmentId,
      data: {
        name: hostOf(typeof data.url === "string" ? data.url : row.url),
        changed: Object.keys(changes).filter((name) => changes[name as keyof WebhookUpdate] !== undefined),
      },
      // An address may hold a secret in its path: its host says enough.
      ...changesOf(
        {
          host: hostOf(row.url),
          description: row.description,
          events: row.events,
          retrySchedule: row.retrySchedule,
          enabled: row.enabled,
        },
        {
          host: typeof data.url === "string" ? hostOf(data.url) : undefined,
          description: changes.description,
          events: changes.events,
          retrySchedule: changes.retrySchedule === undefined ? undefined : (changes.retrySchedule ?? []),
          enabled: changes.enabled,
        },
      ),
    });
  });
  return toWebhook(await managedEndpoint(ctx, row.id), ctx.now());
}

const hostOf = (url: string) => new URL(url).host;

function switched(row: EndpointRow, enabled: boolean | undefined, now: Date) {
  if (enabled === undefined || enabled === row.enabled) return {};
  return enabled
    ? { enabled, disabledReason: null, disabledAt: null, failingSince: null }
    : { enabled, disabledReason: "manual", disabledAt: now };
}
