import type { ProviderEvents, Receipt } from "../adapters/adapter.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import { recordLinks } from "../consent/address-links.ts";
import type { Names } from "../consent/address-links.ts";
import { recordProviderOptOut } from "../consent/record-provider-opt-out.ts";
import { suppressAddress } from "../consent/suppress-address.ts";
import { estimateCost, isCounted, priceRow, whatsappCategoryOf } from "../costs/estimate-cost.ts";
import type { PricedEstimate } from "../costs/estimate-cost.ts";
import { countUnits, recountUnits, unitsBefore } from "../costs/month-units.ts";
import { recordInbound } from "../inbound/record-inbound.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inShare, inTenant } from "../kernel/db.ts";
import { erasedText } from "../kernel/erased.ts";
import { isUuid } from "../kernel/ids.ts";
import { resumeTrace } from "../kernel/tracing.ts";
import type { Span } from "../kernel/tracing.ts";
import { receiptWindow } from "./message-class.ts";
import { noteSoftBounce } from "./note-soft-bounce.ts";
import { recordHardBounce } from "./record-hard-bounce.ts";
import type { NotificationChange, ReceiptPrice } from "./notification-change.ts";
import { recordCategories } from "../templates/record-category.ts";
import { callAdvance, selectReceiptTargets } from "./queries.ts";
import type { ReceiptTarget, ReceiptTry } from "./queries.ts";
import { pricedMessage, priceMessage } from "./price-message.ts";

/**
 * Records the events of a provider: receipts about messages, and messages from recipients. The state machine decides
 * what a receipt changes, so receipts may come in any order, early, late or repeatedly. Receipts about messages that
 * this connection never carried change nothing. Returns how many receipts were about a known message.
 */
export async function recordReceipts(
  ctx: Ctx,
  input: { connectionId: string } & ProviderEvents,
): Promise<{ matched: number; unmatched: number }> {
  const { connectionId, receipts, inbound, people: renamed = [], templates = [] } = input;
  const connection = (await tenantConnections(ctx)).get(connectionId);
  const source = connection?.adapter.name ?? "";
  const sandbox = source === "simulator";
  await recordLinks(
    ctx,
    renamed.map(({ sameAs }) => ({ sandbox, names: sameAs, source })),
  );
  await recordCategories(ctx, { connectionId, decisions: templates });
  if (inbound.length > 0) await recordInbound(ctx, { connectionId, inbound });
  if (receipts.length === 0) return { matched: 0, unmatched: 0 };
  const targets = await selectReceiptTargets(
    ctx,
    connectionId,
    receipts.flatMap((receipt) =>
      receipt.notificationId && isUuid(receipt.notificationId) ? [receipt.notificationId] : [],
    ),
    receipts.flatMap((receipt) => (receipt.providerMessageId ? [receipt.providerMessageId] : [])),
  );
  // Providers reuse their ids after a while: of several messages with the same id, the newest is meant, here the last.
  targets.sort((a, b) => (a.id < b.id ? -1 : 1));
  const byId = new Map(targets.map((target) => [target.id, target]));
  const byProviderId = new Map(
    targets.flatMap((target) => (target.providerMessageId ? [[target.providerMessageId, target]] : [])),
  );
  // At most one change a notification in a call: later ones about the same message go into later rounds.
  const rounds: Map<string, ReceiptChange>[] = [];
  const people: Names[] = [];
  const spans: (Span | undefined)[] = [];
  let matched = 0;
  for (const receipt of receipts) {
    const target =
      byId.get(receipt.notificationId ?? "") ?? byProviderId.get(receipt.providerMessageId ?? "");
    if (!target) continue;
    matched++;
    spans.push(receiptSpan(ctx, connectionId, source, target, receipt));
    if (receipt.sameAs && target.channel === "whatsapp") {
      people.push({
        sandbox: target.sandbox || sandbox,
        names: [target.recipient, ...receipt.sameAs],
        source,
      });
    }
    for (const change of await changesOf(ctx, connection, target, receipt)) {
      let round = rounds.find((candidate) => !candidate.has(target.id));
      if (!round) rounds.push((round = new Map<string, ReceiptChange>()));
      round.set(target.id, change);
    }
  }
  try {
    for (const round of rounds) {
      const changes = [...round.values()].map(({ change }) => change);
      const applied = await inShare(ctx, () => callAdvance(ctx.db, ctx.tenantId, changes));
      for (const { id, priced } of applied) await round.get(id)?.count?.(priced);
    }
  } finally {
    for (const span of spans) span?.end();
  }
  await recordLinks(ctx, people);
  await recordConsequences(ctx, receipts, sandbox, byId, byProviderId);
  return { matched, unmatched: receipts.length - matched };
}

