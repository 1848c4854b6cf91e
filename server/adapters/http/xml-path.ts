/**
 * XML answers, and a part of XPath that names one value: `/answer/message[2]/@id`. Elements by their names from the root on, indexes
 * from 1, an attribute at the end. Names are compared without their namespace's prefix.
 */
import sax from "sax";

/** What is read of a provider's XML at most: it comes from outside, and answers to one message are short. */
export const xmlBounds = { characters: 32_768, elements: 2_000, depth: 50, attributes: 4_000 } as const;

export type XmlElement = {
  /** Without its prefix, like the attributes' names. */
  name: string;
  attributes: Map<string, string>;
  children: XmlElement[];
  /** Its own, without its children's. */
  text: string;
};

/**
 * The root element; null for what is no well-formed XML, has a document type, or exceeds the bounds. No entities but XML's and HTML's own
 * are known, so nothing expands.
 */
export function parseXml(text: string): XmlElement | null {
  // The parser's time grows with the cube of repeated "<!", and document types are not wanted anyway.
  if (text.length > xmlBounds.characters || /<!(?!--|\[CDATA\[)/.test(text)) return null;
  const parser = sax.parser(true, {});
  const open: XmlElement[] = [];
  let root: XmlElement | null = null;
  let elements = 0;
  const stop = (why: string): never => {
    throw new Error(why);
  };
  const say = (said: string): void => {
    const last = open.at(-1);
    if (last) last.text += said;
  };
  parser.onerror = (error) => stop(error.message);
  let attributes = new Map<string, string>();
  let seen = 0;
  parser.onattribute = ({ name, value }) => {
    if (++seen > xmlBounds.attributes) stop("too many attributes");
    attributes.set(localName(name), value);
  };
  parser.onopentag = ({ name }) => {
    if (++elements > xmlBounds.elements || open.length >= xmlBounds.depth) stop("too many elements");
    const parent = open.at(-1);
    if (!parent && root) stop("more than one root");
    const element: XmlElement = { name: localName(name), attributes, children: [], text: "" };
    attributes = new Map();
    if (parent) parent.children.push(element);
    else root = element;
    open.push(element);
  };
  parser.onclosetag = () => void open.pop();
  parser.ontext = say;
  parser.oncdata = say;
  try {
    parser.write(text).close();
  } catch {
    return null;
  }
  return root;
}

function localName(name: string): string {
  return name.slice(name.indexOf(":") + 1);
}

type XmlStep = { name: string; attribute: boolean; index: number };

/** The path's steps; null for a text that is no such path. */
export function parseXmlPath(path: string): XmlStep[] | null {
  const steps: XmlStep[] = [];
  const step = /\/(@?)([\p{L}_][\p{L}\p{N}_.:-]*)(?:\[([1-9]\d{0,3})\])?/uy;
  while (step.lastIndex < path.length) {
    const match = step.exec(path);
    if (!match || steps.at(-1)?.attribute) return null;
    const [, at, name = "", index] = match;
    if (at === "@" && index !== undefined) return null;
    steps.push({ name: localName(name), attribute: at === "@", index: Number(index ?? 1) });
  }
  return steps.length === 0 || steps[0]?.attribute ? null : steps;
}

/** The text that a path names, without white space around it; undefined when there is no such element or attribute. */
export function readXmlText(root: XmlElement, path: string): string | undefined {
  let siblings: readonly XmlElement[] = [root];
  let found: XmlElement | undefined;
  for (const { name, attribute, index } of parseXmlPath(path) ?? []) {
    if (attribute) return found?.attributes.get(name)?.trim();
    found = siblings.filter((element) => element.name === name)[index - 1];
    if (!found) return undefined;
    siblings = found.children;
  }
  return found?.text.trim();
}
