import { crc32 } from "node:zlib";
import { DomainError } from "../kernel/errors.ts";
import { logoLimits } from "./vocabulary.ts";
import type { LogoKind } from "./schemas.ts";

export interface PictureFacts {
  kind: LogoKind;
  width: number;
  height: number;
}

type Found = Omit<PictureFacts, "kind">;

function refuse(code: string, detail: string): DomainError {
  return new DomainError("invalid_request", `${detail}.`, {
    errors: [{ pointer: "/picture", code, detail }],
  });
}

const damaged = () => refuse("damaged", "The picture is damaged or incomplete: save it again");
const animated = () => refuse("animated", "An animated picture cannot be a logo: save a single one");
const more = () =>
  refuse("trailing_data", "The file goes on after the end of the picture: save the picture again");

/**
 * What a picture is, from its bytes alone: PNG, JPEG or WebP, whole, still, and nothing else behind it. Follows the parts of the
 * file from the first to the last and decodes none. Throws `invalid_request` and says what is wrong.
 */
export function readPicture(bytes: Buffer): PictureFacts {
  if (bytes.length > logoLimits.bytes) throw refuse("too_large", "The picture is larger than 256 KiB");
  const kind = kindOf(bytes);
  if (kind === null) {
    throw looksLikeMarkup(bytes)
      ? refuse("not_allowed", "SVG and HTML can contain programs: save the logo as PNG, JPEG or WebP")
      : refuse("not_allowed", "This is not a PNG, JPEG or WebP picture, whatever the file is called");
  }
  const { width, height } = readers[kind](bytes);
  const { min, max } = logoLimits.pixels;
  if (Math.min(width, height) < min || Math.max(width, height) > max) {
    throw refuse(
      "wrong_dimensions",
      `The picture has ${String(width)} × ${String(height)} pixels: each side must have ${String(min)} to ${String(max)}`,
    );
  }
  return { kind, width, height };
}

function kindOf(bytes: Buffer): LogoKind | null {
  if (bytes.subarray(0, 8).equals(pngSignature)) return "png";
  if (bytes[0] === 0xff && bytes[1] === 0xd8 && bytes[2] === 0xff) return "jpeg";
  if (text(bytes, 0) === "RIFF" && text(bytes, 8) === "WEBP") return "webp";
  return null;
}

const looksLikeMarkup = (bytes: Buffer) => /^\s*</.test(bytes.subarray(0, 256).toString());

const pngSignature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** Four bytes as text: the name of a part. */
const text = (bytes: Buffer, at: number) => bytes.toString("latin1", at, at + 4);

const readers: Record<LogoKind, (bytes: Buffer) => Found> = { png: readPng, jpeg: readJpeg, webp: readWebp };

/** Length, name, data and checksum, from IHDR to IEND. */
function readPng(bytes: Buffer): Found {
  let found: Found | undefined;
  let data = false;
  let at = pngSignature.length;
  for (;;) {
    if (at + 12 > bytes.length) throw damaged();
    const length = bytes.readUInt32BE(at);
    const end = at + 12 + length;
    if (end > bytes.length) throw damaged();
    const name = text(bytes, at + 4);
    if (crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) throw damaged();
    if ((name === "IHDR") !== (found === undefined)) throw damaged();
    if (name === "IHDR") {
      if (length !== 13) throw damaged();
      found = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    }
    if (name === "acTL") throw animated();
    if (name === "IDAT") data = true;
    if (name === "IEND") {
      if (!found || !data || length !== 0) throw damaged();
      if (end !== bytes.length) throw more();
      return found;
    }
    at = end;
  }
}

/** Frames that browsers show: baseline, extended, progressive. */
const frames = new Set([0xc0, 0xc1, 0xc2]);
/** Lossless, hierarchical and arithmetic ones. */
const otherFrames = new Set([0xc3, 0xc5, 0xc6, 0xc7, 0xc9, 0xca, 0xcb, 0xcd, 0xce, 0xcf]);

