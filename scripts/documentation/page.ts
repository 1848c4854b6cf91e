/** What a page of the documentation consists of, as far as a machine can hold it to something. */
import Slugger from "github-slugger";
import type { Code, Html, Nodes, Parent, PhrasingContent } from "mdast";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { gfmTable } from "micromark-extension-gfm-table";
import { visit } from "unist-util-visit";

/** A fenced block with the notes that stand directly before it, as HTML comments that nobody sees. */
export interface Block {
  /** The word after the fence; empty without one. */
  language: string;
  code: string;
  line: number;
  notes: ReadonlyMap<string, string>;
  /** What is wrong with the notes. */
  problems: string[];
}

export interface Page {
  blocks: Block[];
  /** Inline code outside of fenced blocks. */
  inline: { code: string; line: number }[];
  links: { to: string; line: number }[];
  /** The fragments that links to this page may have. */
  anchors: Set<string>;
  /** Tables as the inline code of each row's first cell, under the text of the table's header cells. */
  tables: { header: string[]; names: string[][] }[];
}

/** Notes and what they say; each needs something after its colon. */
export const noteMeanings = {
  "not run": "why this cannot run here",
  answers: "the HTTP statuses of the block's calls, where they are not 2xx",
  exits: "the exit code, where it is not 0",
  starts: "each line runs until it has printed this text, and is then stopped as with Ctrl-C",
  before: "commands that prepare what the page takes for granted",
  after: "commands that hold the result to something",
  file: "the name of the file that the block is",
  "body of": "the method and path that the block is sent to",
  webhook: "the kind of body that a webhook has: whole, or its data",
  types: "declarations that the block takes for granted",
  "checked by": "the test that reads the block from the page",
} as const;

const lineOf = (node: Nodes): number => node.position?.start.line ?? 0;

/** The comments of an HTML node: each as name and value. */
function notesOf(html: string): { name: string; value: string }[] {
  return html
    .split("<!--")
    .slice(1)
    .map((part) => {
      const text = part.split("-->", 1)[0] ?? "";
      const colon = text.indexOf(":");
      return colon === -1
        ? { name: text.trim(), value: "" }
        : { name: text.slice(0, colon).trim(), value: text.slice(colon + 1).trim() };
    });
}

function readNotes(before: readonly Nodes[]): Pick<Block, "notes" | "problems"> {
  const notes = new Map<string, string>();
  const problems: string[] = [];
  for (const node of before) {
    for (const { name, value } of notesOf((node as Html).value)) {
      if (!Object.hasOwn(noteMeanings, name)) problems.push(`there is no note "${name}"`);
      else if (value === "") problems.push(`the note "${name}" says nothing`);
      else if (notes.has(name)) problems.push(`the note "${name}" is there twice`);
      else notes.set(name, value);
    }
  }
  return { notes, problems };
}

function blockOf(code: Code, parent: Parent | undefined, index: number): Block {
  const before: Nodes[] = [];
  for (let at = index - 1; parent?.children[at]?.type === "html"; at--) {
    before.unshift(parent.children[at] as Nodes);
  }
  return { language: code.lang ?? "", code: code.value, line: lineOf(code), ...readNotes(before) };
}

const codesIn = (nodes: readonly PhrasingContent[]): string[] =>
  nodes.flatMap((node) => (node.type === "inlineCode" ? [node.value] : []));

function textIn(node: Nodes): string {
  if ("value" in node) return node.value;
  return "children" in node ? node.children.map((child) => textIn(child as Nodes)).join("") : "";
}

/** Reads CommonMark with GitHub's tables. */
export function readPage(markdown: string): Page {
  const tree = fromMarkdown(markdown, {
    extensions: [gfmTable()],
    mdastExtensions: [gfmTableFromMarkdown()],
  });
  const page: Page = { blocks: [], inline: [], links: [], anchors: new Set(), tables: [] };
  const slugger = new Slugger();
  visit(tree, (node, index, parent) => {
    switch (node.type) {
      case "code":
        page.blocks.push(blockOf(node, parent, index ?? 0));
        break;
      case "inlineCode":
        page.inline.push({ code: node.value, line: lineOf(node) });
        break;
      case "link":
      case "definition":
      case "image":
        page.links.push({ to: node.url, line: lineOf(node) });
        break;
      case "heading":
        page.anchors.add(slugger.slug(textIn(node)));
        break;
      case "table": {
        const [header, ...rows] = node.children;
        page.tables.push({
          header: header?.children.map(textIn) ?? [],
          names: rows.map((row) => codesIn(row.children[0]?.children ?? [])),
        });
        break;
      }
      default:
    }
  });
  return page;
}

/** How a block is held to what it says. `wrong`: nothing does. */
export type Treatment =
  | { kind: "run"; how: "shell" | "node" | "python" | "sql" | "request" | "file" | "service" }
  | { kind: "check"; how: "json" | "yaml" | "webhook" | "prices" | "liquid" | "types" | "elsewhere" }
  | { kind: "not run"; why: string }
  | { kind: "wrong"; problems: string[] };

const byLanguage: Record<string, Treatment> = {
  sh: { kind: "run", how: "shell" },
  js: { kind: "run", how: "node" },
  python: { kind: "run", how: "python" },
  sql: { kind: "run", how: "sql" },
  json: { kind: "check", how: "json" },
  yaml: { kind: "check", how: "yaml" },
  csv: { kind: "check", how: "prices" },
  liquid: { kind: "check", how: "liquid" },
  ts: { kind: "check", how: "types" },
};

export function treatmentOf({ language, notes, problems }: Block): Treatment {
  if (problems.length > 0) return { kind: "wrong", problems };
  const why = notes.get("not run");
  if (why !== undefined) return { kind: "not run", why };
  if (notes.has("checked by")) return { kind: "check", how: "elsewhere" };
  if (notes.has("file")) return { kind: "run", how: "file" };
  if (notes.has("webhook")) return { kind: "check", how: "webhook" };
  if (notes.has("body of")) return { kind: "run", how: "request" };
  if (notes.has("starts")) return { kind: "run", how: "service" };
  return (
    byLanguage[language] ?? {
      kind: "wrong",
      problems: [
        language === ""
          ? "a block without a language needs a note that says what checks it, or why nothing does"
          : `nothing checks blocks of ${language}`,
      ],
    }
  );
}
