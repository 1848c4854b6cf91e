/** What docs/style.md decides, as far as a machine can hold texts to it. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type { Nodes, Table } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { SKIP, visit } from "unist-util-visit";
import { root } from "../lib/paths.ts";

const parse = (markdown: string) =>
  fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] });

function textIn(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map((child) => textIn(child as Nodes)).join("") : "";
}

function tablesOf(markdown: string): { header: string[]; rows: string[][] }[] {
  const found: Table[] = [];
  visit(parse(markdown), "table", (table) => {
    found.push(table);
  });
  return found.map(({ children: [header, ...rows] }) => ({
    header: header?.children.map(textIn) ?? [],
    rows: rows.map((row) => row.children.map(textIn)),
  }));
}

interface Style {
  /** Phrases that are quoted in a column "not" of terms and phrases, in lower case. */
  banned: string[];
  /** The words for states. */
  states: Set<string>;
}

export function readStyle(markdown = readFileSync(path.join(root, "docs/style.md"), "utf8")): Style {
  const tables = tablesOf(markdown);
  const banned = tables.flatMap(({ header, rows }) => {
    const at = header.indexOf("not");
    // States are whole labels: what they are not called stands in sentences all the same.
    if (at === -1 || header[0] === "state") return [];
    return rows.flatMap((row) =>
      [...(row[at] ?? "").matchAll(/"([^"]+)"/g)].map(([, phrase = ""]) => phrase),
    );
  });
  const states = tables
    .filter(({ header }) => header[0] === "state")
    .flatMap(({ rows }) => rows.flatMap(([words = ""]) => words.split(", ")));
  return { banned: banned.map((phrase) => phrase.toLowerCase()), states: new Set(states) };
}

const isWord = (letter: string | undefined) => letter !== undefined && /[\p{L}\p{N}]/u.test(letter);

/** The banned phrases in a text, as whole words. */
export function bannedIn(text: string, { banned }: Pick<Style, "banned">): string[] {
  const lower = text.toLowerCase().replaceAll(/\s+/g, " ").replaceAll("’", "'");
  return banned.filter((phrase) => {
    for (let at = lower.indexOf(phrase); at !== -1; at = lower.indexOf(phrase, at + 1))
      if (!isWord(lower[at - 1]) && lower[at - 1] !== "-" && !isWord(lower[at + phrase.length])) return true;
    return false;
  });
}

/** Prose of the pages for readers, without code: paragraphs, items, cells and headings, each with its place. */
export function pageTexts(): { where: string; text: string }[] {
  return ["README.md", ...globSync("docs/**/*.md", { cwd: root }).sort()]
    .filter((file) => file !== "docs/style.md" && !file.startsWith("docs/decisions/"))
    .flatMap((file) => {
      const texts: { where: string; text: string }[] = [];
      visit(parse(readFileSync(path.join(root, file), "utf8")), (node) => {
        if (!["paragraph", "heading", "tableCell"].includes(node.type)) return undefined;
        const copy = structuredClone(node);
        visit(copy, "inlineCode", (code) => {
          code.value = "…";
        });
        texts.push({ where: `${file}:${String(node.position?.start.line ?? 0)}`, text: textIn(copy) });
        return SKIP;
      });
      return texts;
    });
}

/** Names that are written with capitals, besides those in the middle of which capitals stand. */
const names = new Set(
  "Ada Amazon Android Arabic Bitly Chrome Cloud Connect Console Daylight Desktop Dutch Edge Entra English Europe Firefox French German Germany Gmail Google Graph Hindi Infobip Italian January Linux Liquid Lovelace Markdown Meta Microsoft Mia Monday Okta Opera Outlook Platform Polish Portuguese Postgres Postmaster Prometheus Rebrandly Resend Safari Simulator Spanish Sunday Swedish Swagger Tidings Tools Turkish Twilio Unicode Vonage Windows Workspace Yahoo Account Advanced Admin Applications Audience Audit Auth Authorization Berlin Business Clients Consent Contacts Costs Currency Data Delivery Details Groups Members Messages Number Overview Pipeline Production Providers Retention Routing Send Settings Sign Stages Utility".split(
    " ",
  ),
);

/** Words that are capitalised in the middle of a sentence without being names. */
export function titleCased(text: string): string[] {
  return [...text.matchAll(/(?<=[\p{Ll},;)] )[A-Z][a-z]+(?![\w-])/gu)]
    .map(([word]) => word)
    .filter((word) => !names.has(word));
}
