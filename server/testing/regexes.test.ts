/** Checks every regular expression of the server, wherever it is. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { checkSync } from "recheck";
import ts from "typescript";
import { beforeAll, describe, expect, it, vi } from "vitest";

// As recheck is in JavaScript, without the optional binaries.
vi.hoisted(() => {
  process.env.RECHECK_BACKEND = "pure";
});

const root = path.resolve(import.meta.dirname, "../..");
const files = globSync(["server/**/*.ts", "worker/**/*.ts", "app/**/*.ts", "*.ts"], { cwd: root }).filter(
  (file) => !/\.test\.ts$|^server\/testing\/|\.d\.ts$|\.config\.ts$|prisma\/generated/.test(file),
);

/** Each expression with its first location. */
const expressions = new Map<string, { pattern: RegExp; where: string }>();

function remember(pattern: RegExp, where: string): void {
  // With "y" only one position is tried.
  const anchored = pattern.sticky
    ? new RegExp(`^(?:${pattern.source})`, pattern.flags.replace("y", ""))
    : pattern;
  const key = String(anchored);
  if (!expressions.has(key)) expressions.set(key, { pattern: anchored, where });
}

/** Literals from the sources; composed ones are caught while their module is loaded. */
async function collect(): Promise<void> {
  const making: string[] = [];
  for (const file of files) {
    const text = readFileSync(path.join(root, file), "utf8");
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest);
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf("/");
        const line = source.getLineAndCharacterOfPosition(node.getStart(source)).line + 1;
        remember(new RegExp(node.text.slice(1, end), node.text.slice(end + 1)), `${file}:${String(line)}`);
      }
      ts.forEachChild(node, visit);
    };
    visit(source);
    if (text.includes("new RegExp(")) making.push(file);
  }
  vi.resetModules();
  const Original = RegExp;
  let where = "";
  class Recorded extends Original {
    constructor(pattern: string | RegExp, flags?: string) {
      super(pattern, flags);
      remember(new Original(this.source, this.flags), where);
    }
  }
  globalThis.RegExp = Recorded as RegExpConstructor;
  try {
    for (where of making) await import(pathToFileURL(path.join(root, where)).href);
  } finally {
    globalThis.RegExp = Original;
  }
}

/** Length of the text on which an expression is measured: quadratic time is seconds, linear time milliseconds. */
const measured = 20_000;
/** More than a linear one needs for that, whatever else the machine does, ms. */
const muchTooLong = 300;

/** The best of three: the machine may be busy. */
function milliseconds(pattern: RegExp, text: string): number {
  let best = Infinity;
  for (let round = 0; round < 3 && best > muchTooLong; round++) {
    const before = performance.now();
    if (pattern.global) for (const _ of text.matchAll(pattern));
    else pattern.test(text);
    best = Math.min(best, performance.now() - before);
  }
  return best;
}

/** Repetitions of the expression's own parts, ended by something unexpected. */
function hostileTexts(pattern: RegExp): string[] {
  const words = pattern.source.match(/[A-Za-z0-9<&;@:/_]{2,20}/g) ?? [];
  const signs = pattern.source.match(/[^\w\s\\[\](){}*+?|^$]/g) ?? [];
  const pieces = [
    ...new Set([...words, ...signs, "a", "A", "0", " ", "\n", "a-", "a.", "0 ", "a@", "{{", "<a"]),
  ];
  return pieces.flatMap((piece) =>
    ["", "a", "0", " "].flatMap((other) => {
      const text = (piece + other).repeat(Math.ceil(measured / (piece.length + other.length)));
      return [`${text}\u0000`, `a${text}!`];
    }),
  );
}

beforeAll(collect);

describe("every regular expression of the server takes time in proportion to the text", () => {
  it("is found", () => {
    expect(expressions.size).toBeGreaterThan(150);
    expect(
      [...expressions.values()].filter(({ where }) => where.includes("content-checks/rules.ts")),
    ).not.toEqual([]);
  });

  it(
    "is proven by recheck, or measured on repetitions of its own parts where recheck cannot tell",
    { timeout: 300_000 },
    () => {
      const slow: string[] = [];
      for (const { pattern, where } of expressions.values()) {
        const found = checkSync(pattern.source, pattern.flags.replace("v", "u"), {
          timeout: 300,
        });
        if (found.status === "safe") continue;
        if (found.status === "vulnerable") {
          slow.push(
            `${where} ${String(pattern)}: ${found.complexity.summary}, e.g. ${found.attack.pattern.slice(0, 100)}`,
          );
          continue;
        }
        const text = hostileTexts(pattern).find(
          (candidate) => milliseconds(pattern, candidate) > muchTooLong,
        );
        if (text !== undefined) slow.push(`${where} ${String(pattern)}: slow on ${text.slice(0, 40)}…`);
      }
      expect(slow).toEqual([]);
    },
  );
});
