import { SegmentedMessage } from "sms-segments-calculator";

export type SmsEncoding = "GSM-7" | "UCS-2";

export interface SmsSegments {
  encoding: SmsEncoding;
  segments: number;
  /** The distinct characters that GSM-7 lacks, in order of appearance: they make the message UCS-2. */
  unicodeCharacters: string[];
}

// 3GPP TS 23.038 §6.2.1 without the escape; the second is the extension table, two septets each.
const basic =
  "\n\r !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ_abcdefghijklmnopqrstuvwxyz¡£¤¥§¿ÄÅÆÇÉÑÖØÜßàäåæèéìñòöøùüΓΔΘΛΞΠΣΦΨΩ";
const extension = "\f[\\]^{|}~€";
const septets = new Map<string, number>([
  ...basic.split("").map((char): [string, number] => [char, 1]),
  ...extension.split("").map((char): [string, number] => [char, 2]),
]);

// Characters that never join with a neighbour, so that each is one code unit and may end a segment. Where there are
// others (emoji, combining marks), the calculator, which is a hundred times slower, splits into graphemes.
const standsAlone =
  /^[\u0000-\u02ff\u0370-\u0482\u048a-\u052f\u05d0-\u05ea\u0621-\u064a\u0660-\u0669\u1e00-\u1fff\u2010-\u2027\u2030-\u205e\u20a0-\u20bf\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3]*$/;

/**
 * How a text is encoded and billed as SMS (3GPP TS 23.038, TS 23.040): one of 160 septets or 70 code units, else 153 or 67
 * each. `UCS-2` counts as if a character needed it; `auto` and `GSM-7` take GSM-7 when every character fits.
 */
export function smsSegments(text: string, encoding: "auto" | SmsEncoding = "auto"): SmsSegments {
  if (!standsAlone.test(text)) {
    const message = new SegmentedMessage(text, encoding === "UCS-2" ? "UCS-2" : "auto");
    return {
      encoding: message.encodingName,
      segments: message.segmentsCount,
      unicodeCharacters: [...new Set(message.getNonGsmCharacters())],
    };
  }
  const foreign = new Set<string>();
  for (const char of text) if (!septets.has(char)) foreign.add(char);
  const unicode = foreign.size > 0 || encoding === "UCS-2";
  return {
    encoding: unicode ? "UCS-2" : "GSM-7",
    segments: unicode ? pack(text.length, 70, 67) : gsmSegments(text),
    unicodeCharacters: [...foreign],
  };
}

const pack = (units: number, single: number, each: number) => (units <= single ? 1 : Math.ceil(units / each));

/** A character of the extension table is never split over two segments. */
function gsmSegments(text: string): number {
  let total = 0;
  let segments = 1;
  let used = 0;
  for (const char of text) {
    const size = septets.get(char) ?? 1;
    total += size;
    if (used + size > 153) {
      segments++;
      used = 0;
    }
    used += size;
  }
  return total <= 160 ? 1 : segments;
}

/** Typographic characters with a plain counterpart in GSM-7. */
const plainForms: Record<string, string> = {
  "\u00a0": " ",
  "\u2002": " ",
  "\u2003": " ",
  "\u2009": " ",
  "\u202f": " ",
  "\u2018": "'",
  "\u2019": "'",
  "\u201a": ",",
  "\u201c": '"',
  "\u201d": '"',
  "\u201e": '"',
  "\u00ab": '"',
  "\u00bb": '"',
  "\u2010": "-",
  "\u2011": "-",
  "\u2012": "-",
  "\u2013": "-",
  "\u2014": "-",
  "\u2026": "...",
  "\u00b4": "'",
  "`": "'",
};

/** The text with typographic quotes, dashes and spaces made plain, as the encoding GSM-7 requires. */
export function toGsmForms(text: string): string {
  return text.replace(
    /[\u00a0\u00ab\u00b4\u00bb\u2002\u2003\u2009-\u2026\u202f`]/g,
    (char) => plainForms[char] ?? char,
  );
}
