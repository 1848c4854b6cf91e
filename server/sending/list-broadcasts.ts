import { tenantConnections } from "../connections/load-connection.ts";
import { providerHttp } from "../connections/provider-http.ts";
import { readRecipients } from "../contacts/read-groups.ts";
import type { Channel } from "../kernel/channel.ts";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { countClicks } from "../links/count-clicks.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { readInTenant } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { authorize, may, maySomewhere, visibleScopes } from "../operations/authorize.ts";
import type { Permission } from "../operations/permissions.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import {
  countLeftOut,
  countStatuses,
  selectBroadcast,
  selectBroadcasts,
  selectSample,
} from "./broadcast-queries.ts";
import type { BroadcastRow } from "./broadcast-queries.ts";
import { explainSend } from "./explain-send.ts";
import { messagingLimit } from "./messaging-limit.ts";
import type { MessagingLimit, UnknownLimit } from "./messaging-limit.ts";
import { contactVariables } from "./plan-recipients.ts";
import type { Broadcast, BroadcastSummary, Explanation } from "./schemas.ts";

/** Broadcasts that the caller may read, newest first. */
export async function listBroadcasts(
  ctx: Ctx,
  input: { environmentId?: string | undefined; limit: number; cursor?: string | undefined },
): Promise<{ data: BroadcastSummary[]; nextCursor: string | null }> {
  const { environmentId, limit, cursor } = input;
  const rows = await selectBroadcasts(ctx, visibleScopes(ctx, "notifications:read"), {
    environmentId,
    before: decodeCursor(cursor),
    limit: limit + 1,
  });
  const catalogue = await getCatalogue(ctx);
  return toPage(rows, limit, (row) => summaryOf(catalogue, row));
}

/** Counting a million messages takes a second: those who watch share one count. */
const figures = ttlCache<Pick<Broadcast, "counts" | "leftOut" | "clicks">>({
  name: "broadcasts",
  ttlMs: 2_000,
  max: 500,
});

/** One broadcast with its figures, at most two seconds old. Throws `not_found`. */
export async function getBroadcast(ctx: Ctx, input: { id: string }): Promise<Broadcast> {
  return presentBroadcast(ctx, await requireBroadcast(ctx, input.id, "notifications:read"));
}

/** The same with what the caller may do with it. */
export async function getBroadcastPage(
  ctx: Ctx,
  input: { id: string },
): Promise<Broadcast & { actions: Actions }> {
  const row = await requireBroadcast(ctx, input.id, "notifications:read");
  return { ...(await presentBroadcast(ctx, row)), actions: actionsOf(ctx, row) };
}

async function presentBroadcast(ctx: Ctx, row: BroadcastRow): Promise<Broadcast> {
  const [catalogue, counted] = await Promise.all([
    getCatalogue(ctx),
    figures.get(`${row.tenantId} ${row.id}`, async () => {
      const [counts, leftOut, clicks] = await Promise.all([
        countStatuses(ctx, row.id),
        row.leftOut > 0 ? countLeftOut(ctx, row.id) : {},
        countClicks(ctx, { requestId: row.id }),
      ]);
      return { counts, leftOut, clicks };
    }),
  ]);
  return {
    ...summaryOf(catalogue, row),
    counts: counted?.counts ?? {},
    leftOut: counted?.leftOut ?? {},
    clicks: counted?.clicks ?? { people: 0, machines: 0 },
    forecast: row.draft
      ? Object.entries(row.forecast).map(([channel, entry]) => ({
          channel: channel as keyof BroadcastRow["forecast"],
          ...entry,
        }))
      : [],
  };
}

/** After a change: this process counts again. */
export function forgetFigures({ tenantId, id }: { tenantId: string; id: string }): void {
  figures.forget(`${tenantId} ${id}`);
}

/** What the caller may do with a broadcast as it is. */
interface Actions {
  start: boolean;
  pause: boolean;
  resume: boolean;
  cancel: boolean;
  sendAgain: boolean;
  exportNotReached: boolean;
}

