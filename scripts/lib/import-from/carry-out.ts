import { followImport, outcomeOf } from "../../../packages/sdk-ts/src/cli/templates.ts";
import type { ConsentItem, ConsentResult } from "../../../server/consent/schemas.ts";
import type { ContactBatchResult, ContactRow } from "../../../server/contacts/schemas.ts";
import { toFiles } from "../../../server/template-files/files.ts";
import type { FileTemplate } from "../../../server/template-files/files.ts";
import type { TemplateImport } from "../../../server/template-files/schemas.ts";
import { inCalls } from "../../../server/template-files/vocabulary.ts";
import type { Found, Unmapped } from "./found.ts";

/** A call to the API of Tidings; rejects with `Refused` when it is refused. */
export type Call = <Answer>(method: "GET" | "POST", path: string, body?: unknown) => Promise<Answer>;

/** A little less than the API takes in one body. */
const callBytes = 900_000;
const batchSize = 500;

interface Result {
  lines: string[];
  /** What could not be written, with the reason. */
  failed: number;
  /** Templates are still being saved, and were not waited for any longer. */
  goesOn?: boolean;
}

interface Options {
  application: string;
  /** Plans and looks up, and writes nothing. */
  dryRun: boolean;
  /** How long no template may be saved before the rest is carried out and the import of templates left to itself. */
  waitMs: number;
  /** Told what the import of templates waits for. */
  tell: (text: string) => void;
}

/**
 * Brings what was found into Tidings, through the operations that everybody's programs use: an import of template files, batches of
 * contacts, consent. Repeating it changes nothing that is the same.
 */
export async function carryOut(call: Call, found: Found, options: Options): Promise<Result> {
  const lines: string[] = [];
  const unmapped = [...found.unmapped];
  let failed = 0;
  let goesOn = false;
  const run = async (rows: number, work: () => Promise<Result>) => {
    if (rows === 0) return;
    const result = await work();
    lines.push(...result.lines);
    failed += result.failed;
    goesOn ||= result.goesOn === true;
  };
  const templates = oneEach(found.templates, unmapped);
  await run(templates.length, () => importTemplates(call, templates, options, unmapped));
  await run(found.contacts.length, () => importContacts(call, found.contacts, options.dryRun));
  await run(found.consents.length, () => importConsents(call, found.consents, options.dryRun));
  if (unmapped.length > 0) lines.push(`Not imported, or not completely: ${unmapped.length}`);
  for (const { what, why } of unmapped) lines.push(`  ${what}: ${why}`);
  if (lines.length === 0) lines.push("Nothing was found.");
  return { lines, failed, goesOn };
}

/** A notification type has one template for each channel and variant: of several the first is taken, the others are told. */
function oneEach(templates: readonly FileTemplate[], unmapped: Unmapped[]): FileTemplate[] {
  const taken = new Map<string, string>();
  return templates.filter((template) => {
    const { notificationType, notificationSubtype, channel, region, language, provider, name } = template;
    const place = JSON.stringify([
      notificationType,
      notificationSubtype,
      channel,
      region,
      language,
      provider,
    ]);
    const first = taken.get(place);
    if (first === undefined) {
      taken.set(place, name);
      return true;
    }
    unmapped.push({
      what: `template ${name} (${channel})`,
      why: `${first} is for ${notificationType}/${notificationSubtype} as well, which has one template for each channel and language; give it a type of its own with --types`,
    });
    return false;
  });
}

async function plan(
  call: Call,
  templates: readonly FileTemplate[],
  application: string,
): Promise<TemplateImport | null> {
  let planned: TemplateImport | null = null;
  for (const part of inCalls(templates.flatMap(toFiles), callBytes)) {
    planned = await call<TemplateImport>("POST", "/v1/template-imports", {
      ...(planned ? { importId: planned.id } : { application, note: "Imported from another service" }),
      files: part,
    });
  }
  return planned;
}

