import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { addSuppressions } from "../consent/add-suppressions.ts";
import { listSuppressions } from "../consent/list-suppressions.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createImport, uploadPiece } from "./create-import.ts";
import { exportSuppressions } from "./export-suppressions.ts";
import { getImport } from "./get-import.ts";
import { runImport } from "./run-import.ts";
import { importMappingSchema } from "./schemas.ts";
import type { ImportMapping } from "./schemas.ts";
import { checkImport, startImport } from "./start-import.ts";

const database = await testDatabase();

async function makeWorld() {
  const tenant = await makeTenant(database);
  const { tenantId, system } = tenant;
  const environmentId = tenant.environments.production;
  const upload = async (text: string, ctx: Ctx = system, environment = environmentId) => {
    const file = Buffer.from(text);
    const { id } = await createImport(ctx, {
      kind: "suppressions",
      environmentId: environment,
      fileName: "bounces.csv",
      size: file.length,
    });
    await uploadPiece(ctx, { id, offset: 0, data: file.toString("base64") });
    return id;
  };
  const work = (id: string) => runImport({ db: database.worker }, { tenantId, importId: id });
  const check = async (id: string, change: Partial<ImportMapping> = {}) => {
    const { head } = await getImport(system, { id });
    await checkImport(system, { id, mapping: importMappingSchema.parse({ ...head!.guesses, ...change }) });
    await work(id);
    return getImport(system, { id });
  };
  const run = async (id: string) => {
    await startImport(system, { id });
    await work(id);
    return getImport(system, { id });
  };
  const list = async (environment = environmentId) =>
    (await listSuppressions(system, { environmentId: environment, limit: 50 })).data
      .map(({ channel, address, reason, expiresAt, note }) => ({ channel, address, reason, expiresAt, note }))
      .sort((a, b) => (a.address < b.address ? -1 : 1));
  const exported = async (ctx: Ctx = tenant.as("owner")) => {
    const { first, rest } = await exportSuppressions(ctx, { environmentId });
    let text = first;
    for await (const piece of rest) text += piece;
    return text;
  };
  return { tenant, tenantId, system, environmentId, upload, check, run, list, exported };
}

const inDays = (days: number) => new Date(Date.now() + days * 86_400_000);
const dayOf = (date: Date) => date.toISOString().slice(0, 10);
const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "allowed",
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

test("suppressions are imported with their reason, end and note; the dry run says the same and writes nothing", async () => {
  const { tenant, system, environmentId, upload, check, run, list } = await makeWorld();
  await addSuppressions(system, {
    environmentId,
    suppressions: [
      { channel: "email", address: "known@example.com" },
      { channel: "email", address: "soon@example.com", expiresAt: inDays(1).toISOString() },
    ],
  });
  const last = inDays(90);
  const file = [
    "E-Mail;Kanal;Grund;Bis;Notiz",
    "Ada@Example.com;email;hard_bounce;;'=550 no such user",
    "bob@example.com;email;Spam complaint;;",
    `+49 151 12345678;SMS;;${dayOf(last)};Asked us`,
    "carl@example.com;email;soft bounce;;",
    "known@example.com;email;;;",
    "soon@example.com;email;;;Longer",
    "bob@example.com;email;complaint;;",
    "",
  ].join("\r\n");
  const id = await upload(file);
  const dry = await check(id);
  expect(dry).toMatchObject({
    head: { guesses: { columns: ["address", "channel", "reason", "expiresAt", "note"] } },
    counts: { created: 4, updated: 1, unchanged: 2, failed: 0 },
  });
  expect(await list()).toHaveLength(2);
  expect(await run(id)).toMatchObject({ state: "finished", counts: dry.counts });
  const after = await list();
  expect(after).toMatchObject([
    { channel: "sms", address: "+4915112345678", reason: "manual", note: "Asked us" },
    { address: "ada@example.com", reason: "hard_bounce", expiresAt: null, note: "=550 no such user" },
    { address: "bob@example.com", reason: "complaint", expiresAt: null },
    { address: "carl@example.com", reason: "soft_bounces" },
    { address: "known@example.com", reason: "manual", expiresAt: null },
    { address: "soon@example.com", reason: "manual", expiresAt: null, note: "Longer" },
  ]);
  // The last day counts whole.
  expect(after[0]?.expiresAt).toBe(`${dayOf(new Date(last.getTime() + 86_400_000))}T00:00:00.000Z`);
  expect(Math.abs(Date.parse(after[3]?.expiresAt ?? "") - inDays(30).getTime())).toBeLessThan(60_000);
  expect(await list(tenant.environments.sandbox)).toEqual([]);

  const again = await upload(file);
  // What has no end has none again; the end of thirty days is a little later by now.
  expect(await check(again)).toMatchObject({ counts: { created: 0, updated: 1, unchanged: 6 } });
});

