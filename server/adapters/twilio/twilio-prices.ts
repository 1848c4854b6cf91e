/**
 * What Twilio has booked for messages: their resources carry `price` once it is known, which may be hours after delivery.
 * Source: https://www.twilio.com/docs/messaging/api/message-resource#read-multiple-message-resources
 */
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type { BookedPrice, PriceQuery, PricePage } from "../adapter.ts";
import { jsonObject } from "../provider-text.ts";
import { twilioPrice } from "./twilio-callback.ts";

const pageSize = 500;
/** A message resource is one to three KiB. */
const maxPageBytes = 4 * 1024 * 1024;

/**
 * One page, newest first. The cursor is the part of `next_page_uri` behind the account's list, so that it can lead nowhere
 * else. Rejects with OutboundError when Twilio does not answer with a list.
 * @param get asks for a path behind the account's address
 */
export async function listTwilioPrices(
  query: PriceQuery,
  get: (path: string, maxBodyBytes: number) => Promise<OutboundResponse>,
): Promise<PricePage> {
  const first = new URLSearchParams({
    "DateSent>": seconds(query.since),
    "DateSent<": seconds(query.until),
    PageSize: String(pageSize),
  });
  const answer = await get(`/Messages.json?${query.cursor ?? first.toString()}`, maxPageBytes);
  const body = answer.status === 200 ? jsonObject(answer.body) : null;
  if (!body || !Array.isArray(body.messages)) {
    throw new OutboundError(
      "body",
      "invalid_response",
      `Twilio answered with status ${answer.status} and no list of messages`,
      true,
    );
  }
  const prices: BookedPrice[] = [];
  for (const entry of body.messages as unknown[]) {
    const message = (typeof entry === "object" && entry !== null ? entry : {}) as Record<string, unknown>;
    if (typeof message.sid !== "string" || typeof message.direction !== "string") continue;
    if (!message.direction.startsWith("outbound")) continue;
    const price = twilioPrice(message.price, message.price_unit);
    if (price) prices.push({ providerMessageId: message.sid, price });
  }
  const page = typeof body.next_page_uri === "string" ? body.next_page_uri : "";
  const at = page.indexOf(pagePath);
  const next = at < 0 ? "" : page.slice(at + pagePath.length);
  return { prices, ...(next ? { cursor: next } : {}) };
}

const pagePath = "/Messages.json?";
const seconds = (at: Date) => at.toISOString().replace(/\.\d+Z$/, "Z");
