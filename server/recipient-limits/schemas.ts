/** Quiet hours and frequency caps. Browser-safe. */
import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import { limitedClasses, weekdaysFromMonday, limitBounds } from "./vocabulary.ts";

const limitedClassSchema = z.enum(limitedClasses);
export type LimitedClass = z.output<typeof limitedClassSchema>;

export type Weekday = (typeof weekdaysFromMonday)[number];

const region = z.string().regex(/^[A-Z]{2}$/, { error: "Two capital letters, such as DE" });
const time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, { error: "A time such as 20:00" });
const each = (values: readonly string[]) => new Set(values).size === values.length;
const once = { error: "Each once" };

/** When messages wait, by the clocks where the recipient is. */
export const quietRuleSchema = z
  .strictObject({
    classes: z.array(limitedClassSchema).min(1, { error: "Choose at least one" }).refine(each, once),
    /** Empty: every channel. */
    channels: z.array(channelSchema).max(3).refine(each, once),
    /** Empty: every region. */
    regions: z.array(region).max(limitBounds.regions).refine(each, once),
    /** The days on which it begins. */
    days: z.array(z.enum(weekdaysFromMonday)).min(1, { error: "Choose at least one" }).refine(each, once),
    from: time,
    /** Earlier than `from`, or midnight: on the next day. */
    to: time.or(z.literal("24:00")),
    /** The pack that it was copied from. */
    pack: z.strictObject({ id: z.string().max(40), version: z.string().max(20) }).optional(),
  })
  .refine((rule) => rule.from !== rule.to, {
    path: ["to"],
    error: "It has to end at another time than it begins",
  });
export type QuietRule = z.output<typeof quietRuleSchema>;

/** How many messages somebody gets at most. */
export const capSchema = z.strictObject({
  class: limitedClassSchema,
  /** Null: over all channels together. */
  channel: channelSchema.nullable(),
  most: z.int().min(1).max(limitBounds.most),
  hours: z.int().min(1).max(limitBounds.hours),
  /** wait: until there is room, or its time is up. */
  over: z.enum(["wait", "reject"]),
});
export type Cap = z.output<typeof capSchema>;

export const quietRulesSchema = z.array(quietRuleSchema).max(limitBounds.quietRules);
export const capsSchema = z.array(capSchema).max(limitBounds.caps);

/** What is saved: all of it, and the revision that was read. */
export const limitsUpdateSchema = z.strictObject({
  quietHours: quietRulesSchema,
  caps: capsSchema,
  revision: z.int().min(0).meta({ description: "As read: refused when something has changed since" }),
});
export type LimitsUpdate = z.output<typeof limitsUpdateSchema>;

/** What is set. As an answer it may get members, so nothing of it is strict. */
export const limitsStateSchema = z.object({
  quietHours: z.array(
    z.object({
      ...quietRuleSchema.shape,
      pack: z.object({ id: z.string(), version: z.string() }).optional(),
    }),
  ),
  caps: z.array(z.object(capSchema.shape)),
  revision: z.int().meta({ description: "Pass it with the next change" }),
  problem: z.boolean().meta({
    description: "What is stored cannot be read: marketing waits until it is saved again",
  }),
});
export type LimitsState = z.output<typeof limitsStateSchema>;

/** What decides which rules are for a message. */
export interface MessagePlace {
  class: string;
  channel: z.output<typeof channelSchema>;
  region: string;
}

/** Rules that may hold somewhere, to be reviewed and copied. */
export interface LimitsPack {
  id: string;
  version: string;
  name: string;
  /** Day on which the source was looked up. */
  asOf: string;
  text: string;
  sources: string[];
  quietHours: QuietRule[];
}

/** What a draft would do to a message to somebody now. */
export const limitsPreviewSchema = z.strictObject({
  quietHours: quietRulesSchema,
  class: limitedClassSchema,
  channel: channelSchema,
  recipient: z.string().trim().min(1, { error: "Type an address" }).max(320),
  region,
});
export type LimitsPreview = z.output<typeof limitsPreviewSchema>;

export interface LimitsPreviewed {
  /** The zones that count. */
  zones: string[];
  /** Where they are known from. */
  zonesFrom: "contact" | "number" | "region";
  until: string | null;
  /** The zone whose quiet hours end last. */
  zone: string | null;
  /** It would never be sent. */
  always: boolean;
}
