import { existsSync, globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { readPage, treatmentOf, type Page } from "./documentation/page.ts";
import { documentationPages } from "./documentation/pages.ts";
import {
  documentedVariables,
  serviceVariables,
  startVariables,
  variablesReadIn,
} from "./documentation/variables.ts";
import { root } from "./lib/paths.ts";

/* What pages say in passing is there: files, headings, commands, options, variables. `npm run test:docs` runs their blocks. */

const read = (file: string) => readFileSync(path.join(root, file), "utf8");
const pages = documentationPages();
/** With the pages for people who change the code. */
const allPages = [
  ...pages,
  ...globSync(
    ["ARCHITECTURE.md", "{app,bench,components,e2e,examples,packages,prisma,scripts,server,worker}/**/*.md"],
    {
      cwd: root,
    },
  )
    .sort()
    .map((name) => ({ name, page: readPage(read(name)) })),
];

/** What is wrong on which page, in one list. */
const wrongOn = (
  of: typeof allPages,
  find: (page: Page, name: string) => { line: number; problem: string }[],
): string[] =>
  of.flatMap(({ name, page }) =>
    find(page, name).map(({ line, problem }) => `${name}:${String(line)}: ${problem}`),
  );

describe("a block", () => {
  const block = (markdown: string) => {
    const [only] = readPage(markdown).blocks;
    if (!only) throw new Error("no block");
    return treatmentOf(only);
  };

  it("is run, checked, or says why not", () => {
    expect(block("```sh\nls\n```")).toEqual({ kind: "run", how: "shell" });
    expect(block("<!-- not run: needs a phone -->\n```sh\nls\n```")).toEqual({
      kind: "not run",
      why: "needs a phone",
    });
    expect(block("- a list\n\n  <!-- webhook: whole -->\n  ```json\n  {}\n  ```")).toEqual({
      kind: "check",
      how: "webhook",
    });
  });

  it("fails when nothing runs or checks it", () => {
    expect(block("```\nls\n```")).toMatchObject({ kind: "wrong" });
    expect(block("```rust\nfn main() {}\n```")).toMatchObject({ kind: "wrong" });
  });

  it("fails with a note that gives no reason, that does not exist, or that is there twice", () => {
    expect(block("<!-- not run: -->\n```sh\nls\n```")).toMatchObject({ kind: "wrong" });
    expect(block("<!-- not run -->\n```sh\nls\n```")).toMatchObject({ kind: "wrong" });
    expect(block("<!-- not-run: because -->\n```sh\nls\n```")).toMatchObject({ kind: "wrong" });
    expect(block("<!-- exits: 1 -->\n<!-- exits: 2 -->\n```sh\nls\n```")).toMatchObject({ kind: "wrong" });
  });

  it("has the notes directly before it and no others", () => {
    expect(block("<!-- not run: needs a phone -->\n\nText.\n\n```sh\nls\n```")).toMatchObject({
      kind: "run",
    });
  });

  it("of every page is treated in some way", () => {
    const untreated = wrongOn(pages, (page) =>
      page.blocks.flatMap((one) => {
        const treatment = treatmentOf(one);
        return treatment.kind === "wrong"
          ? treatment.problems.map((problem) => ({ line: one.line, problem }))
          : [];
      }),
    );
    expect(untreated).toEqual([]);
  });
});

/** Links of a page that lead nowhere: to no file, or to no heading of a page. */
function brokenLinks(page: Page, name: string) {
  return page.links.flatMap(({ to, line }) => {
    if (/^[a-z]+:/.test(to)) return [];
    const [file = "", fragment] = to.split("#");
    const target = file === "" ? name : path.join(path.dirname(name), decodeURIComponent(file));
    const broken = [{ line, problem: `${to} leads nowhere` }];
    if (!existsSync(path.join(root, target))) return broken;
    if (fragment === undefined || !target.endsWith(".md")) return [];
    return readPage(read(target)).anchors.has(fragment) ? [] : broken;
  });
}

/** Paths in inline code that are no files or folders of the checkout. */
function missingFiles(page: Page) {
  return page.inline.flatMap(({ code, line }) => {
    if (!/^(?:app|bench|components|docs|e2e|prisma|scripts|server|worker)\/[\w./{},*[\]-]+$/.test(code))
      return [];
    const pattern = code.replaceAll(/\[(\w+)\]/g, "[[]$1]");
    return globSync(pattern, { cwd: root }).length > 0 ? [] : [{ line, problem: `${code} is not there` }];
  });
}

describe("a page", () => {
  it("links to files and headings that are there", () => {
    const probe = "[a](docs/nowhere.md) [b](docs/webhooks.md#nothing) [c](docs/webhooks.md#verifying)";
    expect(brokenLinks(readPage(probe), "README.md")).toHaveLength(2);
    expect(wrongOn(allPages, brokenLinks)).toEqual([]);
  });

  it("names files that are there", () => {
    expect(
      missingFiles(readPage("`server/nothing.ts` `server/*/nothing.ts` `server/kernel/env.ts`")),
    ).toHaveLength(2);
    expect(wrongOn(allPages, missingFiles)).toEqual([]);
  });
});

/** Scripts of package.json, each with the text of the files that it runs. */
const { scripts } = JSON.parse(read("package.json")) as { scripts: Record<string, string> };

/** A file with what it imports from beside and below itself. */
function sourcesOf(file: string, seen = new Set<string>()): string {
  if (seen.has(file) || !existsSync(path.join(root, file))) return "";
  seen.add(file);
  const text = read(file);
  const imported = [...text.matchAll(/from "(\.[^"]+)"/g)].map(([, to = ""]) =>
    path.join(path.dirname(file), to),
  );
  const near = imported.filter((one) => one.startsWith(`${path.dirname(file)}/`));
  return [text, ...near.map((one) => sourcesOf(one, seen))].join("\n");
}

