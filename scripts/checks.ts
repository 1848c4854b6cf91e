/**
 * `npm test`: first what reads the sources, on two cores at a time, then what runs them; stops at the first failure. The last
 * line counts the tests of both runners and the blocks of the documentation.
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

/** Answers whether it passed, or throws. The signal ends it early. */
type Step = [heading: string, work: (signal: AbortSignal) => Promise<boolean>];

/** A step that is one command. What it says is shown when it has ended, because another may run beside it. */
const command =
  (name: string, args: string[], env: Record<string, string> = {}) =>
  async (signal: AbortSignal) => {
    const { code, output } = await run(packageBin(name), args, { env, quiet: true, signal });
    process.stdout.write(output);
    return code === 0;
  };

/** A step that throws when it fails. */
const action = (work: (signal: AbortSignal) => Promise<unknown>) => async (signal: AbortSignal) => {
  await work(signal);
  return true;
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

/** One after the other; of the lanes of each, at the same time. */
const stages: Step[][][] = [
  [[["Database client", action(generateClient)]]],
  [
    // Its rules need the types of everything at once, more than Node's usual 4 GiB.
    [
      [
        "Lint",
        command("eslint", [".", "--max-warnings", "0"], { NODE_OPTIONS: "--max-old-space-size=8192" }),
      ],
    ],
    [
      ["Format", command("prettier", ["--check", ".", "--log-level", "warn"])],
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
      ["Build", action(async (signal) => isBuilt() || (await build({ quiet: true, signal })))],
    ],
  ],
  [[["Unit and integration tests", unitTests]]],
  [[["Documentation", documentation]]],
  [[["Browser tests", browserTests]]],
];

const started = Date.now();
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** The steps of a lane in turn. One that fails ends the whole stage. */
async function runLane(lane: readonly Step[], stage: AbortController): Promise<boolean> {
  const { signal } = stage;
  for (const [heading, work] of lane) {
    console.log(`\n━━ ${heading}`);
    const since = Date.now();
    let passed = false;
    try {
      passed = await work(signal);
    } catch (error) {
      if (!signal.aborted) console.error(error instanceof Error ? error.message : error);
    }
    if (signal.aborted) return false;
    console.log(`${passed ? "✔" : "✘"} ${heading} (${seconds(since)})`);
    if (!passed) {
      stage.abort();
      return false;
    }
  }
  return true;
}

rmSync(reports, { recursive: true, force: true });
let green = true;
for (const lanes of stages) {
  const stage = new AbortController();
  const results = await Promise.all(lanes.map((lane) => runLane(lane, stage)));
  green = results.every(Boolean);
  if (!green) break;
}

const { passed, failed: failedTests, skipped } = sum(counts);
// A failed check other than a test also fails the run, and the count should not hide it.
const failed = green ? failedTests : Math.max(failedTests, 1);
console.log(`\n${green ? "Everything passed" : "Stopped at the first failure"} after ${seconds(started)}.`);
console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ""}`);
process.exit(green ? 0 : 1);
