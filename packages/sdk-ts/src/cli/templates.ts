import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TemplateFilesFile, TemplateImport, Tidings } from "../index.ts";
import type { Output } from "./output.ts";
import { readFolder, writeFolder } from "./template-folder.ts";
import { UsageError } from "./usage-error.ts";

/** A little less than the API takes in one body. */
const callBytes = 900_000;
/** How often the progress of an import is asked for, ms. */
const pollMs = 500;
/** How long nothing is saved before a person is told what to check, ms. */
const quietMs = 30_000;

/** The exit code when a command stops waiting for what goes on without it. */
export const goesOnCode = 4;
/** How long nothing may be saved before a command stops waiting, unless it is told otherwise, in seconds. */
export const defaultWait = 600;

interface Progress {
  state: string;
  counts: { done: number; failed: number };
  items: readonly { state: string; problem: { detail: string } | null }[];
}

/**
 * Asks for a started import until it has ended, or until nothing has been saved for `waitMs`: then it is still running in the answer,
 * and goes on without whoever asks.
 * @param tell told what the import waits for, once each time that nothing has been saved for half a minute
 */
export async function followImport<Import extends Progress>(
  get: () => Promise<Import>,
  { waitMs, tell }: { waitMs: number; tell: (text: string) => void },
): Promise<Import> {
  let handled = 0;
  let since = Date.now();
  let isTold = false;
  for (;;) {
    const last = await get();
    if (last.state !== "running") return last;
    const { done, failed } = last.counts;
    if (done + failed !== handled) {
      handled = done + failed;
      since = Date.now();
      isTold = false;
    }
    const quiet = Date.now() - since;
    if (!isTold && quiet >= Math.min(quietMs, waitMs)) {
      isTold = true;
      tell(waitsFor(last, quiet));
    }
    if (quiet >= waitMs) return last;
    await pause(Math.min(pollMs, waitMs - quiet));
  }
}

function waitsFor({ items }: Progress, quiet: number): string {
  const held = items.find(({ state, problem }) => state === "planned" && problem !== null);
  if (held?.problem) return `Waiting, because a template could not be saved yet: ${held.problem.detail}`;
  return `Nothing has been saved for ${String(Math.round(quiet / 1_000))} seconds. Check that a worker is running: without one, /readyz of the installation has "maintenance" under lanesWithoutWorker.`;
}

/** What is said of an import at its end, or when it is not waited for any longer. */
export function outcomeOf({ state, counts: { done, failed } }: Progress): string {
  const saved = `${String(done)} saved, ${String(failed)} failed`;
  if (state === "running")
    return `${saved} so far. It is not waited for any longer and continues by itself: see Templates, Import and export in the portal.`;
  return state === "canceled" ? `${saved}. The import was canceled.` : `${saved}.`;
}

/** Milliseconds of `--wait`, which is in seconds. */
export function waitOf(seconds: string | undefined): number {
  const wait = seconds === undefined ? defaultWait : Number(seconds.trim() || Number.NaN);
  if (!(wait >= 0)) throw new UsageError("--wait is a number of seconds.");
  return wait * 1_000;
}

/** Writes every template of an application to `<folder>/<application>`, and removes what is gone. */
export async function pullTemplates(
  tidings: Tidings,
  output: Output,
  folder: string,
  { application: named, environment }: { application?: string; environment?: string },
): Promise<void> {
  const query = { ...(named ? { application: named } : {}), ...(environment ? { environment } : {}) };
  const files: TemplateFilesFile[] = [];
  let application = named ?? "";
  let templates = 0;
  for await (const page of tidings.templates.files(query).pages()) {
    files.push(...page.files);
    templates += page.templates;
    application = page.application;
  }
  const target = path.join(folder, application);
  const { written, removed } = writeFolder(target, files);
  output.result(
    { application, folder: target, templates, written, removed },
    `${String(templates)} templates of ${application} in ${target}: ${String(written)} files written, ${String(removed)} removed.`,
  );
}

