import { SegmentedMessage } from "sms-segments-calculator";
import { smsSegments, toGsmForms } from "../template-language/segments.ts";
import type { SmsEncoding, SmsSegments } from "../template-language/segments.ts";

/** How a text is billed as SMS, and what an author needs to shorten it. */
export interface SmsPreview extends SmsSegments {
  /** The text of each segment, in order; together they are the message. */
  parts: string[];
  /** Septets (GSM-7) or code units (UCS-2) that a segment of this message holds: 160 or 70 alone, else 153 or 67. */
  perSegment: number;
  /** How many of them the last segment uses. */
  used: number;
  /** For those of `unicodeCharacters` that have a plain counterpart in GSM-7: the counterpart. */
  plainForms: Record<string, string>;
}

/** The calculator's segments, which it declares as plain arrays. */
interface EncodedCharacter {
  raw: string;
  codeUnits: readonly number[];
}

/** The segments of a rendered text as `smsSegments` counts them for billing, and where each begins and ends. */
export function smsPreview(text: string, encoding: "auto" | SmsEncoding = "auto"): SmsPreview {
  const billed = smsSegments(text, encoding);
  const message = new SegmentedMessage(text, encoding === "UCS-2" ? "UCS-2" : "auto");
  const parts: string[] = [];
  let used = 0;
  for (const segment of message.segments) {
    used = 0;
    let part = "";
    for (const char of segment as readonly Partial<EncodedCharacter>[]) {
      // Without text: the header of a joined message.
      if (char.raw === undefined) continue;
      part += char.raw;
      used += char.codeUnits?.length ?? 0;
    }
    parts.push(part);
  }
  const alone = parts.length === 1;
  return {
    ...billed,
    parts,
    perSegment: billed.encoding === "GSM-7" ? (alone ? 160 : 153) : alone ? 70 : 67,
    used,
    plainForms: Object.fromEntries(
      billed.unicodeCharacters.flatMap((char) => {
        const plain = toGsmForms(char);
        return plain === char ? [] : [[char, plain] as const];
      }),
    ),
  };
}