function actionsOf(ctx: Ctx, row: BroadcastRow): Actions {
  const place = placeOf(row);
  const maySend = may(ctx, "notifications:send", place);
  const runs = (row.state === "listing" && !row.draft) || row.state === "sending";
  return {
    start: maySend && row.state === "ready",
    pause: maySend && runs && row.pausedAt === null,
    resume: maySend && runs && row.pausedAt !== null,
    cancel:
      may(ctx, "notifications:cancel", place) && (runs || row.state === "ready" || row.state === "listing"),
    sendAgain: maySend && row.endedAt !== null && row.total > 0,
    exportNotReached: row.endedAt !== null && maySomewhere(ctx, "contacts:read"),
  };
}

/** Recipients whose message is rendered to estimate what all will cost. */
const sampled = 20;

/**
 * What a draft would look like and cost, from recipients spread over all of it: one message of each channel as its recipient would
 * read it, segments and price on average. Throws `not_found`.
 */
export async function previewBroadcast(
  ctx: Ctx,
  input: { id: string },
): Promise<{ channels: ChannelPreview[]; revealed: boolean }> {
  const row = await requireBroadcast(ctx, input.id, "notifications:send");
  const revealed = may(ctx, "content:reveal", placeOf(row));
  const sample = await selectSample(ctx, row, sampled);
  if (sample.length === 0) return { channels: [], revealed };
  const ids = [...new Set(sample.map(({ contactId }) => contactId))];
  const contacts = new Map(
    (await readInTenant(ctx, (client) => readRecipients(client, ctx.tenantId, ids))).map((contact) => [
      contact.contactId,
      contact,
    ]),
  );
  const catalogue = await getCatalogue(ctx);
  const application = catalogue.applications.find(({ id }) => id === row.applicationId)?.name ?? "";
  const looked: Looked[] = [];
  for (const { contactId, channel } of sample) {
    const contact = contacts.get(contactId);
    const address = contact?.addresses.find((each) => each.channel === channel)?.address;
    if (!contact || address === undefined) continue;
    try {
      const { messages } = await explainSend(ctx, {
        environmentId: row.environmentId,
        application,
        notification: { type: row.notificationType, subtype: row.notificationSubtype },
        region: contact.region ?? row.region,
        language: contact.language ?? row.language,
        recipients: [{ channel, recipient: address, variables: contactVariables(contact) }],
        templateVariables: [row.variables],
      });
      looked.push(...messages.map((message) => ({ channel, message, reason: message.reason })));
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      // Of a request to one it would be the whole's; here it is one recipient's.
      looked.push({ channel, message: null, reason: { code: error.code, detail: error.message } });
    }
  }
  const channels = [...Map.groupBy(looked, ({ channel }) => channel)].map(([channel, all]) =>
    channelPreview(channel, all, row, revealed),
  );
  const whatsapp = channels.find(({ channel }) => channel === "whatsapp");
  if (whatsapp && !row.sandbox) whatsapp.messagingLimit = await limitOf(ctx, looked);
  return { channels, revealed };
}

/** Of the connection that would carry the WhatsApp messages first. */
async function limitOf(ctx: Ctx, looked: readonly Looked[]): Promise<MessagingLimit | UnknownLimit | null> {
  const carrier = looked.flatMap(({ channel, message }) =>
    channel === "whatsapp" ? (message?.route.candidates[0]?.connectionId ?? []) : [],
  )[0];
  const connection = carrier === undefined ? undefined : (await tenantConnections(ctx)).get(carrier);
  return connection ? messagingLimit(ctx, connection, providerHttp()) : null;
}

/** One recipient that was looked at; without a message none can be made. */
interface Looked {
  channel: Channel;
  message: Explanation["messages"][number] | null;
  reason: { code: string; detail: string } | null;
}