/** Segments with a marker and a length; behind a scan's comes data up to the next marker. */
function readJpeg(bytes: Buffer): Found {
  let found: Found | undefined;
  let scanned = false;
  let at = 2;
  for (;;) {
    if (bytes[at] !== 0xff) throw damaged();
    while (bytes[at + 1] === 0xff) at++;
    const marker = bytes[at + 1];
    if (marker === undefined || marker < 0xc0 || marker === 0xd8) throw damaged();
    if (marker >= 0xd0 && marker <= 0xd7) throw damaged();
    at += 2;
    if (marker === 0xd9) {
      if (!found || !scanned) throw damaged();
      if (at !== bytes.length) throw more();
      return found;
    }
    if (at + 2 > bytes.length) throw damaged();
    const length = bytes.readUInt16BE(at);
    const end = at + length;
    if (length < 2 || end > bytes.length) throw damaged();
    if (otherFrames.has(marker)) throw damaged();
    if (frames.has(marker)) {
      if (found || length < 8) throw damaged();
      found = { width: bytes.readUInt16BE(at + 5), height: bytes.readUInt16BE(at + 3) };
    }
    at = end;
    if (marker === 0xda) {
      if (!found) throw damaged();
      scanned = true;
      at = endOfScan(bytes, at);
    }
  }
}

/** Where the next marker stands: FF, but for FF 00, which is data, and the restarts within a scan. */
function endOfScan(bytes: Buffer, from: number): number {
  let at = from;
  for (;;) {
    at = bytes.indexOf(0xff, at);
    const next = at < 0 ? undefined : bytes[at + 1];
    if (next === undefined) throw damaged();
    if (next === 0xff) at += 1;
    else if (next === 0 || (next >= 0xd0 && next <= 0xd7)) at += 2;
    else return at;
  }
}

/** Parts with a name and a length, each of an even number of bytes, within one whole. */
function readWebp(bytes: Buffer): Found {
  if (bytes.length < 20) throw damaged();
  const whole = bytes.readUInt32LE(4) + 8;
  if (whole > bytes.length) throw damaged();
  if (whole < bytes.length) throw more();
  let canvas: Found | undefined;
  let found: Found | undefined;
  let at = 12;
  while (at < bytes.length) {
    if (at + 8 > bytes.length) throw damaged();
    const name = text(bytes, at);
    const length = bytes.readUInt32LE(at + 4);
    const data = bytes.subarray(at + 8, at + 8 + length);
    const end = at + 8 + length + (length % 2);
    if (end > bytes.length) throw damaged();
    if (name === "ANIM" || name === "ANMF") throw animated();
    if (name === "VP8X") {
      if (at !== 12 || length < 10) throw damaged();
      if ((data.readUInt8(0) & 0x02) !== 0) throw animated();
      canvas = { width: data.readUIntLE(4, 3) + 1, height: data.readUIntLE(7, 3) + 1 };
    }
    if (name === "VP8 " || name === "VP8L") {
      if (found || (!canvas && at !== 12)) throw damaged();
      found = name === "VP8 " ? lossy(data) : lossless(data);
    }
    at = end;
  }
  if (!found) throw damaged();
  if (canvas && (canvas.width !== found.width || canvas.height !== found.height)) throw damaged();
  return found;
}

function lossy(data: Buffer): Found {
  const isKeyFrame = data.length >= 10 && (data.readUInt8(0) & 1) === 0;
  if (!isKeyFrame || data.readUIntBE(3, 3) !== 0x9d_01_2a) throw damaged();
  return { width: data.readUInt16LE(6) & 0x3f_ff, height: data.readUInt16LE(8) & 0x3f_ff };
}

function lossless(data: Buffer): Found {
  if (data.length < 5 || data[0] !== 0x2f) throw damaged();
  const bits = data.readUInt32LE(1);
  return { width: (bits & 0x3f_ff) + 1, height: ((bits >>> 14) & 0x3f_ff) + 1 };
}
