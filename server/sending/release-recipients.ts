import { systemCtx } from "../access/system-ctx.ts";
import { takeMessageQuota } from "../access/rate-limit.ts";
import { addressToken, consentKey } from "../consent/address-token.ts";
import { readRecipients } from "../contacts/read-groups.ts";
import type { ContactRecipient } from "../contacts/read-groups.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import type { FailureCode } from "../kernel/message-failures.ts";
import { takeQuota } from "../quotas/take-quota.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import {
  acceptAppended,
  markReleased,
  selectNamedAddresses,
  selectNextRecipients,
} from "./broadcast-queries.ts";
import type { RunningBroadcast } from "./broadcast-queries.ts";
import { deliveryLanes, laneOf } from "./lanes.ts";
import { problemOf } from "./list-recipients.ts";
import type { Client, Step } from "./list-recipients.ts";
import { planRequest } from "./plan-request.ts";
import type { AcceptMessage, AcceptRequest } from "./queries.ts";

/** What of planning an order concerns one recipient and not the others. */
const ofRecipients: readonly FailureCode[] = [
  "unknown_template",
  "missing_variable",
  "invalid_variable",
  "sender_not_allowed",
];
/** After these nothing of the broadcast can be sent. */
const ofTheWhole: readonly string[] = [
  "unknown_application",
  "unknown_notification_type",
  "environment_mismatch",
];

interface Released {
  position: number;
  notificationId: string | null;
  reason: string | null;
}

