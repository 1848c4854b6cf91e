/**
 * Measures the product on this machine, against provider emulators and against floors measured in the same run.
 *
 *   npm run bench                 everything
 *   npm run bench -- a c          some sections
 *   npm run bench -- --quick      smaller and shorter
 *   npm run bench -- --keep       leaves the folder with the logs of its processes
 *
 * BENCH_PROFILE=web,worker writes CPU profiles of those processes into that folder.
 */
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { availableParallelism, cpus, tmpdir, totalmem } from "node:os";
import path from "node:path";
import { parseArgs } from "node:util";
import { root } from "../scripts/lib/paths.ts";
import { stopAllChildren } from "./lib/children.ts";
import { startCluster } from "./lib/cluster.ts";
import { secretKey } from "./lib/product.ts";
import { measure } from "./lib/run.ts";
import type { Measure, Run } from "./lib/run.ts";
import { printTable } from "./lib/table.ts";

const sections: Record<string, (run: Run) => Promise<Measure[]>> = {
  a: async (run) => (await import("./sections/accept.ts")).acceptSingles(run),
  b: async (run) => (await import("./sections/accept.ts")).acceptHundreds(run),
  c: async (run) => (await import("./sections/throughput.ts")).throughput(run),
  d: async (run) => (await import("./sections/one-time-codes.ts")).oneTimeCodes(run),
  f: async (run) => (await import("./sections/portal-queries.ts")).portalQueries(run),
  g: async (run) => (await import("./sections/templates.ts")).templates(run),
  h: async (run) => (await import("./sections/smpp.ts")).smpp(run),
  i: async (run) => (await import("./sections/adapters.ts")).adapters(run),
  j: async (run) => (await import("./sections/isolation.ts")).isolation(run),
  k: async (run) => (await import("./sections/noisy-neighbour.ts")).noisyNeighbour(run),
  l: async (run) => (await import("./sections/audit.ts")).audit(run),
  m: async (run) => (await import("./sections/consent.ts")).consent(run),
  n: async (run) => (await import("./sections/broadcasts.ts")).broadcasts(run),
  o: async (run) => (await import("./sections/imports.ts")).imports(run),
  p: async (run) => (await import("./sections/exports.ts")).exports(run),
  q: async (run) => (await import("./sections/reports.ts")).reports(run),
  r: async (run) => (await import("./sections/pages.ts")).pages(run),
  s: async (run) => (await import("./sections/tracing.ts")).tracing(run),
  t: async (run) => (await import("./sections/two-workers.ts")).twoWorkers(run),
};

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { quick: { type: "boolean", default: false }, keep: { type: "boolean", default: false } },
});
const chosen = positionals.length > 0 ? positionals : Object.keys(sections);
const unknown = chosen.filter((name) => !Object.hasOwn(sections, name) && name !== "e");
if (unknown.length > 0)
  throw new Error(
    `No such section: ${unknown.join(", ")}. There are ${Object.keys(sections).join(", ")}; e comes with the others.`,
  );

// What the bench calls of the product in this process reads the same key as the processes it starts.
process.env.TIDINGS_SECRET_KEY = secretKey;
process.env.LOG_LEVEL ??= "warn";

const folder = mkdtempSync(path.join(tmpdir(), "tidings-bench-"));
chmodSync(folder, 0o711); // the account of Postgres has to pass through
const peaks = { web: 0, workers: 0 };
/** MiB; of both worker processes together. */
const memoryTargets = { web: 350, workers: 450 };
const measures: Measure[] = [];
let problem: unknown;
let cluster: Awaited<ReturnType<typeof startCluster>> | undefined;

async function cleanUp(): Promise<void> {
  await stopAllChildren();
  await cluster?.stop();
  if (!values.keep) rmSync(folder, { recursive: true, force: true });
}
for (const signal of ["SIGINT", "SIGTERM"] as const) {
  process.once(signal, () => {
    void cleanUp().finally(() => process.exit(130));
  });
}

const startedAt = new Date();
const results = path.join(root, "bench", "results");
const file = path.join(results, `${startedAt.toISOString().replaceAll(":", "-").slice(0, 19)}.json`);

/** Writes what has been measured so far: a whole run takes hours, and one that is cut off keeps its sections. */
function writeResults(): void {
  mkdirSync(results, { recursive: true });
  const machine = {
    cpu: cpus()[0]?.model,
    cores: availableParallelism(),
    memoryMiB: Math.round(totalmem() / 1_048_576),
    node: process.version,
  };
  writeFileSync(file, `${JSON.stringify({ startedAt, machine, quick: values.quick, measures }, null, 2)}\n`);
}

try {
  cluster = await startCluster(folder);
  if (values.keep) console.log(`Logs are in ${folder}`);
  for (const name of chosen) {
    const section = sections[name];
    if (!section) continue;
    console.log(`(${name})`);
    const run: Run = {
      folder,
      cluster,
      quick: values.quick,
      noteMemory: (part, bytes) => (peaks[part] = Math.max(peaks[part], bytes)),
      say: (text) => console.log(`    ${text}`),
    };
    measures.push(...(await section(run)));
    writeResults();
  }
  for (const part of ["web", "workers"] as const) {
    if (peaks[part] === 0) continue;
    const target = { at: "most" as const, value: memoryTargets[part] };
    measures.push(measure("e", `most memory, ${part}`, peaks[part] / 1_048_576, "MiB", target));
  }
} catch (error) {
  problem = error;
} finally {
  await cleanUp();
}

if (measures.length > 0) {
  printTable(measures);
  writeResults();
  console.log(`\nWritten to ${path.relative(process.cwd(), file)}`);
}
if (problem !== undefined) {
  console.error(problem);
  process.exitCode = 1;
}
