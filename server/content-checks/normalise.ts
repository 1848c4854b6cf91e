/**
 * A text as its reader sees it, without what may hide words and numbers from patterns, and the way back to its source.
 * Linear in the length of the text.
 */
import { decodeHTML } from "entities";
import { wordsOf } from "./text-words.ts";
import type { Word } from "./text-words.ts";

/** A text, and for each of its UTF-16 units the part [start, end) of the source that it comes from. */
export class MappedText {
  readonly text: string;
  private readonly starts: ArrayLike<number> | null;
  private readonly ends: ArrayLike<number> | null;

  /** Without positions the text is the source itself. */
  constructor(text: string, positions?: { starts: ArrayLike<number>; ends: ArrayLike<number> }) {
    this.text = text;
    this.starts = positions?.starts ?? null;
    this.ends = positions?.ends ?? null;
  }

  start(at: number): number {
    return this.starts ? (this.starts[at] ?? 0) : at;
  }

  /** The end in the source of the unit at `at`. */
  end(at: number): number {
    return this.ends ? (this.ends[at] ?? 0) : at + 1;
  }

  /** Where [start, end) of this text is in the source. */
  sourceOf(start: number, end: number): { start: number; end: number } {
    return { start: this.start(start), end: this.end(Math.max(start, end - 1)) };
  }
}

/** Builds a text piece by piece. */
export class MappedTextWriter {
  private readonly pieces: string[] = [];
  private readonly starts: number[] = [];
  private readonly ends: number[] = [];
  /** The last unit written. */
  last = "";

  /** Every unit of `piece` comes from the whole of [start, end). */
  write(piece: string, start: number, end: number): void {
    if (piece === "") return;
    this.pieces.push(piece);
    this.last = piece.charAt(piece.length - 1);
    for (let left = piece.length; left > 0; left--) {
      this.starts.push(start);
      this.ends.push(end);
    }
  }

  /** Copies [from, to) of a text, unit by unit. */
  copy(source: MappedText, from: number, to: number): void {
    this.pieces.push(source.text.slice(from, to));
    this.last = source.text.charAt(to - 1);
    for (let i = from; i < to; i++) {
      this.starts.push(source.start(i));
      this.ends.push(source.end(i));
    }
  }

  done(): MappedText {
    return new MappedText(this.pieces.join(""), { starts: this.starts, ends: this.ends });
  }
}

/** Stands for a Liquid output, whose value is not known: no letter, no digit, no space. */
const outputMark = "\ufffc";

export interface TextViews {
  /** Everything as written, mark-up and Liquid included; characters and entities normalised. */
  written: MappedText;
  /** Without tags, comments and Liquid; an output is one `outputMark`. */
  visible: MappedText;
  /** As `visible`, with nothing in the place of outputs. */
  joined: MappedText;
  /** The words of `visible`. */
  words: readonly Word[];
}

/** @param liquid false: braces are only braces, as in a rendered text */
export function viewsOf(source: MappedText, { liquid = true } = {}): TextViews {
  const { text } = source;
  const all = new MappedTextWriter();
  writeCharacters(source, 0, text.length, all, false);
  const written = all.done();
  const structured = /<[A-Za-z/!?]/.test(text);
  const tagged = liquid && text.includes("{");
  const visible = structured || tagged ? visibleText(source, structured, tagged) : written;
  const joined = visible.text.includes(outputMark) ? withoutMarks(visible) : visible;
  return { written, visible, joined, words: wordsOf(visible.text) };
}

function withoutMarks(view: MappedText): MappedText {
  const writer = new MappedTextWriter();
  for (const part of view.text.matchAll(/[^\ufffc]+/g)) {
    writer.copy(view, part.index, part.index + part[0].length);
  }
  return writer.done();
}

/** Tags that do not part words: `4111<b></b>1111` is one number to its reader. */
const inline = new Set(
  "a abbr acronym b bdi bdo big cite code del dfn em font i ins kbd label mark q s samp small span strike strong sub sup time tt u var wbr".split(
    " ",
  ),
);
const cells = new Set(["td", "th", "img", "input", "button", "mj-image"]);
const silent = new Set(["style", "script", "mj-style"]);
/** Attributes that are shown or read out. */
const shownAttribute =
  /\s(?:alt|title|aria-label|placeholder|summary)=(?:"([^"]{1,1000})"|'([^']{1,1000})')/gi;

