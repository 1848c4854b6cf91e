import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import type { Channel } from "../kernel/channel.ts";
import { pageOf, pageQuery } from "../kernel/page.ts";
import { smsSegments } from "../template-language/segments.ts";
import {
  consentPolicyOverrideSchema,
  consentPolicySchema,
  consentWordsSchema,
  notificationClassSchema,
  wordRepliesSchema,
} from "../tenancy/schemas.ts";
import {
  consentLimits,
  confirmableClasses,
  mostOverrides,
  suppressionLimits,
  suppressionReasons,
} from "./vocabulary.ts";

/** The organisation's own words. */
export const ownWordsSchema = consentWordsSchema;

const list = consentWordsSchema.shape.stop.unwrap().optional();
const lists = { stop: list, start: list, help: list };
/** The lists that are replaced; what is left out stays. `expected`: lists as they were read, when nobody is to have changed them since. */
export const ownWordsUpdateSchema = z.object({ ...lists, expected: z.object(lists).optional() });
export type OwnWordsUpdate = z.output<typeof ownWordsUpdateSchema>;

/** What one of the organisation's automatic replies may have of SMS segments. */
export const mostReplySegments = 2;

const reply = wordRepliesSchema.shape.stop.unwrap().optional();
/** What is answered automatically, as it is to be; what is left out stays. */
export const wordRepliesUpdateSchema = z
  .object({ stop: reply, start: reply, help: reply })
  .superRefine((replies, issue) => {
    for (const kind of ["stop", "start", "help"] as const) {
      const text = replies[kind]?.text ?? null;
      if (text === null) continue;
      const wrong = (message: string) => issue.addIssue({ code: "custom", path: [kind, "text"], message });
      if (kind !== "help" && /https?:|www\.|\b[a-z0-9-]{1,63}\.[a-z]{2,}\b/iu.test(text))
        wrong("No links here");
      // A name in place of a placeholder is as long as it is: this is what the text itself takes.
      else if (smsSegments(text).segments > mostReplySegments) wrong("Longer than two SMS segments");
    }
  });

const plain = /^\P{Cc}*$/u;
const region = z.string().regex(/^[A-Z]{2}$/, { error: "Two capital letters, such as DE" });
const address = z.string().trim().min(1).max(320);
/** In UTC, which is how it is stored. */
const moment = z.iso.datetime({ offset: true }).refine(
  (text) => {
    const year = new Date(text).getUTCFullYear();
    return !(year < 1 || year > 9_999);
  },
  { error: "A time of the years 1 to 9999" },
);
const state = z.enum(["opted_in", "opted_out"]);
const source = z.enum([
  "api",
  "portal",
  "keyword",
  "unsubscribe_link",
  "double_opt_in",
  "import",
  "provider",
  "review",
]);
const evidence = z
  .record(z.string().min(1).max(64).regex(plain), z.string().max(consentLimits.evidenceText).regex(plain))
  .refine((map) => Object.keys(map).length <= consentLimits.evidencePairs, "At most 16 pairs");

const scope = {
  region: region.nullable().meta({ description: "Null: every region" }),
  class: notificationClassSchema.nullable().meta({ description: "Null: every class" }),
};

const consentItemSchema = z.strictObject({
  id: z.string().min(1).max(255).regex(plain).meta({
    description: "Your own name for this entry. Reported again it is recorded once.",
    example: "signup-8112",
  }),
  channel: channelSchema,
  address: address.meta({
    description:
      "An e-mail address, or a number in international form; on WhatsApp also a business-scoped user id",
  }),
  state,
  region: scope.region.optional(),
  class: scope.class.optional(),
  at: moment.optional().meta({
    description: "When the recipient said so. Default: now. Times in the future count as now",
  }),
  evidence: evidence.optional().meta({
    description: "How you know, such as the form, its version and the IP address",
    example: { form: "checkout", version: "7" },
  }),
});
export type ConsentItem = z.output<typeof consentItemSchema>;

/** Body of POST /v1/consents. */
export const consentBatchSchema = z.strictObject({
  consents: z.array(consentItemSchema).min(1).max(consentLimits.items),
});

