import { setImmediate as breathe } from "node:timers/promises";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { may, visibleScopes } from "../operations/authorize.ts";
import type { Permission } from "../operations/permissions.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { filterOf } from "./list-notifications.ts";
import type { NotificationListInput } from "./list-notifications.ts";
import { selectIdAhead, selectOldestFirst } from "./notification-queries.ts";
import type { NotificationRow } from "./notification-queries.ts";
import { presentSummary } from "./present-notification.ts";
import type { NotificationSummary } from "./schemas.ts";

/** What a filter passes over in one go; more is the next call's. */
const lookedAt = 5_000;

interface Found {
  message: NotificationSummary;
  row: NotificationRow;
  catalogue: Catalogue;
  costs: boolean;
}

/** What a file of messages can have: a column and its cell. */
const cells: Record<string, (found: Found) => string | number | null | undefined> = {
  id: ({ message }) => message.notificationId,
  requestId: ({ message }) => message.requestId,
  transactionId: ({ message }) => message.transactionId,
  createdAt: ({ message }) => message.createdAt,
  environment: ({ message }) => message.environment,
  application: ({ message }) => message.application,
  unit: ({ row, catalogue }) => catalogue.units.find(({ id }) => id === row.unitId)?.slug ?? row.unitId,
  channel: ({ message }) => message.channel,
  to: ({ message }) => message.to,
  country: ({ row }) => row.country,
  region: ({ message }) => message.region,
  language: ({ message }) => message.language,
  notificationType: ({ message }) => message.notificationType,
  notificationSubtype: ({ message }) => message.notificationSubtype,
  class: ({ row }) => row.class,
  template: ({ message }) => message.template?.name,
  templateVersion: ({ message }) => message.template?.version,
  status: ({ message }) => message.status,
  final: ({ message }) => String(message.final),
  reasonCode: ({ message }) => message.reason?.code,
  reason: ({ message }) => message.reason?.detail,
  failureCode: ({ message }) => message.failure?.code,
  failure: ({ message }) => message.failure?.detail,
  providerCode: ({ message }) => message.failure?.providerCode,
  provider: ({ message }) => message.provider,
  providerMessageId: ({ message }) => message.providerMessageId,
  segments: ({ message }) => message.segments,
  costAmount: ({ message, costs }) => (costs ? message.cost?.amount : null),
  costCurrency: ({ message, costs }) => (costs ? message.cost?.currency : null),
  costSource: ({ message, costs }) => (costs ? message.cost?.source : null),
  scheduledAt: ({ message }) => message.scheduledAt,
  sentAt: ({ message }) => message.sentAt,
  deliveredAt: ({ message }) => message.deliveredAt,
  failedAt: ({ message }) => message.failedAt,
  readAt: ({ message }) => message.readAt,
  metadata: ({ message }) =>
    Object.keys(message.metadata).length === 0 ? "" : JSON.stringify(message.metadata),
};

const ofCosts = ["costAmount", "costCurrency", "costSource"];

/** The columns of a file of messages for somebody who may, or may not, see any cost. */
export function messageColumns(costs: boolean): string[] {
  return Object.keys(cells).filter((column) => costs || !ofCosts.includes(column));
}

/** Throws `invalid_request` for a filter that names what there is not, or not for the caller. */
export async function checkFilterNames(
  ctx: Ctx,
  permission: Permission,
  filter: Pick<NotificationListInput, "environmentId" | "application">,
): Promise<void> {
  const { applications: all, environments } = await getCatalogue(ctx);
  const scopes = visibleScopes(ctx, permission);
  const applications = all.filter(
    ({ id, unitId }) =>
      scopes?.some(
        (scope) =>
          (!scope.unitId || scope.unitId === unitId) && (!scope.applicationId || scope.applicationId === id),
      ) ?? true,
  );
  const wrong =
    filter.environmentId !== undefined && !environments.some(({ id }) => id === filter.environmentId)
      ? { pointer: "/filter/environmentId", detail: "There is no such environment." }
      : filter.application !== undefined && !applications.some((each) => each.name === filter.application)
        ? { pointer: "/filter/application", detail: `There is no application “${filter.application}”.` }
        : null;
  if (wrong) {
    throw new DomainError("invalid_request", wrong.detail, { errors: [{ ...wrong, code: "unknown" }] });
  }
}

/**
 * The next messages that the caller may see, oldest first, as rows of those columns: at most `limit`, and perhaps none although there are
 * more, because one call looks at a few thousand messages. `after` is where the next call goes on; `end`: nothing is left.
 * Addresses are masked as in lists, and costs are left out, where the caller may not see them.
 */
export async function readMessageRows(
  ctx: Ctx,
  filter: Omit<NotificationListInput, "cursor" | "limit">,
  part: { columns: readonly string[]; after: string | null; upTo: string; limit: number },
): Promise<{ rows: string[][]; after: string | null; end: boolean }> {
  const catalogue = await getCatalogue(ctx);
  const read = await filterOf(ctx, catalogue, filter);
  if (!read) return { rows: [], after: part.after, end: true };
  const found = read.filter;
  // What has an index of its own is looked up; everything else is looked through.
  const lookedUp = [found.to, found.search, found.transactionId].some((each) => each !== undefined);
  const ahead = lookedUp
    ? null
    : await selectIdAhead(ctx, { ...part, environmentId: found.environmentId, ahead: lookedAt });
  const upTo = ahead ?? part.upTo;
  const messages = await selectOldestFirst(
    ctx,
    visibleScopes(ctx, "notifications:read"),
    { ...found, limit: part.limit },
    { after: part.after, upTo },
  );
  const rows: string[][] = [];
  for (const [index, row] of messages.entries()) {
    // Others have their turn.
    if (index % 100 === 99) await breathe();
    const { unitId, applicationId, environmentId } = row;
    const costs = may(ctx, "costs:read", { unitId, applicationId, environmentId });
    const message = presentSummary(ctx, catalogue, row);
    rows.push(
      part.columns.map((column) => String(cells[column]?.({ message, row, catalogue, costs }) ?? "")),
    );
  }
  const full = messages.length === part.limit;
  return {
    rows,
    after: full ? (messages.at(-1)?.id ?? part.after) : upTo,
    end: !full && ahead === null,
  };
}
