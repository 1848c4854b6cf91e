/** Finds what matters to an editor in a Liquid text, broken ones included: it never throws and never waits. */

export type VariableUse = { name: string; start: number; end: number };

const openings = /\{\{-?|\{%-?/g;
const identifier = /[A-Za-z_][A-Za-z0-9_]*/y;
/** Words of expressions that are no variables. */
const expressionWords = new Set(
  "and or not contains in true false nil null empty blank reversed limit offset forloop".split(" "),
);

type Piece = { kind: "output" | "tag"; start: number; end: number; inner: string; innerStart: number };

/** Outputs and tags, without what stands in raw and comment blocks. */
function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let at = 0;
  for (;;) {
    openings.lastIndex = at;
    const open = openings.exec(text);
    if (!open) return found;
    const kind = open[0].startsWith("{{") ? "output" : "tag";
    const innerStart = open.index + open[0].length;
    const close = text.indexOf(kind === "output" ? "}}" : "%}", innerStart);
    const innerEnd = close < 0 ? text.length : close;
    const inner = text.slice(innerStart, innerEnd);
    at = close < 0 ? text.length : close + 2;
    const block = kind === "tag" ? /^\s*(raw|comment)\b/.exec(inner)?.[1] : undefined;
    if (block !== undefined) {
      const end = new RegExp(`\\{%-?\\s*end${block}\\s*-?%\\}`, "g");
      end.lastIndex = at;
      const match = end.exec(text);
      at = match ? match.index + match[0].length : text.length;
    } else if (kind === "output" || !/^\s*#/.test(inner)) {
      found.push({ kind, start: open.index, end: at, inner, innerStart });
    }
  }
}

type Word = { name: string; start: number };

/** Names that an expression reads: no texts in quotes, no filters, no members after a point, no named arguments. */
function namesIn(inner: string, from: number): Word[] {
  const words: Word[] = [];
  let i = from;
  let afterPipe = false;
  while (i < inner.length) {
    const char = inner[i] ?? "";
    if (char === '"' || char === "'") {
      const close = inner.indexOf(char, i + 1);
      i = close < 0 ? inner.length : close + 1;
      continue;
    }
    identifier.lastIndex = i;
    const name = identifier.exec(inner)?.[0];
    if (name === undefined) {
      const number = /^[0-9][0-9.]*/.exec(inner.slice(i, i + 32))?.[0];
      if (char === "|") afterPipe = true;
      i += number?.length ?? 1;
      continue;
    }
    const isMember = inner[i - 1] === ".";
    const isArgumentName = /^\s*:/.test(inner.slice(i + name.length, i + name.length + 16));
    if (!afterPipe && !isMember && !isArgumentName && !expressionWords.has(name)) {
      words.push({ name, start: i });
    }
    afterPipe = false;
    i += name.length;
  }
  return words;
}

/** Every place where a text reads a variable from outside, in the order of the text. */
export function variableUses(text: string): VariableUse[] {
  const own = new Set<string>();
  const uses: VariableUse[] = [];
  for (const { kind, inner, innerStart } of pieces(text)) {
    let from = 0;
    if (kind === "tag") {
      const tag = /^\s*([a-z]+)\s*/.exec(inner);
      if (!tag?.[1] || tag[1].startsWith("end")) continue;
      from = tag[0].length;
      if (tag[1] === "assign" || tag[1] === "capture" || tag[1] === "for") {
        const made = /^[A-Za-z_][A-Za-z0-9_]*/.exec(inner.slice(from))?.[0] ?? "";
        own.add(made);
        from += made.length;
        if (tag[1] === "capture") continue;
      }
    }
    for (const word of namesIn(inner, from)) {
      const start = innerStart + word.start;
      uses.push({ name: word.name, start, end: start + word.name.length });
    }
  }
  return uses.filter((use) => !own.has(use.name));
}

/** What may be written at a place of the text. `range` is the word that is being written there. */
export type LiquidPlace = {
  wants: "variable" | "filter" | "tag";
  /** Where the word starts, and the word up to the place. */
  start: number;
  word: string;
  /** Where the output or tag starts. */
  open: number;
};

/** What stands around `offset`; null outside of Liquid. Looks back one kilobyte at most, so typing stays quick. */
export function placeAt(text: string, offset: number): LiquidPlace | null {
  const from = Math.max(0, offset - 1_024);
  const before = text.slice(from, offset);
  const open = Math.max(before.lastIndexOf("{{"), before.lastIndexOf("{%"));
  if (open < 0) return null;
  const inner = before.slice(open + 2);
  if (inner.includes("}}") || inner.includes("%}")) return null;
  const quotes = inner.match(/["']/g) ?? [];
  if (quotes.length % 2 === 1) return null;
  const word = /[A-Za-z0-9_]*$/.exec(inner)?.[0] ?? "";
  const rest = inner.slice(0, inner.length - word.length);
  const place = { start: offset - word.length, word, open: from + open };
  if (/\|\s*$/.test(rest)) return { wants: "filter", ...place };
  if (rest.endsWith(".")) return null;
  if (before.startsWith("{%", open) && /^-?\s*$/.test(rest)) return { wants: "tag", ...place };
  return { wants: "variable", ...place };
}

/** The word at `offset` and what it is: for explanations. Null where nothing can be explained. */
export function wordAt(text: string, offset: number): (LiquidPlace & { end: number }) | null {
  const rest = /^[A-Za-z0-9_]*/.exec(text.slice(offset, offset + 128))?.[0] ?? "";
  const end = offset + rest.length;
  const place = placeAt(text, end);
  return place && place.word !== "" ? { ...place, end } : null;
}