const resultSchema = z.object({
  id: z.string(),
  status: z.enum(["recorded", "already_recorded", "rejected"]),
  reason: z
    .object({
      code: z.enum(["invalid_recipient", "idempotency_mismatch", "duplicate_id"]),
      detail: z.string(),
    })
    .nullable()
    .meta({ description: "Why it was rejected" }),
});
export type ConsentResult = z.output<typeof resultSchema>;
/** Answer of POST /v1/consents. */
export const consentResultsSchema = z.object({
  results: z.array(resultSchema).meta({ description: "One for each item, in the order of the request" }),
});

/** What a person records by hand. */
export const consentByHandSchema = z.strictObject({
  environmentId: z.uuid(),
  channel: channelSchema,
  address,
  state,
  region: scope.region,
  class: scope.class,
  reason: z.string().trim().min(1, { error: "Enter a reason" }).max(consentLimits.reason).regex(plain),
});
export type ConsentByHand = z.output<typeof consentByHandSchema>;

const entrySchema = z.object({
  id: z.uuid(),
  channel: channelSchema,
  address: z.string().meta({ description: "Masked without content:reveal" }),
  ...scope,
  state,
  source,
  evidence: z
    .record(z.string(), z.string())
    .nullable()
    .meta({ description: "How it is known; null without content:reveal" }),
  at: z.iso.datetime(),
});
export type ConsentEntry = z.output<typeof entrySchema>;

/** Query of GET /v1/consents. */
export const consentQuerySchema = z.object({
  address: address.meta({ description: "The full address; needs `content:reveal`, 403 without it" }),
  channel: channelSchema.optional().meta({ description: "Default: every channel" }),
  ...pageQuery,
});

const standingSchema = z.object({
  channel: channelSchema,
  suppressed: z.boolean().meta({ description: "Nothing is sent to it, regardless of consent" }),
  states: z.array(
    z.object({
      class: notificationClassSchema,
      region: region.nullable().meta({ description: "Null: all other regions" }),
      state: state.nullable().meta({ description: "Null: no record" }),
      policy: consentPolicySchema,
      allowed: z.boolean().meta({ description: "Whether a message would be sent" }),
    }),
  ),
});
export type ConsentStanding = z.output<typeof standingSchema>;

export type ConfirmableClass = (typeof confirmableClasses)[number];

/** For how long somebody who was asked can agree, in hours. */
export const confirmationHours = { least: 1, usual: 48, most: 336 } as const;

const askFields = {
  id: z.string().min(1).max(255).regex(plain).meta({
    description: "Your own name for this request. Sent again, nobody is asked twice.",
    example: "signup-8113",
  }),
  application: z.string().min(1).max(100).meta({ description: "The application that asks" }),
  channel: channelSchema,
  address: address.meta({ description: "An e-mail address, or a number in international form" }),
  class: z.enum(confirmableClasses).default("marketing"),
  region: region.optional().meta({ description: "Default: every region" }),
  language: z
    .string()
    .regex(/^[a-z]{2}$/, { error: "Two letters, such as de" })
    .optional()
    .meta({ description: "Of the message and the page. Default: the application's" }),
  evidence: evidence.optional().meta({
    description: "How you know they signed up. Kept as evidence of the opt-in",
    example: { form: "newsletter", version: "7" },
  }),
  expiresInHours: z
    .number()
    .int()
    .min(confirmationHours.least)
    .max(confirmationHours.most)
    .default(confirmationHours.usual)
    .meta({ description: "How long they can confirm" }),
};

/** Body of POST /v1/consents/confirmations. */
export const confirmationAskSchema = z.strictObject(askFields);
/** The same, by a person. */
export const confirmationAskInSchema = z.strictObject({ ...askFields, environmentId: z.uuid() });
export type ConfirmationAsk = z.output<typeof confirmationAskInSchema>;

const confirmationState = z.enum(["pending", "confirmed", "expired", "withdrawn"]);
export type ConfirmationState = z.output<typeof confirmationState>;

