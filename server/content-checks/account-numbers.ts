import { mod97, passesLuhn } from "./check-digits.ts";

/** The part of a match that counts: its offset and length; null: nothing. */
export type Extent = { offset: number; length: number } | null;

/**
 * Issuers (ISO/IEC 7812) with the lengths of their numbers; without them one order number in ten would pass as a card.
 */
const issuers: [prefix: RegExp, lengths: readonly number[]][] = [
  [/^4/, [16, 19]],
  [/^(?:5[1-5]|2[2-7])/, [16]],
  [/^3[47]/, [15]],
  [/^(?:30|36|38|39)/, [14, 16, 19]],
  [/^35/, [16, 17, 18, 19]],
  [/^62/, [14, 15, 16, 17, 18, 19]],
  [/^(?:6011|64[4-9]|65)/, [16, 17, 18, 19]],
  [/^(?:50|5[6-9]|6[0-9])/, [16, 18, 19]],
];

/** Whether the digits are a payment card number: issuer, its lengths, and the check digit. Spaces and hyphens may stand between. */
export function isCardNumber(text: string): boolean {
  const digits = text.replace(/[ -]/g, "");
  if (!/^\d{14,19}$/.test(digits)) return false;
  return (
    issuers.some(([prefix, lengths]) => prefix.test(digits) && lengths.includes(digits.length)) &&
    passesLuhn(digits)
  );
}

/** How numbers are grouped on cards; only these are looked for inside longer rows of digits. */
const cardLayouts = ["4 4 4 4", "4 6 5", "4 6 4", "4 4 4 4 3"];

/** The card number in a row of digit groups: the whole row, or groups in it that are laid out as on a card. */
export function cardIn(row: string): Extent {
  const groups = [...row.matchAll(/\d{1,80}/g)].map((group) => ({ at: group.index, digits: group[0] }));
  const digits = (from: number, to: number) =>
    groups
      .slice(from, to)
      .map((group) => group.digits)
      .join("");
  // Dots separate amounts, dates and network addresses; a card is written with them in its own layout only.
  if (!row.includes(".") && isCardNumber(digits(0, groups.length))) return { offset: 0, length: row.length };
  for (let from = 0; from < groups.length; from++) {
    for (const layout of cardLayouts) {
      const size = layout.split(" ").length;
      const found = groups.slice(from, from + size);
      const [first] = found;
      const last = found.at(-1);
      if (!first || !last || found.map((group) => group.digits.length).join(" ") !== layout) continue;
      // Four more digits on either side: these groups are part of a longer number, such as a parcel's.
      const neighbours = [groups[from - 1], groups[from + size]];
      if (layout.startsWith("4 4") && neighbours.some((group) => group?.digits.length === 4)) continue;
      if (!isCardNumber(digits(from, from + size))) continue;
      return { offset: first.at, length: last.at + last.digits.length - first.at };
    }
  }
  return null;
}

/**
 * The card number in a row of digits with anything between them: laid out as on a card, or cut into parts of one length.
 * A row of amounts or dates is neither.
 */
export function splitCardIn(row: string): Extent {
  const laidOut = cardIn(row.replace(/[^\d]/g, " "));
  const groups = row.match(/\d{1,80}/g) ?? [];
  // The whole row may be a card only if no group of it is of a length of its own.
  if (laidOut && laidOut.length < row.length) return laidOut;
  const size = groups[0]?.length ?? 0;
  const even =
    [1, 2, 3, 4, 8].includes(size) &&
    groups.every(
      (group, index) => group.length === size || (index === groups.length - 1 && group.length < size),
    );
  // Most of it digit by digit.
  const spelt = groups.filter((group) => group.length === 1).length * 4 >= groups.length * 3;
  return (even || spelt || laidOutWhole(groups)) && isCardNumber(groups.join(""))
    ? { offset: 0, length: row.length }
    : null;
}

const laidOutWhole = (groups: readonly string[]) =>
  cardLayouts.includes(groups.map((group) => group.length).join(" "));

