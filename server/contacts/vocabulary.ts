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

const operatorWords: Record<(typeof filterOperators)[number], string> = {
  is: "is",
  is_not: "is not",
  contains: "contains",
  starts_with: "starts with",
  one_of: "is one of",
  is_set: "is set",
  is_not_set: "is not set",
  greater: "is greater than",
  less: "is less than",
};
const fieldWords = { region: "Region", language: "Language", timeZone: "Time zone", attribute: "Attribute" };

/** What is asked of a contact, as the schema of conditions describes it. */
interface Asked {
  field: keyof typeof fieldWords;
  name?: string | undefined;
  op: (typeof filterOperators)[number];
  value?: string | number | string[] | undefined;
}

function conditionWords({ field, name: of, op, value }: Asked): string {
  const dated = typeof value === "string" && (op === "greater" || op === "less");
  const operator = dated ? (op === "greater" ? "is after" : "is before") : operatorWords[op];
  const subject = field === "attribute" ? (of ?? "") : fieldWords[field];
  const shown = Array.isArray(value) ? value.join(", ") : value;
  return [subject, operator, ...(shown === undefined ? [] : [String(shown)])].join(" ");
}

/** A filter in words: "Region is DE, and plan is gold or plan is silver". */
export function filterWords({ all, any = [] }: { all: Asked[]; any?: Asked[] | undefined }): string {
  const parts = [all.map(conditionWords).join(" and "), any.map(conditionWords).join(" or ")];
  return parts.filter((part) => part !== "").join(any.length > 1 ? ", and " : " and ");
}
