import { LRUCache } from "lru-cache";
import { takeMessageQuota } from "../access/rate-limit.ts";
import { addressToken, consentKey, knownConsentKey } from "../consent/address-token.ts";
import { Batcher } from "../kernel/batcher.ts";
import type { AgentLimits, Ctx } from "../kernel/ctx.ts";
import { shownAddress } from "../kernel/address.ts";
import { inShare } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { inSpan, startSpan } from "../kernel/tracing.ts";
import { isStatementError } from "../kernel/unavailable.ts";
import { may } from "../operations/authorize.ts";
import { refuseHeld } from "../platform/sending-hold.ts";
import { takeQuota } from "../quotas/take-quota.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { agentOf } from "./agent-rules.ts";
import type { Hold } from "./agent-rules.ts";
import { notifyDeciders } from "./approval-notices.ts";
import { inBulkTurn, isBulk } from "./bulk-turns.ts";
import { deliveryLanes, laneOf } from "./lanes.ts";
import { planRequest } from "./plan-request.ts";
import type { PlannedGroup, PlannedMessage, PlannedRequest } from "./plan-request.ts";
import type { SendOrder } from "./plan-request.ts";
import { selectBroadcastGroups } from "./broadcast-queries.ts";
import { storeBroadcast } from "./store-broadcast.ts";
import { callAcceptAgentSend, callAcceptSends, selectFirstAnswer, selectIdempotencyKey } from "./queries.ts";
import type { AcceptRequest, AcceptResult } from "./queries.ts";

/** Identifies a repetition of a request. */
export interface Idempotency {
  kind: "transaction" | "idempotency";
  key: string;
  /** SHA-256 (hex) of the canonical request body. */
  bodyHash: string;
}

export interface AcceptedSend {
  requestId: string;
  /** The first answer is repeated, and nothing was sent now. */
  replayed: boolean;
  /** What was planned; null for a replay. */
  plan: PlannedRequest | null;
  /** Groups that it goes to in the background; null: it named none. */
  groups: Pick<PlannedGroup, "name" | "channels" | "contacts">[] | null;
  notifications: {
    notificationId: string;
    channel: PlannedMessage["channel"];
    recipient: string;
    status: "queued" | "scheduled" | "rejected" | "pending_approval";
    reason: { code: string; detail: string } | null;
  }[];
}

const idempotencyKeyLifetime = 24 * 3_600_000;
/** With more than this waiting in one process the database does not keep up, and further requests are refused. */
const maxWaiting = { requests: 2_000, messages: 100_000 };
let waitingRequests = 0;
let waitingMessages = 0;

/**
 * Concurrent requests of a tenant share a round trip; a database's tenants never do (row-level security), nor do lanes:
 * a one-time code must not wait for a campaign to be written.
 */
const batchers = new LRUCache<string, Batcher<AcceptRequest, AcceptResult>>({ max: 10_000 });

function batcherOf(db: Db, tenantId: string, request: AcceptRequest): Batcher<AcceptRequest, AcceptResult> {
  const bulk = isBulk(request.messages.length);
  const key = `${tenantId} ${request.task} ${bulk}`;
  let batcher = batchers.get(key);
  if (!batcher) {
    batcher = new Batcher<AcceptRequest, AcceptResult>(
      async (requests) => {
        const call = () =>
          withTokens(db, tenantId, requests, (complete) => callAcceptSends(db, tenantId, complete));
        const result = await (bulk ? inBulkTurn(tenantId, call) : call());
        return requests.map(() => result);
      },
      {
        delayMs: 1,
        maxItems: 128,
        maxParallel: 2,
        weight: (request) => request.messages.length,
        maxWeight: 1_000,
        exclusiveKey: (request) =>
          request.key === null
            ? undefined
            : `${request.environmentId} ${request.applicationId} ${String(request.keyKind)} ${request.key}`,
        // After a lost connection nobody knows whether the batch was committed; the caller repeats it with its key.
        retryAlone: isStatementError,
      },
    );
    batchers.set(key, batcher);
  }
  return batcher;
}

const tokensNeeded = "TD001";

/**
 * Where somebody was ever erased, addresses go with what stays of them when they are erased: the database asks for that when
 * it is left out, and this process remembers.
 */
