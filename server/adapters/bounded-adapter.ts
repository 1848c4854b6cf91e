/**
 * The one place through which everything comes that providers say about messages: numbers, moments and texts within what the
 * database holds, and without the credentials that they repeat. What is out of bounds is cut where a part still has its meaning, and left out where it has none, so that no
 * answer makes an outcome impossible to write.
 */
import { isFailureCode } from "../kernel/message-failures.ts";
import { isUserId } from "../kernel/user-id.ts";
import { templateCategories } from "./adapter.ts";
import type {
  Adapter,
  InboundMessage,
  Price,
  PricePage,
  Receipt,
  SamePerson,
  SendOutcome,
  TemplateDecision,
} from "./adapter.ts";
import { e164Of } from "./phone-number.ts";
import { hiding, hidingAnswers } from "./repeated-secrets.ts";
import type { Hide } from "./repeated-secrets.ts";
import { priceOf, textOf } from "./untrusted.ts";

export const bounds = {
  /** Ids, characters: what an index takes, in any script. */
  id: 255,
  code: 64,
  detail: 1_000,
  address: 320,
  /** A text, characters; inbound texts are cut to bytes when they are stored. */
  text: 65_536,
  /** A message has at most 255 parts: the counter is one byte. */
  segments: 255,
  /** As attempts are numbered. */
  attempt: 1_000,
  retryAfterMs: 3_600_000,
  /** How far a provider's clock may be ahead, ms. */
  aheadMs: 86_400_000,
  /** Of one person. */
  names: 4,
  /** Of a template at the provider, as long as Meta's. */
  templateName: 512,
  /** How long before a template's category changes that is announced, ms. */
  announcedMs: 90 * 86_400_000,
} as const;

const oldest = Date.UTC(2000, 0, 1);

function wholeNumber(value: number | undefined, min: number, max: number): number | undefined {
  return value !== undefined && Number.isInteger(value) && value >= min && value <= max ? value : undefined;
}

function moment(at: Date | undefined): Date | undefined {
  const time = at instanceof Date ? at.getTime() : Number.NaN;
  return time >= oldest && time <= Date.now() + bounds.aheadMs ? at : undefined;
}

function price(given: Price | undefined): Price | undefined {
  return given && priceOf(given.amount, given.currency);
}

/** The object without the members that are undefined. */
function present<T extends object>(value: { [K in keyof T]: T[K] | undefined }): T {
  return Object.fromEntries(Object.entries(value).filter(([, member]) => member !== undefined)) as T;
}

const hidden = (said: string | undefined, hide: Hide) => said && hide(said.slice(0, bounds.text));

/** What a provider answered to a message; `hide` takes the connection's secrets out of its words. */
export function boundOutcome(outcome: SendOutcome, hide: Hide = (text) => text): SendOutcome {
  if (outcome.kind === "sent") {
    return present<SendOutcome>({
      ...outcome,
      providerMessageId: textOf(outcome.providerMessageId, bounds.id) ?? null,
      segments: wholeNumber(outcome.segments, 1, bounds.segments),
      price: price(outcome.price),
    });
  }
  const texts = {
    code: isFailureCode(outcome.code) ? outcome.code : "provider_rejected",
    detail: textOf(hidden(outcome.detail, hide), bounds.detail) ?? "",
    providerCode: textOf(hidden(outcome.providerCode, hide), bounds.id),
    providerMessage: textOf(hidden(outcome.providerMessage, hide), bounds.detail),
  };
  if (outcome.kind === "unknown") return present<SendOutcome>({ ...outcome, ...texts });
  const wait = outcome.retryAfterMs;
  const retryAfterMs =
    wait === undefined || Number.isNaN(wait) || wait < 0
      ? undefined
      : Math.min(Math.ceil(wait), bounds.retryAfterMs);
  return present<SendOutcome>({ ...outcome, ...texts, retryAfterMs });
}