/** What is wrong with `npm run name -- --option …`. */
function problemsOfCommand(command: string): string[] {
  return [...command.matchAll(/\bnpm (?:run (?:--silent )?)?([a-z][\w:-]*)([^|;&#\n]*)/g)].flatMap(
    ([whole, name = "", rest = ""]) => {
      const isRun = whole.startsWith("npm run ");
      if (!isRun && !["start", "test"].includes(name)) return [];
      const script = scripts[name];
      if (script === undefined) return [`there is no npm script ${name}`];
      const source = [...script.matchAll(/\b[\w/-]+\.(?:ts|mjs)\b/g)]
        .map(([file]) => sourcesOf(file))
        .join("\n");
      return [...rest.matchAll(/(?:^|\s)--([a-z][a-z-]*)/g)].flatMap(([, option = ""]) =>
        new RegExp(`--${option}\\b|"${option}"|\\b${option}: \\{ type`).test(source)
          ? []
          : [`npm run ${name} has no option --${option}`],
      );
    },
  );
}

describe("a command", () => {
  it("that is not there is found (the probe that shows it looks)", () => {
    expect(problemsOfCommand("npm run frobnicate")).toEqual(["there is no npm script frobnicate"]);
    expect(problemsOfCommand('npm run channels -- give "A" acme --colour red')).toEqual([
      "npm run channels has no option --colour",
    ]);
    expect(problemsOfCommand("npm run worker -- --lanes otp")).toEqual([]);
  });

  it("of every page is there, with its options", () => {
    const wrong = wrongOn(allPages, (page) =>
      [...page.inline, ...page.blocks.filter(({ language }) => language === "sh")].flatMap(({ code, line }) =>
        problemsOfCommand(code.replaceAll("\\\n", " ")).map((problem) => ({ line, problem })),
      ),
    );
    expect(wrong).toEqual([]);
  });
});

/** Variables that are nobody's to set, and why they need no documentation. */
const internal: Record<string, string> = {
  NODE_ENV: "npm start and the commands for production set it",
  MAILBOX_URL: "npm start tells the portal where the mailbox is",
  TIDINGS_SUPERVISOR: "a process learns from it whose child it is",
  DOCUMENTATION_REPORT: "npm test reads the count of blocks from there",
};

describe("a variable", () => {
  const documented = documentedVariables();
  const inTables = new Set(documented.flatMap((row) => row.names));
  const readme = pages.find(({ name }) => name === "README.md")?.page;
  const named = new Set([...inTables, ...(readme?.inline.map(({ code }) => code) ?? [])]);
  const known = new Set([...serviceVariables, ...startVariables]);

  it("that the service or a command reads is in README.md, and the other way round", () => {
    expect(serviceVariables).toContain("DATABASE_URL");
    expect(startVariables).toContain("DEMO");
    // Read by the C library and not by us.
    const foreign = ["MALLOC_ARENA_MAX"];
    expect([...known].filter((name) => !named.has(name) && !Object.hasOwn(internal, name))).toEqual([]);
    expect([...inTables].filter((name) => !known.has(name) && !foreign.includes(name))).toEqual([]);
  });

  it("has the default that README.md gives", () => {
    const defaults = [
      ...read("server/kernel/env.ts").matchAll(
        /^ {4}([A-Z][A-Z0-9_]+): ([^\n]*(?:\n {6}[^\n]*)*)\.default\(("[^"]*"|[\d_]+)\)/gm,
      ),
    ].map(([, name = "", , value = ""]) => ({
      name,
      value: value.startsWith('"')
        ? value.slice(1, -1)
        : Number(value.replaceAll("_", "")).toLocaleString("en"),
    }));
    expect(defaults.length).toBeGreaterThan(10);
    const wrong = defaults
      .filter(({ name }) => !Object.hasOwn(internal, name))
      .filter(({ name, value }) => {
        const said = documented.filter((row) => row.names.includes(name)).map(({ row }) => row);
        const forms = [value, value.replaceAll(",", "")].map((one) => one.replaceAll(".", String.raw`\.`));
        const form = new RegExp(String.raw`(?<![\w.,])(?:${forms.join("|")})(?!\w)`);
        return !said.some((row) => form.test(row));
      });
    expect(wrong).toEqual([]);
  });

  it("that a page names is one", () => {
    const stems = /^(?:AI|CONSOLE|DATABASE|METRICS|OIDC|OUTBOUND|TIDINGS|WEB|WORKER)_/;
    const ofTests = [
      ...variablesReadIn("{bench,server,worker}/**/*.ts"),
      // The clients are handed the environment.
      ...globSync("packages/*/src/**/*.ts", { cwd: root }).flatMap((file) =>
        [...read(file).matchAll(/\b(?:env\.|environment\(")(TIDINGS_[A-Z_]+)/g)].map(([, name = ""]) => name),
      ),
      // runsOf("…") in server/testing/long-run.ts
      ...globSync("server/**/*.test.ts", { cwd: root }).flatMap((file) =>
        [...read(file).matchAll(/\brunsOf\("([A-Z_]+)"/g)].map(([, name = ""]) => name),
      ),
    ];
    const wrong = wrongOn(allPages, (page) =>
      page.inline.flatMap(({ code, line }) => {
        const name = /^([A-Z][A-Z0-9_]+)(?:=.*)?$/.exec(code)?.[1];
        if (name === undefined || !stems.test(name) || name.endsWith("_")) return [];
        return known.has(name) || ofTests.includes(name) ? [] : [{ line, problem: `nothing reads ${name}` }];
      }),
    );
    expect(wrong).toEqual([]);
  });
});