test("what is wrong in a file of suppressions is told by row and column and quotes nothing of it", async () => {
  const { upload, check, system } = await makeWorld();
  const id = await upload(
    [
      "address,reason,until,note",
      "nobody,,,",
      "ada@example.com,unsubscribed,,",
      "bob@example.com,,yesterday,",
      `eve@example.com,,2020-01-01,${"x".repeat(501)}`,
      "fine@example.com,bounce,,",
      "",
    ].join("\n"),
  );
  const { head } = await getImport(system, { id });
  const start = (constants: ImportMapping["constants"]) =>
    checkImport(system, { id, mapping: importMappingSchema.parse({ ...head!.guesses, constants }) });
  await expect(start({})).rejects.toThrow("channel");
  await expect(start({ channel: "email", reason: "whim" })).rejects.toThrow("reason");
  const dry = await check(id, { constants: { channel: "email" } });
  expect(dry.counts).toMatchObject({ created: 1, failed: 4 });
  expect(dry.errors.map(({ row, column }) => `${String(row)} ${column ?? "row"}`)).toEqual([
    "2 address",
    "3 reason",
    "4 until",
    "5 until",
    "5 note",
  ]);
  expect(dry.errors[1]?.detail).toContain("consent");
  expect(JSON.stringify(dry.errors)).not.toMatch(/nobody|yesterday|xxx|whim/);
});

test("the last day there is means the end of time, and what is no reason or channel is an error of its row", async () => {
  const { upload, check, run, list } = await makeWorld();
  const id = await upload(
    [
      "address,channel,reason,until",
      "a@example.com,email,manual,9999-12-31",
      "b@example.com,email,manual,31.12.9999",
      "c@example.com,email,manual,9999-12-31T23:59:00-05:00",
      "d@example.com,email,constructor,",
      "e@example.com,__proto__,manual,",
      "",
    ].join("\n"),
  );
  const dry = await check(id);
  expect(dry).toMatchObject({ state: "checked", counts: { created: 2, failed: 3 } });
  expect(dry.errors.map(({ row, column }) => `${String(row)} ${column ?? "row"}`)).toEqual([
    "4 until",
    "5 reason",
    "6 channel",
  ]);
  expect(await run(id)).toMatchObject({ state: "finished", counts: { created: 2, failed: 3 } });
  expect((await list()).map(({ expiresAt }) => expiresAt?.slice(0, 10))).toEqual([
    "9999-12-31",
    "9999-12-31",
  ]);
});

test("an export of suppressions is complete, no cell is a formula, and another organisation that imports it has the same", async () => {
  const [from, to] = [await makeWorld(), await makeWorld()];
  const rows = Array.from({ length: 1_500 }, (_, index) => `a${String(index)}@example.com,email,bounce,,`);
  const id = await from.upload(
    [
      "address,channel,reason,until,note",
      ...rows,
      `=cmd@example.com,email,complaint,${dayOf(inDays(9))},=1+1`,
      "",
    ].join("\n"),
  );
  await from.check(id);
  await from.run(id);
  const text = await from.exported();
  const cells: string[][] = parse(text, { bom: true, columns: false });
  expect(cells).toHaveLength(1_502);
  expect(cells.flat().filter((cell) => /^[=+\-@\t\r]/.test(cell))).toEqual([]);

  const other = await to.upload(text);
  expect(await to.check(other)).toMatchObject({ counts: { created: 1_501, failed: 0 } });
  await to.run(other);
  const plain = (written: string) =>
    parse<Record<string, string>>(written, { bom: true, columns: true })
      .map(({ since: _since, ...row }) => row)
      .sort((a, b) => ((a.address ?? "") < (b.address ?? "") ? -1 : 1));
  expect(plain(await to.exported())).toEqual(plain(text));
});

test("importing and exporting suppressions need the whole organisation; without content:reveal addresses are masked and notes left out", async () => {
  const { tenant, tenantId, upload, check, run, exported } = await makeWorld();
  const id = await upload("address,channel,note\nada@example.com,email,A private note\n");
  await check(id);
  await run(id);
  const masked = await exported(tenant.as("auditor"));
  expect(masked).toContain("a•••@example.com");
  expect(masked).not.toContain("private note");
  expect(await codeOf(exported(tenant.as("finance")))).toBe("permission_denied");
  // A role in one team reads single addresses, not the list.
  expect(await codeOf(exported(tenant.as("owner", tenant.units.alpha)))).toBe("not_found");
  expect(await codeOf(exported((await makeTenant(database)).as("owner")))).toBe("not_found");
  const file = "address,channel\nada@example.com,email\n";
  expect(await codeOf(upload(file, tenant.as("auditor")))).toBe("permission_denied");
  expect(await codeOf(upload(file, tenant.as("owner", tenant.units.alpha)))).toBe("not_found");
  const { rows } = await database.owner.query(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'suppression.exported'",
    [tenantId],
  );
  expect(rows).toEqual([{ data: { masked: true } }]);
});
