import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";

/** Bounds of contacts and groups. */
export const contactLimits = {
  attributes: 50,
  attributeName: 64,
  attributeText: 1_000,
  addressesPerChannel: 5,
  name: 200,
  externalId: 128,
  groups: 1_000,
  groupName: 100,
  groupDescription: 500,
  /** Of one call. */
  items: 1_000,
  conditions: 20,
  choices: 100,
} as const;

const plain = /^\P{Cc}*$/u;
// Prose may have several lines.
const prose = /^(?:\P{Cc}|[\n\t])*$/u;

const zones = new Map<string, boolean>();
/** Whether a text is the IANA name of a time zone. */
function isTimeZone(name: string): boolean {
  const known = zones.get(name);
  if (known !== undefined) return known;
  let found = /^[A-Z][A-Za-z0-9_+-]*(?:\/[A-Za-z0-9_+-]+)*$/.test(name);
  try {
    if (found) new Intl.DateTimeFormat("en", { timeZone: name });
  } catch {
    found = false;
  }
  // There are some six hundred; whatever else is asked for is not remembered.
  if (found && zones.size < 1_000) zones.set(name, found);
  return found;
}

const externalId = z.string().trim().min(1).max(contactLimits.externalId).regex(plain);
const name = z.string().trim().min(1).max(contactLimits.name).regex(plain);
const region = z.string().regex(/^[A-Z]{2}$/, { error: "Two capital letters, such as DE" });
const language = z.string().regex(/^[a-z]{2}$/, { error: "Two small letters, such as en" });
const timeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, { error: "The name of a time zone, such as Europe/Berlin" });

export const attributeNameSchema = z
  .string()
  .min(1)
  .max(contactLimits.attributeName)
  .regex(/^[A-Za-z_][A-Za-z0-9_]*$/, {
    error: "Letters, digits and underscores, and no digit first",
  })
  // Members of every object in JavaScript, which a template could not tell from an attribute.
  .refine((text) => text !== "__proto__", { error: "Choose another name" });
const attributeText = z.string().max(contactLimits.attributeText).regex(prose);
const addressSchema = z.strictObject({
  channel: channelSchema,
  address: z.string().trim().min(1).max(320),
});
const addresses = z.array(addressSchema).max(contactLimits.addressesPerChannel * 3);

/** What a row of an import or an item of a batch may say of a contact. Null takes away; what is left out stays. */
export const contactRowSchema = z.strictObject({
  externalId: externalId.optional().meta({ description: "What your own systems call the contact" }),
  name: name.nullable().optional(),
  region: region.nullable().optional().meta({ description: "ISO 3166-1" }),
  language: language.nullable().optional().meta({ description: "ISO 639-1" }),
  timeZone: timeZone.nullable().optional().meta({ description: "IANA name" }),
  attributes: z
    .record(attributeNameSchema, attributeText.nullable())
    .refine((map) => Object.keys(map).length <= contactLimits.attributes, { error: "At most 50 attributes" })
    .optional()
    .meta({ description: "Values by name; null or an empty text takes one away, others stay" }),
  addresses: addresses.default([]).meta({
    description: "The first of a channel is written to; others that the contact has stay behind these",
  }),
  groupIds: z
    .array(z.uuid())
    .max(20)
    .optional()
    .meta({ description: "Groups that the contact is put into; static ones" }),
});
export type ContactRow = z.input<typeof contactRowSchema>;