/** A receipt in the trace of its message; undefined where that is not traced. */
function receiptSpan(
  { tenantId }: Ctx,
  connectionId: string,
  adapter: string,
  target: ReceiptTarget,
  receipt: Receipt,
): Span | undefined {
  return resumeTrace(target.traceContext, {
    name: `receipt ${adapter}`,
    kind: "consumer",
    attributes: {
      "tidings.tenant.id": tenantId,
      "tidings.connection.id": connectionId,
      "tidings.provider": adapter,
      "tidings.notification.id": target.id,
      "tidings.channel": target.channel,
      "tidings.receipt": receipt.event ?? receipt.status,
      "error.type": receipt.status === "failed" ? receipt.code : undefined,
    },
  });
}

/** A change that follows from a receipt. */
interface ReceiptChange {
  change: NotificationChange;
  /** Once it is written: counts the message in its month. `priced`: this gave its attempt its first price. */
  count?: ((priced: boolean) => Promise<void>) | undefined;
}

async function changesOf(
  ctx: Ctx,
  connection: ProviderConnection | undefined,
  target: ReceiptTarget,
  receipt: Receipt,
): Promise<ReceiptChange[]> {
  // A provider's clock may be wrong: no event is in the future.
  const at = new Date(Math.min(receipt.at?.getTime() ?? Infinity, ctx.now().getTime()));
  const base = { tenantId: ctx.tenantId, id: target.id, at };
  const changes: ReceiptChange[] = [];
  const window = connection?.adapter.receiptWindowMs ?? receiptWindow;
  const providerMessageId =
    target.providerMessageId === null && target.recipient !== erasedText
      ? receipt.providerMessageId
      : undefined;
  // A message that was read was delivered, even if no receipt said so.
  const status =
    receipt.status ?? (receipt.event === "read" || receipt.event === "clicked" ? "delivered" : undefined);
  const proven = status === "sent" || status === "delivered" || receipt.price !== undefined;
  const { price, count } = (await priceOf(ctx, connection, target, { receipt, proven })) ?? {};
  // The failure of an earlier attempt says nothing about the one that followed it.
  const superseded =
    status === "failed" && receipt.attempt !== undefined && receipt.attempt < target.attempts;
  if (status !== undefined && !superseded) {
    const failure =
      status === "failed"
        ? {
            code: receipt.code ?? "provider_failed",
            detail: receipt.detail ?? "The provider reports that the message was not delivered.",
            ...(receipt.providerCode === undefined ? {} : { providerCode: receipt.providerCode }),
            ...(receipt.providerMessage === undefined || target.recipient === erasedText
              ? {}
              : { providerMessage: receipt.providerMessage }),
          }
        : undefined;
    const change: NotificationChange = {
      ...base,
      kind: "transition",
      source: "receipt",
      to: status,
      providerMessageId,
      segments: receipt.segments,
      price,
      failure,
      // The wait for the final receipt starts again with the provider's first.
      ...(status === "sent" ? { dueAt: new Date(ctx.now().getTime() + window) } : {}),
    };
    changes.push({ change, count });
  } else if (price) {
    changes.push({ change: { ...base, kind: "price", price, providerMessageId }, count });
  }
  if (receipt.event && receipt.event !== "opted_out") {
    const { event, permanent } = receipt;
    const bounce = event === "bounced" && permanent !== undefined ? { permanent } : {};
    changes.push({ change: { ...base, kind: "signal", signal: event, source: "receipt", ...bounce } });
  }
  return changes;
}

/**
 * The price of the attempt that a receipt is about: as reported, or estimated by the category that is charged. `count`: see
 * ReceiptChange.
 */
async function priceOf(
  ctx: Ctx,
  connection: ProviderConnection | undefined,
  target: ReceiptTarget,
  { receipt, proven }: { receipt: Receipt; proven: boolean },
): Promise<{ price: ReceiptPrice; count: ReceiptChange["count"] } | undefined> {
  if (target.sandbox) return undefined;
  const about =
    target.tries.find(({ number }) => number === receipt.attempt) ??
    target.tries.findLast(({ outcome }) => outcome !== "not_sent");
  const estimated =
    connection &&
    about &&
    ((proven ? await estimateOfProven(ctx, connection, target, about, receipt) : undefined) ??
      (await estimateOfCharged(ctx, connection, target, about, receipt)));
  const price = receipt.price
    ? { ...receipt.price, source: "reported" as const, countedAs: estimated?.estimate.countedAs }
    : estimated?.estimate;
  if (!price) return undefined;
  const count =
    connection &&
    about &&
    estimated &&
    ((priced: boolean) => countEstimated(ctx, connection, target, { about, estimated, priced }));
  return { price: { ...price, ...(about && { attempt: about.number }) }, count };
}

