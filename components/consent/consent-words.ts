import type { ConsentEntry } from "../../server/consent/schemas.ts";
import type { ConsentPolicy, NotificationClass } from "../../server/tenancy/schemas.ts";

/** Strictest last, as they are read elsewhere. */
export const classes = ["authentication", "transactional", "service", "marketing"] as const;

export const classWords: Record<NotificationClass, { label: string; says: string }> = {
  authentication: { label: "Authentication", says: "One-time codes and sign-in links" },
  transactional: { label: "Transactional", says: "Follows from an order or action of the recipient" },
  service: { label: "Service", says: "News about something they use" },
  marketing: { label: "Marketing", says: "Offers and promotions" },
};

/** `needs`: beside what somebody has said. */
export const policyWords: Record<ConsentPolicy, { label: string; says: string; needs: string }> = {
  opt_in_required: {
    label: "After an opt-in",
    says: "Sent only to people who have opted in.",
    needs: "needs an opt-in",
  },
  opt_out: {
    label: "Until an opt-out",
    says: "Sent to everyone who has not opted out.",
    needs: "sent until an opt-out",
  },
  exempt: { label: "Always", says: "Sent even to people who have opted out.", needs: "always sent" },
};

export const stateWords: Record<ConsentEntry["state"], string> = {
  opted_in: "Opted in",
  opted_out: "Opted out",
};

export const sourceWords: Record<ConsentEntry["source"], string> = {
  api: "Your systems, through the API",
  portal: "Manually, in the portal",
  keyword: "The recipient, in a message",
  unsubscribe_link: "The recipient, through an unsubscribe link",
  double_opt_in: "The recipient, by double opt-in",
  import: "An import",
  provider: "A provider, which the recipient told",
  review: "On hold until reviewed",
};

const names = new Intl.DisplayNames("en", { type: "region" });

/** "DE" → "Germany". */
export function regionName(code: string): string {
  return names.of(code) ?? code;
}

/** What an entry is about: "Marketing, Germany". */
export function scopeWords({ class: of, region }: Pick<ConsentEntry, "class" | "region">): string {
  const what = of === null ? "Every class" : classWords[of].label;
  return region === null ? what : `${what}, ${regionName(region)}`;
}
