/** What a message centre delivers: receipts and messages from recipients. Acknowledged once stored, not before. */
import { createHash } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import { LRUCache } from "lru-cache";
import { Batcher } from "../../kernel/batcher.ts";
import { newId } from "../../kernel/ids.ts";
import type { ListenerDeps, ProviderEvents, Receipt } from "../adapter.ts";
import type { SmppSettings } from "./schemas.ts";
import { readableAddress } from "./smpp-address.ts";
import { optional, optionalNumber, readDelivery } from "./smpp-pdu.ts";
import type { Delivery } from "./smpp-pdu.ts";
import { isReceipt, readReceipt } from "./smpp-receipt.ts";
import { decodeText, splitHeader } from "./smpp-text.ts";
import type { PartOf } from "./smpp-text.ts";

const accepted = 0;
/** A PDU that cannot be read now cannot be read later either: ESME_RINVMSGLEN. */
const unreadable = 0x01;
/** Pauses before a receipt for an unknown message is looked up again, ms: the answer to its submission may be on its way. */
const lookupPauses = [250, 1_000, 2_500];
/** What is being stored at once; a message centre with more to tell has to tell it again later. */
const mostUnderWay = 2_000;
/** A message of ours that this process has sent, by the id that receipts will name. */
export type SentMessage = {
  notificationId: string;
  attempt: number;
  /** False for all parts of a concatenated message but the last, whose receipt stands for the whole. */
  decides: boolean;
};

/** `print`: of a message that the message centre repeats unless it gets the acknowledgement. */
type Taken = { status: number; print?: string };
export class SmppIncoming {
  private readonly settings: SmppSettings;
  private listener: ListenerDeps | undefined;
  private readonly sent = new LRUCache<string, SentMessage>({ max: 50_000 });
  /** Ids of messages that were stored but not acknowledged: the message centre will repeat them. */
  private readonly unacknowledged = new LRUCache<string, string>({ max: 10_000, ttl: 3_600_000 });
  private readonly underWay = new Set<Promise<unknown>>();
  private readonly batches = new Batcher<ProviderEvents, boolean>((items) => this.store(items), {
    delayMs: 5,
    maxItems: 100,
    maxParallel: 2,
  });

  constructor(settings: SmppSettings) {
    this.settings = settings;
  }

  listen(listener: ListenerDeps): void {
    this.listener = listener;
  }

  /** Remembers what a message id stands for; receipts may come before the answer is stored. */
  remember(messageId: string, message: SentMessage): void {
    this.sent.set(messageId, message);
  }

  /**
   * Stores the body of a deliver_sm and acknowledges it by `answer`, which says whether the answer could be written. Rejects
   * when it could not be stored.
   */
  take(body: Buffer, answer: (status: number) => boolean): Promise<void> {
    const taken = this.takeDelivery(body).then(({ status, print }) => {
      if (answer(status) && print !== undefined) this.unacknowledged.delete(print);
    });
    this.underWay.add(taken);
    const forget = (): boolean => this.underWay.delete(taken);
    taken.then(forget, forget);
    return taken;
  }

  get full(): boolean {
    return this.underWay.size >= mostUnderWay;
  }

  /** Waits for what is being stored. */
  async close(): Promise<void> {
    await Promise.allSettled(this.underWay);
  }

  private async takeDelivery(body: Buffer): Promise<Taken> {
    let delivery: Delivery;
    try {
      delivery = readDelivery(body);
    } catch {
      return { status: unreadable };
    }
    return isReceipt(delivery) ? this.takeReceipt(delivery) : this.takeMessage(delivery);
  }

  private async takeReceipt(delivery: Delivery): Promise<Taken> {
    const receipt = readReceipt(delivery, this.settings);
    if (!receipt) return { status: accepted };
    if (this.settled(receipt)) return { status: accepted };
    if (await this.batches.add({ receipts: [receipt], inbound: [] })) return { status: accepted };
    for (const wait of lookupPauses) {
      await pause(wait);
      // Over a session of its own a receipt may overtake the answer that names its message.
      if (this.settled(receipt)) break;
      const { unmatched } = await this.onEvents({ receipts: [receipt], inbound: [] });
      if (unmatched === 0) break;
    }
    return { status: accepted };
  }

  /** Names the message of a receipt if this process sent it. True: the receipt of a part that does not decide, which says nothing. */
  private settled(receipt: Receipt): boolean {
    const sent = this.sent.get(receipt.providerMessageId ?? "");
    if (!sent) return false;
    if (!sent.decides && receipt.status !== "failed") return true;
    receipt.notificationId = sent.notificationId;
    receipt.attempt = sent.attempt;
    return false;
  }

  private async takeMessage(delivery: Delivery): Promise<Taken> {
    const whole = delivery.options.get(optional.messagePayload) ?? delivery.shortMessage;
    const { part, text: data } =
      delivery.esmClass & 0x40 ? splitHeader(whole) : { part: undefined, text: whole };
    const text = decodeText(data, delivery.dataCoding);
    const message = {
      channel: "sms" as const,
      from: readableAddress(delivery.source),
      to: readableAddress(delivery.destination),
      ...(text === null ? { text: "", kind: "binary" } : { text }),
    };
    const place = part ?? sarPart(delivery);
    const isPart =
      place && place.total > 1 && place.number >= 1 && place.number <= place.total && text !== null;
    const print = createHash("sha256")
      .update(JSON.stringify([message, place]))
      .digest("base64");
    const providerMessageId = this.unacknowledged.get(print) ?? newId();
    this.unacknowledged.set(print, providerMessageId);
    await this.batches.add({
      receipts: [],
      inbound: [{ ...message, providerMessageId, ...(isPart ? { part: place } : {}) }],
    });
    return { status: accepted, print };
  }

  /** Whether each item is certain to be stored with a known message. */
  private async store(items: ProviderEvents[]): Promise<boolean[]> {
    const { unmatched } = await this.onEvents({
      receipts: items.flatMap((item) => item.receipts),
      inbound: items.flatMap((item) => item.inbound),
    });
    return items.map(
      (item) => unmatched === 0 || item.receipts.every((receipt) => receipt.notificationId !== undefined),
    );
  }

  private onEvents(events: ProviderEvents): Promise<{ unmatched: number }> {
    if (!this.listener) return Promise.reject(new Error("There is no listener"));
    return this.listener.onEvents(events);
  }
}

/** The optional parameters that say the same as a header (§5.3.2.22–24). */
function sarPart({ options }: Delivery): PartOf | undefined {
  const reference = optionalNumber(options.get(optional.sarReference));
  const total = optionalNumber(options.get(optional.sarTotal));
  const number = optionalNumber(options.get(optional.sarSequence));
  return reference === undefined || total === undefined || number === undefined
    ? undefined
    : { reference: 0x2_0000 + reference, total, number };
}
