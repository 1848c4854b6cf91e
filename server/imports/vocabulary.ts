/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** Bounds of imports. */
export const importLimits = {
  bytes: 200 * 1_048_576,
  /** Of the pieces that a file is uploaded in; each but the last has as many. */
  pieceBytes: 786_432,
  columns: 200,
  /** Of one row. */
  rowBytes: 65_536,
  /** Of one organisation that have not ended: one is worked on, the others wait. */
  open: 4,
  errorsKept: 1_000,
  errorsShown: 50,
  groups: 20,
  /** After which a file is deleted that nobody has imported. */
  days: 7,
} as const;

export const importKinds = ["consent", "contacts", "suppressions"] as const;

export type ImportKindName = (typeof importKinds)[number];

/** What a column may become, by kind. Attributes have a name of their own, `attribute:<name>`. */
export const importTargets = {
  consent: ["address", "channel", "state", "class", "region", "at", "evidence"],
  contacts: [
    "address:sms",
    "address:email",
    "address:whatsapp",
    "externalId",
    "name",
    "region",
    "language",
    "timeZone",
    "attributes",
  ],
  suppressions: ["address", "channel", "reason", "expiresAt", "note"],
} as const satisfies Record<ImportKindName, readonly string[]>;

/** What a column becomes that becomes an attribute begins with this; then its name comes. */
export const attributePrefix = "attribute:";

/** The attribute that a column of this name would become; null: none can. */
export function attributeFor(header: string): string | null {
  const name = header
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll(/[^A-Za-z0-9]+/g, "_")
    .replaceAll(/^_|_$/g, "")
    .slice(0, 60);
  if (name === "") return null;
  return `${attributePrefix}${/^\d/.test(name) ? "_" : ""}${name}`;
}

/** Of which several columns may become one. */
export const manyColumns: readonly string[] = [
  "evidence",
  "address:sms",
  "address:email",
  "address:whatsapp",
];
