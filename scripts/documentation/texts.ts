/** The texts that people read in the interface and the API, found in the sources. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import ts from "typescript";
import { root } from "../lib/paths.ts";

interface Text {
  file: string;
  line: number;
  /** With `…` for each value that is put in. */
  text: string;
  /** Where it stands: the JSX element, `element.attribute`, or the property that it is the value of; else empty. */
  place: string;
}

/** Attributes and functions that take class names, and others that nobody reads. */
const unread =
  /^(?:class(?:Name|es)?|cn|cva|href|to|path|key|id|name|type|viewBox|d|style|src|rel|target|accept|autoComplete|inputMode|pattern|sizes|stroke.*|fill|transform|data-.*|matchAll|match|replaceAll|RegExp|querySelector|log|debug|info|warn|import|from)$/;

function isProse(text: string): boolean {
  if (!/\p{L}{2}/u.test(text)) return false;
  // SQL, addresses, class names and identifiers.
  if (/^(?:SELECT|INSERT|UPDATE|DELETE|WITH|--)\b/.test(text.trim())) return false;
  if (/^[\w./:#@%?&=-]+$/.test(text)) return /^[A-Z][a-z]+$/.test(text);
  return /\s/.test(text) || /^[A-Z]\p{Ll}/u.test(text);
}

function collapse(text: string): string {
  return text.replace(/\s+/g, " ").trim();
}

/** Texts of one source file, in its order. */
export function textsOf(file: string, source: string): Text[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true, ts.ScriptKind.TSX);
  const found: Text[] = [];
  const add = (node: ts.Node, text: string, place: string) => {
    const words = collapse(text);
    if (!isProse(words)) return;
    found.push({
      file,
      line: tree.getLineAndCharacterOfPosition(node.getStart(tree)).line + 1,
      text: words,
      place,
    });
  };
  const visit = (node: ts.Node, place: string): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isTypeNode(node)) return;
    if (ts.isTaggedTemplateExpression(node)) return;
    if (ts.isJsxElement(node)) {
      const tag = node.openingElement.tagName.getText(tree);
      visit(node.openingElement, place);
      // A sentence with values or elements in it is one text.
      const text = node.children
        .map((child) => (ts.isJsxText(child) ? child.text : ts.isJsxExpression(child) ? "…" : " … "))
        .join("");
      if (node.children.some((child) => ts.isJsxText(child) && !child.containsOnlyTriviaWhiteSpaces))
        add(node, text, tag);
      for (const child of node.children) if (!ts.isJsxText(child)) visit(child, tag);
      return;
    }
    if (ts.isJsxFragment(node)) {
      for (const child of node.children) {
        if (ts.isJsxText(child)) add(child, child.text, place);
        else visit(child, place);
      }
      return;
    }
    if (ts.isJsxSelfClosingElement(node) || ts.isJsxOpeningElement(node)) {
      const tag = node.tagName.getText(tree);
      for (const attribute of node.attributes.properties) {
        if (!ts.isJsxAttribute(attribute)) visit(attribute, tag);
        else if (attribute.initializer && !unread.test(attribute.name.getText(tree)))
          visit(attribute.initializer, `${tag}.${attribute.name.getText(tree)}`);
      }
      return;
    }
    if (ts.isCallExpression(node)) {
      const name = ts.isPropertyAccessExpression(node.expression)
        ? node.expression.name.text
        : node.expression.getText(tree);
      visit(node.expression, place);
      if (!unread.test(name)) for (const argument of node.arguments) visit(argument, place || `${name}()`);
      return;
    }
    if (ts.isPropertyAssignment(node)) {
      const name = node.name.getText(tree);
      if (!unread.test(name)) visit(node.initializer, name);
      return;
    }
    if (ts.isStringLiteral(node) || ts.isNoSubstitutionTemplateLiteral(node)) {
      add(node, node.text, place);
      return;
    }
    if (ts.isTemplateExpression(node)) {
      add(node, node.head.text + node.templateSpans.map((span) => `…${span.literal.text}`).join(""), place);
      for (const span of node.templateSpans) visit(span.expression, place);
      return;
    }
    ts.forEachChild(node, (child) => {
      visit(child, place);
    });
  };
  visit(tree, "");
  return found;
}

const isProduct = (file: string) => !/\.test\.tsx?$/.test(file) && !file.includes("/generated/");

/** Texts of the portal and its other pages. */
export function interfaceTexts(): Text[] {
  return globSync("{app,components}/**/*.{ts,tsx}", { cwd: root })
    .filter(isProduct)
    .sort()
    .flatMap((file) => textsOf(file, readFileSync(path.join(root, file), "utf8")));
}
