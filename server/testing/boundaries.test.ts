import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { cruise } from "dependency-cruiser";
import type { ICruiseResult } from "dependency-cruiser";
import { afterAll, expect, test } from "vitest";
import { domains, forbidden } from "./import-rules.ts";

/*
 * The import rules of .dependency-cruiser.cjs are tested on small trees with one violation each: a rule that no longer
 * matches anything would always pass.
 */

const root = path.resolve(import.meta.dirname, "../..");
const folder = mkdtempSync(path.join(tmpdir(), "tidings-boundaries-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Names of the rules that a tree of files violates. */
async function broken(name: string, files: Record<string, string>): Promise<string[]> {
  const baseDir = path.join(folder, name);
  for (const [file, text] of Object.entries(files)) {
    mkdirSync(path.dirname(path.join(baseDir, file)), { recursive: true });
    writeFileSync(path.join(baseDir, file), text);
  }
  const { output } = await cruise(["server"], {
    baseDir,
    validate: true,
    ruleSet: { forbidden },
    tsPreCompilationDeps: true,
  });
  const { violations } = (output as ICruiseResult).summary;
  return [...new Set(violations.map(({ rule }) => rule.name))].sort();
}

const something = "export const something = 1;\n";
const importing = (file: string) => `import { something } from "${file}";\nexport const other = something;\n`;

test("a domain may use a lower layer", async () => {
  expect(
    await broken("lower", {
      "server/sending/send.ts": importing("../routing/route.ts"),
      "server/routing/route.ts": something,
    }),
  ).toEqual([]);
});

test("folders that need each other are found, even by types alone", async () => {
  expect(
    await broken("cycle", {
      "server/health/report.ts": importing("../routing/route.ts"),
      "server/routing/route.ts": something,
      "server/routing/rules.ts": `import type { Report } from "../health/types.ts";\nexport type Rules = Report;\n`,
      "server/health/types.ts": "export type Report = 1;\n",
    }),
  ).toEqual(["layer-of-routing"]);
});

test("a domain that uses one of its own layer is found", async () => {
  expect(
    await broken("beside", {
      "server/routing/route.ts": importing("../costs/price.ts"),
      "server/costs/price.ts": something,
    }),
  ).toEqual(["layer-of-routing"]);
});

test("a domain that imports a door is found", async () => {
  for (const door of ["trpc", "rest"]) {
    expect(
      await broken(door, {
        "server/webhooks/list.ts": importing(`../${door}/door.ts`),
        [`server/${door}/door.ts`]: something,
      }),
    ).toEqual(["domains-know-no-transport"]);
  }
});

test("another domain's statements are found", async () => {
  expect(
    await broken("queries", {
      "server/sending/send.ts": importing("../routing/queries.ts"),
      "server/routing/queries.ts": something,
    }),
  ).toEqual(["queries-are-private"]);
});

test("every domain has its layer", () => {
  const rooms = readdirSync(path.join(root, "server")).filter(
    // Git leaves empty folders behind.
    (room) => readdirSync(path.join(root, "server", room)).length > 0,
  );
  const others = ["front-door", "kernel", "rest", "testing", "trpc"];
  expect(rooms.filter((room) => !others.includes(room)).sort()).toEqual(domains.toSorted());
});
