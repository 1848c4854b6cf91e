/**
 * `npm run test:docs [-- page …]`: does what README.md and docs/ say, from their text. The product is started by the command
 * that README.md begins with, in a data folder of its own; each page is then one reader in a terminal, with a demo organisation
 * that nobody has used before. docs/contributing.md says how a block is treated, and which notes there are.
 */
import { mkdirSync, writeFileSync } from "node:fs";
import path from "node:path";
import { checkBlock } from "./documentation/checks.ts";
import { Installation } from "./documentation/installation.ts";
import { treatmentOf, type Block, type Page } from "./documentation/page.ts";
import { documentationPages } from "./documentation/pages.ts";
import { run } from "./lib/run.ts";
import { runBlock } from "./documentation/run-block.ts";

const wanted = process.argv.slice(2);
const all = documentationPages();
const unknown = wanted.filter((name) => !all.some((page) => page.name === name));
if (unknown.length > 0) {
  console.error(`There is no page ${unknown.join(", ")}. Pages are named as README.md and docs/webhooks.md.`);
  process.exit(2);
}
const pages = all.filter(({ name }) => wanted.length === 0 || wanted.includes(name));

const counts = { run: 0, check: 0, "not run": 0, wrong: 0 };
const started = Date.now();
const seconds = (since: number) => `${((Date.now() - since) / 1000).toFixed(1)} s`;

/** The block that starts everything: the first of README.md, which the whole run is the test of. */
const first = all.find(({ name }) => name === "README.md")?.page.blocks[0];
if (!first?.notes.has("starts"))
  throw new Error("README.md does not begin with the command that starts everything.");

async function treat(block: Block, name: string, session: () => Promise<Parameters<typeof runBlock>[2]>) {
  const treatment = treatmentOf(block);
  switch (treatment.kind) {
    case "run":
      return block === first ? [] : runBlock(block, treatment.how, await session());
    case "check":
      return checkBlock(block, treatment.how, name);
    case "not run":
      console.log(`  ${name}:${String(block.line)} is not run: ${treatment.why}`);
      return [];
    case "wrong":
      return treatment.problems;
  }
}

async function readThrough(name: string, page: Page, installation: Installation): Promise<void> {
  const since = Date.now();
  let opened: Awaited<ReturnType<Installation["session"]>> | undefined;
  let wrong = 0;
  try {
    for (const block of page.blocks) {
      const problems = await treat(block, name, async () => (opened ??= await installation.session()));
      if (problems.length === 0) {
        counts[treatmentOf(block).kind] += 1;
        continue;
      }
      wrong += 1;
      for (const problem of problems) console.error(`  ${name}:${String(block.line)} ${problem}`);
      // What follows may need it.
      break;
    }
  } finally {
    opened?.close();
  }
  counts.wrong += wrong;
  console.log(`${wrong === 0 ? "✔" : "✘"} ${name} (${String(page.blocks.length)} blocks, ${seconds(since)})`);
}

/** What differs from the commit, and how; the same for ever where there is no git. */
async function checkoutState(): Promise<string> {
  const states = await Promise.all([
    run("git", ["status", "--porcelain"], { quiet: true }),
    run("git", ["diff"], { quiet: true }),
  ]).catch(() => []);
  return states.map(({ output }) => output).join("\n");
}

const stateBefore = await checkoutState();
let installation: Installation | undefined;
try {
  installation = await Installation.start(first.code);
  console.log(`Started (${seconds(started)})`);
  for (const { name, page } of pages) {
    if (page.blocks.length > 0) await readThrough(name, page, installation);
  }
} catch (error) {
  counts.wrong += 1;
  console.error(error instanceof Error ? error.message : error);
}
try {
  await installation?.stop();
} catch (error) {
  counts.wrong += 1;
  console.error(error instanceof Error ? error.message : error);
}
if ((await checkoutState()) !== stateBefore) {
  counts.wrong += 1;
  console.error("The pages have changed files of the checkout; git status shows which.");
}
const report = process.env.DOCUMENTATION_REPORT;
if (report) {
  mkdirSync(path.dirname(path.resolve(report)), { recursive: true });
  writeFileSync(
    path.resolve(report),
    JSON.stringify({ passed: counts.run + counts.check, failed: counts.wrong, skipped: counts["not run"] }),
  );
}
console.log(
  `${String(counts.run)} blocks run, ${String(counts.check)} checked, ${String(counts["not run"])} not run, ${String(counts.wrong)} wrong, after ${seconds(started)}`,
);
process.exit(counts.wrong === 0 ? 0 : 1);