/** Counts a message with its first price; one that was counted as another category than is charged is moved. */
async function countEstimated(
  ctx: Ctx,
  connection: ProviderConnection,
  { id, channel, recipient }: ReceiptTarget,
  { about, estimated, priced }: { about: ReceiptTry; estimated: PricedEstimate; priced: boolean },
): Promise<void> {
  const at = new Date(about.startedAt);
  if (priced) {
    countUnits(ctx.db, { tenantId: ctx.tenantId, connectionId: connection.id }, estimated, at);
    return;
  }
  const { number: attempt, countedAs: was } = about;
  const is = estimated.estimate.countedAs ?? null;
  if (!about.priced || was === is || isOver(ctx, at)) return;
  const category = whatsappCategoryOf(was ?? "");
  const message = { channel, recipient, category, segments: null, at, decided: "charged" as const };
  const from = category && estimateCost(connection.priceList, pricedMessage(connection, message));
  const entry = { connectionId: connection.id, notificationId: id, attempt, was, is };
  await recountUnits(ctx, entry, { from, to: estimated, at });
}

const isOver = (ctx: Ctx, at: Date) => at.toISOString().slice(0, 7) < ctx.now().toISOString().slice(0, 7);

/**
 * The estimate for an attempt that has none because its outcome is not known, or not yet: a receipt proves that it was sent, so that
 * it counts from now on.
 */
async function estimateOfProven(
  ctx: Ctx,
  connection: ProviderConnection,
  target: ReceiptTarget,
  attempt: ReceiptTry,
  receipt: Receipt,
): Promise<PricedEstimate | undefined> {
  const { sandbox, channel, recipient, segments } = target;
  // Without the address its country is not known.
  if (attempt.settled || recipient === erasedText) return undefined;
  const at = new Date(attempt.startedAt);
  const word = receipt.category ?? target.category ?? "service";
  const category = channel === "whatsapp" ? whatsappCategoryOf(word) : undefined;
  const decided = decisionOf(receipt);
  const message = { channel, recipient, sandbox, category, segments, at, decided };
  const priced = await priceMessage(ctx, connection, message);
  attempt.settled = priced !== undefined;
  return priced;
}

/** Whether the provider says that it charges for the message. */
function decisionOf({ category = "", free }: Receipt): "charged" | "free" | undefined {
  if (free) return "free";
  return category === "" ? undefined : "charged";
}

/**
 * What a WhatsApp message costs by the category that is charged, or that it is free. Where its number in the month decides about
 * the price, the estimate made at its sending stays, because by now there have been more, unless another category is charged than
 * was estimated; of a month that is over it stays as well.
 */
async function estimateOfCharged(
  ctx: Ctx,
  connection: ProviderConnection,
  { channel, recipient, sentAt, category: known }: ReceiptTarget,
  about: ReceiptTry,
  receipt: Receipt,
): Promise<PricedEstimate | undefined> {
  const decided = decisionOf(receipt);
  if (!decided || channel !== "whatsapp" || recipient === erasedText) return undefined;
  const at = sentAt ?? receipt.at ?? ctx.now();
  const category = whatsappCategoryOf(receipt.category ?? "");
  const message = pricedMessage(connection, { channel, recipient, category, segments: null, at, decided });
  const row = priceRow(connection.priceList, message);
  if (!row || !isCounted(row, message)) return estimateCost(connection.priceList, message);
  const estimated = about.priced ? about.countedAs : whatsappCategoryOf(known ?? "service");
  if (isOver(ctx, at) || estimated === category) return undefined;
  return estimateCost(connection.priceList, message, await unitsBefore(ctx, connection.id, at));
}

/** Hard bounces, complaints and soft bounces in a row suppress the address; an opt-out at the provider is recorded as consent. */
async function recordConsequences(
  ctx: Ctx,
  receipts: Receipt[],
  simulated: boolean,
  byId: Map<string, ReceiptTarget>,
  byProviderId: Map<string, ReceiptTarget>,
): Promise<void> {
  for (const receipt of receipts) {
    const found = byId.get(receipt.notificationId ?? "") ?? byProviderId.get(receipt.providerMessageId ?? "");
    // Whose address was erased cannot be told apart any more.
    if (!found || found.recipient === erasedText) continue;
    // No recipient has said what a simulator says, in whatever environment.
    const target = { ...found, sandbox: found.sandbox || simulated };
    const address = { sandbox: target.sandbox, channel: target.channel, address: target.recipient };
    // The sandbox's scenarios can be repeated; with a tag (bounce+1@…) they suppress like real addresses.
    const scenario = target.sandbox && /^(bounce|complaint)@/.test(target.recipient);
    if (scenario && receipt.event !== "opted_out") continue;
    if (receipt.event === "bounced" && receipt.permanent === true) {
      await recordHardBounce(ctx, target);
    } else if (receipt.event === "complained") {
      await inTenant(ctx, (tx) =>
        suppressAddress(ctx, tx, { ...address, reason: "complaint", notificationId: target.id }),
      );
    } else if (receipt.status === "failed") {
      await noteSoftBounce(ctx, target, receipt.code);
    }
    if (receipt.event === "opted_out") {
      await inTenant(ctx, (tx) => recordProviderOptOut(ctx, tx, { ...address, notificationId: target.id }));
    }
  }
}
