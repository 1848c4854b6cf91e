/** HTML as plain text: what a mail reader without HTML shows. Linear in the length of the input. */

const entities: Record<string, string> = {
  amp: "&",
  lt: "<",
  gt: ">",
  quot: '"',
  apos: "'",
  nbsp: " ",
  euro: "€",
  copy: "©",
  reg: "®",
  hellip: "…",
  ndash: "–",
  mdash: "—",
  laquo: "«",
  raquo: "»",
  auml: "ä",
  ouml: "ö",
  uuml: "ü",
  Auml: "Ä",
  Ouml: "Ö",
  Uuml: "Ü",
  szlig: "ß",
};

function decode(text: string): string {
  return text.replace(
    /&(?:#(\d{1,7})|#[xX]([0-9a-fA-F]{1,6})|([A-Za-z]{2,8}));/g,
    (whole, decimal, hex, name) => {
      if (name !== undefined)
        return Object.hasOwn(entities, name as string) ? (entities[name as string] ?? whole) : whole;
      const code = decimal === undefined ? parseInt(hex as string, 16) : Number(decimal);
      return code > 0x1f && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
        ? String.fromCodePoint(code)
        : " ";
    },
  );
}

// Not the head, which need not be closed: what else is in it is not text.
const silent = new Set(["style", "script", "title", "template"]);
const blocks = new Set(
  "address article aside blockquote div dl dt dd fieldset footer form h1 h2 h3 h4 h5 h6 header hr main nav ol p pre section table tbody thead tfoot tr ul".split(
    " ",
  ),
);
const paragraphs = new Set(["p", "h1", "h2", "h3", "h4", "h5", "h6", "blockquote", "table", "ul", "ol"]);

/** Up to this length, a link's text that equals its address is shown once. */
const longestRepeated = 2_048;

/** The index after the `>` of the tag that starts at `from`, respecting quotes; the text's end when it has none. */
export function tagEnd(html: string, from: number): number {
  let quote = "";
  for (let i = from; i < html.length; i++) {
    const char = html[i] ?? "";
    if (quote) {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return i + 1;
  }
  return html.length;
}

/** The index after the comment that starts at `open`, as browsers read it: `<!-->` is a whole one. */
export function commentEnd(html: string, open: number): number {
  const end = /--!?>/g;
  end.lastIndex = open + 2;
  return end.exec(html) ? end.lastIndex : html.length;
}

export function htmlToText(html: string): string {
  const out: string[] = [];
  let href: string | null = null;
  let linkStart = 0;
  let skipping: string | null = null;
  let at = 0;
  while (at < html.length) {
    const open = html.indexOf("<", at);
    const end = open < 0 ? html.length : open;
    if (!skipping && end > at) out.push(decode(html.slice(at, end).replace(/\s+/g, " ")));
    if (open < 0) break;
    const match = /^<(\/?)([A-Za-z][A-Za-z0-9]*)/.exec(html.slice(open, open + 24));
    const closing = match?.[1] === "/";
    const tag = (match?.[2] ?? "").toLowerCase();
    if (skipping) {
      // Inside a script or style everything but its own end tag is text.
      const ends = closing && tag === skipping;
      at = ends ? tagEnd(html, open) : open + 1;
      if (ends) skipping = null;
      continue;
    }
    if (!match) {
      if (html.startsWith("<!--", open)) at = commentEnd(html, open);
      else if (html[open + 1] === "!" || html[open + 1] === "?") at = tagEnd(html, open);
      else {
        out.push("<");
        at = open + 1;
      }
      continue;
    }
    const close = tagEnd(html, open);
    at = close;
    if (!closing && silent.has(tag)) skipping = tag;
    else if (tag === "br") out.push("\n");
    else if (tag === "a" && !closing) {
      href =
        /\shref\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(html.slice(open, close))?.slice(1).find(Boolean) ?? null;
      linkStart = out.length;
    } else if (tag === "a" && href !== null) {
      const target = decode(href);
      const label = out.slice(linkStart).join("");
      const said = label.length <= longestRepeated && label.includes(target);
      if (/^https?:|^mailto:/i.test(target) && !said) out.push(` (${target})`);
      href = null;
    } else if (tag === "li") out.push(closing ? "" : "\n- ");
    else if (tag === "td" || tag === "th") out.push(closing ? " " : "");
    else if (paragraphs.has(tag)) out.push("\n\n");
    else if (blocks.has(tag)) out.push("\n");
  }
  return out
    .join("")
    .split("\n")
    .map((part) => part.replace(/ +/g, " ").trim())
    .join("\n")
    .replace(/\n{3,}/g, "\n\n")
    .trim();
}
