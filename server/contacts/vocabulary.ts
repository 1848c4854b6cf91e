/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

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

export const filterFields = ["region", "language", "timeZone", "attribute"] as const;

export const filterOperators = [
  "is",
  "is_not",
  "contains",
  "starts_with",
  "one_of",
  "is_set",
  "is_not_set",
  "greater",
  "less",
] as const;
