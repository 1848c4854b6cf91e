import type { Monaco, Monarch } from "./monaco-types.ts";

export const languages = ["html", "mjml", "text"] as const;
/** What a text is written in, Liquid in all of them. */
export type LiquidLanguage = (typeof languages)[number];

export function languageId(language: LiquidLanguage): string {
  return `liquid-${language}`;
}

type Rules = Monarch["tokenizer"][string];

/** Liquid may begin anywhere, within a tag's attribute as well; each state goes back to where it came from. */
const liquidOpenings: Rules = [
  [/\{%-?\s*comment\s*-?%\}/, "comment.liquid", "@comment"],
  [/\{%-?\s*#/, "comment.liquid", "@remark"],
  [
    /(\{%-?)(\s*)(raw)(\s*)(-?%\})/,
    ["delimiter.liquid", "", "keyword.liquid", "", { token: "delimiter.liquid", next: "@raw" }],
  ],
  [/(\{%-?)(\s*)([a-z]*)/, ["delimiter.liquid", "", { token: "keyword.liquid", next: "@tag" }]],
  [/\{\{-?/, "delimiter.liquid", "@output"],
];

const liquidStates: Record<string, Rules> = {
  comment: [
    [/\{%-?\s*endcomment\s*-?%\}/, "comment.liquid", "@pop"],
    [/[^{]+|\{/, "comment.liquid"],
  ],
  remark: [
    [/-?%\}/, "comment.liquid", "@pop"],
    [/[^%-]+|./, "comment.liquid"],
  ],
  raw: [
    [
      /(\{%-?)(\s*)(endraw)(\s*)(-?%\})/,
      ["delimiter.liquid", "", "keyword.liquid", "", { token: "delimiter.liquid", next: "@pop" }],
    ],
    [/[^{]+|\{/, "string.raw.liquid"],
  ],
  output: [[/-?\}\}/, "delimiter.liquid", "@pop"], { include: "@expression" }],
  tag: [[/-?%\}/, "delimiter.liquid", "@pop"], { include: "@expression" }],
  expression: [
    [/\s+/, ""],
    [/'[^']*'|"[^"]*"/, "string.liquid"],
    [/(\|)(\s*)([A-Za-z_]\w*)/, ["delimiter.liquid", "", "function.liquid"]],
    [/[A-Za-z_]\w*(?=\s*:)/, "attribute.liquid"],
    [/\b(and|or|not|contains|in|reversed)\b/, "keyword.liquid"],
    [/\b(true|false|nil|null|empty|blank)\b/, "constant.liquid"],
    [/[A-Za-z_]\w*/, "variable.liquid"],
    [/-?\d+(\.\d+)?/, "number.liquid"],
    [/==|!=|<=|>=|[<>]/, "operator.liquid"],
    [/./, "delimiter.liquid"],
  ],
};

const markupStates: Record<string, Rules> = {
  root: [
    { include: "@liquid" },
    [/<!--/, "comment.html", "@remarkInMarkup"],
    [/<!?\/?(?=[A-Za-z])/, "delimiter.html", "@markupName"],
    [/&\w+;|&#\w+;/, "string.escape.html"],
    [/[^<{&]+|[<{&]/, ""],
  ],
  remarkInMarkup: [
    [/-->/, "comment.html", "@pop"],
    [/[^-]+|./, "comment.html"],
  ],
  markupName: [[/[\w:.-]+/, { token: "tag.html", switchTo: "@markup" }]],
  markup: [
    { include: "@liquid" },
    [/\/?>/, "delimiter.html", "@pop"],
    [/"/, "attribute.value.html", "@doubleQuoted"],
    [/'/, "attribute.value.html", "@singleQuoted"],
    [/[\w:@.-]+/, "attribute.name.html"],
    [/=/, "delimiter.html"],
    [/\s+/, ""],
    [/./, "delimiter.html"],
  ],
  doubleQuoted: [
    { include: "@liquid" },
    [/"/, "attribute.value.html", "@pop"],
    [/[^"{]+|\{/, "attribute.value.html"],
  ],
  singleQuoted: [
    { include: "@liquid" },
    [/'/, "attribute.value.html", "@pop"],
    [/[^'{]+|\{/, "attribute.value.html"],
  ],
};

/** How a text is coloured; exported for tests. */
export function monarchOf(language: LiquidLanguage): Monarch {
  const own: Record<string, Rules> =
    language === "text" ? { root: [{ include: "@liquid" }, [/[^{]+|\{/, ""]] } : markupStates;
  return { defaultToken: "", tokenizer: { ...own, liquid: liquidOpenings, ...liquidStates } };
}

const emptyElements = "area|br|col|hr|img|input|link|meta|source|wbr";

export function registerLanguages(monaco: Monaco): void {
  for (const language of languages) {
    const id = languageId(language);
    monaco.languages.register({ id });
    monaco.languages.setMonarchTokensProvider(id, monarchOf(language));
    const quotes = [
      { open: '"', close: '"' },
      { open: "'", close: "'" },
    ];
    monaco.languages.setLanguageConfiguration(id, {
      brackets:
        language === "text"
          ? [["{{", "}}"]]
          : [
              ["<", ">"],
              ["{{", "}}"],
            ],
      // One brace at a time, so that typing the closing ones goes over them; an apostrophe in a sentence is no quote.
      autoClosingPairs: [{ open: "{", close: "}" }],
      surroundingPairs: [{ open: "{", close: "}" }, ...quotes],
      ...(language === "text"
        ? {}
        : {
            comments: { blockComment: ["<!--", "-->"] },
            onEnterRules: [
              {
                beforeText: new RegExp(`<(?!(?:${emptyElements})\\b)([\\w:-]+)[^<>]*[^/<>]?>$`, "i"),
                afterText: /^<\/[\w:-]+\s*>$/,
                action: { indentAction: monaco.languages.IndentAction.IndentOutdent },
              },
              {
                beforeText: new RegExp(`<(?!(?:${emptyElements})\\b)([\\w:-]+)[^<>]*[^/<>]?>$`, "i"),
                action: { indentAction: monaco.languages.IndentAction.Indent },
              },
            ],
            folding: {
              markers: { start: /^\s*<!--\s*#region\b.*-->/, end: /^\s*<!--\s*#endregion\b.*-->/ },
            },
          }),
    });
  }
}