interface ChannelPreview {
  channel: Channel;
  /** How many messages were looked at, and what is wrong with how many of them. */
  sampled: number;
  problems: { code: string; detail: string; count: number }[];
  /** On average. */
  segments: number | null;
  /** For all recipients that would not be refused. */
  estimatedCost: { amount: string; currency: string } | null;
  template: { name: string; version: number } | null;
  preview: Explanation["messages"][number]["preview"];
  /** Of WhatsApp; null: on other channels, or nothing would carry it. */
  messagingLimit: MessagingLimit | UnknownLimit | null;
}

function channelPreview(
  channel: Channel,
  looked: readonly Looked[],
  row: BroadcastRow,
  revealed: boolean,
): ChannelPreview {
  const messages = looked.flatMap(({ message }) => message ?? []);
  const forecast = row.forecast[channel];
  const expected = forecast ? forecast.recipients - forecast.consentDenied - forecast.suppressed : 0;
  const withSegments = messages.flatMap(({ segments }) => segments ?? []);
  const priced = messages.flatMap(({ estimatedCost }) => estimatedCost ?? []);
  const currency = priced[0]?.currency;
  const same = priced.filter((price) => price.currency === currency);
  const mean = same.reduce((sum, { amount }) => sum + Number(amount), 0) / Math.max(1, same.length);
  // Consent is counted over all of them.
  const reasons = looked.flatMap(({ reason }) =>
    reason && reason.code !== "consent_denied" && reason.code !== "suppressed" ? reason : [],
  );
  const shown = messages.find(({ preview }) => preview !== null);
  return {
    channel,
    sampled: looked.length,
    problems: [...Map.groupBy(reasons, ({ code }) => code)].map(([code, all]) => ({
      code,
      detail: all[0]?.detail ?? "",
      count: all.length,
    })),
    segments:
      withSegments.length > 0
        ? withSegments.reduce((sum, count) => sum + count, 0) / withSegments.length
        : null,
    estimatedCost: currency === undefined ? null : { amount: (mean * expected).toFixed(2), currency },
    template: shown?.template ? { name: shown.template.name, version: shown.template.version } : null,
    preview: revealed ? (shown?.preview ?? null) : null,
    messagingLimit: null,
  };
}

/** A broadcast that the caller may do this with. Throws `not_found`, also for another tenant's or team's. */
export async function requireBroadcast(ctx: Ctx, id: string, permission: Permission): Promise<BroadcastRow> {
  const row = isUuid(id) ? await selectBroadcast(ctx, id) : undefined;
  if (!row) throw notFound();
  authorize(ctx, permission, placeOf(row));
  return row;
}

const placeOf = ({ unitId, applicationId, environmentId }: BroadcastRow) => ({
  unitId,
  applicationId,
  environmentId,
});

function summaryOf(catalogue: Catalogue, row: BroadcastRow): BroadcastSummary {
  return {
    id: row.id,
    name: row.name,
    application: catalogue.applications.find(({ id }) => id === row.applicationId)?.name ?? "",
    environment: catalogue.environments.find(({ id }) => id === row.environmentId)?.slug ?? "",
    transactionId: row.transactionId,
    notificationType: row.notificationType,
    notificationSubtype: row.notificationSubtype,
    class: row.class,
    groups: row.groups.map(({ name, channels }) => ({ group: name, channels })),
    state: stateOf(row),
    problem: row.problem,
    recipients: row.total,
    released: row.released,
    ratePerSecond: row.ratePerSecond,
    startsAt: row.startsAt?.toISOString() ?? null,
    pausedBy: row.pausedByName,
    createdBy: row.createdByName,
    createdAt: row.createdAt.toISOString(),
    endedAt: row.endedAt?.toISOString() ?? null,
  };
}

function stateOf(row: BroadcastRow): BroadcastSummary["state"] {
  const goesOn = row.state === "sending" || (row.state === "listing" && !row.draft);
  if (!goesOn) return row.state;
  if (row.pausedAt) return "paused";
  return row.released === 0 && row.startsAt && row.startsAt.getTime() > Date.now() ? "scheduled" : row.state;
}
