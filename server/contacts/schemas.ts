import { z } from "zod";
import { channelSchema } from "../kernel/channel.ts";
import { pageOf, pageQuery } from "../kernel/page.ts";
import { contactLimits, filterFields, filterOperators } from "./vocabulary.ts";

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
export const timeZone = z
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
  externalId: externalId.optional().meta({ description: "The contact's ID in your systems" }),
  name: name.nullable().optional(),
  region: region.nullable().optional().meta({ description: "ISO 3166-1" }),
  language: language.nullable().optional().meta({ description: "ISO 639-1" }),
  timeZone: timeZone.nullable().optional().meta({ description: "IANA name" }),
  attributes: z
    .record(attributeNameSchema, attributeText.nullable())
    .refine((map) => Object.keys(map).length <= contactLimits.attributes, { error: "At most 50 attributes" })
    .optional()
    .meta({ description: "Values by name. Null or an empty text removes one, others are kept" }),
  addresses: addresses.default([]).meta({
    description: "The first address of each channel is used. Existing ones follow these",
  }),
  groupIds: z.array(z.uuid()).max(20).optional().meta({ description: "Static groups to add the contact to" }),
});
export type ContactRow = z.input<typeof contactRowSchema>;

const values = {
  externalId: externalId.nullable().optional().meta({
    description: "The contact's ID in your systems",
    example: "customer-8112",
  }),
  name: name.nullable().optional().meta({ example: "Ada Lovelace" }),
  region: region.nullable().optional().meta({ description: "ISO 3166-1", example: "DE" }),
  language: language.nullable().optional().meta({ description: "ISO 639-1", example: "en" }),
  timeZone: timeZone.nullable().optional().meta({ description: "IANA name", example: "Europe/Berlin" }),
  attributes: contactRowSchema.shape.attributes,
};

/** Body of POST /v1/contacts. */
export const contactCreateSchema = z.strictObject({
  ...values,
  addresses: addresses.default([]).meta({ description: "The first address of each channel is used" }),
});
export type ContactCreate = z.output<typeof contactCreateSchema>;

/** Body of PATCH /v1/contacts/{id}. */
export const contactUpdateSchema = z.strictObject({
  ...values,
  addresses: addresses.optional().meta({ description: "All addresses. Omitted ones are removed" }),
  expectedAddresses: addresses.optional().meta({
    description: "The addresses you read. The change is refused if someone has changed them since",
  }),
});
export type ContactUpdate = z.output<typeof contactUpdateSchema>;

const contactFields = {
  id: z.uuid(),
  externalId: z.string().nullable(),
  name: z.string().nullable(),
  region: z.string().nullable(),
  language: z.string().nullable(),
  timeZone: z.string().nullable(),
  attributes: z
    .record(z.string(), z.string())
    .nullable()
    .meta({ description: "Null without content:reveal" }),
  addresses: z.array(
    z.object({
      channel: channelSchema,
      address: z.string().meta({ description: "Masked without content:reveal" }),
    }),
  ),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
};
export const contactSchema = z.object(contactFields);
export type Contact = z.output<typeof contactSchema>;

/** One contact, with the groups that it was put into. */
export const contactDetailSchema = z.object({
  ...contactFields,
  groups: z.array(z.object({ id: z.uuid(), name: z.string() })).meta({
    description: "Static groups only",
  }),
});
export type ContactDetail = z.output<typeof contactDetailSchema>;

/** Query of GET /v1/contacts. */
export const contactListQuerySchema = z.object({
  search: z.string().trim().min(1).max(320).optional().meta({
    description:
      "Start of the name, external ID or address, or a full number in any format. Returns the first matches by name, on one page. Without content:reveal, addresses are not searched and searching for one is 403",
  }),
  groupId: z.uuid().optional().meta({
    description: "Contacts in this group. With a filter group, a page can be short without being the last",
  }),
  ...pageQuery,
});
export type ContactListQuery = z.output<typeof contactListQuerySchema>;
export const contactListSchema = pageOf(contactSchema);

/** Body of POST /v1/contacts/batch. */
export const contactBatchSchema = z.strictObject({
  contacts: z.array(contactRowSchema).min(1).max(contactLimits.items),
});
export type ContactBatch = z.output<typeof contactBatchSchema>;
/** Answer of POST /v1/contacts/batch. */
export const contactBatchResultSchema = z.object({
  results: z
    .array(
      z.object({
        status: z.enum(["created", "updated", "unchanged", "error"]),
        contactId: z.uuid().nullable(),
        error: z
          .object({
            field: z
              .string()
              .meta({ description: "Where in the item, e.g. addresses.0.address; empty: all of it" }),
            code: z.enum([
              "invalid",
              "invalid_recipient",
              "nothing_to_recognise",
              "several_contacts",
              "other_external_id",
              "too_many_addresses",
              "too_many_attributes",
              "unknown_group",
            ]),
            detail: z.string(),
          })
          .nullable(),
      }),
    )
    .meta({ description: "One for each item, in the order of the request" }),
});
export type ContactBatchResult = z.output<typeof contactBatchResultSchema>;

const contactIds = z.array(z.uuid()).max(contactLimits.items);

/** What a person does to several contacts. */
export const contactsSchema = z.strictObject({ contactIds: contactIds.min(1) });
export const setAttributeSchema = z.strictObject({
  contactIds: contactIds.min(1),
  name: attributeNameSchema,
  value: attributeText.nullable().meta({ description: "Null or empty: removed" }),
});

