/** An MJML element of a text. Offsets are UTF-16 code units. */
export type MjmlElement = {
  name: string;
  start: number;
  /** Behind its opening tag. */
  openEnd: number;
  /** Behind the whole of it; of one that is not closed, the end of the text. */
  end: number;
  selfClosing: boolean;
  children: MjmlElement[];
};

/** Deeper ones are taken for empty: no mail is so deep, and broken texts may be. */
const deepest = 200;

/**
 * The MJML elements of a text as a tree, broken texts included: it never throws. What Liquid, comments and the HTML between
 * them hold is passed over. Linear in the length of the text.
 */
export function mjmlElements(text: string): MjmlElement[] {
  const plain = withoutLiquid(text);
  const roots: MjmlElement[] = [];
  const open: MjmlElement[] = [];
  const close = (element: MjmlElement, end: number) => {
    element.end = end;
  };
  for (let at = plain.indexOf("<"); at >= 0; at = plain.indexOf("<", at)) {
    const tag = /^<(\/?)(mjml|mj-[a-z0-9-]{1,30})(?=[\s/>])/i.exec(plain.slice(at, at + 40));
    if (!tag) {
      at++;
      continue;
    }
    const name = (tag[2] ?? "").toLowerCase();
    const end = tagEnd(plain, at + tag[0].length);
    if (tag[1] === "/") {
      const index = open.findLastIndex((each) => each.name === name);
      // What was left open inside ends here, too.
      if (index >= 0) for (const each of open.splice(index)) close(each, end);
    } else {
      const selfClosing = plain[end - 2] === "/";
      const isLeaf = selfClosing || open.length >= deepest;
      const element = {
        name,
        start: at,
        openEnd: end,
        end: isLeaf ? end : text.length,
        selfClosing,
        children: [],
      };
      (open.at(-1)?.children ?? roots).push(element);
      if (!isLeaf) open.push(element);
    }
    at = end;
  }
  return roots;
}

/** Behind the `>` of a tag, which may stand in quotes before. */
function tagEnd(text: string, from: number): number {
  let quote = "";
  for (let at = from; at < text.length; at++) {
    const char = text[at] ?? "";
    if (quote !== "") {
      if (char === quote) quote = "";
    } else if (char === '"' || char === "'") quote = char;
    else if (char === ">") return at + 1;
  }
  return text.length;
}

const hidden: readonly (readonly [begin: string, end: string])[] = [
  ["{{", "}}"],
  ["{%", "%}"],
  ["<!--", "-->"],
];

/** The text, as long as it was, with Liquid and comments blotted out. */
function withoutLiquid(text: string): string {
  const out: string[] = [];
  let at = 0;
  const next = hidden.map(([begin]) => text.indexOf(begin));
  for (;;) {
    const first = next.reduce(
      (best, found, index) => (found >= 0 && (best < 0 || found < (next[best] ?? 0)) ? index : best),
      -1,
    );
    const begin = first < 0 ? -1 : (next[first] ?? -1);
    if (first < 0 || begin < 0) break;
    const [, ending] = hidden[first] ?? ["", ""];
    const found = text.indexOf(ending, begin + 2);
    const end = found < 0 ? text.length : found + ending.length;
    out.push(text.slice(at, begin), "x".repeat(end - begin));
    at = end;
    hidden.forEach(([each], index) => {
      const known = next[index] ?? -1;
      if (known >= 0 && known < at) next[index] = text.indexOf(each, at);
    });
  }
  out.push(text.slice(at));
  return out.join("");
}
