/** A part of a mail, as MJML. `section`: stands in the body; `content`: stands in a column, and gets one where there is none. */
export type MailBlock = {
  id: string;
  label: string;
  level: "section" | "content";
  mjml: string;
};

const section = (background: string, ...columns: string[]) =>
  `<mj-section${background}>\n${columns.map((column) => `  <mj-column>\n    ${column}\n  </mj-column>`).join("\n")}\n</mj-section>`;

/** The parts that mails are made of, in the order of a mail. What has to be replaced says so. */
export const mailBlocks: readonly MailBlock[] = [
  {
    id: "header",
    label: "Header",
    level: "section",
    mjml: section("", `<mj-text font-size="20px" font-weight="700">Your organisation</mj-text>`),
  },
  { id: "text", label: "Text", level: "content", mjml: `<mj-text>Write your text here.</mj-text>` },
  {
    id: "button",
    label: "Button",
    level: "content",
    mjml: `<mj-button href="https://example.com/">Button text</mj-button>`,
  },
  {
    id: "image",
    label: "Image",
    level: "content",
    mjml: `<mj-image src="https://example.com/picture.png" alt="What the picture shows" />`,
  },
  {
    id: "columns",
    label: "Two columns",
    level: "section",
    mjml: section("", `<mj-text>Left column</mj-text>`, `<mj-text>Right column</mj-text>`),
  },
  {
    id: "divider",
    label: "Divider",
    level: "content",
    mjml: `<mj-divider border-width="1px" border-color="#c9c9c4" />`,
  },
  {
    id: "footer",
    label: "Footer",
    level: "section",
    mjml: section(
      "",
      `<mj-text font-size="13px" line-height="18px" color="#5b5b57">Your organisation, street, city</mj-text>`,
    ),
  },
];
