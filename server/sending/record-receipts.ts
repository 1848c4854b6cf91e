import type { ProviderEvents, Receipt } from "../adapters/adapter.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import { recordLinks } from "../consent/address-links.ts";
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
import type { MessageFailure, NotificationChange, ReceiptPrice } from "./notification-change.ts";
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
  const simulated = source === "simulator";
  await recordLinks(
    ctx,
    renamed.map(({ sameAs }) => ({ sandbox: simulated, names: sameAs, source })),
  );
  await recordCategories(ctx, { connectionId, decisions: templates });
  if (inbound.length > 0) await recordInbound(ctx, { connectionId, inbound });
  if (receipts.length === 0) return { matched: 0, unmatched: 0 };
  const matches = await matchesOf(ctx, connectionId, receipts);
  const spans = matches.map((match) => receiptSpan(ctx, connectionId, source, match));
  try {
    for (const round of await roundsOf(ctx, connection, matches)) {
      const changes = [...round.values()].map(({ change }) => change);
      const applied = await inShare(ctx, () => callAdvance(ctx.db, ctx.tenantId, changes));
      for (const { id, priced } of applied) await round.get(id)?.count?.(priced);
    }
  } finally {
    for (const span of spans) span?.end();
  }
  const people = matches.flatMap(({ receipt: { sameAs }, target: { channel, recipient, sandbox } }) =>
    sameAs && channel === "whatsapp"
      ? [{ sandbox: sandbox || simulated, names: [recipient, ...sameAs], source }]
      : [],
  );
  await recordLinks(ctx, people);
  await recordConsequences(ctx, matches, simulated);
  return { matched: matches.length, unmatched: receipts.length - matches.length };
}

/** A receipt, and the message that it is about. */
interface Match {
  receipt: Receipt;
  target: ReceiptTarget;
}

async function matchesOf(ctx: Ctx, connectionId: string, receipts: Receipt[]): Promise<Match[]> {
  const targets = await selectReceiptTargets(
    ctx,
    connectionId,
    receipts.flatMap(({ notificationId: id }) => (id && isUuid(id) ? [id] : [])),
    receipts.flatMap(({ providerMessageId: id }) => (id ? [id] : [])),
  );
  // Providers reuse their ids after a while: of several messages with the same id, the newest is meant, here the last.
  targets.sort((a, b) => (a.id < b.id ? -1 : 1));
  const byId = new Map(targets.map((target) => [target.id, target]));
  const byProviderId = new Map(
    targets.flatMap((target) => (target.providerMessageId ? [[target.providerMessageId, target]] : [])),
  );
  return receipts.flatMap((receipt) => {
    const target =
      byId.get(receipt.notificationId ?? "") ?? byProviderId.get(receipt.providerMessageId ?? "");
    return target ? [{ receipt, target }] : [];
  });
}

/** Changes by message, at most one each in a round: later ones about the same message go into later rounds. */
async function roundsOf(
  ctx: Ctx,
  connection: ProviderConnection | undefined,
  matches: Match[],
): Promise<Map<string, ReceiptChange>[]> {
  const rounds: Map<string, ReceiptChange>[] = [];
  for (const { receipt, target } of matches) {
    for (const change of await changesOf(ctx, connection, target, receipt)) {
      let round = rounds.find((candidate) => !candidate.has(target.id));
      if (!round) rounds.push((round = new Map<string, ReceiptChange>()));
      round.set(target.id, change);
    }
  }
  return rounds;
}

/** A receipt in the trace of its message; undefined where that is not traced. */
function receiptSpan(
  { tenantId }: Ctx,
  connectionId: string,
  adapter: string,
  { receipt, target }: Match,
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
  const erased = target.recipient === erasedText;
  const providerMessageId =
    target.providerMessageId === null && !erased ? receipt.providerMessageId : undefined;
  // A message that was read was delivered, even if no receipt said so.
  const status =
    receipt.status ?? (receipt.event === "read" || receipt.event === "clicked" ? "delivered" : undefined);
  const proven = status === "sent" || status === "delivered" || receipt.price !== undefined;
  const { price, count } = (await priceOf(ctx, connection, target, { receipt, proven })) ?? {};
  // The failure of an earlier attempt says nothing about the one that followed it.
  const superseded =
    status === "failed" && receipt.attempt !== undefined && receipt.attempt < target.attempts;
  if (status !== undefined && !superseded) {
    const change: NotificationChange = {
      ...base,
      kind: "transition",
      source: "receipt",
      to: status,
      providerMessageId,
      segments: receipt.segments,
      price,
      failure: status === "failed" ? failureOf(receipt, erased) : undefined,
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

/** A provider's own words may quote the address: those about an erased one are left out. */
function failureOf(
  { code, detail, providerCode, providerMessage }: Receipt,
  erased: boolean,
): MessageFailure {
  return {
    code: code ?? "provider_failed",
    detail: detail ?? "The provider reports that the message was not delivered.",
    ...(providerCode === undefined ? {} : { providerCode }),
    ...(providerMessage === undefined || erased ? {} : { providerMessage }),
  };
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
async function recordConsequences(ctx: Ctx, matches: Match[], simulated: boolean): Promise<void> {
  for (const { receipt, target: found } of matches) {
    // Whose address was erased cannot be told apart any more.
    if (found.recipient === erasedText) continue;
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
