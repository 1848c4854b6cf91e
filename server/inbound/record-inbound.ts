import type { InboundMessage } from "../adapters/adapter.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import { recordLinks } from "../consent/address-links.ts";
import { holdForReview } from "../consent/hold-for-review.ts";
import type { Unclear } from "../consent/hold-for-review.ts";
import { oweReplies } from "../consent/owe-replies.ts";
import type { Answerable } from "../consent/owe-replies.ts";
import { confirmByWords } from "../consent/confirm.ts";
import type { YesByWord } from "../consent/confirm.ts";
import { recordWords } from "../consent/record-words.ts";
import type { Said } from "../consent/record-words.ts";
import { isUniversal, recognise } from "../consent/words/recognise.ts";
import type { OwnWords, Recognised } from "../consent/words/recognise.ts";
import { yesIn } from "../consent/words/yes.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { idFloor, newId } from "../kernel/ids.ts";
import { counter } from "../kernel/metrics.ts";
import { isOptOutPayload } from "../template-language/opt-out-button.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { WordReplies } from "../tenancy/schemas.ts";
import { enqueueWebhookEvents } from "../webhooks/enqueue-webhook-event.ts";
import type { EventToDeliver } from "../webhooks/enqueue-webhook-event.ts";
import { cleanInbound, senderAddress } from "./clean-inbound.ts";
import type { CleanInbound } from "./clean-inbound.ts";
import { joinParts } from "./join-parts.ts";
import { insertInbound, lockThreads, selectKnown, selectOwners, upsertConversations } from "./queries.ts";
import type { NewInbound, Owner, Thread } from "./queries.ts";

const hour = 3_600_000;
/** For how long after our message an answer that names none still counts as an answer to it. */
const answerWindow = 30 * 24 * hour;
/** No person writes more; an autoresponder does. */
export const maxPerConversationAndHour = 300;
/** In one transaction. */
const chunkSize = 100;

const received = counter(
  "tidings_inbound_messages_total",
  "Messages from recipients by what became of them",
  ["result"],
);
// A rate does not see a series that begins with its first message.
received.inc({ result: "dropped" }, 0);

/**
 * Stores recipients' messages to one of our senders, each once however often it is reported, with its conversation, its
 * webhook deliveries and, for a no or a yes that the provider or we recognise, the consent entries.
 *
 * A message belongs to the application whose message it answers; without such a message, to the application that the
 * connection names; else to none: then those who manage the connection see it and no webhook is sent. More than 300
 * messages an hour from one address to one sender are dropped; what the provider took for a no or a yes never, and what we take
 * for a no not if the last word was another. Parts of a message are kept until all have come, and recorded as one.
 */
export async function recordInbound(
  ctx: Ctx,
  input: { connectionId: string; inbound: InboundMessage[] },
): Promise<void> {
  const { connectionId } = input;
  const { messages, settle } = await joinParts(ctx, connectionId, input.inbound);
  await recordWhole(ctx, { connectionId, inbound: messages });
  await settle();
}

async function recordWhole(
  ctx: Ctx,
  input: { connectionId: string; inbound: InboundMessage[] },
): Promise<void> {
  const now = ctx.now();
  const unique = new Map<string, CleanInbound>();
  for (const message of input.inbound) {
    const clean = cleanInbound(message, now);
    if (clean && !unique.has(clean.providerMessageId)) unique.set(clean.providerMessageId, clean);
  }
  const messages = [...unique.values()];
  if (messages.length === 0) return;
  const connection = (await tenantConnections(ctx)).get(input.connectionId);
  await recordLinks(
    ctx,
    input.inbound.flatMap(({ channel, from, sameAs = [] }) =>
      channel === "whatsapp" && sameAs.length > 0 && connection
        ? [
            {
              sandbox: isSimulator(connection),
              names: [senderAddress({ channel, from }), ...sameAs],
              source: connection.adapter.name,
            },
          ]
        : [],
    ),
  );
  const { consentWords: own, wordReplies: replies } = (await getCatalogue(ctx)).tenant.settings;
  const reception: Reception = {
    connectionId: input.connectionId,
    provider: connection?.name ?? "",
    simulated: isSimulator(connection),
    own,
    replies,
  };
  for (let from = 0; from < messages.length; from += chunkSize) {
    const chunk = messages.slice(from, from + chunkSize);
    const counts = await inTenant(ctx, (tx) => recordChunk(ctx, tx, reception, chunk));
    received.inc({ result: "stored" }, counts.stored);
    if (counts.repeated > 0) received.inc({ result: "repeated" }, counts.repeated);
    if (counts.dropped > 0) {
      received.inc({ result: "dropped" }, counts.dropped);
      ctx.log.warn(
        { connectionId: input.connectionId, dropped: counts.dropped },
        "a recipient sends more messages than a person can; some were dropped",
      );
    }
  }
}

/** What is the same for all messages of a call. */
interface Reception {
  connectionId: string;
  /** The connection's name. */
  provider: string;
  simulated: boolean;
  own: OwnWords;
  replies: WordReplies;
}

