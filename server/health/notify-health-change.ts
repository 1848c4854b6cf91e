import { findHolders } from "../access/find-holders.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { settleNotices, writeNotices } from "../notices/write-notices.ts";
import { enqueueWebhookEvents } from "../webhooks/enqueue-webhook-event.ts";
import type { EventToDeliver } from "../webhooks/enqueue-webhook-event.ts";
import { selectApplicationsOfUnit, selectUses } from "./queries.ts";

/** A notice to more people than this would reach nobody in particular. */
const maxNotified = 200;

const noticeKinds = {
  provider_unavailable: "provider.unavailable",
  provider_recovered: "provider.recovered",
  provider_slow: "provider.slow",
} as const;

/** The change of a connection: `since` is when it became unavailable or slow. */
export interface HealthTransition {
  code: keyof typeof noticeKinds;
  since: Date;
  reason: { code: string; detail: string } | null;
}

/**
 * Notifies those affected, in the transaction of the change: a notice to everybody who manages connections there, and
 * `processing.error` to the endpoints of the environments whose rules use it.
 */
export async function notifyHealthChange(
  ctx: Ctx,
  tx: Tx,
  connection: Pick<ProviderConnection, "id" | "unitId" | "name">,
  transition: HealthTransition,
): Promise<void> {
  const holders = await findHolders(tx, ctx.tenantId, {
    permission: "providers:manage",
    unitId: connection.unitId,
    limit: maxNotified,
  });
  if (transition.code === "provider_recovered") {
    await settleNotices(ctx, tx, { kind: "provider.unavailable", targetId: connection.id });
  }
  await writeNotices(ctx, tx, holders, {
    kind: noticeKinds[transition.code],
    targetType: "provider",
    targetId: connection.id,
    data: {
      provider: connection.name,
      since: transition.since.toISOString(),
      ...(transition.reason ? { reason: transition.reason.detail } : {}),
    },
  });
  const payload = {
    code: transition.code,
    provider: connection.name,
    providerId: connection.id,
    since: transition.since.toISOString(),
    reason: transition.reason,
  };
  const places = await placesOf(ctx, tx, connection);
  await enqueueWebhookEvents(
    ctx,
    tx,
    places.map((place): EventToDeliver => ({ event: "processing.error", ...place, payload })),
  );
}

/**
 * The environments, and applications in them, whose messages may go over a connection; each endpoint is reached once.
 */
async function placesOf(
  ctx: Ctx,
  tx: Tx,
  connection: Pick<ProviderConnection, "id" | "unitId">,
): Promise<Pick<EventToDeliver, "environmentId" | "applicationId">[]> {
  const uses = await selectUses(tx, { tenantId: ctx.tenantId, connectionId: connection.id });
  const own =
    connection.unitId === null ? null : await selectApplicationsOfUnit(tx, ctx.tenantId, connection.unitId);
  const places: Pick<EventToDeliver, "environmentId" | "applicationId">[] = [];
  for (const environmentId of new Set(uses.map((use) => use.environmentId))) {
    const named = uses.filter((use) => use.environmentId === environmentId).map((use) => use.applicationId);
    if (own === null && named.includes(null)) {
      places.push({ environmentId, applicationId: null });
      continue;
    }
    const applications = new Set(named.includes(null) ? own : named);
    for (const applicationId of applications) {
      if (applicationId !== null && own?.includes(applicationId) !== false)
        places.push({ environmentId, applicationId });
    }
  }
  return places;
}