/**
 * Plans an import of `<folder>/<application>`, shows it, and carries it out. Answers the exit code: 0 when all of it was saved.
 * @param options.waitMs how long nothing may be saved before it is not waited for any longer
 */
export async function pushTemplates(
  tidings: Tidings,
  output: Output,
  folder: string,
  options: { application?: string; note?: string; dryRun: boolean; waitMs: number },
): Promise<number> {
  const application = options.application ?? onlyFolder(folder);
  const source = path.join(folder, application);
  if (!existsSync(source)) throw new UsageError(`There is no folder ${source}. Pull first.`, 1);
  const files = readFolder(source).filter((file) => file.path.includes("/"));
  let plan: TemplateImport | undefined;
  for (const part of inCalls(files)) {
    plan = await tidings.templateImports.plan(
      plan
        ? { importId: plan.id, files: part }
        : { application, files: part, ...(options.note ? { note: options.note } : {}) },
    );
  }
  if (!plan) throw new UsageError(`There are no templates in ${source}.`, 1);
  for (const item of plan.items) {
    if (item.action === "unchanged") continue;
    output.result(
      { path: item.path, action: item.action, problem: item.problem?.detail ?? null },
      `${item.action.padEnd(9)} ${item.path}${item.problem ? `\n          ${item.problem.detail}` : ""}`,
    );
  }
  const { create, update, unchanged, invalid } = plan.counts;
  output.result(
    { application, create, update, unchanged, invalid },
    `${application}: ${String(create)} to create, ${String(update)} to update, ${String(unchanged)} unchanged, ${String(invalid)} not valid.`,
  );
  if (create + update > 0) output.note("Texts that change are moderated when they are saved.");
  const goesOn = invalid === 0 && !options.dryRun && create + update > 0;
  // A plan that nobody will start is discarded.
  if (!goesOn) await tidings.templateImports.cancel(plan.id);
  if (invalid > 0) throw new UsageError("Nothing was changed. Fix what is not valid and push again.", 1);
  if (!goesOn) return 0;
  const { id } = await tidings.templateImports.start(plan.id);
  const last = await followImport(() => tidings.templateImports.get(id), {
    waitMs: options.waitMs,
    tell: (waiting) => output.result({ application, waiting }, waiting),
  });
  const failed = last.items.filter((item) => item.state === "failed");
  for (const { path: where, problem } of failed)
    output.result(
      { path: where, action: "failed", problem: problem?.detail ?? null },
      `failed    ${where}\n          ${problem?.detail ?? ""}`,
    );
  output.result(
    { application, saved: last.counts.done, failed: last.counts.failed, state: last.state },
    outcomeOf(last),
  );
  if (failed.length > 0 || last.state === "canceled") return 1;
  return last.state === "running" ? goesOnCode : 0;
}

/** Splits files into calls of at most `callBytes`, never within a template's folder. */
function inCalls(files: readonly TemplateFilesFile[]): TemplateFilesFile[][] {
  const calls: TemplateFilesFile[][] = [];
  let size = callBytes;
  const folders = new Map<string, TemplateFilesFile[]>();
  for (const file of files) {
    const folder = path.posix.dirname(file.path);
    folders.set(folder, [...(folders.get(folder) ?? []), file]);
  }
  for (const folder of folders.values()) {
    const bytes = Buffer.byteLength(JSON.stringify(folder));
    if (size + bytes > callBytes) {
      calls.push([]);
      size = 0;
    }
    size += bytes;
    calls.at(-1)?.push(...folder);
  }
  return calls;
}

function onlyFolder(folder: string): string {
  const folders = existsSync(folder)
    ? readdirSync(folder, { withFileTypes: true })
        .filter((entry) => entry.isDirectory() && !entry.name.startsWith("."))
        .map((entry) => entry.name)
    : [];
  const [only] = folders;
  if (only !== undefined && folders.length === 1) return only;
  throw new UsageError(
    folders.length === 0
      ? `There is nothing in ${folder}. Pull first.`
      : `Say which with --application: ${folders.join(", ")}.`,
  );
}