async function withTokens<Result>(
  db: Db,
  tenantId: string,
  requests: readonly AcceptRequest[],
  call: (requests: AcceptRequest[]) => Promise<Result>,
): Promise<Result> {
  const known = knownConsentKey(tenantId);
  try {
    return await call(known ? tokened(known, requests) : [...requests]);
  } catch (error) {
    if (known || !(error instanceof Error && "code" in error && error.code === tokensNeeded)) throw error;
    const key = await consentKey({ db, tenantId });
    if (!key) throw error;
    return call(tokened(key, requests));
  }
}

function tokened(key: Buffer, requests: readonly AcceptRequest[]): AcceptRequest[] {
  return requests.map((request) => ({
    ...request,
    messages: request.messages.map((message) => ({
      ...message,
      token: addressToken(key, message.channel, message.recipient),
    })),
  }));
}

interface SendInput {
  order: SendOrder;
  source: AcceptRequest["source"];
  transactionId: string | null;
  idempotency: Idempotency | null;
  /** The id of the first message, for callers that recorded it beforehand. */
  firstMessageId?: string;
}

/**
 * Accepts a send request: checks it, writes request, messages, first events, webhook deliveries and jobs in one
 * transaction, and answers once that is committed. A repetition under the same key gets the first answer. Where it is traced, the
 * request keeps its trace for what follows.
 */
export async function acceptSend(ctx: Ctx, input: SendInput): Promise<AcceptedSend> {
  const span = startSpan({
    name: "accept notifications",
    kind: "producer",
    attributes: {
      "messaging.system": "graphile_worker",
      "messaging.destination.name": "notifications",
      "messaging.operation.name": "accept",
      "messaging.operation.type": "send",
      "messaging.batch.message_count": input.order.recipients.length,
      "tidings.tenant.id": ctx.tenantId,
      "tidings.environment.id": input.order.environmentId,
    },
  });
  if (!span) return accept(ctx, input);
  return inSpan(span, async () => {
    const accepted = await accept(ctx, input, span.carried);
    span.set({
      "tidings.application.id": accepted.plan?.application.id,
      "tidings.request.id": accepted.requestId,
      "tidings.replayed": accepted.replayed,
      "tidings.rejected_messages": accepted.notifications.filter(({ status }) => status === "rejected")
        .length,
    });
    return accepted;
  });
}

/** @param traceContext what the request keeps of its trace */
async function accept(ctx: Ctx, input: SendInput, traceContext?: string): Promise<AcceptedSend> {
  const { order, idempotency } = input;
  let plan: PlannedRequest;
  let giveBackQuota: ((messages: number) => void) | undefined;
  try {
    await refuseHeld(ctx.db);
    // Before anything else: an organisation that has used up its quota costs others as little as possible.
    giveBackQuota = await takeQuotaOf(ctx, order);
    plan = await planRequest(ctx, order);
  } catch (error) {
    giveBackQuota?.(order.recipients.length);
    // A repetition gets the first answer even if the request would be refused today (a template was switched off).
    const earlier =
      idempotency && error instanceof DomainError ? await findEarlier(ctx, order, idempotency) : null;
    if (!earlier || !idempotency) throw error;
    if (!earlier.sameBody) throw mismatch(idempotency);
    return replay(ctx, earlier.requestId);
  }
  const request = toAcceptRequest(ctx, plan, input);
  if (traceContext !== undefined) request.traceContext = traceContext;
  try {
    const { accepted, rejected } = await acceptPlanned(ctx, plan, request, input);
    giveBackQuota?.(rejected);
    return accepted;
  } catch (error) {
    giveBackQuota?.(order.recipients.length);
    throw error;
  }
}

