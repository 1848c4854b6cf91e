import { mjmlRoot } from "../../../server/template-language/mjml-root.ts";

/** Lines moved to the right by two spaces a step. */
export const indent = (text: string, steps: number) => text.replaceAll(/^(?=.)/gm, "  ".repeat(steps));

// The text itself is not moved: in it blanks may count, as in <pre>.
const inColumn = (text: string) => `<mj-section>\n<mj-column>\n${text}\n</mj-column>\n</mj-section>`;
const inBody = (text: string) => inRoot(`<mj-body>\n${text}\n</mj-body>`);
const inRoot = (text: string) => `<mjml>\n${text}\n</mjml>\n`;

/**
 * A body as an MJML document that says the same. Parts of a document get what is missing around them; HTML becomes the text of
 * a column, as it is. A document stays as it is.
 */
export function asMjml(body: string): string {
  const root = mjmlRoot(body);
  const text = body.trim();
  if (root === null) return inBody(inColumn(`<mj-text>\n${text}\n</mj-text>`));
  switch (root.name) {
    case "mjml":
      return body;
    case "mj-body":
    case "mj-head":
      return inRoot(text);
    case "mj-section":
    case "mj-wrapper":
    case "mj-hero":
    case "mj-raw":
      return inBody(text);
    case "mj-column":
    case "mj-group":
      return inBody(`<mj-section>\n${text}\n</mj-section>`);
    default:
      return inBody(inColumn(text));
  }
}

/** Whether HTML can become the text of an MJML column: a whole document, or one with style sheets, cannot. */
export function fitsInText(html: string): boolean {
  return !/<(!doctype|html|head|body|style)\b/i.test(html);
}