/** A confirmation that was asked for. */
export const confirmationSchema = z.object({
  id: z.uuid(),
  state: confirmationState.meta({
    description: "`withdrawn`: the recipient opted out after being asked, so confirming has no effect",
  }),
  channel: channelSchema,
  address: z.string().meta({ description: "Masked without content:reveal" }),
  class: z.enum(confirmableClasses),
  region: scope.region,
  askedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  confirmedAt: z.iso.datetime().nullable(),
});
export type Confirmation = z.output<typeof confirmationSchema>;

/** Answer of GET /v1/consents. */
export const consentsOfAddressSchema = z.object({
  address: z.string().meta({ description: "As it is stored; masked without content:reveal" }),
  standing: z.array(standingSchema).meta({ description: "By channel, class and region" }),
  confirmations: z.array(confirmationSchema).meta({ description: "Open confirmations" }),
  history: pageOf(entrySchema).meta({ description: "History, newest first" }),
});

/** What the portal lists. */
export const consentListSchema = z.object({
  environmentId: z.uuid(),
  channel: channelSchema.optional(),
  state: state.optional(),
  source: source.optional(),
  ...pageQuery,
});
export type ConsentListQuery = z.output<typeof consentListSchema>;

/** What the portal lists of what waits for a decision. */
export const reviewListSchema = z.object({ environmentId: z.uuid(), ...pageQuery });

/** `marketing` and `all`: it is an opt-out, and of what. */
export const reviewDecisionSchema = z.strictObject({
  environmentId: z.uuid(),
  id: z.uuid(),
  decision: z.enum(["marketing", "all", "no_opt_out"]),
});
export type ReviewDecision = z.output<typeof reviewDecisionSchema>;

/** What a recipient wrote that may be a no. */
export interface ConsentReview {
  id: string;
  channel: Channel;
  /** Masked without content:reveal. */
  address: string;
  conversationId: string;
  /** Null without content:reveal, and when it is not kept any more. */
  text: string | null;
  at: string;
  /** From then on it counts as an opt-out of marketing. */
  until: string;
}

/** Where an override holds, as one text: of two for the same place, nobody could say which holds. */
export function placeOf(override: {
  class: string;
  channel?: string | undefined;
  region?: string | undefined;
}): string {
  return [override.class, override.channel ?? "", override.region ?? ""].join("/");
}

/** The consent policy as it is to be. */
export const consentPolicyUpdateSchema = z.strictObject({
  overrides: z
    .array(z.strictObject(consentPolicyOverrideSchema.shape))
    .max(mostOverrides)
    .superRefine((overrides, ctx) => {
      const seen = new Set<string>();
      for (const [index, override] of overrides.entries()) {
        const place = placeOf(override);
        if (seen.has(place)) {
          ctx.addIssue({
            code: "custom",
            path: [index],
            message: "Another override is for the same class, channel and region",
          });
        }
        seen.add(place);
      }
    }),
  revision: z.string().max(64).meta({ description: "As read: refused when the policy has changed since" }),
});
export type ConsentPolicyUpdate = z.output<typeof consentPolicyUpdateSchema>;

/** The consent policy as it is. */
export const consentPolicyStateSchema = z.object({
  overrides: z.array(z.object(consentPolicyOverrideSchema.shape)),
  problem: z.enum(["policy", "settings"]).nullable().meta({
    description:
      "What is stored cannot be read, the policy alone or all settings: `overrides` is the strictest, which holds",
  }),
  revision: z.string().meta({ description: "Pass it with the next change" }),
});
export type ConsentPolicyState = z.output<typeof consentPolicyStateSchema>;

export type OwnWordLists = z.output<typeof ownWordsSchema>;

const note = z.string().trim().max(suppressionLimits.note).regex(plain);

const suppressionReason = z.enum(suppressionReasons);
export type SuppressionReason = z.output<typeof suppressionReason>;

