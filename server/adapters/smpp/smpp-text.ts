/** Texts as short messages: alphabets (3GPP TS 23.038), parts and the header that joins them (3GPP TS 23.040 §9.2.3.24). */
import smpp from "smpp";

/** SMPP 3.4 §5.2.19. GSM 03.38 is the default alphabet of every GSM message centre: one septet an octet, not packed. */
export const dataCoding = { gsm: 0, ascii: 1, latin1: 3, ucs2: 8 } as const;

const { chars, extChars } = smpp.gsmCoder.GSM;
/** Each character's septets: one, or two with the escape. */
const gsmSeptets = new Map<string, Buffer>(
  Array.from(chars + extChars)
    .filter((char) => char !== "\x1b")
    .map((char) => [char, smpp.gsmCoder.encode(char, 0)]),
);

/** Octets of text in one short message, and in each part of a longer one beside its header of six octets. */
const room = { gsm: { single: 160, part: 153 }, ucs2: { single: 140, part: 134 } } as const;
const maxParts = 255;

export type EncodedText = { dataCoding: number; /** Texts of the parts, without headers. */ parts: Buffer[] };

/**
 * The text's parts in the alphabet that it needs; UCS-2 when that is asked for or a character is not in GSM 03.38. An
 * escaped GSM character and a surrogate pair are never divided, nor is what is shown as one character as long as it fits
 * into a part. Null when the text needs more than 255 parts.
 */
export function encodeText(text: string, encoding: "auto" | "GSM-7" | "UCS-2" = "auto"): EncodedText | null {
  const septets = encoding === "UCS-2" ? null : gsmUnits(text);
  const alphabet = septets ? "gsm" : "ucs2";
  const parts = pack(septets ?? ucs2Units(text), room[alphabet]);
  return parts.length > maxParts ? null : { dataCoding: dataCoding[alphabet], parts };
}

function gsmUnits(text: string): Buffer[] | null {
  const units: Buffer[] = [];
  for (const char of text) {
    const unit = gsmSeptets.get(char);
    if (!unit) return null;
    units.push(unit);
  }
  return units;
}

const graphemes = new Intl.Segmenter("en", { granularity: "grapheme" });

function ucs2Units(text: string): Buffer[] {
  const units: Buffer[] = [];
  // A lone surrogate is no character; it would take its neighbour's half in the recipient's eyes.
  for (const { segment } of graphemes.segment(text.toWellFormed())) {
    const whole = ucs2(segment);
    if (whole.length <= room.ucs2.part) units.push(whole);
    else for (const char of segment) units.push(ucs2(char));
  }
  return units;
}

function ucs2(text: string): Buffer {
  return Buffer.from(text, "utf16le").swap16();
}

function pack(units: Buffer[], { single, part }: { single: number; part: number }): Buffer[] {
  const whole = Buffer.concat(units);
  if (whole.length <= single) return [whole];
  const parts: Buffer[] = [];
  let begin = 0;
  let end = 0;
  for (const unit of units) {
    if (end + unit.length - begin > part) {
      parts.push(whole.subarray(begin, end));
      begin = end;
    }
    end += unit.length;
  }
  parts.push(whole.subarray(begin));
  return parts;
}

/** A part with the header that says which of how many it is; `reference` is the same for all parts of a message, 0–255. */
export function withHeader(part: Buffer, reference: number, total: number, number: number): Buffer {
  return Buffer.concat([Buffer.from([5, 0, 3, reference, total, number]), part]);
}

export type PartOf = { reference: number; total: number; number: number };

/** Takes the user data header off; says nothing of a part when the header is about something else, or broken. */
export function splitHeader(data: Buffer): { part?: PartOf; text: Buffer } {
  const length = data[0] ?? 0;
  if (length + 1 > data.length) return { text: data };
  const header = data.subarray(1, length + 1);
  const text = data.subarray(length + 1);
  for (let offset = 0; offset + 2 <= header.length;) {
    const element = header[offset];
    const size = header[offset + 1] ?? 0;
    const value = header.subarray(offset + 2, offset + 2 + size);
    offset += 2 + size;
    if (element === 0 && value.length === 3) {
      return { part: { reference: value[0] ?? 0, total: value[1] ?? 0, number: value[2] ?? 0 }, text };
    }
    if (element === 8 && value.length === 4) {
      const reference = 0x1_0000 + value.readUInt16BE(0);
      return { part: { reference, total: value[2] ?? 0, number: value[3] ?? 0 }, text };
    }
  }
  return { text };
}

/** The text of a message from a recipient; null when its coding is not one of text. */
export function decodeText(data: Buffer, coding: number): string | null {
  // TS 23.038 §4: general data coding in 00xx xxxx, data coding and message class in 1111 xxxx.
  const group = coding & 0xf0;
  const alphabet = group === 0xf0 ? (coding & 4 ? -1 : 0) : group === 0x10 ? coding & 0x0c : coding;
  switch (alphabet) {
    case dataCoding.gsm:
      return smpp.gsmCoder.decode(data, 0);
    case dataCoding.ascii:
    case dataCoding.latin1:
      return data.toString("latin1");
    case dataCoding.ucs2:
      return Buffer.from(data.subarray(0, data.length & ~1))
        .swap16()
        .toString("utf16le")
        .toWellFormed();
    default:
      return null;
  }
}
