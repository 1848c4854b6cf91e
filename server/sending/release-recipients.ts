import { systemCtx } from "../access/system-ctx.ts";
import { takeMessageQuota } from "../access/rate-limit.ts";
import { namesKnown } from "../consent/address-links.ts";
import { readRecipients } from "../contacts/read-groups.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { takeQuota } from "../quotas/take-quota.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { markReleased, selectNextRecipients, selectWrittenTo } from "./broadcast-queries.ts";
import type { RunningBroadcast } from "./broadcast-queries.ts";
import { broadcastRules } from "./broadcast-rules.ts";
import { problemOf } from "./list-recipients.ts";
import type { Client, Step } from "./list-recipients.ts";
import { planRecipients } from "./plan-recipients.ts";
import type { Addressed } from "./plan-recipients.ts";
import { callAcceptSends } from "./queries.ts";

interface Released {
  position: number;
  notificationId: string | null;
  reason: string | null;
}

/**
 * Makes messages of the next recipients, as many as the window, the rate and the quotas have room for, in the transaction that
 * records it. Templates, variables and consent are looked at for each, in the contact's own language and region.
 */
export async function releaseRecipients(
  db: Db,
  client: Client,
  broadcast: RunningBroadcast,
  underWay: number,
): Promise<Step> {
  const { tenantId, released, total, leftOut, firstPosition } = broadcast;
  const ctx = systemCtx(db, tenantId, "Broadcast", broadcast.id);
  const catalogue = await getCatalogue(ctx);
  const room = Math.min(
    broadcast.window - underWay,
    broadcastRules.chunk,
    byRate(broadcast),
    total - released,
  );
  const later = { progress: { wakeInMs: pauseOf(broadcast, broadcastRules.every) } };
  if (room <= 0) return later;
  const quota = await takeFitting(ctx, catalogue, broadcast, room);
  if (quota.taken === 0) {
    return { progress: { problem: quota.problem, wakeInMs: quota.retryInMs } };
  }
  try {
    const rows = await selectNextRecipients(client, broadcast, firstPosition + released, quota.taken);
    const contacts = new Map(
      (await readRecipients(client, tenantId, [...new Set(rows.map((row) => row.contactId))])).map((each) => [
        each.contactId,
        each,
      ]),
    );
    const done: Released[] = [];
    const addressed: Addressed[] = [];
    for (const { position, contactId, channel } of rows) {
      const contact = contacts.get(contactId);
      const address = contact?.addresses.find((each) => each.channel === channel)?.address;
      if (contact && address !== undefined) addressed.push({ position, channel, address, contact });
      else done.push({ position, notificationId: null, reason: contact ? "no_address" : "contact_deleted" });
    }
    const repeated = await repeatedOf(ctx, client, broadcast, addressed);
    for (const { position } of repeated) {
      done.push({ position, notificationId: null, reason: "duplicate_recipient" });
    }
    const wanted = addressed.filter((each) => !repeated.has(each));
    const requests = await planRecipients(ctx, catalogue, broadcast, wanted);
    let rejected = done.length;
    if (requests.length > 0) {
      const result = await callAcceptSends({ pool: client }, tenantId, requests);
      rejected += result.refused.length;
      for (const { messages } of requests) {
        for (const { id, position } of messages) done.push({ position, notificationId: id, reason: null });
      }
    }
    await markReleased(client, broadcast, done);
    const left = total - released - rows.length;
    // What was released before drains: more may be on their way at once.
    const drains = released > 0 && underWay <= broadcast.window / 2;
    const window = drains ? Math.min(broadcastRules.window.most, broadcast.window * 2) : broadcast.window;
    const hasRoom =
      broadcast.ratePerSecond === null && window - underWay - rows.length >= broadcastRules.chunk / 2;
    return {
      progress: {
        released: released + rows.length,
        leftOut: leftOut + done.filter(({ notificationId }) => notificationId === null).length,
        window,
        hasReleased: true,
        wakeInMs: left > 0 && hasRoom ? 0 : pauseOf(broadcast, broadcastRules.every),
      },
      afterCommit: () => quota.giveBack(rejected),
    };
  } catch (error) {
    quota.giveBack(quota.taken);
    throw error;
  }
}

/** How many messages its rate allows since the last ones. */
function byRate({ ratePerSecond, releasedAt, now }: RunningBroadcast): number {
  if (ratePerSecond === null) return Infinity;
  const seconds = releasedAt ? (now.getTime() - releasedAt.getTime()) / 1_000 : 1;
  return Math.floor(ratePerSecond * Math.min(Math.max(seconds, 0), Math.max(1, 1 / ratePerSecond)) + 1e-6);
}

/** With a low rate seldom enough that whole messages fall due: what is left over of each step is lost. */
const pauseOf = ({ ratePerSecond }: RunningBroadcast, every: number): number =>
  ratePerSecond === null || ratePerSecond >= 100 ? every : Math.max(1_000, Math.ceil(1_000 / ratePerSecond));

/** Counts as many of `wanted` messages against the quotas as they have room for. */
async function takeFitting(
  ctx: Ctx,
  catalogue: Catalogue,
  broadcast: RunningBroadcast,
  wanted: number,
): Promise<{
  taken: number;
  giveBack: (messages: number) => void;
  problem: { code: string; detail: string } | null;
  retryInMs: number;
}> {
  const environment = catalogue.environments.find(({ id }) => id === broadcast.environmentId);
  let refusal: DomainError | undefined;
  for (let taken = wanted; taken > 0; taken = Math.floor(taken / 2)) {
    try {
      const giveBackQuota = broadcast.sandbox ? undefined : await takeQuota(ctx, taken);
      try {
        if (environment) takeMessageQuota(ctx, environment, taken);
      } catch (error) {
        giveBackQuota?.(taken);
        throw error;
      }
      return { taken, giveBack: (back) => giveBackQuota?.(back), problem: null, retryInMs: 0 };
    } catch (error) {
      if (!(error instanceof DomainError)) throw error;
      refusal = error;
    }
  }
  const retryInMs = Math.min((refusal?.retryAfter ?? 5) * 1_000, 60_000);
  const problem = refusal ? problemOf(refusal) : null;
  return { taken: 0, giveBack: () => undefined, problem, retryInMs };
}

/**
 * Those who are written to already: the request names their address itself, or they are known by another name, as a number and a user
 * id of WhatsApp. Nobody gets it twice.
 */
async function repeatedOf(
  ctx: Ctx,
  client: Client,
  broadcast: RunningBroadcast,
  addressed: readonly Addressed[],
): Promise<ReadonlySet<Addressed>> {
  const onWhatsapp = addressed.flatMap(({ channel, address }) => (channel === "whatsapp" ? [address] : []));
  const others = await namesKnown(ctx, broadcast.sandbox, onWhatsapp);
  const namesOf = ({ channel, address }: Addressed) => [
    address,
    ...(channel === "whatsapp" ? (others.get(address) ?? []) : []),
  ];
  const asked =
    broadcast.firstPosition > 0 ? addressed : addressed.filter(({ address }) => others.has(address));
  if (asked.length === 0) return new Set();
  const rows = await selectWrittenTo(client, broadcast, [...new Set(asked.flatMap(namesOf))]);
  const taken = new Set(rows.map(({ channel, recipient }) => `${channel} ${recipient}`));
  return new Set(
    asked.filter((each) => {
      if (namesOf(each).some((name) => taken.has(`${each.channel} ${name}`))) return true;
      taken.add(`${each.channel} ${each.address}`);
      return false;
    }),
  );
}