/** Accepts what was checked; returns how many of its messages count for nothing. */
async function acceptPlanned(
  ctx: Ctx,
  plan: PlannedRequest,
  request: AcceptRequest,
  { idempotency, order: { broadcast } }: Pick<SendInput, "idempotency" | "order">,
): Promise<{ accepted: AcceptedSend; rejected: number }> {
  if (
    waitingRequests >= maxWaiting.requests ||
    (waitingMessages > 0 && waitingMessages + request.messages.length > maxWaiting.messages)
  ) {
    throw new DomainError("service_overloaded", "Too many requests are waiting. Try again shortly.", {
      retryAfter: 1,
    });
  }
  const giveBack = takeMessageQuota(ctx, plan.environment, request.messages.length);
  waitingRequests++;
  waitingMessages += request.messages.length;
  let result: AcceptResult;
  try {
    const agent = agentOf(ctx);
    if (agent) result = await acceptOfAgent(ctx, agent, request, plan.hold);
    else if (plan.groups.length > 0) result = await acceptToGroups(ctx, plan, request, broadcast);
    else result = await batcherOf(ctx.db, ctx.tenantId, request).add(request);
  } catch (error) {
    giveBack();
    if (error instanceof Error && "code" in error && error.code === "55P03") {
      throw new DomainError(
        "request_in_progress",
        "A request under the same identifier is still being accepted.",
        {
          retryAfter: 1,
          cause: error,
        },
      );
    }
    throw error;
  } finally {
    waitingRequests--;
    waitingMessages -= request.messages.length;
  }
  const known = result.known.find((entry) => entry.id === request.id);
  if (known && idempotency && known.requestId !== request.id) {
    giveBack();
    if (!known.sameBody) throw mismatch(idempotency);
    return { accepted: await replay(ctx, known.requestId), rejected: request.messages.length };
  }
  if (plan.hold && request.messages.length > result.refused.length) {
    await notifyDeciders(ctx, plan.application.unitId, plan.application.name);
  }
  const accepted = toAnswer(plan, request, result);
  const rejected =
    result.refused.length > 0
      ? accepted.notifications.filter(({ status }) => status === "rejected").length
      : 0;
  return { accepted, rejected };
}

/**
 * Counts a request's messages against the organisation's quota. The sandbox's do not count, nor do the service's own, such as the
 * link for a new password; of whoever may not send, planRequest says so.
 */
async function takeQuotaOf(ctx: Ctx, order: SendOrder): Promise<((messages: number) => void) | undefined> {
  if ("pinned" in order.notification && order.notification.class) return undefined;
  const catalogue = await getCatalogue(ctx);
  const environment = catalogue.environments.find((entry) => entry.id === order.environmentId);
  if (!environment || environment.kind === "sandbox" || !sendScope(ctx, catalogue, order)) return undefined;
  return takeQuota(ctx, order.recipients.length);
}

/** One call of its own: the broadcast belongs to the transaction that accepts. */
async function acceptToGroups(
  ctx: Ctx,
  plan: PlannedRequest,
  request: AcceptRequest,
  broadcast: SendOrder["broadcast"],
): Promise<AcceptResult> {
  const key = await consentKey(ctx);
  const [sent = request] = key ? tokened(key, [request]) : [request];
  return storeBroadcast(ctx, plan, sent, broadcast);
}

/** One call of its own: the agent's cap is checked in the statement that accepts. Throws `rate_limited` when it is reached. */
async function acceptOfAgent(
  ctx: Ctx,
  agent: AgentLimits,
  request: AcceptRequest,
  hold: Hold | null,
): Promise<AcceptResult> {
  const { db, tenantId, actor } = ctx;
  const limits = { agentId: agent.id, hourlyCap: agent.hourlyCap };
  const approval = hold && { ...hold, apiKeyId: actor.id, apiKeyName: actor.name };
  const result = await withTokens(db, tenantId, [request], ([sent = request]) =>
    // One agent's wait for each other.
    inShare(ctx, () => callAcceptAgentSend(db, tenantId, limits, sent, approval)),
  );
  if (result) return result;
  throw new DomainError(
    "rate_limited",
    `This agent may send ${String(agent.hourlyCap)} messages in sixty minutes.`,
    { retryAfter: 300 },
  );
}

function mismatch(idempotency: Idempotency): DomainError {
  const name = idempotency.kind === "transaction" ? "transactionId" : "Idempotency-Key";
  return new DomainError(
    "idempotency_mismatch",
    `This ${name} was used before with another body. Use a new one for a new message.`,
  );
}

async function findEarlier(
  ctx: Ctx,
  order: SendOrder,
  idempotency: Idempotency,
): Promise<{ requestId: string; sameBody: boolean } | null> {
  const scope = sendScope(ctx, await getCatalogue(ctx), order);
  return scope && selectIdempotencyKey(ctx, { ...scope, ...idempotency });
}

