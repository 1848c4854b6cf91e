import path from "node:path";
import Slugger from "github-slugger";
import type { Element, ElementContent, Root, RootContent } from "hast";
import { toHtml } from "hast-util-to-html";
import { fromMarkdown } from "mdast-util-from-markdown";
import { gfmTableFromMarkdown } from "mdast-util-gfm-table";
import { toHast } from "mdast-util-to-hast";
import { gfmTable } from "micromark-extension-gfm-table";
import { SKIP, visit } from "unist-util-visit";

export interface RenderedGuide {
  /** The text of its first heading. */
  title: string;
  html: string;
  /** Its headings of the second level, for the table of contents. */
  sections: { id: string; title: string }[];
}

function textOf(node: Root | RootContent): string {
  if (node.type === "text") return node.value;
  return "children" in node ? node.children.map(textOf).join("") : "";
}

const element = (
  tagName: string,
  properties: Element["properties"],
  children: ElementContent[],
): Element => ({ type: "element", tagName, properties, children });

/** The box in which a wide element scrolls by itself, also by keyboard. */
function boxOf(node: Element): Element | undefined {
  if (node.tagName === "table")
    return element("div", { className: ["table"], tabIndex: 0, role: "region", ariaLabel: "Table" }, [node]);
  if (node.tagName !== "pre") return undefined;
  node.properties.tabIndex = 0;
  return element("div", { className: ["code"] }, [node]);
}

/** Where a link of a page under docs/ leads when the page is served below `/docs`. Undefined: not served here. */
export function guideAddress(from: string, to: string): string | undefined {
  if (/^(?:https?|mailto):/i.test(to) || to.startsWith("#")) return to;
  const [file = "", fragment] = to.split("#", 2);
  const target = path.posix.join("docs", path.posix.dirname(from), file);
  const page = /^docs\/(.+)\.md$/.exec(target)?.[1];
  if (page === undefined) return target === "docs/providers/" ? "/docs/providers/twilio" : undefined;
  return `/docs/${page}${fragment === undefined ? "" : `#${fragment}`}`;
}

/**
 * A page of documentation as HTML: CommonMark with tables. HTML in the source, the comments that drive the pages' tests among it, is
 * left out, so nothing of the source can run or load.
 * @param page its name below docs/, without `.md`
 */
export function renderGuide(page: string, markdown: string): RenderedGuide {
  const tree = toHast(
    fromMarkdown(markdown, { extensions: [gfmTable()], mdastExtensions: [gfmTableFromMarkdown()] }),
  ) as Root;
  const slugger = new Slugger();
  const sections: RenderedGuide["sections"] = [];
  let title = page;
  visit(tree, "element", (node) => {
    if (/^h[1-6]$/.test(node.tagName)) {
      const text = textOf(node);
      const id = slugger.slug(text);
      if (node.tagName === "h1") title = text;
      if (node.tagName === "h2") sections.push({ id, title: text });
      node.properties.id = id;
      if (node.tagName !== "h1")
        node.children.push(
          element("a", { href: `#${id}`, className: ["anchor"], ariaLabel: `Link to “${text}”` }, [
            { type: "text", value: "#" },
          ]),
        );
    }
    if (node.tagName === "a" && typeof node.properties.href === "string") {
      const address = guideAddress(page, node.properties.href);
      if (address === undefined) delete node.properties.href;
      else node.properties.href = address;
    }
  });
  visit(tree, "element", (node, index, parent) => {
    const around = boxOf(node);
    if (around === undefined || parent === undefined || index === undefined) return undefined;
    parent.children[index] = around;
    return SKIP;
  });
  return { title, html: toHtml(tree), sections };
}
