import type { Ctx } from "../kernel/ctx.ts";
import { Spellings } from "../kernel/spellings.ts";
import { may } from "../operations/authorize.ts";
import { isBuiltIn } from "../templates/built-in-templates.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { maskAddress, shownAddress, spelled } from "../kernel/address.ts";
import type { EventRow, NotificationRow } from "./notification-queries.ts";
import type { Notification, NotificationSummary } from "./schemas.ts";

const iso = (date: Date | null) => date?.toISOString() ?? null;

/**
 * Whether the caller may see addresses and texts of this notification: of the service's own, which open accounts, nobody.
 */
export function mayReveal(
  ctx: Ctx,
  row: Pick<NotificationRow, "unitId" | "applicationId" | "environmentId" | "notificationType">,
): boolean {
  if (isBuiltIn(row)) return false;
  return may(ctx, "content:reveal", {
    unitId: row.unitId,
    applicationId: row.applicationId,
    environmentId: row.environmentId,
  });
}

/** Whether the caller may see what a message cost. */
export function maySeeCosts(
  ctx: Ctx,
  {
    unitId,
    applicationId,
    environmentId,
  }: Pick<NotificationRow, "unitId" | "applicationId" | "environmentId">,
): boolean {
  return may(ctx, "costs:read", { unitId, applicationId, environmentId });
}

/** A row as the API shows it; the address is masked for callers that may not see it. */
export function presentSummary(ctx: Ctx, catalogue: Catalogue, row: NotificationRow): NotificationSummary {
  const reveal = mayReveal(ctx, row);
  return hideAddress(reveal, row.recipient, {
    notificationId: row.id,
    requestId: row.requestId,
    transactionId: row.transactionId,
    application:
      catalogue.applications.find((entry) => entry.id === row.applicationId)?.name ?? row.applicationId,
    environment:
      catalogue.environments.find((entry) => entry.id === row.environmentId)?.slug ?? row.environmentId,
    channel: row.channel,
    to: reveal ? shownAddress(row.recipient) : maskAddress(row.recipient),
    template:
      row.templateName === null || row.templateVersion === null
        ? null
        : { name: row.templateName, version: row.templateVersion },
    notificationType: row.notificationType,
    notificationSubtype: row.notificationSubtype,
    region: row.region,
    language: row.language,
    status: row.status,
    final: row.final || row.status === "rejected",
    reason: row.reasonCode === null ? null : { code: row.reasonCode, detail: row.reasonDetail ?? "" },
    failure: row.failure,
    provider: row.provider,
    simulated: row.simulated,
    providerMessageId: row.providerMessageId,
    segments: row.segments,
    cost:
      !maySeeCosts(ctx, row) ||
      row.costAmount === null ||
      row.costCurrency === null ||
      row.costSource === null
        ? null
        : { amount: row.costAmount, currency: row.costCurrency, source: row.costSource },
    metadata: row.metadata,
    createdAt: row.createdAt.toISOString(),
    scheduledAt: iso(row.scheduledAt),
    expiresAt: row.expiresAt.toISOString(),
    sentAt: iso(row.sentAt),
    deliveredAt: iso(row.deliveredAt),
    failedAt: iso(row.failedAt),
    readAt: iso(row.readAt),
  });
}

/** Providers and callers may repeat the address in their own texts: masked there, too. */
export function hideAddress<Shown>(reveal: boolean, address: string, shown: Shown): Shown {
  return reveal ? shown : (new Spellings([spelled(address)], "•••").scrubJson(shown) as Shown);
}

export function presentNotification(
  ctx: Ctx,
  catalogue: Catalogue,
  row: NotificationRow,
  events: EventRow[],
): Notification {
  const reveal = mayReveal(ctx, row);
  return {
    ...presentSummary(ctx, catalogue, row),
    events: hideAddress(reveal, row.recipient, events).map((event) => ({
      sequence: event.sequence,
      at: event.at.toISOString(),
      type: event.type,
      provider: event.data.provider ?? null,
      reason: event.data.reason ?? null,
      failure: event.data.failure ?? null,
      ...(event.data.problem ? { problem: event.data.problem } : {}),
      ...(event.data.url !== undefined && reveal ? { url: event.data.url } : {}),
    })),
  };
}
