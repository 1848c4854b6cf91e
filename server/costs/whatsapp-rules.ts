import type { WhatsappCategory } from "../connections/schemas.ts";

/** When messages of a category cost nothing, whatever a price list says. */
export type FreeWhen = "never" | "in_window" | "always";

/** What Meta charges for from a day on. */
export interface WhatsappRules {
  /** The first day. Meta's begins at midnight in the time zone of the business account, ours in UTC. */
  from: string;
  /** What one charge is for. Of a conversation (24 hours, by category) each message is estimated as if it began one. */
  per: "conversation" | "message";
  free: Partial<Record<WhatsappCategory, FreeWhen>>;
  /** How many messages of a category one number may send free of charge in a month. */
  freePerMonth: Partial<Record<WhatsappCategory, number>>;
  sources: readonly string[];
  /** What Meta's own documentation, as far as we could read it, does not say. */
  unconfirmed: readonly string[];
}

/**
 * Meta's rules for messages over the WhatsApp Business Platform, the oldest first; each holds until the next begins. A new
 * rule is a new entry; nothing else knows a date.
 */
export const whatsappRules: readonly WhatsappRules[] = [
  {
    from: "2024-11-01",
    per: "conversation",
    free: { service: "always" },
    freePerMonth: {},
    sources: ["https://cloudfon.atlassian.net/wiki/spaces/CX/pages/535232517"],
    unconfirmed: [],
  },
  {
    from: "2025-07-01",
    per: "message",
    free: { service: "always", utility: "in_window" },
    freePerMonth: {},
    sources: [
      "https://whatsapp-docs.kap.so/documentation/whatsapp/pricing",
      "https://api.support.vonage.com/hc/en-us/articles/19800233069084-WhatsApp-Pricing-Updates-1st-July-2025",
    ],
    unconfirmed: [],
  },
  {
    from: "2026-10-01",
    per: "message",
    free: {},
    freePerMonth: { service: 1_000 },
    sources: [
      "https://help.hello-charles.com/en/articles/344939-understand-meta-s-whatsapp-pricing-revised-july-1-2026",
      "https://www.hello-charles.com/blog/whatsapp-service-message-pricing-what-changes-in-2026",
      "https://www.ycloud.com/blog/whatsapp-service-messages-24-hour-window-pricing",
      "https://glama.ai/mcp/connectors/tools.wha/whatsapp-tools/tools/estimate_whatsapp_api_cost",
      "https://glama.ai/mcp/connectors/online.waply/public/tools/calculate_message_cost",
    ],
    unconfirmed: [
      "that service messages and utility templates inside the window are charged: said by several providers, not read at Meta's",
      "that the first 1,000 service messages of each number in a month are free: said by two calculators, not read at Meta's",
    ],
  },
];

/** The rules of a day, as 2026-10-01; undefined before the first. */
export function whatsappRulesOn(day: string): WhatsappRules | undefined {
  return whatsappRules.findLast(({ from }) => from <= day);
}
