import { quotaSchema } from "./schemas.ts";
import type { Quota } from "./schemas.ts";

const names: Record<string, keyof Quota> = {
  day: "messagesPerDay",
  month: "messagesPerMonth",
  requests: "requestsPerMinute",
};

/** Parses `day=1000 month=none` from the words of a command; returns a problem for words that it cannot read. */
export function parseQuota(words: readonly string[]): { quota: Partial<Quota> } | { problem: string } {
  const quota: Partial<Quota> = {};
  for (const word of words) {
    const [, name = "", amount = ""] = /^([a-z]+)=(none|\d{1,15})$/.exec(word) ?? [];
    const key = Object.hasOwn(names, name) ? names[name] : undefined;
    if (!key) return { problem: `${word} is no quota` };
    if (key in quota) return { problem: `${name} is named twice` };
    const checked = quotaSchema.shape[key].safeParse(amount === "none" ? null : Number(amount));
    if (!checked.success) return { problem: `${name}: ${checked.error.issues[0]?.message ?? "not valid"}` };
    quota[key] = checked.data;
  }
  return { quota };
}
