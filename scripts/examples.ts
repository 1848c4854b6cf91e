/**
 * `npm run examples [-- name …]`: runs the programs in examples/ and prints a table. They run against the installation that
 * `npm start` has set up here, unless TIDINGS_PRODUCTION_KEY and the other variables of the programs say another.
 */
import { spawn } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { pathToFileURL } from "node:url";
import { readCommandLine, Refused } from "./lib/command.ts";
import { dataFolder, root } from "./lib/paths.ts";
import { readQuickstart } from "./lib/quickstart.ts";

const usage = `Usage:
  npm run examples                     all of them, four at a time
  npm run examples -- one-time-codes   one or more, with everything that they print
  npm run examples -- --env            the variables that they read, to be evaluated by a shell

They run against the installation that npm start has set up here; for another one see docs/examples.md.`;

const folder = path.join(root, "examples");
const names = readdirSync(folder).filter((name) => existsSync(path.join(folder, name, "main.ts")));
const { values, positionals } = readCommandLine(
  usage,
  { env: { type: "boolean", default: false } },
  { needs: [], more: "many" },
);

/** How many run at a time: most of a program is waiting. */
const atOnce = 4;
/** After which a program is taken for stuck. */
const limitMs = 120_000;

interface Ended {
  name: string;
  code: number;
  output: string;
  ms: number;
}

/** What the programs read, from the quickstart where the environment has nothing. */
function variables(): Record<string, string> {
  const given = {
    TIDINGS_URL: process.env.TIDINGS_URL,
    TIDINGS_TENANT_ID: process.env.TIDINGS_TENANT_ID,
    TIDINGS_API_KEY: process.env.TIDINGS_API_KEY,
    TIDINGS_PRODUCTION_KEY: process.env.TIDINGS_PRODUCTION_KEY,
    TIDINGS_MAILBOX: process.env.TIDINGS_MAILBOX,
  };
  // All or none: the key of one installation and the address of another would only confuse.
  if (given.TIDINGS_PRODUCTION_KEY)
    return Object.fromEntries(Object.entries(given).map(([name, value]) => [name, value ?? ""]));
  const quickstart = readQuickstart(dataFolder());
  if (!quickstart)
    throw new Refused("Nothing is set up here. Run npm start first, or see --help for another installation.");
  const { baseUrl, tenantId, keys, mailbox } = quickstart;
  return {
    TIDINGS_URL: baseUrl,
    TIDINGS_TENANT_ID: tenantId,
    TIDINGS_API_KEY: keys.sandbox,
    TIDINGS_PRODUCTION_KEY: keys.live,
    TIDINGS_MAILBOX: mailbox,
  };
}

function run(name: string, environment: Record<string, string>): Promise<Ended> {
  const since = Date.now();
  const resolver = pathToFileURL(path.join(folder, "resolve-tidings.mjs")).href;
  const child = spawn(process.execPath, ["--import", resolver, path.join(folder, name, "main.ts")], {
    env: { ...process.env, NODE_NO_WARNINGS: "1", ...environment },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: limitMs,
  });
  const chunks: Buffer[] = [];
  child.stdout.on("data", (chunk: Buffer) => chunks.push(chunk));
  child.stderr.on("data", (chunk: Buffer) => chunks.push(chunk));
  return new Promise((resolve, reject) => {
    child.once("error", reject);
    child.once("close", (code) => {
      resolve({
        name,
        code: code ?? 1,
        output: Buffer.concat(chunks).toString("utf8"),
        ms: Date.now() - since,
      });
    });
  });
}

/** All of them in order, a few at a time. */
async function runAll(chosen: readonly string[], environment: Record<string, string>): Promise<Ended[]> {
  const ended: Ended[] = [];
  const waiting = [...chosen];
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      ended.push(await run(name, environment));
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return ended.sort((a, b) => chosen.indexOf(a.name) - chosen.indexOf(b.name));
}

/** Its last words: what it has shown, or why it failed. */
function lastWords({ code, output }: Ended): string {
  const lines = output.split("\n").filter((line) => line.trim() !== "");
  if (code === 0) return lines.at(-1) ?? "";
  return lines.find((line) => /^\w*Error\b/.test(line)) ?? lines.at(-1) ?? "";
}

try {
  const environment = variables();
  if (values.env) {
    for (const [name, value] of Object.entries(environment)) console.log(`export ${name}='${value}'`);
  } else {
    const unknown = positionals.filter((name) => !names.includes(name));
    if (unknown.length > 0)
      throw new Refused(`There is no example ${unknown.join(", ")}. There are ${names.join(", ")}.`);
    const chosen = positionals.length > 0 ? positionals : names;
    const since = Date.now();
    const ended = await runAll(chosen, environment);
    const failed = ended.filter(({ code }) => code !== 0);
    // All that was printed where somebody asked for one, and where something went wrong.
    for (const { name, output } of positionals.length > 0 ? ended : failed)
      console.log(`── ${name}\n${output}`);
    const width = Math.max(...chosen.map((name) => name.length));
    for (const one of ended) {
      const seconds = `${(one.ms / 1_000).toFixed(1)} s`.padStart(7);
      console.log(`${one.code === 0 ? "✔" : "✘"} ${one.name.padEnd(width)} ${seconds}  ${lastWords(one)}`);
    }
    console.log(
      `${String(ended.length - failed.length)} of ${String(ended.length)} examples passed in ${((Date.now() - since) / 1_000).toFixed(1)} s`,
    );
    if (failed.length > 0) process.exitCode = 1;
  }
} catch (error) {
  console.error(error instanceof Refused ? error.message : error);
  process.exitCode = 1;
}
