import type { MailBlock } from "./blocks.ts";
import { indent } from "./mjml-document.ts";
import { mjmlElements, type MjmlElement } from "./mjml-elements.ts";

/** A change of a text: what stands between `start` and `end` is replaced. Offsets are UTF-16 code units. */
export type TextEdit = { start: number; end: number; text: string };

/** Elements that hold sections, and those that hold the contents of a column. */
const sectionParents = new Set(["mj-body", "mj-wrapper"]);
const contentParents = new Set(["mj-column", "mj-hero"]);

/**
 * Where a block goes that is inserted with the cursor at `cursor`, and what is written there: behind the part that the cursor
 * stands in, so that nothing is cut in two and the result is MJML again. Nothing of the text is changed or lost. Null for a text
 * without a body.
 */
export function insertBlock(text: string, cursor: number, block: MailBlock): TextEdit | null {
  const roots = mjmlElements(text);
  const body = find(roots, (element) => element.name === "mj-body");
  if (!body) return null;
  const path = pathTo(body, cursor);
  const column =
    block.level === "content" ? path.findLast(({ name }) => contentParents.has(name)) : undefined;
  if (column) return insertInto(text, column, cursor, block.mjml);
  const mjml =
    block.level === "section"
      ? block.mjml
      : `<mj-section>\n  <mj-column>\n${indent(block.mjml, 2)}\n  </mj-column>\n</mj-section>`;
  const parent = path.findLast(({ name }) => sectionParents.has(name)) ?? body;
  // With the cursor outside of the body, at its end.
  return insertInto(text, parent, path.length === 0 ? text.length : cursor, mjml);
}

function find(
  elements: readonly MjmlElement[],
  test: (element: MjmlElement) => boolean,
): MjmlElement | undefined {
  for (const element of elements) {
    const found = test(element) ? element : find(element.children, test);
    if (found) return found;
  }
  return undefined;
}

/** The elements around the cursor, from the outside in; empty when it is outside of the first. */
function pathTo(element: MjmlElement, cursor: number): MjmlElement[] {
  if (cursor <= element.start || cursor >= element.end) return [];
  const inner = element.children.find((child) => cursor > child.start && cursor < child.end);
  return inner ? [element, ...pathTo(inner, cursor)] : [element];
}

function insertInto(text: string, parent: MjmlElement, cursor: number, mjml: string): TextEdit {
  if (parent.selfClosing) {
    const margin = marginOf(text, parent.start);
    const opening = `${text.slice(parent.start, parent.openEnd - 2).trimEnd()}>`;
    const inner = inLines(mjml, `${margin}  `);
    return {
      start: parent.start,
      end: parent.openEnd,
      text: `${opening}\n${inner}\n${margin}</${parent.name}>`,
    };
  }
  const before = parent.children.findLast((child) => child.start < cursor);
  if (before) {
    const margin = marginOf(text, before.start);
    return { start: before.end, end: before.end, text: `\n${inLines(mjml, margin)}` };
  }
  const margin = marginOf(text, parent.start);
  const rest = text[parent.openEnd] === "\n" ? "" : `\n${margin}`;
  return {
    start: parent.openEnd,
    end: parent.openEnd,
    text: `\n${inLines(mjml, `${margin}  `)}${rest}`,
  };
}

/** The blanks at the start of the line that a place is in. */
function marginOf(text: string, at: number): string {
  const line = text.slice(text.lastIndexOf("\n", at - 1) + 1, at);
  return /^[ \t]*/.exec(line)?.[0] ?? "";
}

const inLines = (mjml: string, margin: string) => mjml.replaceAll(/^(?=.)/gm, margin);
