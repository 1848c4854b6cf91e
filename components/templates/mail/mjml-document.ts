import { mjmlRoot } from "../../../server/template-language/mjml-root.ts";

/** Lines moved to the right by two spaces a step. */
export const indent = (text: string, steps: number) => text.replaceAll(/^(?=.)/gm, "  ".repeat(steps));

const inColumn = (text: string) =>
  `<mj-section>\n  <mj-column>\n${indent(text, 2)}\n  </mj-column>\n</mj-section>`;
const inDocument = (text: string) => `<mjml>\n  <mj-body>\n${indent(text, 2)}\n  </mj-body>\n</mjml>\n`;

/**
 * A body as an MJML document that says the same. Parts of a document get what is missing around them; HTML becomes the text of
 * a column, as it is. A document stays as it is.
 */
export function asMjml(body: string): string {
  const root = mjmlRoot(body);
  const text = body.trim();
  if (root === null) return inDocument(inColumn(`<mj-text>\n${indent(text, 1)}\n</mj-text>`));
  switch (root.name) {
    case "mjml":
      return body;
    case "mj-body":
    case "mj-head":
      return `<mjml>\n${indent(text, 1)}\n</mjml>\n`;
    case "mj-section":
    case "mj-wrapper":
    case "mj-hero":
    case "mj-raw":
      return inDocument(text);
    case "mj-column":
    case "mj-group":
      return inDocument(`<mj-section>\n${indent(text, 1)}\n</mj-section>`);
    default:
      return inDocument(inColumn(text));
  }
}

/** Whether HTML can become the text of an MJML column: a whole document, or one with style sheets, cannot. */
export function fitsInText(html: string): boolean {
  return !/<(!doctype|html|head|body|style)\b/i.test(html);
}
