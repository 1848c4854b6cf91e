import { existsSync, readdirSync } from "node:fs";
import path from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { TemplateFilesFile, TemplateImport, Tidings } from "../index.ts";
import type { Output } from "./output.ts";
import { readFolder, writeFolder } from "./template-folder.ts";
import { UsageError } from "./usage-error.ts";

/** A little less than the API takes in one body. */
const callBytes = 900_000;

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

/** Plans an import of `<folder>/<application>`, shows it, and carries it out. Answers whether all of it was saved. */
export async function pushTemplates(
  tidings: Tidings,
  output: Output,
  folder: string,
  options: { application?: string; note?: string; dryRun: boolean },
): Promise<boolean> {
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
  if (!goesOn) return true;
  await tidings.templateImports.start(plan.id);
  let last: TemplateImport = plan;
  do {
    await pause(500);
    last = await tidings.templateImports.get(plan.id);
  } while (last.state === "running");
  const failed = last.items.filter((item) => item.state === "failed");
  for (const { path: where, problem } of failed)
    output.result(
      { path: where, action: "failed", problem: problem?.detail ?? null },
      `failed    ${where}\n          ${problem?.detail ?? ""}`,
    );
  output.result(
    { application, saved: last.counts.done, failed: failed.length },
    `${String(last.counts.done)} saved, ${String(failed.length)} failed.`,
  );
  return failed.length === 0 && last.state === "finished";
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