/** Structure of what follows country and check digits (ISO 13616 registry): n digits, a letters, c either. */
const accountStructures: Record<string, string> = {
  AD: "8n12c",
  AE: "19n",
  AL: "8n16c",
  AT: "16n",
  AZ: "4a20c",
  BA: "16n",
  BE: "12n",
  BG: "4a6n8c",
  BH: "4a14c",
  BI: "23n",
  BR: "23n1a1c",
  BY: "4c4n16c",
  CH: "5n12c",
  CR: "18n",
  CY: "8n16c",
  CZ: "20n",
  DE: "18n",
  DJ: "23n",
  DK: "14n",
  DO: "4c20n",
  EE: "16n",
  EG: "25n",
  ES: "20n",
  FI: "14n",
  FK: "2a12n",
  FO: "14n",
  FR: "10n11c2n",
  GB: "4a14n",
  GE: "2a16n",
  GI: "4a15c",
  GL: "14n",
  GR: "7n16c",
  GT: "4c20c",
  HN: "4a20n",
  HR: "17n",
  HU: "24n",
  IE: "4a14n",
  IL: "19n",
  IQ: "4a15n",
  IS: "22n",
  IT: "1a10n12c",
  JO: "4a4n18c",
  KW: "4a22c",
  KZ: "3n13c",
  LB: "4n20c",
  LC: "4a24c",
  LI: "5n12c",
  LT: "16n",
  LU: "3n13c",
  LV: "4a13c",
  LY: "21n",
  MC: "10n11c2n",
  MD: "20c",
  ME: "18n",
  MK: "3n10c2n",
  MN: "16n",
  MR: "23n",
  MT: "4a5n18c",
  MU: "4a19n3a",
  NI: "4a20n",
  NL: "4a10n",
  NO: "11n",
  OM: "3n16c",
  PK: "4a16c",
  PL: "24n",
  PS: "4a21c",
  PT: "21n",
  QA: "4a21c",
  RO: "4a16c",
  RS: "18n",
  RU: "14n15c",
  SA: "2n18c",
  SC: "4a20n3a",
  SD: "14n",
  SE: "20n",
  SI: "15n",
  SK: "20n",
  SM: "1a10n12c",
  SO: "19n",
  ST: "21n",
  SV: "4a20n",
  TL: "19n",
  TN: "20n",
  TR: "6n16c",
  UA: "6n19c",
  VA: "18n",
  VG: "4a16n",
  XK: "16n",
  YE: "4a4n18c",
};

const structurePatterns = new Map(
  Object.entries(accountStructures).map(([country, structure]) => {
    const parts = structure.replace(/(\d{1,2})([nac])/g, (_, count: string, kind: string) => {
      const set = kind === "n" ? "[0-9]" : kind === "a" ? "[A-Z]" : "[A-Z0-9]";
      return `${set}{${count}}`;
    });
    const length = [...structure.matchAll(/\d+/g)].reduce((sum, [count]) => sum + Number(count), 4);
    return [country, { pattern: new RegExp(`^[A-Z]{2}[0-9]{2}${parts}$`), length }];
  }),
);

/** Whether the text is an IBAN: its country's structure and the check digits (ISO 13616). Spaces may stand between. */
export function isIban(text: string): boolean {
  const iban = text.replaceAll(" ", "").toUpperCase();
  const structure = structurePatterns.get(iban.slice(0, 2));
  if (!structure?.pattern.test(iban)) return false;
  return mod97(iban.slice(4) + iban.slice(0, 4)) === 1;
}

/** The IBAN at the start of a row of letters and digits, whatever separates them; what follows it must be set apart. */
export function ibanIn(row: string): Extent {
  const country = row
    .slice(0, 8)
    .replace(/[^A-Za-z]/g, "")
    .slice(0, 2)
    .toUpperCase();
  const wanted = structurePatterns.get(country)?.length;
  if (wanted === undefined) return null;
  let iban = "";
  for (const char of row.matchAll(/[A-Za-z0-9]/g)) {
    iban += char[0];
    if (iban.length < wanted) continue;
    const length = char.index + 1;
    return /[A-Za-z0-9]/.test(row[length] ?? "") || !isIban(iban) ? null : { offset: 0, length };
  }
  return null;
}
