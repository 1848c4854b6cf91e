import type { QuietRule, MessagePlace } from "./schemas.ts";

/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** What can be limited; one-time codes are always sent. */
export const limitedClasses = ["transactional", "service", "marketing"] as const;

export const weekdaysFromMonday = ["mon", "tue", "wed", "thu", "fri", "sat", "sun"] as const;

/** Bounds of what one organisation sets. */
export const limitBounds = { quietRules: 50, caps: 20, regions: 60, most: 100, hours: 720 } as const;

/** Whether a rule is for a message. */
export function isFor(rule: QuietRule, message: MessagePlace): boolean {
  return (
    rule.classes.some((of) => of === message.class) &&
    (rule.channels.length === 0 || rule.channels.includes(message.channel)) &&
    (rule.regions.length === 0 || rule.regions.includes(message.region))
  );
}