/** What follows from messages, to be recorded together. */
interface Heard {
  rows: NewInbound[];
  events: EventToDeliver[];
  said: Said[];
  answerable: Answerable[];
  unclear: Unclear[];
  agreeing: YesByWord[];
}

async function recordChunk(
  ctx: Ctx,
  tx: Tx,
  reception: Reception,
  messages: readonly CleanInbound[],
): Promise<{ stored: number; repeated: number; dropped: number }> {
  const { tenantId } = ctx;
  const { connectionId, own } = reception;
  const now = ctx.now();
  await lockThreads(tx, tenantId, messages);
  const known = await selectKnown(
    tx,
    tenantId,
    connectionId,
    messages.map((message) => message.providerMessageId),
  );
  const fresh = messages.filter((message) => !known.has(message.providerMessageId));
  const repeated = messages.length - fresh.length;
  if (fresh.length === 0) return { stored: 0, repeated, dropped: 0 };
  const since = idFloor(new Date(now.getTime() - answerWindow));
  const threads = byThread(fresh, await selectOwners(tx, tenantId, connectionId, fresh, since));
  // The connection was deleted meanwhile.
  if (!threads) return { stored: 0, repeated, dropped: fresh.length };
  const conversations = await upsertConversations(
    tx,
    tenantId,
    connectionId,
    threads.map(({ thread }) => thread),
    { now, floodSince: new Date(now.getTime() - hour) },
  );

  const heard: Heard = { rows: [], events: [], said: [], answerable: [], unclear: [], agreeing: [] };
  for (const [index, { thread, messages: told }] of threads.entries()) {
    const conversation = conversations[index];
    if (!conversation) throw new Error("a conversation is missing");
    let room = maxPerConversationAndHour - conversation.recent;
    let { saidNo } = conversation;
    for (const { message, owner } of told) {
      const words = wordsOf(message, own);
      const optOut = message.optOut ?? meaningOf(words);
      if (room-- <= 0 && !isHeard(message, optOut, saidNo)) continue;
      if (optOut === "stop" || optOut === "start") saidNo = optOut === "stop";
      const place = { thread, conversationId: conversation.id, owner };
      hear(heard, reception, place, { message, words, optOut });
    }
  }
  const { rows, events, said, answerable, unclear, agreeing } = heard;
  const recorded = await recordWords(ctx, tx, said);
  const confirmed = await confirmByWords(ctx, tx, agreeing);
  await oweReplies(
    ctx,
    tx,
    answerable.filter(
      ({ kind, inboundMessageId }) => kind !== "confirmed" || confirmed.has(inboundMessageId),
    ),
    [...recorded, ...confirmed.values()],
  );
  await holdForReview(ctx, tx, unclear);
  if (rows.length > 0) await insertInbound(tx, tenantId, connectionId, rows, now);
  await enqueueWebhookEvents(ctx, tx, events);
  return { stored: rows.length, repeated, dropped: fresh.length - rows.length };
}

interface ThreadMessages {
  thread: Thread;
  messages: { message: CleanInbound; owner: Owner }[];
}

/** Messages by conversation, in their order; undefined where one has no owner. */
function byThread(
  messages: readonly CleanInbound[],
  owners: readonly (Owner | undefined)[],
): ThreadMessages[] | undefined {
  const threads = new Map<string, ThreadMessages>();
  for (const [index, message] of messages.entries()) {
    const owner = owners[index];
    if (!owner) return undefined;
    const { channel, address, ownAddress } = message;
    const { applicationId, environmentId, unitId, sandbox } = owner;
    const thread = { channel, address, ownAddress, applicationId, environmentId, unitId, sandbox };
    const key = JSON.stringify(thread);
    const entry = threads.get(key) ?? { thread, messages: [] };
    entry.messages.push({ message, owner });
    threads.set(key, entry);
  }
  return [...threads.values()];
}

/** Adds to `heard` what follows from a message. */
function hear(
  heard: Heard,
  { connectionId, provider, simulated, replies }: Reception,
  { thread, conversationId, owner }: { thread: Thread; conversationId: string; owner: Owner },
  said: { message: CleanInbound; words: Recognised | null; optOut: CleanInbound["optOut"] },
): void {
  const { message, words, optOut } = said;
  const { applicationId, environmentId } = thread;
  const { language, region } = owner;
  const row: NewInbound = {
    ...message,
    optOut,
    id: newId(),
    conversationId,
    repliesTo: owner.repliesTo,
    written: isWritten(message),
  };
  heard.rows.push(row);
  if (applicationId !== null && environmentId !== null) {
    heard.events.push(...eventsOf(row, provider, applicationId, environmentId));
  }
  const base = {
    ...message,
    inboundMessageId: row.id,
    conversationId,
    connectionId,
    applicationId,
    environmentId,
    region,
    // No recipient has said what a simulator says, in whatever environment: it counts in the sandbox alone.
    sandbox: thread.sandbox || simulated,
  };
  // What the provider takes for a word it answers by itself.
  const mayAnswer = message.optOut === null;
  if (mayAnswer && optOut !== null && words !== null && replies[optOut].enabled) {
    // STOP says nothing about the language.
    const spoken = isUniversal(words.word) ? language : (words.language ?? language);
    heard.answerable.push({ ...base, kind: optOut, language: spoken });
  }
  const yes = yesOf(message, words);
  if (yes !== null) {
    heard.agreeing.push({ ...base, word: yes.word });
    if (mayAnswer && replies.start.enabled) {
      heard.answerable.push({ ...base, kind: "confirmed", language: language ?? yes.language });
    }
  }
  if (words?.meaning === "unclear") heard.unclear.push({ ...base, word: words.word });
  if (optOut !== "stop" && optOut !== "start") return;
  heard.said.push({
    inboundMessageId: row.id,
    sandbox: base.sandbox,
    channel: message.channel,
    address: message.address,
    state: optOut === "stop" ? "opted_out" : "opted_in",
    at: message.at,
    by: spokenBy(message, words),
    answered: answeredBy(message, owner),
  });
}

