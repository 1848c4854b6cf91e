/** WhatsApp's way of marking text up: *bold* _italic_ ~strike~ and ```mono```. Pure. */

export type TextStyle = "bold" | "italic" | "strike" | "mono";
export type TextNode = string | { style: TextStyle; children: TextNode[] };

const markers: Readonly<Record<string, TextStyle>> = { "*": "bold", _: "italic", "~": "strike" };
const fence = "```";

/**
 * A message as WhatsApp draws it. A marker counts only at the edge of words, within one line and around something that
 * does not start or end with a blank; otherwise it stays a character. Inside ``` nothing else is marked up.
 */
export function formatWhatsapp(text: string): TextNode[] {
  const nodes: TextNode[] = [];
  const push = (node: TextNode) => {
    const last = nodes.at(-1);
    if (typeof node === "string" && typeof last === "string") nodes[nodes.length - 1] = last + node;
    else if (node !== "") nodes.push(node);
  };
  let at = 0;
  while (at < text.length) {
    if (text.startsWith(fence, at)) {
      const end = text.indexOf(fence, at + fence.length);
      if (end > at + fence.length) {
        push({ style: "mono", children: [text.slice(at + fence.length, end)] });
        at = end + fence.length;
        continue;
      }
    }
    const marker = text.charAt(at);
    const style = markers[marker];
    const end = style && !isWord(text.charAt(at - 1)) ? closing(text, marker, at) : -1;
    if (style && end !== -1) {
      push({ style, children: formatWhatsapp(text.slice(at + 1, end)) });
      at = end + 1;
      continue;
    }
    push(marker);
    at++;
  }
  return nodes;
}

/** Where the text that starts after the marker at `at` ends; -1 when it does not. */
function closing(text: string, marker: string, at: number): number {
  if (isBlank(text.charAt(at + 1))) return -1;
  for (let end = at + 1; end < text.length; end++) {
    const char = text.charAt(end);
    if (char === "\n") return -1;
    if (char !== marker || end === at + 1) continue;
    if (!isBlank(text.charAt(end - 1)) && !isWord(text.charAt(end + 1))) return end;
  }
  return -1;
}

const isWord = (char: string) => /[\p{L}\p{N}]/u.test(char);
const isBlank = (char: string) => char === "" || /\s/.test(char);
