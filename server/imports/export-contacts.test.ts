import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { upsertContacts } from "../contacts/upsert-contacts.ts";
import type { ContactRow } from "../contacts/upsert-contacts.ts";
import { plainCell } from "../kernel/csv.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createImport, uploadPiece } from "./create-import.ts";
import { exportContacts } from "./export-contacts.ts";
import { getImport } from "./get-import.ts";
import { runImport } from "./run-import.ts";
import { checkImport, startImport } from "./start-import.ts";

const database = await testDatabase();

async function makeWorld() {
  const tenant = await makeTenant(database);
  const { tenantId, system } = tenant;
  const owner = tenant.as("owner");
  const add = async (rows: ContactRow[]) => {
    for (let at = 0; at < rows.length; at += 1_000)
      await inTenant(system, (tx) => upsertContacts(tx, system, rows.slice(at, at + 1_000)));
  };
  const text = async (input: { groupId?: string } = {}, ctx: Ctx = owner) => {
    const { first, rest } = await exportContacts(ctx, input);
    let file = first;
    for await (const piece of rest) file += piece;
    return file;
  };
  const rows = async (input: { groupId?: string } = {}) =>
    parse<Record<string, string>>(await text(input), { columns: true, bom: true });
  return { tenant, tenantId, system, owner, add, text, rows };
}

test("an export of contacts is complete, has a column for each attribute, and no cell of it is a formula", async () => {
  const { add, rows, tenantId } = await makeWorld();
  const groupId = newId();
  await database.owner.query(
    "INSERT INTO contact_groups (tenant_id, id, name, kind, created_at, updated_at) VALUES ($1, $2, 'List', 'static', now(), now())",
    [tenantId, groupId],
  );
  await add(
    Array.from({ length: 2_300 }, (_, index) => ({
      externalId: `c${String(index)}`,
      name: index === 7 ? "=HYPERLINK(1)" : `Person ${String(index)}`,
      attributes: { [index % 2 ? "plan" : "tier"]: "-x" },
      addresses: [{ channel: "sms" as const, address: `+49151${String(10_000_000 + index)}` }],
      ...(index < 1_100 ? { groupIds: [groupId] } : {}),
    })),
  );
  const all = await rows();
  expect(new Set(all.map(({ externalId }) => externalId)).size).toBe(2_300);
  expect(all).toHaveLength(2_300);
  expect(all.find(({ externalId }) => externalId === "c7")).toMatchObject({
    name: "'=HYPERLINK(1)",
    sms: "'+4915110000007",
    "attribute:plan": "'-x",
    "attribute:tier": "",
  });
  for (const cell of all.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  expect(await rows({ groupId })).toHaveLength(1_100);
});

test("contacts that were exported can be imported elsewhere, and are the same there", async () => {
  const [from, to] = [await makeWorld(), await makeWorld()];
  const many = Object.fromEntries(Array.from({ length: 40 }, (_, index) => [`a${String(index)}`, "x"]));
  await from.add([
    {
      externalId: "1",
      name: '\'=Ada; "Countess"',
      region: "GB",
      language: "en",
      timeZone: "Europe/London",
      attributes: { plan: "-5", Note: "a, b" },
      addresses: [
        { channel: "sms", address: "+4915112345678" },
        { channel: "sms", address: "+4915112345679" },
        { channel: "email", address: "ada@example.com" },
      ],
    },
    ...["b", "c", "d", "e"].map((name) => ({
      externalId: name,
      attributes: Object.fromEntries(Object.keys(many).map((key) => [`${name}_${key}`, "=1"])),
    })),
  ]);
  const file = Buffer.from(await from.text());
  const { id } = await createImport(to.system, {
    kind: "contacts",
    environmentId: to.tenant.environments.production,
    fileName: "export.csv",
    size: file.length,
  });
  await uploadPiece(to.system, { id, offset: 0, data: file.toString("base64") });
  const work = () => runImport({ db: database.worker }, { tenantId: to.tenantId, importId: id });
  const { head } = await getImport(to.system, { id });
  await checkImport(to.system, { id, mapping: head!.guesses });
  await work();
  expect((await getImport(to.system, { id })).errors).toEqual([]);
  await startImport(to.system, { id });
  await work();
  expect(await getImport(to.system, { id })).toMatchObject({
    state: "finished",
    counts: { created: 5, failed: 0 },
  });
  // Which attributes have a column of their own may differ.
  const plain = (rows: Record<string, string>[]) =>
    rows
      .map(({ attributes, ...row }) => {
        const cells = Object.entries(row).filter(([, text]) => text !== "");
        const others = Object.entries(JSON.parse(attributes || "{}") as Record<string, string>);
        return Object.fromEntries([
          ...cells.map(([name, text]) => [name, plainCell(text)]),
          ...others.map(([name, text]) => [`attribute:${name}`, text]),
        ]) as Record<string, string>;
      })
      .sort((x, y) => (x.externalId! < y.externalId! ? -1 : 1));
  expect(plain(await to.rows())).toEqual(plain(await from.rows()));
});

test("without content:reveal contacts are masked; who may not read them gets none, and each export leaves an event", async () => {
  const { tenant, add, text } = await makeWorld();
  await add([
    {
      externalId: "1",
      attributes: { plan: "secret plan" },
      addresses: [{ channel: "email", address: "ada@example.com" }],
    },
  ]);
  const masked = await text({}, tenant.as("auditor"));
  expect(masked).toContain("a•••@example.com");
  expect(masked).not.toContain("secret plan");
  const refused = (ctx: Ctx, input = {}) =>
    text(input, ctx).then(
      () => "allowed",
      (error: unknown) => (error instanceof DomainError ? error.code : error),
    );
  expect(await refused(tenant.as("finance"))).toBe("permission_denied");
  expect(await refused(tenant.as("owner"), { groupId: newId() })).toBe("not_found");
  const { rows } = await database.owner.query(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'contact.exported'",
    [tenant.tenantId],
  );
  expect(rows).toEqual([{ data: { masked: true } }]);
});
