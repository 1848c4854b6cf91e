import { holdsCode, isAddressAttribute } from "./html-address.ts";
import { commentEnd } from "./html-text.ts";
import { templateProblem } from "./render.ts";
import type { TemplateProblem } from "./render.ts";
import { placeAt } from "./text-place.ts";

const forbiddenTags = new Set("script noscript iframe object embed applet base meta link".split(" "));
/** Their content is text to a browser, up to their own end tag. */
const rawTextTags = new Set(["style", "title", "textarea", "xmp", "noembed", "noframes"]);
const maxProblems = 20;

export interface HtmlKind {
  /** Compiled MJML: it has a head of its own, and the link of an mj-font. */
  compiled?: boolean;
  /** Rendered output: a brace in it is a brace. */
  rendered?: boolean;
}

/**
 * HTML, with or without Liquid, that mail programs block and mail filters punish: scripts, frames, handlers, code in
 * addresses; and Liquid where escaping is not enough: in a tag's name, or in an attribute without quotes. Linear in the
 * length of the text.
 */
export function htmlProblems(text: string, kind: HtmlKind = {}): TemplateProblem[] {
  const html = kind.rendered ? text.replaceAll("{", "(") : text;
  const problems: TemplateProblem[] = [];
  const add = (at: number, detail: string) => {
    problems.push(templateProblem("/body", { code: "unsafe_html", detail, ...placeAt(html, at) }));
  };
  let at = 0;
  while (problems.length < maxProblems) {
    const open = html.indexOf("<", at);
    if (open < 0) break;
    if (html.startsWith("<!--", open)) {
      at = commentEnd(html, open);
      continue;
    }
    const [start, slash = "", tagName] =
      /^<(\/?)([A-Za-z][A-Za-z0-9:-]*)?/.exec(html.slice(open, open + 64)) ?? [];
    const behind = open + (start?.length ?? 1);
    if (html[behind] === "{" && (html[behind + 1] === "{" || html[behind + 1] === "%")) {
      add(open, "The name of a tag must not hold Liquid; a < that is only a character is written &lt;.");
    }
    if (tagName === undefined) {
      at = open + 1;
      continue;
    }
    const name = tagName.toLowerCase();
    const tag = readTag(html, behind);
    if (slash === "" && forbiddenTags.has(name) && !isHarmless(html.slice(open, tag.end), kind)) {
      add(open, `The tag <${name}> is not allowed in an e-mail.`);
    }
    if (tag.problem) add(tag.problem.at, tag.problem.detail);
    at = tag.end;
    if (slash === "" && rawTextTags.has(name)) at = rawTextEnd(html, at, name);
  }
  return problems;
}

function rawTextEnd(html: string, from: number, name: string): number {
  const end = new RegExp(`</${name}(?=[\\s/>])`, "gi");
  end.lastIndex = from;
  return end.exec(html)?.index ?? html.length;
}

/** Metadata of a whole document; and, in compiled MJML, the style sheet of an mj-font. */
function isHarmless(tag: string, { compiled = false }: HtmlKind): boolean {
  if (/^<meta\s+(charset|name|http-equiv)=/i.test(tag)) {
    return !/http-equiv/i.test(tag.replace(/http-equiv=["']?(content-type|x-ua-compatible)\b/gi, ""));
  }
  return compiled && /^<link href="https:\/\/[^"{}]+" rel="stylesheet" type="text\/css">$/.test(tag);
}

interface Tag {
  end: number;
  problem?: { at: number; detail: string };
}

/** Reads a tag's attributes as browsers do, skipping Liquid in it. */
function readTag(html: string, from: number): Tag {
  let problem: Tag["problem"];
  let at = from;
  const outputOutside = { at: 0, detail: "A variable in a tag must stand inside a quoted attribute." };
  while (at < html.length) {
    const char = html[at] ?? "";
    if (char === ">") return { end: at + 1, problem };
    const liquidEnd = endOfLiquid(html, at);
    if (liquidEnd !== null) {
      if (html[at + 1] === "{") problem ??= { ...outputOutside, at };
      at = liquidEnd;
      continue;
    }
    if (/[\s/"'=]/.test(char)) {
      at++;
      continue;
    }
    // A name, optionally followed by = and a value.
    const nameAt = at;
    while (at < html.length && !/[\s/>=]/.test(html[at] ?? "") && endOfLiquid(html, at) === null) at++;
    const name = html.slice(nameAt, at).toLowerCase();
    let next = at;
    while (next < html.length && /\s/.test(html[next] ?? "")) next++;
    if (html[next] !== "=") {
      if (endOfLiquid(html, at) !== null && html[at + 1] === "{") problem ??= { ...outputOutside, at };
      continue;
    }
    at = next + 1;
    while (at < html.length && /\s/.test(html[at] ?? "")) at++;
    const value = readValue(html, at);
    problem ??= attributeProblem(name, value, nameAt);
    at = value.end;
  }
  return { end: html.length, problem };
}

interface Value {
  text: string;
  begin: number;
  end: number;
  quoted: boolean;
  /** The position of a variable in it. */
  outputAt: number | null;
}

function readValue(html: string, from: number): Value {
  const quote = html[from];
  const quoted = quote === '"' || quote === "'";
  const begin = quoted ? from + 1 : from;
  let outputAt: number | null = null;
  let at = begin;
  while (at < html.length) {
    const liquidEnd = endOfLiquid(html, at);
    if (liquidEnd !== null) {
      if (html[at + 1] === "{") outputAt ??= at;
      at = liquidEnd;
      continue;
    }
    const char = html[at] ?? "";
    if (quoted ? char === quote : /[\s>]/.test(char)) break;
    at++;
  }
  return { text: html.slice(begin, at), begin, end: quoted ? at + 1 : at, quoted, outputAt };
}

/** The end of the Liquid output or tag that begins here; null when none does. */
function endOfLiquid(html: string, at: number): number | null {
  if (html[at] !== "{") return null;
  const close = html[at + 1] === "{" ? "}}" : html[at + 1] === "%" ? "%}" : null;
  if (close === null) return null;
  const end = html.indexOf(close, at + 2);
  return end < 0 ? html.length : end + 2;
}

function attributeProblem(name: string, value: Value, at: number): Tag["problem"] {
  if (/^on[a-z]/.test(name))
    return { at, detail: `The handler ${name.slice(0, 40)} is not allowed in an e-mail.` };
  if (name === "srcdoc") return { at, detail: "The attribute srcdoc is not allowed in an e-mail." };
  if (!value.quoted && value.outputAt !== null) {
    return { at: value.outputAt, detail: "A variable in a tag must stand inside a quoted attribute." };
  }
  if (isAddressAttribute(name) && holdsCode(value.text))
    return { at: value.begin, detail: "Code in an address is not allowed." };
  return undefined;
}