/** What a reader sees. Constructs without an end are text. */
function visibleText(source: MappedText, html: boolean, liquid: boolean): MappedText {
  const { text } = source;
  const writer = new MappedTextWriter();
  const find = finder(text);
  const findTag = html ? finder(text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())) : find;
  const open = html ? (liquid ? /[<{]/g : /</g) : /\{/g;
  let at = 0;
  const copyTo = (end: number) => writeCharacters(source, at, end, writer, html);
  const breakAt = (mark: string, from: number, to: number) => {
    if (writer.last !== mark && writer.last !== "\n")
      writer.write(mark, source.start(from), source.end(to - 1));
  };
  let raw: { end: number; next: number } | null = null;
  while (at < text.length) {
    open.lastIndex = at;
    const found = open.exec(text)?.index ?? text.length;
    const rawEnd: number | undefined = raw?.end;
    const from = Math.min(found, rawEnd ?? found);
    copyTo(from);
    at = from;
    if (raw && rawEnd === from) {
      at = raw.next;
      raw = null;
      continue;
    }
    if (from === text.length) break;
    if (text[from] === "{" && raw) {
      copyTo(from + 1);
      at = from + 1;
      continue;
    }
    if (text[from] === "{") {
      const end = liquidEnd(text, from, find);
      if (end === null) {
        copyTo(from + 1);
        at = from + 1;
        continue;
      }
      if (end.kind === "output") writer.write(outputMark, source.start(from), source.end(end.end - 1));
      if (end.kind === "raw") {
        raw = { end: end.content.end, next: end.end };
        at = end.content.start;
      } else at = end.end;
      continue;
    }
    const tag = htmlTag(text, from, find, findTag);
    if (!tag) {
      copyTo(from + 1);
      at = from + 1;
      continue;
    }
    if (tag.name !== null) {
      if (cells.has(tag.name)) breakAt(" ", from, tag.end);
      else if (!inline.has(tag.name)) breakAt("\n", from, tag.end);
      for (const shown of text.slice(from, tag.openEnd).matchAll(shownAttribute)) {
        const value = shown[1] ?? shown[2] ?? "";
        const begin = from + shown.index + shown[0].length - 1 - value.length;
        breakAt("\n", from, tag.end);
        writeCharacters(source, begin, begin + value.length, writer, true);
        breakAt("\n", from, tag.end);
      }
    }
    at = tag.end;
  }
  return writer.done();
}

type Find = (mark: string, from: number) => number;

/** `indexOf` that remembers what it found: for a repetition of beginnings it would search equally far each time. */
function finder(text: string): Find {
  const known = new Map<string, { from: number; at: number }>();
  return (mark, from) => {
    const last = known.get(mark);
    if (last && last.from <= from && (last.at < 0 || last.at >= from)) return last.at;
    const at = text.indexOf(mark, from);
    known.set(mark, { from, at });
    return at;
  };
}

type LiquidSpan =
  | { kind: "output" | "tag" | "comment"; end: number }
  | { kind: "raw"; content: { start: number; end: number }; end: number };

const blockTag = /\{%-?\s{0,20}(raw|comment)\s{0,20}-?%\}/y;

/** The Liquid that begins at `from`; null: these are only braces. */
function liquidEnd(text: string, from: number, find: Find): LiquidSpan | null {
  if (text[from + 1] === "{") {
    const close = find("}}", from + 2);
    return close < 0 ? null : { kind: "output", end: close + 2 };
  }
  if (text[from + 1] !== "%") return null;
  blockTag.lastIndex = from;
  const block = blockTag.exec(text);
  if (block) {
    const content = from + block[0].length;
    const name = `end${block[1] ?? ""}`;
    const word = find(name, content);
    const close = word < 0 ? -1 : find("%}", word);
    const nearest = word < 0 ? -1 : text.slice(Math.max(content, word - 24), word).lastIndexOf("{%");
    if (close >= 0 && nearest >= 0) {
      const begin = Math.max(content, word - 24) + nearest;
      const end = close + 2;
      return block[1] === "raw"
        ? { kind: "raw", content: { start: content, end: begin }, end }
        : { kind: "comment", end };
    }
  }
  const close = find("%}", from + 2);
  return close < 0 ? null : { kind: "tag", end: close + 2 };
}

/**
 * The tag, comment or silent element that begins at `from`. `name`: null for a comment; `openEnd`: the end of the tag itself.
 * @param findTag finds in the text in small letters
 */
function htmlTag(
  text: string,
  from: number,
  find: Find,
  findTag: Find,
): { name: string | null; openEnd: number; end: number } | null {
  if (text.startsWith("<!--", from)) {
    // As browsers read it: `<!-->` is a whole comment.
    const ends = ["-->", "--!>"].map((mark) => ({ at: find(mark, from + 2), mark }));
    const [first] = ends.filter(({ at }) => at >= 0).sort((a, b) => a.at - b.at);
    const end = first && first.at + first.mark.length;
    return end === undefined ? null : { name: null, openEnd: end, end };
  }
  const match = /^<(\/?)([A-Za-z][A-Za-z0-9-]{0,30})/.exec(text.slice(from, from + 34));
  if (!match && !/^<[!?]/.test(text.slice(from, from + 2))) return null;
  const close = find(">", from + 1);
  if (close < 0) return null;
  const openEnd = close + 1;
  const name = match?.[2]?.toLowerCase() ?? null;
  if (name === null || match?.[1] === "/" || !silent.has(name)) return { name, openEnd, end: openEnd };
  const content = findTag(`</${name}`, openEnd);
  const last = content < 0 ? -1 : find(">", content);
  return { name, openEnd, end: last < 0 ? openEnd : last + 1 };
}

/** Characters that nobody sees: soft hyphens, joiners, directions, fillers, variation selectors, keycaps. */
const invisible =
  /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u20e3\u3164\ufe00-\ufe0f\ufeff\uffa0\ufff9-\ufffb\u{e0000}-\u{e01ef}]/gu;