const mergeable = ["externalId", "name", "region", "language", "timeZone"] as const;
/** Two contacts that are the same person: `keepId` stays, the other one goes. */
export const mergeSchema = z.strictObject({
  keepId: z.uuid(),
  otherId: z.uuid(),
  /** What is taken from the other one, where both have something. */
  take: z.array(z.enum(mergeable)).max(mergeable.length),
  /** The same of attributes, by name. */
  takeAttributes: z.array(attributeNameSchema).max(contactLimits.attributes),
});
export type Merge = z.output<typeof mergeSchema>;

const day = /^\d{4}-\d{2}-\d{2}$/;
const text = z.string().trim().min(1).max(contactLimits.attributeText).regex(plain);
/** What is asked of a contact. Texts are compared without regard to case; numbers with numbers, days with days. */
export const conditionSchema = z
  .strictObject({
    field: z.enum(filterFields),
    name: attributeNameSchema.optional().meta({ description: "Of the attribute, where the field is one" }),
    op: z.enum(filterOperators),
    value: z
      .union([text, z.number().min(-1e15).max(1e15), z.array(text).min(1).max(contactLimits.choices)])
      .optional()
      .meta({ description: "A list for one_of; a number or a day (2026-01-31) for greater and less" }),
  })
  .superRefine(({ field, name: of, op, value }, ctx) => {
    const issue = (path: string, message: string) => {
      ctx.addIssue({ code: "custom", path: [path], message });
    };
    if (field === "attribute" && of === undefined) issue("name", "Enter the attribute");
    if (field !== "attribute" && of !== undefined) issue("name", "Only attributes have a name");
    if (op === "is_set" || op === "is_not_set") {
      if (value !== undefined) issue("value", "Enter a value");
    } else if (op === "one_of") {
      if (!Array.isArray(value)) issue("value", "A list of texts");
    } else if (op === "greater" || op === "less") {
      if (typeof value !== "number" && !(typeof value === "string" && day.test(value)))
        issue("value", "A number, or a day such as 2026-01-31");
    } else if (typeof value !== "string") issue("value", "A text");
  });
export type Condition = z.output<typeof conditionSchema>;

/** Who is in a group by filter: those for whom all of `all` hold and, where there are any, one of `any`. */
export const contactFilterSchema = z
  .strictObject({
    all: z.array(conditionSchema).max(contactLimits.conditions).default([]),
    any: z.array(conditionSchema).max(contactLimits.conditions).optional(),
  })
  .superRefine(({ all, any = [] }, ctx) => {
    const count = all.length + any.length;
    if (count === 0) ctx.addIssue({ code: "custom", message: "At least one condition" });
    if (count > contactLimits.conditions) ctx.addIssue({ code: "custom", message: "At most 20 conditions" });
  });
export type ContactFilter = z.output<typeof contactFilterSchema>;

const groupName = z.string().trim().min(1).max(contactLimits.groupName).regex(plain);
const groupDescription = z.string().trim().max(contactLimits.groupDescription).regex(prose);

/** Body of POST /v1/contact-groups. */
export const groupCreateSchema = z
  .strictObject({
    name: groupName.meta({ example: "Newsletter" }),
    description: groupDescription.default(""),
    filter: contactFilterSchema.nullable().optional().meta({
      description: "Without a filter, the group contains the contacts added to it",
    }),
  })
  .meta({ description: "A group of contacts" });
export type GroupCreate = z.output<typeof groupCreateSchema>;

/** Body of PATCH /v1/contact-groups/{id}. */
export const groupUpdateSchema = z.strictObject({
  name: groupName.optional(),
  description: groupDescription.optional(),
  filter: contactFilterSchema.optional().meta({ description: "Only of a group by filter" }),
  expectedFilter: contactFilterSchema.optional().meta({
    description: "The filter you read. The change is refused if someone has changed it since",
  }),
});
export type GroupUpdate = z.output<typeof groupUpdateSchema>;

export const groupSchema = z.object({
  id: z.uuid(),
  name: z.string(),
  description: z.string(),
  kind: z.enum(["static", "filter"]),
  filter: z.object({ all: z.array(conditionSchema), any: z.array(conditionSchema).optional() }).nullable(),
  size: z.number().int().nullable().meta({ description: "Null: not counted yet" }),
  countedAt: z.iso.datetime().nullable(),
  createdAt: z.iso.datetime(),
  updatedAt: z.iso.datetime(),
});
export type ContactGroup = z.output<typeof groupSchema>;

/** What somebody types who looks for a group. */
export const groupSearchSchema = z
  .string()
  .trim()
  .min(1)
  .max(100)
  .optional()
  .meta({ description: "A part of the name" });
/** Query of GET /v1/contact-groups. */
export const groupListQuerySchema = z.object({
  search: groupSearchSchema,
  kind: z
    .enum(["static", "filter"])
    .optional()
    .meta({ description: "Only static groups, or only groups with a filter" }),
  ...pageQuery,
});
export type GroupListQuery = z.output<typeof groupListQuerySchema>;
export const groupListSchema = pageOf(groupSchema);

/** Body of POST and DELETE /v1/contact-groups/{id}/members. */
export const membersSchema = z
  .strictObject({
    contactIds: contactIds.default([]),
    externalIds: z.array(externalId).max(contactLimits.items).default([]),
  })
  .refine(
    ({ contactIds: ids, externalIds }) =>
      ids.length + externalIds.length > 0 && ids.length + externalIds.length <= contactLimits.items,
    { error: "Between 1 and 1,000 contacts" },
  );
export type Members = z.output<typeof membersSchema>;
export const membersResultSchema = z.object({
  changed: z.number().int().meta({ description: "Number of contacts added or removed" }),
  unknown: z.array(z.string()).meta({ description: "IDs and external IDs without a contact" }),
});
