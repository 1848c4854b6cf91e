/**
 * To how many people a business may write first within 24 hours: one limit for all its numbers.
 * Source: https://developers.facebook.com/documentation/business-messaging/whatsapp/messaging-limits
 */
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import { jsonObject } from "../provider-text.ts";
import { textOf } from "../untrusted.ts";
import type { GraphGet } from "./meta-templates.ts";

/** The first version of the Graph API that tells it. */
const firstVersion = 24;

/** The version by which to ask: the connection's own, unless that is too old. */
export const versionForLimit = (version: string): string =>
  Number.parseFloat(version.slice(1)) >= firstVersion ? version : `v${String(firstVersion)}.0`;

const field = "whatsapp_business_manager_messaging_limit";
const untold = "Meta does not say to how many people messages may go in 24 hours";

export async function fetchMetaLimit(
  phoneNumberId: string,
  get: GraphGet,
): Promise<{ limit: number | null } | { problem: string }> {
  let answer: OutboundResponse;
  try {
    answer = await get(`/${phoneNumberId}?fields=${field}`);
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    return { problem: error.message };
  }
  const body = jsonObject(answer.body);
  if (answer.status !== 200 || !body)
    return { problem: `${untold}: it answered with status ${answer.status}` };
  const tier = textOf(body[field], 64) ?? "";
  if (tier === "TIER_UNLIMITED") return { limit: null };
  const [, count, thousand] = /^TIER_(\d{1,6})(K?)$/.exec(tier) ?? [];
  return count === undefined ? { problem: untold } : { limit: Number(count) * (thousand ? 1_000 : 1) };
}
