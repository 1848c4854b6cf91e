import { parse } from "csv-parse/sync";
import { expect, test } from "vitest";
import { recordConsents } from "../consent/record-consents.ts";
import type { ConsentItem } from "../consent/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createImport, uploadPiece } from "./create-import.ts";
import { exportConsents } from "./export-consents.ts";
import { getImport } from "./get-import.ts";
import { runImport } from "./run-import.ts";
import { checkImport, startImport } from "./start-import.ts";

const database = await testDatabase();

async function makeWorld() {
  const tenant = await makeTenant(database);
  const environmentId = tenant.environments.production;
  const owner = tenant.as("owner");
  const record = async (consents: ConsentItem[]) => {
    for (let at = 0; at < consents.length; at += 1_000)
      await recordConsents(owner, { environmentId, consents: consents.slice(at, at + 1_000) });
  };
  const text = async (what: "ledger" | "standing", ctx: Ctx = owner) => {
    const { first, rest } = await exportConsents(ctx, { environmentId, what });
    let file = first;
    for await (const piece of rest) file += piece;
    return file;
  };
  const rows = async (what: "ledger" | "standing", ctx: Ctx = owner) =>
    parse<Record<string, string>>(await text(what, ctx), { columns: true, bom: true });
  return { tenant, environmentId, owner, record, text, rows };
}
const numbers = (count: number) =>
  Array.from({ length: count }, (_, index) => `+49151${String(10_000_000 + index)}`);

test("an export is complete, and no cell of it is a formula", async () => {
  const { record, rows } = await makeWorld();
  const at = (second: number) => new Date(Date.now() - 3_600_000 + second * 1_000).toISOString();
  await record(
    numbers(2_500).map((address, index) => ({
      id: `yes ${address}`,
      channel: "sms",
      address,
      state: "opted_in",
      at: at(index % 7),
    })),
  );
  await record(
    numbers(1_200).map((address) => ({
      id: `no ${address}`,
      channel: "sms",
      address,
      state: "opted_out",
      class: "marketing",
      at: at(10),
    })),
  );
  await record(
    numbers(1_200).map((address) => ({
      id: `again ${address}`,
      channel: "sms",
      address,
      state: "opted_in",
      class: "marketing",
      at: at(11),
    })),
  );
  await record([
    {
      id: "mail",
      channel: "email",
      address: "=cmd@example.com",
      state: "opted_out",
      region: "FR",
      evidence: { note: "=1+1" },
    },
  ]);
  const ledger = await rows("ledger");
  expect(ledger).toHaveLength(2_500 + 2_400 + 1);
  expect(new Set(ledger.map((row) => JSON.stringify(row))).size).toBe(ledger.length);
  for (const cell of ledger.flatMap((row) => Object.values(row))) expect(cell).not.toMatch(/^[=+\-@\t\r]/);
  const standing = await rows("standing");
  expect(standing).toHaveLength(2_500 + 1_200 + 1);
  expect(standing.every(({ state, class: of }) => of !== "marketing" || state === "opted_in")).toBe(true);
  expect(standing.find(({ channel }) => channel === "email")).toMatchObject({
    address: "'=cmd@example.com",
    region: "FR",
    evidence: '{"note":"=1+1"}',
  });
});

test("what was exported can be imported elsewhere, and is the same there", async () => {
  const [from, to] = [await makeWorld(), await makeWorld()];
  await from.record([
    {
      id: "1",
      channel: "sms",
      address: "+4915112345678",
      state: "opted_in",
      class: "marketing",
      evidence: { form: "'=7", version: "1" },
    },
    { id: "2", channel: "email", address: "ada@example.com", state: "opted_out", region: "DE" },
  ]);
  const file = Buffer.from(await from.text("ledger"));
  const { id } = await createImport(to.owner, {
    kind: "consent",
    environmentId: to.environmentId,
    fileName: "export.csv",
    size: file.length,
  });
  await uploadPiece(to.owner, { id, offset: 0, data: file.toString("base64") });
  const work = () => runImport({ db: database.worker }, { tenantId: to.tenant.tenantId, importId: id });
  const { head } = await getImport(to.owner, { id });
  const start: Ctx = { ...to.owner, actor: { type: "system", id: null, name: "Test" } };
  await checkImport(start, { id, mapping: head!.guesses });
  await work();
  await startImport(start, { id });
  await work();
  expect(await getImport(to.owner, { id })).toMatchObject({
    state: "finished",
    counts: { created: 2, failed: 0 },
  });
  const plain = (rows: Record<string, string>[]) =>
    rows
      .map(({ source: _source, ...row }) => row)
      .sort((a, b) => ((a.address ?? "") < (b.address ?? "") ? -1 : 1));
  expect(plain(await to.rows("ledger"))).toEqual(plain(await from.rows("ledger")));
});

test("without content:reveal addresses are masked and evidence is left out; it is asked for and leaves an event", async () => {
  const { tenant, record, text } = await makeWorld();
  await record([
    {
      id: "1",
      channel: "email",
      address: "ada@example.com",
      state: "opted_in",
      evidence: { form: "secret form" },
    },
  ]);
  const masked = await text("standing", tenant.as("auditor"));
  expect(masked).toContain("a•••@example.com");
  expect(masked).not.toContain("secret form");
  const refused = (ctx: Ctx) =>
    text("ledger", ctx).then(
      () => "allowed",
      (error: unknown) => (error instanceof DomainError ? error.code : error),
    );
  expect(await refused(tenant.as("finance"))).toBe("permission_denied");
  expect(await refused(tenant.as("owner", tenant.units.alpha))).toBe("not_found");
  expect(await refused((await makeTenant(database)).as("owner"))).toBe("not_found");
  const { rows } = await database.owner.query(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'consent.exported'",
    [tenant.tenantId],
  );
  expect(rows).toEqual([{ data: { what: "standing", masked: true } }]);
});

test("few exports are under way at a time, and one that nobody reads to its end gives its place back", async () => {
  const { owner, environmentId } = await makeWorld();
  const begin = () => exportConsents(owner, { environmentId, what: "ledger" });
  const [one] = [await begin(), await begin()];
  await expect(begin()).rejects.toThrow("in progress");
  await one.rest.return(undefined);
  await (await begin()).rest.return(undefined);
});
