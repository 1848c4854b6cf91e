/**
 * `npm test`: every check in order, the fast ones first; stops at the first failure. The last line counts the tests of
 * both runners and the blocks of the documentation.
 */
import { rmSync } from "node:fs";
import path from "node:path";
import { build, isBuilt } from "./lib/build.ts";
import { ensureChromium } from "./lib/chromium.ts";
import { generateClient } from "./lib/generate.ts";
import { packageBin, root } from "./lib/paths.ts";
import { run } from "./lib/run.ts";
import { documentationCounts, playwrightCounts, sum, vitestCounts, type Counts } from "./lib/test-counts.ts";

const reports = path.join(root, "test-results");
const vitestFile = path.join(reports, "vitest.json");
const playwrightFile = path.join(reports, "playwright.json");
const documentationFile = path.join(reports, "documentation.json");

const counts: Counts[] = [];

/** A step that is one command. */
const command =
  (name: string, args: string[], env: Record<string, string> = {}) =>
  async () =>
    (await run(packageBin(name), args, { env })).code === 0;

/** A step that throws when it fails. */
const action = (work: () => Promise<unknown>) => async () => {
  try {
    await work();
    return true;
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return false;
  }
};

async function unitTests(): Promise<boolean> {
  // One of them opens a page.
  await ensureChromium().catch((error: unknown) => {
    console.error(error instanceof Error ? error.message : error);
  });
  const reporters = ["--reporter=default", "--reporter=json", `--outputFile.json=${vitestFile}`];
  const { code } = await run(packageBin("vitest"), ["run", ...reporters]);
  const result = vitestCounts(vitestFile);
  counts.push(result);
  return code === 0 && result.failed === 0;
}

async function browserTests(): Promise<boolean> {
  let chromium: string;
  try {
    chromium = await ensureChromium();
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    counts.push({ passed: 0, failed: 1, skipped: 0 });
    return false;
  }
  const { code } = await run(packageBin("playwright"), ["test", "--reporter=list,json"], {
    env: { CHROMIUM_PATH: chromium, PLAYWRIGHT_JSON_OUTPUT_FILE: playwrightFile, NODE_NO_WARNINGS: "1" },
  });
  const result = playwrightCounts(playwrightFile);
  counts.push(result);
  return code === 0 && result.failed === 0;
}

async function documentation(): Promise<boolean> {
  const { code } = await run(process.execPath, ["scripts/check-documentation.ts"], {
    env: { DOCUMENTATION_REPORT: documentationFile },
  });
  const result = documentationCounts(documentationFile);
  counts.push(result);
  return code === 0 && result.failed === 0;
}

const steps: [heading: string, work: () => Promise<boolean>][] = [
  ["Database client", action(generateClient)],
  ["Format", command("prettier", ["--check", ".", "--log-level", "warn"])],
  // Its rules need the types of everything at once, more than Node's usual 4 GiB.
  ["Lint", command("eslint", [".", "--max-warnings", "0"], { NODE_OPTIONS: "--max-old-space-size=8192" })],
  [
    "Import rules",
    command("depcruise", [
      "app",
      "bench",
      "components",
      "e2e",
      "examples",
      "packages",
      "prisma",
      "scripts",
      "server",
      "worker",
    ]),
  ],
  ["Unused code", command("knip", [])],
  ["Types", command("tsc", ["--noEmit", "-p", "."])],
  ["Unit and integration tests", unitTests],
  ["Build", action(async () => isBuilt() || (await build({ quiet: true })))],
  ["Documentation", documentation],
  ["Browser tests", browserTests],
];

const started = Date.now();
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

rmSync(reports, { recursive: true, force: true });
let green = true;
for (const [heading, work] of steps) {
  console.log(`\n━━ ${heading}`);
  const since = Date.now();
  green = await work();
  console.log(`${green ? "✔" : "✘"} ${heading} (${seconds(since)})`);
  if (!green) break;
}

const { passed, failed: failedTests, skipped } = sum(counts);
// A failed check other than a test also fails the run, and the count should not hide it.
const failed = green ? failedTests : Math.max(failedTests, 1);
console.log(`\n${green ? "Everything passed" : "Stopped at the first failure"} after ${seconds(started)}.`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(green ? 0 : 1);