interface Addressed {
  position: number;
  channel: Channel;
  address: string;
  contact: ContactRecipient;
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
  rules: { every: number; chunk: number; window: { most: number } },
): Promise<Step> {
  const { tenantId, released, total, leftOut, firstPosition } = broadcast;
  const ctx = systemCtx(db, tenantId, "Broadcast", broadcast.id);
  const catalogue = await getCatalogue(ctx);
  const room = Math.min(broadcast.window - underWay, rules.chunk, byRate(broadcast), total - released);
  const later = { progress: { wakeInMs: pauseOf(broadcast, rules.every) } };
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
    const named = await namedAlready(client, broadcast, addressed);
    const wanted = addressed.filter(({ position, channel, address }) => {
      if (!named.has(`${channel} ${address}`)) return true;
      done.push({ position, notificationId: null, reason: "duplicate_recipient" });
      return false;
    });
    const requests = await planAll(ctx, catalogue, broadcast, wanted);
    let rejected = done.length;
    if (requests.length > 0) {
      const result = await acceptAppended(client, tenantId, requests);
      rejected += result.refused.length;
      for (const { messages } of requests) {
        for (const { id, position } of messages) done.push({ position, notificationId: id, reason: null });
      }
    }
    await markReleased(client, broadcast, done);
    const left = total - released - rows.length;
    // What was released before drains: more may be on their way at once.
    const drains = released > 0 && underWay <= broadcast.window / 2;
    const window = drains ? Math.min(rules.window.most, broadcast.window * 2) : broadcast.window;
    const hasRoom = broadcast.ratePerSecond === null && window - underWay - rows.length >= rules.chunk / 2;
    return {
      progress: {
        released: released + rows.length,
        leftOut: leftOut + done.filter(({ notificationId }) => notificationId === null).length,
        window,
        hasReleased: true,
        wakeInMs: left > 0 && hasRoom ? 0 : pauseOf(broadcast, rules.every),
      },
      afterCommit: () => quota.giveBack(rejected),
    };
  } catch (error) {
    quota.giveBack(quota.taken);
    if (error instanceof DomainError && ofTheWhole.includes(error.code)) {
      return { progress: { state: "failed", problem: problemOf(error), ended: true } };
    }
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

/** Of these, the addresses that the request names itself: nobody gets it twice. */
async function namedAlready(
  client: Client,
  broadcast: RunningBroadcast,
  addressed: readonly Addressed[],
): Promise<ReadonlySet<string>> {
  if (broadcast.firstPosition === 0 || addressed.length === 0) return new Set();
  const addresses = addressed.map(({ address }) => address);
  const rows = await selectNamedAddresses(client, broadcast, addresses, broadcast.firstPosition);
  return new Set(rows.map(({ channel, recipient }) => `${channel} ${recipient}`));
}

/** Plans recipients of the same channel, region and language together: they have one template and one policy. */
async function planAll(
  ctx: Ctx,
  catalogue: Catalogue,
  broadcast: RunningBroadcast,
  wanted: readonly Addressed[],
): Promise<(AcceptRequest & { appended: true })[]> {
  const alike = Map.groupBy(wanted, ({ channel, contact }) =>
    [channel, contact.region ?? broadcast.region, contact.language ?? broadcast.language].join(" "),
  );
  const key = await consentKey(ctx);
  const requests: (AcceptRequest & { appended: true })[] = [];
  for (const recipients of alike.values()) {
    const request = await planAlike(ctx, catalogue, broadcast, recipients);
    for (const message of request.messages) {
      if (key) message.token = addressToken(key, message.channel, message.recipient);
    }
    requests.push(request);
  }
  return requests;
}

async function planAlike(
  ctx: Ctx,
  catalogue: Catalogue,
  broadcast: RunningBroadcast,
  recipients: readonly Addressed[],
): Promise<AcceptRequest & { appended: true }> {
  const [first] = recipients;
  const region = first?.contact.region ?? broadcast.region;
  const language = first?.contact.language ?? broadcast.language;
  const { notificationType: type, notificationSubtype: subtype, environmentId, applicationId } = broadcast;
  const ground = {
    id: broadcast.id,
    appended: true as const,
    ...{ environmentId, applicationId, region, language, type, subtype },
    unitId: broadcast.unitId,
    sandbox: broadcast.sandbox,
    source: "send" as const,
    ...{ actorType: ctx.actor.type, actorId: null, transactionId: null },
    ...{ keyKind: null, key: null, bodyHash: null, keyExpiresAt: null },
    class: broadcast.class,
    ...{ variables: {}, metadata: {}, scheduledAt: null },
    // Together they are a campaign from a thousand on, however few go at a time.
    task: deliveryLanes[laneOf(broadcast, broadcast.firstPosition + broadcast.total)].name,
  };
  const variablesOf = ({ contact }: Addressed) => contactVariables(contact);
  try {
    const plan = await planRequest(ctx, {
      environmentId,
      application: catalogue.applications.find(({ id }) => id === applicationId)?.name ?? "",
      notification: { type, subtype },
      ...{ region, language },
      recipients: recipients.map((each) => ({
        channel: each.channel,
        recipient: each.address,
        variables: variablesOf(each),
      })),
      templateVariables: [broadcast.variables],
      expiresAt: broadcast.endsAt?.toISOString(),
    });
    return {
      ...ground,
      expiresAt: plan.expiresAt.toISOString(),
      messages: plan.messages.map((message, index) => ({
        id: newId(),
        position: recipients[index]?.position ?? 0,
        channel: message.channel,
        recipient: message.recipient,
        variables: declaredOnly(message.variables, message.template?.variables ?? []),
        templateId: message.template?.id ?? null,
        templateVersion: message.template?.version ?? null,
        policy: message.policy,
        ...(message.consentClass === broadcast.class ? {} : { consentClass: message.consentClass }),
        reasonCode: message.reason?.code ?? null,
        reasonDetail: message.reason?.detail ?? null,
      })),
    };
  } catch (error) {
    const code = error instanceof DomainError && ofRecipients.find((each) => each === error.code);
    if (!code) throw error;
    return {
      ...ground,
      expiresAt: (broadcast.endsAt ?? new Date(broadcast.now.getTime() + 60_000)).toISOString(),
      messages: recipients.map(({ position, channel, address }): AcceptMessage => ({
        ...{ id: newId(), position, channel, recipient: address },
        ...{ variables: null, templateId: null, templateVersion: null, policy: "opt_in_required" },
        reasonCode: code,
        reasonDetail: error.message,
      })),
    };
  }
}

/** A contact's attributes as variables; their name as `name` unless an attribute is called so. */
export function contactVariables({ name, attributes }: ContactRecipient): Record<string, string> {
  return name === null ? attributes : { name, ...attributes };
}

/** Of a contact's many attributes, a message keeps those that its template uses. */
function declaredOnly(
  variables: Record<string, string> | null,
  declared: readonly { name: string }[],
): Record<string, string> | null {
  const entries = declared.flatMap(({ name }) =>
    variables && Object.hasOwn(variables, name) ? [[name, variables[name] ?? ""] as const] : [],
  );
  return entries.length > 0 ? Object.fromEntries(entries) : null;
}
