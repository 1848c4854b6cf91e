import { diffLists } from "../history/diff-lines.ts";

/** Words and elements of a mail that are compared; a longer one is shown without marks. */
const mostParts = 20_000;

type Part =
  | { kind: "word"; key: string; node: Text; start: number; end: number }
  | { kind: "element"; key: string; element: Element };

const tones = {
  removed: { mark: "background:#ffc9c5;color:#000;text-decoration:line-through", outline: "#d1242f" },
  added: { mark: "background:#b6f0c2;color:#000", outline: "#1a7f37" },
};

/**
 * Two mails with what only one of them has marked: words, and links and pictures that lead elsewhere. For frames without
 * scripts: what comes back is as untrusted as what was given. Needs a browser's parser, which runs and loads nothing.
 */
export function markChanges(left: string, right: string): { left: string; right: string; changed: boolean } {
  const [a, b] = [parse(left), parse(right)];
  const [partsA, partsB] = [partsOf(a), partsOf(b)];
  if (partsA.length > mostParts || partsB.length > mostParts) return { left, right, changed: left !== right };
  const difference = diffLists(
    partsA.map(({ key }) => key),
    partsB.map(({ key }) => key),
  );
  mark(partsA, difference.left, "removed");
  mark(partsB, difference.right, "added");
  return {
    left: difference.left.size > 0 ? textOf(a) : left,
    right: difference.right.size > 0 ? textOf(b) : right,
    changed: difference.left.size + difference.right.size > 0,
  };
}

const parse = (html: string) => new DOMParser().parseFromString(html, "text/html");
const textOf = (document: Document) => `<!doctype html>${document.documentElement.outerHTML}`;

function partsOf(document: Document): Part[] {
  const parts: Part[] = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT);
  while (walker.nextNode() && parts.length <= mostParts) {
    const node = walker.currentNode;
    if (node instanceof Element) {
      const address = node.getAttribute("href") ?? node.getAttribute("src");
      if (address !== null)
        parts.push({ kind: "element", key: `<${node.localName} ${address}>`, element: node });
      continue;
    }
    if (!(node instanceof Text) || ["style", "script", "title"].includes(node.parentElement?.localName ?? ""))
      continue;
    for (const match of node.data.matchAll(/[\p{L}\p{N}_]+|[^\p{L}\p{N}_\s]/gu)) {
      parts.push({
        kind: "word",
        key: match[0],
        node,
        start: match.index,
        end: match.index + match[0].length,
      });
    }
  }
  return parts;
}

function mark(parts: readonly Part[], changed: ReadonlySet<number>, tone: keyof typeof tones): void {
  // From the end, so that the places before stay where they are; neighbours become one mark.
  for (let index = parts.length - 1; index >= 0; index--) {
    const part = parts[index];
    if (!part || !changed.has(index)) continue;
    if (part.kind === "element") {
      part.element.setAttribute(
        "style",
        `${part.element.getAttribute("style") ?? ""};outline:2px solid ${tones[tone].outline}`,
      );
      continue;
    }
    let { start } = part;
    for (
      let before = parts[index - 1];
      before?.kind === "word" && before.node === part.node;
      before = parts[index - 1]
    ) {
      if (!changed.has(index - 1)) break;
      start = before.start;
      index--;
    }
    const wrapped = part.node.ownerDocument.createElement(tone === "added" ? "ins" : "del");
    wrapped.setAttribute("style", tones[tone].mark);
    const rest = part.node.splitText(start);
    rest.splitText(part.end - start);
    rest.replaceWith(wrapped);
    wrapped.append(rest);
  }
}