const suppressionSchema = z.object({
  id: z.uuid(),
  channel: channelSchema,
  address: z.string().meta({ description: "Masked without content:reveal" }),
  reason: suppressionReason.meta({
    description:
      "`hard_bounce`: the address does not work; `complaint`: the recipient reported spam; `soft_bounces`: five messages in a row bounced temporarily; `manual`: added by a person or a system",
  }),
  createdAt: z.iso.datetime(),
  expiresAt: z.iso.datetime().nullable().meta({ description: "When it ends; null: no end" }),
  notificationId: z.uuid().nullable().meta({ description: "The message that caused it" }),
  madeBy: z.string().nullable().meta({ description: "Who or what added it" }),
  note: z.string().nullable().meta({ description: "Null without content:reveal" }),
});
export type SuppressedAddress = z.output<typeof suppressionSchema>;

/** Query of GET /v1/suppressions. */
export const suppressionQuerySchema = z.object({
  address: address
    .optional()
    .meta({ description: "One full address; needs `content:reveal`, 403 without it" }),
  channel: channelSchema.optional(),
  reason: suppressionReason.optional(),
  ...pageQuery,
});
/** What the portal lists. */
export const suppressionListSchema = suppressionQuerySchema.extend({
  environmentId: z.uuid(),
  /** What an address begins with; for those who may see addresses. */
  prefix: address.optional(),
});
export type SuppressionListQuery = z.output<typeof suppressionListSchema>;
/** Answer of GET /v1/suppressions. */
export const suppressionPageSchema = pageOf(suppressionSchema);

const suppressionItemSchema = z.strictObject({
  channel: channelSchema,
  address: address.meta({ description: "An e-mail address, or a number in international form" }),
  expiresAt: moment.nullable().optional().meta({
    description: "When it ends. Default: no end",
  }),
  note: note.optional().meta({ description: "Reason, visible with content:reveal" }),
});
export type SuppressionItem = z.output<typeof suppressionItemSchema>;

/** Body of POST /v1/suppressions. */
export const suppressionBatchSchema = z.strictObject({
  suppressions: z.array(suppressionItemSchema).min(1).max(suppressionLimits.items),
});

const suppressionResultSchema = z.object({
  status: z.enum(["added", "extended", "already_suppressed", "rejected"]).meta({
    description: "`extended`: it was suppressed already, for a shorter time",
  }),
  id: z.uuid().nullable().meta({ description: "Of the suppression; null when the item was rejected" }),
  reason: z
    .object({ code: z.enum(["invalid_recipient", "invalid_end"]), detail: z.string() })
    .nullable()
    .meta({ description: "Why it was rejected" }),
});
export type SuppressionResult = z.output<typeof suppressionResultSchema>;
/** Answer of POST /v1/suppressions. */
export const suppressionResultsSchema = z.object({
  results: z
    .array(suppressionResultSchema)
    .meta({ description: "One for each item, in the order of the request" }),
});

/** What a person adds by hand: one address, or many that were pasted. */
export const suppressByHandSchema = z.strictObject({
  environmentId: z.uuid(),
  channel: channelSchema,
  addresses: z.array(address).min(1, { error: "Enter an address" }).max(suppressionLimits.items, {
    error: "At most 1,000 addresses at a time",
  }),
  expiresAt: moment.nullable(),
  note: note.min(1, { error: "Enter a reason" }),
});
export type SuppressByHand = z.output<typeof suppressByHandSchema>;

const removalReason = z
  .string()
  .trim()
  .min(1, { error: "Enter a reason" })
  .max(suppressionLimits.reason)
  .regex(plain);
/** Query of DELETE /v1/suppressions/{id}. */
export const suppressionRemovalQuerySchema = z.object({
  reason: removalReason.optional().meta({
    description: "Reason, kept in the audit trail. Required for a complaint",
  }),
});
export const suppressionRemovalSchema = z.strictObject({
  environmentId: z.uuid(),
  id: z.uuid(),
  reason: removalReason.optional(),
});
export type SuppressionRemoval = z.output<typeof suppressionRemovalSchema>;
export type WordReplySettings = z.output<typeof wordRepliesSchema>;
export type WordRepliesUpdate = z.output<typeof wordRepliesUpdateSchema>;
