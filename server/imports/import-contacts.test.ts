import { expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createImport, uploadPiece } from "./create-import.ts";
import { getImport } from "./get-import.ts";
import { runImport } from "./run-import.ts";
import { importMappingSchema } from "./schemas.ts";
import type { ImportMapping } from "./schemas.ts";
import { checkImport, startImport } from "./start-import.ts";

const database = await testDatabase();
const sql = database.owner;

async function makeWorld() {
  const tenant = await makeTenant(database);
  const { tenantId, system } = tenant;
  const upload = async (text: string) => {
    const file = Buffer.from(text);
    const { id } = await createImport(system, {
      kind: "contacts",
      environmentId: tenant.environments.production,
      fileName: "people.csv",
      size: file.length,
    });
    await uploadPiece(system, { id, offset: 0, data: file.toString("base64") });
    return id;
  };
  const work = (id: string) => runImport({ db: database.worker }, { tenantId, importId: id });
  const guessed = async (id: string) => (await getImport(system, { id })).head!.guesses;
  const check = async (id: string, change: Partial<ImportMapping> = {}) => {
    const mapping = importMappingSchema.parse({ ...(await guessed(id)), ...change });
    await checkImport(system, { id, mapping });
    await work(id);
    return getImport(system, { id });
  };
  const run = async (id: string) => {
    await startImport(system, { id });
    await work(id);
    return getImport(system, { id });
  };
  const contacts = async () =>
    (
      await sql.query<Record<string, unknown>>(
        `SELECT c.external_id, c.name, c.region, c.language, c.time_zone, c.attributes,
           array(SELECT a.channel || ' ' || a.address FROM contact_addresses a WHERE a.contact_id = c.id ORDER BY 1) AS addresses
         FROM contacts c WHERE c.tenant_id = $1 ORDER BY c.external_id NULLS LAST, c.name`,
        [tenantId],
      )
    ).rows;
  return { tenant, tenantId, system, upload, guessed, check, run, contacts };
}

test("contacts are created, changed and left alone, with attributes and groups; the dry run says the same and writes nothing", async () => {
  const { tenantId, upload, guessed, check, run, contacts } = await makeWorld();
  const file = (plan: string) =>
    [
      "Kundennummer;Name;E-Mail;Handy;WhatsApp;Land;Sprache;Zeitzone;Tarif",
      `7;Ada Lovelace;Ada@Example.com;+49 151 12345678;;de;de-AT;Europe/Vienna;${plan}`,
      `8;'=Bob;bob@example.com;0049 151 12345679;'+4915112345679;;;;basic`,
      ";Nobody;;;;;;;",
      "9;Eve;not an address;123;;XYZ;english;Mars/Olympus;x",
      "10;Zed;zed@example.com;;;;;Mars/Olympus;x",
    ].join("\r\n");
  const id = await upload(file("gold"));
  expect((await guessed(id)).columns).toEqual([
    "externalId",
    "name",
    "address:email",
    "address:sms",
    "address:whatsapp",
    "region",
    "language",
    "timeZone",
    null,
  ]);
  const groupId = newId();
  await sql.query(
    "INSERT INTO contact_groups (tenant_id, id, name, kind, created_at, updated_at) VALUES ($1, $2, 'List', 'static', now(), now())",
    [tenantId, groupId],
  );
  const columns = [...(await guessed(id)).columns.slice(0, -1), "attribute:Tarif"];
  const dry = await check(id, { columns, groupIds: [groupId] });
  expect(dry).toMatchObject({
    state: "checked",
    counts: { created: 2, updated: 0, unchanged: 0, failed: 3 },
  });
  expect(dry.errors.map(({ row, column }) => `${String(row)} ${column ?? "row"}`)).toEqual([
    "4 row",
    "5 Handy",
    "5 E-Mail",
    "5 Land",
    "5 Sprache",
    "6 Zeitzone",
  ]);
  expect(await contacts()).toEqual([]);
  expect(await run(id)).toMatchObject({ counts: { created: 2, failed: 3 } });
  const ada = {
    external_id: "7",
    name: "Ada Lovelace",
    region: "DE",
    language: "de",
    time_zone: "Europe/Vienna",
    attributes: { Tarif: "gold" },
    addresses: ["email ada@example.com", "sms +4915112345678"],
  };
  expect(await contacts()).toEqual([
    ada,
    expect.objectContaining({
      external_id: "8",
      name: "=Bob",
      addresses: ["email bob@example.com", "sms +4915112345679", "whatsapp +4915112345679"],
    }),
  ]);
  const { rowCount } = await sql.query("SELECT FROM contact_group_members WHERE group_id = $1", [groupId]);
  expect(rowCount).toBe(2);

  const again = await upload(file("silver"));
  expect(await check(again, { columns })).toMatchObject({ counts: { created: 0, updated: 1, unchanged: 1 } });
  expect(await run(again)).toMatchObject({ counts: { created: 0, updated: 1, unchanged: 1 } });
  expect((await contacts())[0]).toEqual({ ...ada, attributes: { Tarif: "silver" } });
});

