import { digitsOf, numberForms, readAddress, shownAddress } from "../kernel/address.ts";
import { isUuid } from "../kernel/ids.ts";
import { isUserId } from "../kernel/user-id.ts";

/** Before the digits of a number, last one first: no mail address begins so. */
const backwards = ":";
/** Words of one spelling of a mail address. */
const mostWords = 8;
/** Fewer digits, or letters, would be found everywhere. */
const fewestDigits = 4;
const fewestLetters = 3;
/** More is no beginning of an address. */
const longestWord = 254;

const separator = /[@._+-]/g;

const reversed = (digits: string) => backwards + Array.from(digits).reverse().join("");

/**
 * What an address, as it is stored, is found by, the whole of it first: of a number, its digits backwards, so that its last ones are a
 * beginning; of a mail address, what follows each beginning of a word in it, but for the last label of its domain, which
 * thousands share. A domain in letters of its own is found in both spellings.
 */
export function wordsOf(address: string): string[] {
  if (isUserId(address)) return [address.toLowerCase()];
  if (!address.includes("@")) return [reversed(address.replaceAll(/\D/g, ""))];
  return [...new Set([...mailWords(address), ...mailWords(shownAddress(address))])];
}

function mailWords(address: string): string[] {
  const at = address.lastIndexOf("@");
  const last = address.lastIndexOf(".");
  const starts: number[] = [];
  for (const { index } of address.matchAll(separator)) {
    const start = index + 1;
    const next = address.charAt(start);
    if (next === "" || "@._+-".includes(next) || (index > at && index === last)) continue;
    starts.push(start);
  }
  // However long the part before the @ is, the domain is among them.
  const ofDomain = starts.filter((start) => start > at);
  const ofPerson = starts.filter((start) => start <= at);
  return [0, ...ofDomain.slice(0, 3), ...ofPerson].slice(0, mostWords).map((start) => address.slice(start));
}

/** What a text is looked for as. */
export interface Search {
  /** Whole addresses that it may mean, as they are stored. */
  addresses: string[];
  /** Digits that numbers end in. */
  endings: string[];
  /** What a word in a mail address begins with, in small letters. */
  word: string | null;
  /** It has the form of a message's or a request's id. */
  id: boolean;
}

/** @param regions in whose national form numbers may be written; ISO 3166-1 */
export function readSearch(text: string, regions: readonly string[]): Search {
  const trimmed = text.trim();
  if (isUuid(trimmed)) return { addresses: [], endings: [], word: null, id: true };
  const whole = readAddress(trimmed);
  const numbers = whole === null ? numberForms(trimmed, regions) : [];
  const digits = digitsOf(trimmed);
  const ofNumber = digits !== null && digits.length >= fewestDigits && digits.length <= 18;
  const international = trimmed.startsWith("+") || digits?.startsWith("00") === true;
  const endings =
    !ofNumber || (international && (whole !== null || numbers.length > 0))
      ? []
      : // Dialled within a country, a number begins with a zero that it does not have from abroad.
        digits.startsWith("0") && digits.length > 6
        ? [digits, digits.replace(/^0+/, "")].filter((each) => each.length >= fewestDigits)
        : [digits];
  const letters = trimmed.replace(/^@/, "").normalize("NFC").toLowerCase();
  const plain = letters.length >= fewestLetters && letters.length <= longestWord && !/[\s()/:]/.test(letters);
  return {
    addresses: whole === null ? numbers : [whole],
    endings: [...new Set(endings)],
    word: plain && !trimmed.startsWith("+") ? letters : null,
    id: false,
  };
}

/** What the words of the addresses that are meant begin with. */
export function prefixesOf({ endings, word }: Pick<Search, "endings" | "word">): string[] {
  return [...endings.map(reversed), ...(word === null ? [] : [word])];
}

/** The same as patterns of LIKE over addresses, for those that have no words yet. */
export function patternsOf({ endings, word }: Pick<Search, "endings" | "word">): string[] {
  const plain = word?.replaceAll(/[\\%_]/g, String.raw`\$&`);
  return [
    ...endings.map((digits) => `+%${digits}`),
    ...(plain === undefined
      ? []
      : [`${plain}%`, ...["@", ".", String.raw`\_`, "+", "-"].map((before) => `%${before}${plain}%`)]),
  ];
}