/** What a provider reported about a message. */
export function boundReceipt(receipt: Receipt): Receipt {
  return present<Receipt>({
    ...receipt,
    providerMessageId: textOf(receipt.providerMessageId, bounds.id),
    account: textOf(receipt.account, bounds.id),
    notificationId: textOf(receipt.notificationId, bounds.code),
    attempt: wholeNumber(receipt.attempt, 1, bounds.attempt),
    at: moment(receipt.at),
    code: isFailureCode(receipt.code) ? receipt.code : undefined,
    detail: textOf(receipt.detail, bounds.detail),
    providerCode: textOf(receipt.providerCode, bounds.id),
    providerMessage: textOf(receipt.providerMessage, bounds.detail),
    price: price(receipt.price),
    category: textOf(receipt.category, bounds.code),
    free: receipt.free === true ? true : undefined,
    segments: wholeNumber(receipt.segments, 1, bounds.segments),
    sameAs: names(receipt.sameAs),
  });
}

/** Numbers and user ids, few. */
function names(given: readonly string[] | undefined): string[] | undefined {
  const kept = given?.filter((name) => isUserId(name) || e164Of(name) === name).slice(0, bounds.names);
  return kept && kept.length > 0 ? kept : undefined;
}

function boundPerson(person: SamePerson): SamePerson {
  return present<SamePerson>({
    account: textOf(person.account, bounds.id),
    sameAs: names(person.sameAs) ?? [],
  });
}

function boundDecision(decision: TemplateDecision): TemplateDecision[] {
  const { category } = decision;
  const template = textOf(decision.template, bounds.templateName);
  if (template === undefined || !templateCategories.includes(category)) return [];
  const effectiveAt = decision.effectiveAt?.getTime() ?? Number.NaN;
  return [
    present<TemplateDecision>({
      template,
      language: textOf(decision.language, bounds.code) ?? "",
      category,
      effectiveAt:
        effectiveAt >= oldest && effectiveAt <= Date.now() + bounds.announcedMs
          ? decision.effectiveAt
          : undefined,
    }),
  ];
}

/** What a recipient wrote, as the provider passed it on. */
export function boundInbound(message: InboundMessage): InboundMessage {
  return present<InboundMessage>({
    ...message,
    providerMessageId: textOf(message.providerMessageId, bounds.id) ?? "",
    account: textOf(message.account, bounds.id),
    from: textOf(message.from, bounds.address) ?? "",
    sameAs: names(message.sameAs),
    to: textOf(message.to, bounds.address) ?? "",
    text: textOf(message.text, bounds.text) ?? "",
    kind: textOf(message.kind, bounds.code),
    at: moment(message.at),
    repliesTo: textOf(message.repliesTo, bounds.id),
    button: message.button && {
      payload: textOf(message.button.payload, bounds.detail) ?? "",
      text: textOf(message.button.text, bounds.detail) ?? "",
    },
  });
}

function boundPage(page: PricePage): PricePage {
  return present<PricePage>({
    ...page,
    prices: page.prices.flatMap((entry) => {
      const providerMessageId = textOf(entry.providerMessageId, bounds.id);
      const booked = price(entry.price);
      return providerMessageId === undefined || !booked ? [] : [{ providerMessageId, price: booked }];
    }),
  });
}

/** These speak no HTTP, and find what they keep open by the client. */
const keepsConnections = new Set<Adapter["name"]>(["smtp", "smpp"]);

/** The adapter, with everything that its provider says within bounds. */
export function boundedAdapter(adapter: Adapter): Adapter {
  const { parseCallback, listen, listPrices } = adapter;
  return {
    ...adapter,
    send: async (connection, message, deps) => {
      const hide: Hide = (text) => hiding(connection.credentials)(text);
      const http = keepsConnections.has(adapter.name) ? deps.http : hidingAnswers(deps.http, hide, 400);
      return boundOutcome(await adapter.send(connection, message, { ...deps, http }), hide);
    },
    ...(parseCallback && {
      parseCallback: async (connection, request, deps) => {
        const result = await parseCallback(connection, request, deps);
        if (!result.authentic) return result;
        const { people, templates } = result;
        return {
          ...result,
          receipts: result.receipts.map(boundReceipt),
          inbound: result.inbound.map(boundInbound),
          ...(people && { people: people.map(boundPerson) }),
          ...(templates && { templates: templates.flatMap(boundDecision) }),
        };
      },
    }),
    ...(listen && {
      listen: (connection, deps) =>
        listen(connection, {
          ...deps,
          onEvents: ({ receipts, inbound }) =>
            deps.onEvents({ receipts: receipts.map(boundReceipt), inbound: inbound.map(boundInbound) }),
        }),
    }),
    ...(listPrices && {
      listPrices: async (connection, query, deps) => boundPage(await listPrices(connection, query, deps)),
    }),
  };
}