/** Where an order is to be sent, if the caller may. */
function sendScope(
  ctx: Ctx,
  catalogue: Catalogue,
  order: SendOrder,
): { environmentId: string; applicationId: string } | null {
  const application = catalogue.applications.find((entry) => entry.name === order.application);
  if (!application) return null;
  const { unitId, id: applicationId } = application;
  const { environmentId } = order;
  return may(ctx, "notifications:send", { unitId, applicationId, environmentId })
    ? { environmentId, applicationId }
    : null;
}

function toAcceptRequest(ctx: Ctx, plan: PlannedRequest, input: SendInput): AcceptRequest {
  const { idempotency } = input;
  const sandbox = plan.environment.kind === "sandbox";
  return {
    id: newId(),
    environmentId: plan.environment.id,
    applicationId: plan.application.id,
    unitId: plan.application.unitId,
    sandbox,
    ...(plan.hold ? { held: true } : {}),
    source: input.source,
    actorType: ctx.actor.type,
    actorId: ctx.actor.id,
    transactionId: input.transactionId,
    keyKind: idempotency?.kind ?? null,
    key: idempotency?.key ?? null,
    bodyHash: idempotency?.bodyHash ?? null,
    keyExpiresAt:
      idempotency?.kind === "idempotency"
        ? new Date(ctx.now().getTime() + idempotencyKeyLifetime).toISOString()
        : null,
    region: plan.region,
    language: plan.language,
    type: plan.type,
    subtype: plan.subtype,
    class: plan.class,
    variables: plan.variables,
    metadata: plan.metadata,
    scheduledAt: plan.scheduledAt?.toISOString() ?? null,
    expiresAt: (plan.hold?.timeToLive ? plan.hold.expiresAt : plan.expiresAt).toISOString(),
    task: deliveryLanes[laneOf({ class: plan.class, sandbox }, plan.messages.length + knownRecipients(plan))]
      .name,
    messages: plan.messages.map((message, index) => ({
      id: (index === 0 ? input.firstMessageId : undefined) ?? newId(),
      position: message.position,
      channel: message.channel,
      recipient: message.recipient,
      country: message.country,
      variables: message.variables,
      templateId: message.template?.id ?? null,
      templateVersion: message.template?.version ?? null,
      policy: message.policy,
      ...(message.consentClass === plan.class ? {} : { consentClass: message.consentClass }),
      reasonCode: message.reason?.code ?? null,
      reasonDetail: message.reason?.detail ?? null,
    })),
  };
}

/** Of the groups that a request goes to besides, as far as they are counted. */
function knownRecipients({ groups }: PlannedRequest): number {
  return groups.reduce((sum, { contacts, channels }) => sum + (contacts ?? 0) * channels.length, 0);
}

function toAnswer(plan: PlannedRequest, request: AcceptRequest, result: AcceptResult): AcceptedSend {
  const refused =
    result.refused.length > 0 ? new Map(result.refused.map((entry) => [entry.id, entry])) : undefined;
  const open = plan.hold ? "pending_approval" : request.scheduledAt === null ? "queued" : "scheduled";
  return {
    requestId: request.id,
    replayed: false,
    plan,
    groups: plan.groups.length > 0 ? plan.groups : null,
    notifications: request.messages.map((message) => {
      const refusal = refused?.get(message.id);
      return {
        notificationId: message.id,
        channel: message.channel as PlannedMessage["channel"],
        recipient: shownAddress(message.recipient),
        status: refusal ? "rejected" : open,
        reason: refusal ? { code: refusal.code, detail: refusal.detail } : null,
      };
    }),
  };
}

async function replay(ctx: Ctx, requestId: string): Promise<AcceptedSend> {
  const [rows, groups] = await Promise.all([
    selectFirstAnswer(ctx, requestId),
    selectBroadcastGroups(ctx, requestId),
  ]);
  return {
    requestId,
    replayed: true,
    plan: null,
    groups,
    notifications: rows.map((row) => ({
      notificationId: row.id,
      channel: row.channel,
      recipient: shownAddress(row.recipient),
      status: row.status,
      reason: row.reason,
    })),
  };
}