const entity = /&(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,30});?/y;
/** ASCII that is seen and stands for itself: neither white space nor the beginning of an entity. */
const isPlain = (code: number): boolean => code > 0x20 && code < 0x7f && code !== 0x26;

const beyondAscii = /\P{M}?\p{M}{0,32}/uy;
const decimal = /\p{Nd}/u;
const digits = new Map<string, string>();

/** A decimal digit of any script as an ASCII digit: the ten of a script follow each other. */
function asciiDigit(char: string): string {
  const known = digits.get(char);
  if (known !== undefined) return known;
  const code = char.codePointAt(0) ?? 0;
  let value = 0;
  while (value < 9 && decimal.test(String.fromCodePoint(code - value - 1))) value++;
  const digit = String(value);
  digits.set(char, digit);
  return digit;
}

function normalised(text: string): string {
  const composed = text.normalize("NFKC");
  // Some characters stand for whole phrases: 256 KiB of them would become megabytes.
  return (composed.length > 4 * text.length ? text : composed)
    .replace(invisible, "")
    .replace(/[^\P{Nd}0-9]/gu, asciiDigit);
}

/** @param collapse runs of white space become one space, as in HTML */
function writeCharacters(
  source: MappedText,
  from: number,
  to: number,
  writer: MappedTextWriter,
  collapse: boolean,
): void {
  const { text } = source;
  for (let at = from; at < to;) {
    let end = at;
    while (end < to && isPlain(text.charCodeAt(end))) end++;
    if (end > at) {
      writer.copy(source, at, end);
      at = end;
      continue;
    }
    const code = text.charCodeAt(at);
    let length = 1;
    let piece = text.charAt(at);
    if (code === 0x26) {
      entity.lastIndex = at;
      const found = entity.exec(text)?.[0];
      if (found !== undefined && at + found.length <= to) {
        const decoded = decodeHTML(found);
        if (decoded !== found) {
          length = found.length;
          piece = normalised(decoded);
        }
      }
    } else if (code >= 0x80) {
      beyondAscii.lastIndex = at;
      piece = beyondAscii.exec(text)?.[0] ?? piece;
      if (piece === "") piece = text.charAt(at);
      length = piece.length;
      piece = normalised(piece);
    } else if ((code < 0x20 && code !== 0x0a && code !== 0x09) || code === 0x7f) piece = "";
    if (collapse && (code <= 0x20 || code >= 0x80) && /^\s{1,20}$/.test(piece)) {
      piece = /\s$/.test(writer.last) ? "" : " ";
    }
    if (piece !== "") writer.write(piece, source.start(at), source.end(Math.min(at + length, to) - 1));
    at += length;
  }
}