async function importTemplates(
  call: Call,
  templates: readonly FileTemplate[],
  { application, dryRun, waitMs, tell }: Options,
  unmapped: Unmapped[],
): Promise<Result> {
  let planned = await plan(call, templates, application);
  const invalid = planned?.items.filter(({ action }) => action === "invalid") ?? [];
  if (planned && invalid.length > 0) {
    // A plan with a mistake can't be started, and one template must not hold up the others.
    for (const { path, problem } of invalid)
      unmapped.push({
        what: `template ${path}`,
        why: problem
          ? [problem.detail, ...problem.errors.map(({ detail }) => detail)].join(" ")
          : "It is not valid",
      });
    const wrong = new Set(invalid.map(({ path }) => path));
    await call("POST", `/v1/template-imports/${planned.id}/cancel`);
    const valid = templates.filter((template) => !wrong.has(folderIn(template)));
    planned = valid.length > 0 ? await plan(call, valid, application) : null;
  }
  if (!planned) return { lines: ["Templates: none can be imported."], failed: 0 };
  const { create, update, unchanged } = planned.counts;
  const lines = [
    `Templates of ${application}: ${create} to create, ${update} to change, ${unchanged} unchanged.`,
    ...planned.items
      .filter(({ action }) => action !== "unchanged")
      .map(({ action, path }) => `  ${action.padEnd(7)} ${path}`),
  ];
  if (dryRun || create + update === 0) {
    await call("POST", `/v1/template-imports/${planned.id}/cancel`);
    return { lines, failed: 0 };
  }
  const { id } = await call<TemplateImport>("POST", `/v1/template-imports/${planned.id}/start`);
  const get = () => call<TemplateImport>("GET", `/v1/template-imports/${id}`);
  const last = await followImport(get, { waitMs, tell });
  const wrong = last.items.filter(({ state }) => state === "failed");
  lines.push(`  ${outcomeOf(last)}`);
  for (const { path, problem } of wrong) lines.push(`  failed  ${path}: ${problem?.detail ?? ""}`);
  return { lines, failed: wrong.length, goesOn: last.state === "running" };
}

const folderIn = (template: FileTemplate) =>
  (toFiles(template)[0]?.path ?? "").replace(/\/template\.json$/, "");

function* batches<Row>(rows: readonly Row[]): Generator<readonly Row[]> {
  for (let at = 0; at < rows.length; at += batchSize) yield rows.slice(at, at + batchSize);
}

async function importContacts(call: Call, contacts: readonly ContactRow[], dryRun: boolean): Promise<Result> {
  if (dryRun) {
    const known = await knownIds(call);
    const there = contacts.filter(
      ({ externalId }) => externalId !== undefined && known.has(externalId),
    ).length;
    return {
      lines: [
        `Contacts: ${contacts.length - there} with an ID that is new, ${there} with one that is known. Known ones change where they differ; nothing is taken away.`,
      ],
      failed: 0,
    };
  }
  const count = { created: 0, updated: 0, unchanged: 0, error: 0 };
  const wrong: string[] = [];
  for (const batch of batches(contacts)) {
    const { results } = await call<ContactBatchResult>("POST", "/v1/contacts/batch", { contacts: batch });
    results.forEach(({ status, error }, at) => {
      count[status]++;
      if (error)
        wrong.push(`  failed  contact ${batch[at]?.externalId ?? ""}: ${error.field} ${error.detail}`);
    });
  }
  return {
    lines: [
      `Contacts: ${count.created} created, ${count.updated} changed, ${count.unchanged} unchanged, ${count.error} failed.`,
      ...wrong,
    ],
    failed: count.error,
  };
}

async function knownIds(call: Call): Promise<Set<string>> {
  const ids = new Set<string>();
  let cursor: string | null = null;
  do {
    const query = new URLSearchParams({ limit: "100", ...(cursor === null ? {} : { cursor }) });
    const page: { data: { externalId: string | null }[]; nextCursor: string | null } = await call(
      "GET",
      `/v1/contacts?${query.toString()}`,
    );
    for (const { externalId } of page.data) if (externalId !== null) ids.add(externalId);
    cursor = page.nextCursor;
  } while (cursor !== null);
  return ids;
}

async function importConsents(
  call: Call,
  consents: readonly ConsentItem[],
  dryRun: boolean,
): Promise<Result> {
  if (dryRun) {
    return {
      lines: [
        `Consent: ${consents.length} opt-outs of ${new Set(consents.map(({ channel, address }) => `${channel} ${address}`)).size} addresses. Those recorded by an earlier run are left as they are.`,
      ],
      failed: 0,
    };
  }
  const count = { recorded: 0, already_recorded: 0, rejected: 0 };
  const wrong: string[] = [];
  for (const batch of batches(consents)) {
    const { results } = await call<{ results: ConsentResult[] }>("POST", "/v1/consents", { consents: batch });
    for (const { status, reason } of results) {
      count[status]++;
      // Not the address: this may go into a log.
      if (reason) wrong.push(`  failed  an opt-out: ${reason.detail}`);
    }
  }
  return {
    lines: [
      `Consent: ${count.recorded} opt-outs recorded, ${count.already_recorded} recorded before, ${count.rejected} failed.`,
      ...wrong,
    ],
    failed: count.rejected,
  };
}
