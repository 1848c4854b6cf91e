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
/** Of these none will ever be charged: an absent price is no reason to wait for it. */
const uncharged = new Set(["failed", "undelivered", "canceled", "received", "receiving"]);

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
  let pendingSince: Date | undefined;
  for (const entry of body.messages as unknown[]) {
    const message = (typeof entry === "object" && entry !== null ? entry : {}) as Record<string, unknown>;
    if (typeof message.sid !== "string" || typeof message.direction !== "string") continue;
    if (!message.direction.startsWith("outbound")) continue;
    const price = twilioPrice(message.price, message.price_unit);
    if (price) {
      prices.push({ providerMessageId: message.sid, price });
      continue;
    }
    const sent = new Date(typeof message.date_sent === "string" ? message.date_sent : Number.NaN);
    if (Number.isNaN(sent.getTime()) || uncharged.has(String(message.status))) continue;
    if (!pendingSince || sent < pendingSince) pendingSince = sent;
  }
  const page = typeof body.next_page_uri === "string" ? body.next_page_uri : "";
  const at = page.indexOf(pagePath);
  const next = at < 0 ? "" : page.slice(at + pagePath.length);
  return { prices, ...(next ? { cursor: next } : {}), ...(pendingSince ? { pendingSince } : {}) };
}

const pagePath = "/Messages.json?";
const seconds = (at: Date) => at.toISOString().replace(/\.\d+Z$/, "Z");
