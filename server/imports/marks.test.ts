import fc from "fast-check";
import { expect, test } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createImport, cancelImport, uploadPiece } from "./create-import.ts";
import { getImport } from "./get-import.ts";
import { Marks } from "./marks.ts";
import { runImport } from "./run-import.ts";
import { importMappingSchema } from "./schemas.ts";
import { importLimits } from "./vocabulary.ts";
import type { ImportMapping } from "./schemas.ts";
import type { ImportKindName } from "./vocabulary.ts";
import { checkImport, startImport } from "./start-import.ts";

const database = await testDatabase();

async function makeWorld() {
  const tenant = await makeTenant(database);
  const { tenantId, system } = tenant;
  const upload = async (kind: ImportKindName, text: string) => {
    const file = Buffer.from(text);
    const { id } = await createImport(system, {
      kind,
      environmentId: tenant.environments.production,
      fileName: "list.csv",
      size: file.length,
    });
    for (let offset = 0; offset < file.length; offset += importLimits.pieceBytes) {
      const data = file.subarray(offset, offset + importLimits.pieceBytes).toString("base64");
      await uploadPiece(system, { id, offset, data });
    }
    return id;
  };
  /** A slice for each batch, so that what is remembered has to be read again each time. */
  const work = async (id: string) => {
    for (;;) {
      await runImport({ db: database.worker }, { tenantId, importId: id }, { sliceMs: 0 });
      const one = await getImport(system, { id });
      if (one.state !== "checking" && one.state !== "running") return one;
    }
  };
  const both = async (kind: ImportKindName, text: string, change: Partial<ImportMapping> = {}) => {
    const id = await upload(kind, text);
    const { head } = await getImport(system, { id });
    await checkImport(system, { id, mapping: importMappingSchema.parse({ ...head!.guesses, ...change }) });
    const dry = await work(id);
    await startImport(system, { id });
    return { id, dry: dry.counts, run: (await work(id)).counts };
  };
  const marks = async () =>
    (await database.owner.query("SELECT FROM import_marks WHERE tenant_id = $1", [tenantId])).rowCount;
  return { tenant, tenantId, system, upload, both, marks };
}

const filler = (count: number, line: (index: number) => string) =>
  Array.from({ length: count }, (_, index) => line(index));

test("rows that stand in a file twice, far apart, are counted by the dry run as the import counts them", async () => {
  const { both, marks } = await makeWorld();
  const consent = await both(
    "consent",
    [
      "address,channel,state,at,evidence",
      "ada@example.com,email,no,,",
      "bob@example.com,email,no,,",
      "bob@example.com,email,no,,",
      "eve@example.com,email,no,2026-01-01,",
      ...filler(1_200, (index) => `f${String(index)}@example.com,email,no,,`),
      "ADA@example.com,email,no,,",
      "bob@example.com,email,yes,,Form",
      "eve@example.com,email,no,2026-01-01,",
      "eve@example.com,email,no,2026-01-02,",
      ...filler(1_200, (index) => `g${String(index)}@example.com,email,no,,`),
      "bob@example.com,email,yes,,Form",
      "bob@example.com,email,no,,",
      "",
    ].join("\n"),
  );
  expect(consent.dry).toEqual(consent.run);
  expect(consent.dry).toEqual({ created: 2_406, updated: 0, unchanged: 4, failed: 0 });

  const contacts = await both(
    "contacts",
    [
      "id,name,email,phone",
      "1,Ada,ada@example.com,",
      "2,Bob,bob@example.com,+4915112345678",
      ...filler(1_200, (index) => `f${String(index)},,f${String(index)}@example.com,`),
      "1,Ada,ada@example.com,",
      ",Bobby,,+4915112345678",
      "3,Eve,not an address,",
      ...filler(1_200, (index) => `f${String(index)},,f${String(index)}@example.com,`),
      ",Bobby,,+4915112345678",
      "",
    ].join("\n"),
  );
  expect(contacts.dry).toEqual(contacts.run);
  expect(contacts.dry).toEqual({ created: 1_202, updated: 1, unchanged: 1_202, failed: 1 });

  const suppressions = await both(
    "suppressions",
    [
      "address,channel,reason,until",
      "ada@example.com,email,bounce,2999-01-01",
      "bob@example.com,email,complaint,2999-01-01",
      ...filler(1_200, (index) => `f${String(index)}@example.com,email,bounce,`),
      "ada@example.com,email,bounce,2998-01-01",
      "ada@example.com,email,complaint,2998-01-01",
      "bob@example.com,email,bounce,2999-01-01",
      ...filler(600, (index) => `f${String(index)}@example.com,email,bounce,`),
      "ada@example.com,email,bounce,",
      "",
    ].join("\n"),
  );
  expect(suppressions.run).toMatchObject({ created: 1_202, failed: 0 });
  expect(suppressions.dry.created).toBe(suppressions.run.created);
  // What was remembered is gone with the dry run.
  expect(await marks()).toBe(0);
});

