import { channelSchema } from "../kernel/channel.ts";
import { platformFeesSchema } from "./schemas.ts";
import type { PlatformFees } from "./schemas.ts";

/** Fees by channel; null takes one away. */
export type FeeChanges = { [channel in keyof PlatformFees]?: PlatformFees[channel] | null };

/** Parses `sms=0.001 EUR email=none` from the words of a command; returns a problem for words that it cannot read. */
export function parseFees(words: readonly string[]): { fees: FeeChanges } | { problem: string } {
  const fees: Record<string, { amount: string; currency: string } | null> = {};
  const left = [...words];
  for (let word = left.shift(); word !== undefined; word = left.shift()) {
    const [, channel, amount] = /^([a-z]+)=(.+)$/.exec(word) ?? [];
    if (channel === undefined || amount === undefined) return { problem: `${word} is no fee` };
    if (Object.hasOwn(fees, channel)) return { problem: `${channel} is named twice` };
    fees[channel] = amount === "none" ? null : { amount, currency: left.shift() ?? "" };
  }
  const set = Object.fromEntries(Object.entries(fees).filter(([, fee]) => fee !== null));
  const checked = platformFeesSchema.safeParse(set);
  const unknown = Object.keys(fees).find((channel) => !channelSchema.safeParse(channel).success);
  if (unknown !== undefined) return { problem: `${unknown} is no channel` };
  if (checked.success) return { fees };
  const issue = checked.error.issues[0];
  return { problem: `${issue?.path.join(" ") ?? "fee"}: ${issue?.message ?? "not valid"}` };
}
