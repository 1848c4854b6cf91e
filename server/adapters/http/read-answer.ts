/** What is read out of an answer or a callback: values by their paths, whatever the text is written in. */
import { parseExactJson, parseJsonPath, readJsonPath, readJsonText } from "./json-path.ts";
import { parseXml, parseXmlPath, readXmlText } from "./xml-path.ts";
import type { XmlElement } from "./xml-path.ts";

/** Paths into XML begin with a slash, as none into JSON does. */
export function isXmlPath(path: string): boolean {
  return path.startsWith("/");
}

export function isPath(path: string): boolean {
  return (isXmlPath(path) ? parseXmlPath(path) : parseJsonPath(path)) !== null;
}

/** A text in which paths name values. It is parsed once, and only as what the paths ask for. */
export class StructuredText {
  private readonly text: string;
  private json: { value: unknown } | undefined;
  private xml: { root: XmlElement | null } | undefined;

  constructor(text: string) {
    this.text = text;
  }

  /** Whether the text is of the kind that the path is for. */
  fits(path: string): boolean {
    return isXmlPath(path) ? this.asXml() !== null : this.asJson() !== undefined;
  }

  /** Whether there is something, be it empty or an object; null in JSON is nothing. */
  has(path: string): boolean {
    if (isXmlPath(path)) return this.read(path) !== undefined;
    const found = readJsonPath(this.asJson(), path);
    return found !== undefined && found !== null;
  }

  /** The value as text: of JSON strings, numbers and booleans, of XML elements and attributes. */
  read(path: string): string | undefined {
    if (!isXmlPath(path)) return readJsonText(this.asJson(), path);
    const root = this.asXml();
    return root ? readXmlText(root, path) : undefined;
  }

  private asJson(): unknown {
    this.json ??= { value: parseExactJson(this.text) };
    return this.json.value;
  }

  private asXml(): XmlElement | null {
    this.xml ??= { root: parseXml(this.text) };
    return this.xml.root;
  }
}
