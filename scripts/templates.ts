/**
 * `npm run templates -- pull|push [folder]`: templates as files, so that they can live in version control.
 *
 *   pull   writes every template of an application to <folder>/<application>, and removes what is gone
 *   push   plans an import of <folder>/<application>, shows it, and carries it out
 *
 * The installation is TIDINGS_URL with TIDINGS_API_KEY; without them the quickstart of this checkout.
 */
import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { inCalls } from "../server/template-files/vocabulary.ts";
import type { TemplateFile, TemplateImport } from "../server/template-files/schemas.ts";
import { readCommandLine, Refused } from "./lib/command.ts";
import { dataFolder } from "./lib/paths.ts";
import { readQuickstart } from "./lib/quickstart.ts";
import { readFolder, writeFolder } from "./lib/template-folder.ts";

const usage = `Usage:
  npm run templates -- pull [folder] [--application webshop] [--environment production]
  npm run templates -- push [folder] [--application webshop] [--note "What changes"] [--dry-run]

pull  writes every template of an application to <folder>/<application>, and removes what is gone
push  plans an import of <folder>/<application>, shows it, and carries it out; with --dry-run it only shows it

The folder is "templates" unless named. TIDINGS_URL and TIDINGS_API_KEY name the installation and a key that may read
(pull) or write (push) templates; without them the quickstart of this checkout is used. docs/templates.md has more.`;

const options = {
  application: { type: "string" },
  environment: { type: "string" },
  note: { type: "string" },
  "dry-run": { type: "boolean", default: false },
} as const;
const { values, positionals } = readCommandLine(usage, options, {
  pull: { needs: [], more: "one" },
  push: { needs: [], more: "one" },
});

/** A little less than the API takes in one body. */
const callBytes = 900_000;

const quickstart = readQuickstart(dataFolder());
const baseUrl = (process.env.TIDINGS_URL ?? quickstart?.baseUrl ?? "http://localhost:3000").replace(
  /\/$/,
  "",
);
const key = process.env.TIDINGS_API_KEY ?? (process.env.TIDINGS_URL ? undefined : quickstart?.keys.live);

async function call<Answer>(method: "GET" | "POST", where: string, body?: unknown): Promise<Answer> {
  if (!key) throw new Refused("Set TIDINGS_API_KEY to an API key of the installation.");
  let response: Response;
  try {
    response = await fetch(`${baseUrl}${where}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined ? {} : { "content-type": "application/json" }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
  } catch (error) {
    const cause =
      error instanceof Error && error.cause instanceof Error ? error.cause.message : String(error);
    throw new Refused(`${baseUrl} does not answer: ${cause}`);
  }
  const answer = (await response.json().catch(() => null)) as
    (Answer & { detail?: string; errors?: { detail: string }[] }) | null;
  if (response.ok && answer) return answer;
  const more = (answer?.errors ?? []).map((entry) => `\n  ${entry.detail}`).join("");
  throw new Refused(`${method} ${where}: ${String(response.status)} ${answer?.detail ?? ""}${more}`);
}

async function pull(folder: string, options: { application?: string; environment?: string }): Promise<void> {
  const files: TemplateFile[] = [];
  let application = options.application ?? "";
  let templates = 0;
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({
      ...(options.application ? { application: options.application } : {}),
      ...(options.environment ? { environment: options.environment } : {}),
      ...(cursor ? { cursor } : {}),
    });
    const page: { application: string; templates: number; files: TemplateFile[]; nextCursor: string | null } =
      await call("GET", `/v1/template-files${query.size > 0 ? `?${query.toString()}` : ""}`);
    files.push(...page.files);
    templates += page.templates;
    ({ application, nextCursor: cursor } = page);
  } while (cursor);
  const target = path.join(folder, application);
  const { written, removed } = writeFolder(target, files);
  console.log(
    `${String(templates)} templates of ${application} in ${target}: ${String(written)} files written, ${String(removed)} removed.`,
  );
}

async function push(
  folder: string,
  options: { application?: string; note?: string; dryRun: boolean },
): Promise<boolean> {
  const application = options.application ?? onlyFolder(folder);
  const source = path.join(folder, application);
  if (!existsSync(source)) throw new Refused(`There is no folder ${source}. Pull first.`);
  const files = readFolder(source).filter((file) => file.path.includes("/"));
  if (files.length === 0) throw new Refused(`There are no templates in ${source}.`);
  let plan: TemplateImport | undefined;
  for (const part of inCalls(files, callBytes)) {
    plan = await call<TemplateImport>("POST", "/v1/template-imports", {
      ...(plan ? { importId: plan.id } : { application, ...(options.note ? { note: options.note } : {}) }),
      files: part,
    });
  }
  if (!plan) throw new Refused(`There are no templates in ${source}.`);
  for (const item of plan.items) {
    if (item.action === "unchanged") continue;
    console.log(
      `${item.action.padEnd(9)} ${item.path}${item.problem ? `\n          ${item.problem.detail}` : ""}`,
    );
  }
  const { create, update, unchanged, invalid } = plan.counts;
  console.log(
    `${application}: ${String(create)} to create, ${String(update)} to update, ${String(unchanged)} unchanged, ${String(invalid)} not valid.`,
  );
  if (create + update > 0) console.log("Texts that change are moderated when they are saved.");
  const goesOn = invalid === 0 && !options.dryRun && create + update > 0;
  // A plan that nobody will start is discarded.
  if (!goesOn) await call("POST", `/v1/template-imports/${plan.id}/cancel`);
  if (invalid > 0) throw new Refused("Nothing was changed. Mend what is not valid and push again.");
  if (!goesOn) return true;
  await call("POST", `/v1/template-imports/${plan.id}/start`);
  let last: TemplateImport = plan;
  do {
    await pause(500);
    last = await call<TemplateImport>("GET", `/v1/template-imports/${plan.id}`);
  } while (last.state === "running");
  const failed = last.items.filter((item) => item.state === "failed");
  for (const item of failed) console.error(`failed    ${item.path}\n          ${item.problem?.detail ?? ""}`);
  console.log(`${String(last.counts.done)} saved, ${String(failed.length)} failed.`);
  return failed.length === 0 && last.state === "finished";
}

function onlyFolder(folder: string): string {
  const folders = existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
        .map((entry) => entry.name)
    : [];
  const [only] = folders;
  if (only !== undefined && folders.length === 1) return only;
  throw new Refused(
    folders.length === 0
      ? `There is nothing in ${folder}. Pull first.`
      : `Say which with --application: ${folders.join(", ")}.`,
  );
}

try {
  const [command, folder = "templates"] = positionals;
  const place = path.resolve(folder);
  if (command === "pull") await pull(place, values);
  else if (!(await push(place, { ...values, dryRun: values["dry-run"] }))) process.exitCode = 1;
} catch (error) {
  console.error(error instanceof Refused ? error.message : error);
  process.exitCode = 1;
}