test("a file needs something to recognise people by, and attributes have names that templates can use", async () => {
  const { upload, system } = await makeWorld();
  const id = await upload("Name,1. Wert\nAda,x\n");
  const refuse = (columns: ImportMapping["columns"]) =>
    checkImport(system, { id, mapping: importMappingSchema.parse({ columns }) });
  await expect(refuse(["name", null])).rejects.toThrow("external ID");
  await expect(refuse(["externalId", "attribute:1. Wert"])).rejects.toThrow("letters, digits");
  await expect(refuse(["externalId", "address:fax"])).rejects.toThrow("Nothing becomes");
  await expect(refuse(["externalId", "externalId"])).rejects.toThrow("Two columns");
});

test("attributes that cannot be stored are an error of their row", async () => {
  const { upload, check, run, contacts } = await makeWorld();
  const id = await upload(
    [
      "id,attributes",
      String.raw`1,"{""plan"":""\ud800""}"`,
      String.raw`2,"{""plan"":""a\u0000""}"`,
      '3,"{""plan"":""gold""}"',
      "",
    ].join("\n"),
  );
  expect(await check(id)).toMatchObject({ state: "checked", counts: { created: 1, failed: 2 } });
  expect(await run(id)).toMatchObject({ state: "finished", counts: { created: 1, failed: 2 } });
  expect(await contacts()).toMatchObject([{ external_id: "3", attributes: { plan: "gold" } }]);
});

test("the same person far apart in a file is one contact", async () => {
  const { upload, check, run, contacts } = await makeWorld();
  const filler = Array.from(
    { length: 3_000 },
    (_, index) => `f${String(index)},,f${String(index)}@example.com`,
  );
  const id = await upload(
    ["id,name,email", "1,Ada,ada@example.com", ...filler, ",Ada L.,ADA@example.com", ""].join("\n"),
  );
  await check(id);
  expect(await run(id)).toMatchObject({
    state: "finished",
    rows: 3_002,
    counts: { created: 3_001, updated: 1 },
  });
  expect((await contacts()).filter(({ external_id: externalId }) => externalId === "1")).toMatchObject([
    { name: "Ada L." },
  ]);
});

test("a row without its last cells, as Excel leaves them out where they are empty, is the contact without them", async () => {
  const { upload, check, run, contacts } = await makeWorld();
  const id = await upload(
    "id,name,sms,note\r\n1,Ada,+4915112345678,vip\r\n2,Bob,+4915112345679\r\n3,Eve,,,\r\n4,Zed,,,x\r\n",
  );
  const columns = ["externalId", "name", "address:sms", "attribute:note"];
  const dry = await check(id, { columns });
  expect(dry).toMatchObject({ counts: { created: 3, failed: 1 } });
  expect(dry.errors).toMatchObject([{ row: 5, detail: "This row has 5 cells, the header has 4." }]);
  await run(id);
  expect(await contacts()).toMatchObject([
    { external_id: "1", attributes: { note: "vip" } },
    { external_id: "2", attributes: {}, addresses: ["sms +4915112345679"] },
    { external_id: "3", addresses: [] },
  ]);
});