function spokenBy({ text, button }: CleanInbound, words: Recognised | null): Said["by"] {
  // Without a text it was a switch in the recipient's app.
  if (words?.word == null) return { provider: true, source: text === "" ? "provider" : "keyword" };
  const { word, language, all } = words;
  return { word, language, all, ...(button && { button: button.text || button.payload }) };
}

const isSimulator = (connection: ProviderConnection | undefined) => connection?.adapter.name === "simulator";

/** Kinds of messages with a text that their sender did not write. */
const wordless: ReadonlySet<string> = new Set(["reaction", "user_preferences"]);

/** Whether it is something that a person wrote, and not only a switch in their app. */
function isWritten({ text, kind, button, optOut }: CleanInbound): boolean {
  if (text !== "" || button !== null) return true;
  return kind === null ? optOut === null : kind !== "user_preferences";
}

/** What a text, also that of a picture, says; null where the provider has told already, or nobody answers by keyword. */
function wordsOf(message: CleanInbound, own: OwnWords): Recognised | null {
  const { optOut, kind, text, channel, button } = message;
  if (optOut !== null || (kind !== null && wordless.has(kind)) || channel === "email") return null;
  // What is written on a button may be in any language; its payload is ours, or the organisation's own.
  if (button && (isOptOutPayload(button.payload) || own.stop.includes(button.payload))) {
    return { meaning: "stop", word: button.payload, language: null, all: false };
  }
  return text === "" ? null : recognise(text, own);
}

/**
 * The word of a message that may be the answer to what its sender was asked: a yes, or START, and nothing besides. Our question has no
 * buttons, so a tap that names no message answers something else.
 */
function yesOf(
  message: CleanInbound,
  words: Recognised | null,
): { word: string; language: string | null } | null {
  if (message.kind !== null || !isWritten(message)) return null;
  if (message.button !== null && message.repliesTo === null) return null;
  if (message.optOut === "start" || words?.meaning === "start") {
    return { word: words?.word ?? "START", language: words?.language ?? null };
  }
  return words?.meaning === "none" ? yesIn(message.text) : null;
}

/** What a no or a yes is an answer to. Who taps the button against promotions means those, whatever it stood on. */
function answeredBy({ button }: CleanInbound, { class: of, region }: Owner): Said["answered"] {
  if (of !== null && region !== null) return { class: of, region };
  return button && isOptOutPayload(button.payload) ? { class: "marketing", region: "" } : null;
}

function meaningOf(words: Recognised | null): CleanInbound["optOut"] {
  return words?.meaning === "stop" || words?.meaning === "start" || words?.meaning === "help"
    ? words.meaning
    : null;
}

/** Whether a message counts that is one too many. By what only we understand, a flood could go on for ever; a no is heard once. */
function isHeard(message: CleanInbound, optOut: CleanInbound["optOut"], saidNo: boolean): boolean {
  if (message.optOut === "stop" || message.optOut === "start") return true;
  return optOut === "stop" && !saidNo;
}

/** The webhook events of a message; none for a mere change of consent. */
function eventsOf(
  message: NewInbound,
  provider: string,
  applicationId: string,
  environmentId: string,
): EventToDeliver[] {
  if (!message.written || (message.text === "" && message.kind === null && message.button === null))
    return [];
  const payload = {
    messageId: message.id,
    channel: message.channel,
    from: message.address,
    to: message.ownAddress,
    text: message.text,
    ...(message.kind === null ? {} : { kind: message.kind }),
    ...(message.button === null ? {} : { button: message.button }),
    ...(message.repliesTo === null ? {} : { repliesTo: message.repliesTo }),
    receivedAt: message.at.toISOString(),
    provider,
  };
  const event = (name: "message.received" | "button.tapped"): EventToDeliver => ({
    event: name,
    applicationId,
    environmentId,
    payload,
    at: message.at,
  });
  return message.button === null
    ? [event("message.received")]
    : [event("message.received"), event("button.tapped")];
}