test("a file that only puts known contacts into a group is counted so, and can be started", async () => {
  const { both, system, tenantId, upload } = await makeWorld();
  const file = "id,email\n1,ada@example.com\n2,bob@example.com\n";
  await both("contacts", file);
  const groupId = newId();
  await database.owner.query(
    "INSERT INTO contact_groups (tenant_id, id, name, kind, created_at, updated_at) VALUES ($1, $2, 'List', 'static', now(), now())",
    [tenantId, groupId],
  );
  const joined = await both("contacts", file, { groupIds: [groupId] });
  expect(joined.dry).toEqual({ created: 0, updated: 2, unchanged: 0, failed: 0 });
  expect(joined.run).toEqual(joined.dry);
  // Once they are in it there is nothing left to do.
  const id = await upload("contacts", `${file}3,eve@example.com\n`);
  const { head } = await getImport(system, { id });
  await checkImport(system, { id, mapping: { ...head!.guesses, groupIds: [groupId] } });
  await runImport({ db: database.worker }, { tenantId, importId: id });
  expect((await getImport(system, { id })).counts).toMatchObject({ created: 1, updated: 0, unchanged: 2 });
});

test("a dry run that is canceled leaves nothing of what it remembered, and another organisation sees none of it", async () => {
  const { system, tenantId, upload, marks } = await makeWorld();
  const id = await upload(
    "suppressions",
    `address,channel\n${filler(1_500, (index) => `f${String(index)}@example.com,email\n`).join("")}`,
  );
  await checkImport(system, { id, mapping: (await getImport(system, { id })).head!.guesses });
  await runImport({ db: database.worker }, { tenantId, importId: id }, { sliceMs: 0 });
  expect(await marks()).toBe(1);
  const stranger = (await makeTenant(database)).system;
  expect(await inTenant({ ...stranger, db: database.web }, (tx) => tx.importMark.count())).toBe(0);
  await cancelImport(system, { id });
  expect(await marks()).toBe(0);
});

test("what was said of a name last is remembered, however it was put away in between, up to a bound", () => {
  const name = fc.integer({ min: 0, max: 400 }).map((number) => `name ${String(number)}`);
  fc.assert(
    fc.property(
      fc.array(fc.tuple(name, fc.integer({ min: 1, max: 65_535 })), { maxLength: 2_000 }),
      (said) => {
        let marks = new Marks("one");
        const model = new Map<string, number>();
        const stored: Buffer[] = [];
        for (const [index, [each, says]] of said.entries()) {
          expect(marks.get(each)).toBe(model.get(each));
          marks.set(each, says);
          model.set(each, says);
          if (index % 97 !== 0) continue;
          stored.push(marks.take()!);
          marks = new Marks("one");
          for (const data of stored) marks.put(data);
        }
        for (const [each, says] of model) expect(marks.get(each)).toBe(says);
      },
    ),
    { numRuns: 30 },
  );
  const few = new Marks("one", 10);
  for (let number = 0; number < 100; number++) few.set(`name ${String(number)}`, 7);
  expect([few.get("name 9"), few.get("name 10"), few.take()?.length]).toEqual([7, undefined, 80]);
});

test("a million names take some tens of megabytes and no long moment", () => {
  const before = process.memoryUsage().arrayBuffers;
  const marks = new Marks("one");
  let longest = 0;
  const from = performance.now();
  for (let batch = 0; batch < 2_000; batch++) {
    const began = performance.now();
    for (let number = 0; number < 500; number++) marks.set(`name ${String(batch * 500 + number)}`, 1);
    marks.take();
    longest = Math.max(longest, performance.now() - began);
  }
  expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(64 * 1_048_576);
  expect(longest).toBeLessThan(250);
  expect(performance.now() - from).toBeLessThan(30_000);
});
