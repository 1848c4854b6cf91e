import { expect, test, vi } from "vitest";
import { authenticateApiKey } from "../access/authenticate-api-key.ts";
import { createApiKey } from "../access/create-api-key.ts";
import { recordLinks } from "../consent/address-links.ts";
import { getConsents } from "../consent/list-consents.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { logger } from "../kernel/log.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { consentKind } from "./consent-kind.ts";
import { cancelImport, createImport, uploadPiece } from "./create-import.ts";
import { errorsFile, getImport, listImports } from "./get-import.ts";
import { resumeImports } from "./go-on.ts";
import { purgeImports } from "./purge-imports.ts";
import { runImport } from "./run-import.ts";
import { importMappingSchema } from "./schemas.ts";
import { importLimits } from "./vocabulary.ts";
import type { ImportMapping } from "./schemas.ts";
import { checkImport, startImport } from "./start-import.ts";

const database = await testDatabase();
const sql = database.owner;

async function makeWorld() {
  const tenant = await makeTenant(database);
  const { tenantId } = tenant;
  const environmentId = tenant.environments.production;
  const member = await tenant.addMember("owner");
  const owner: Ctx = {
    ...tenant.as("owner"),
    actor: { type: "user", id: member.id, name: "Olga", email: member.email },
  };
  const create = async (size: number, ctx = owner, environment = environmentId) =>
    (await createImport(ctx, { kind: "consent", environmentId: environment, fileName: "list.csv", size })).id;
  const send = async (id: string, file: Buffer, ctx = owner) => {
    for (let offset = 0; offset < file.length; offset += importLimits.pieceBytes) {
      const piece = file.subarray(offset, offset + importLimits.pieceBytes);
      await uploadPiece(ctx, { id, offset, data: piece.toString("base64") });
    }
  };
  const upload = async (file: string | Buffer, ctx = owner, environment = environmentId) => {
    const bytes = Buffer.from(file);
    const id = await create(bytes.length, ctx, environment);
    await send(id, bytes, ctx);
    return id;
  };
  const mapped = (columns: ImportMapping["columns"], constants: ImportMapping["constants"] = {}) =>
    importMappingSchema.parse({ columns, constants });
  const guessed = async (id: string, ctx = owner) => {
    const { head } = await getImport(ctx, { id });
    if (!head) throw new Error("there is no head");
    return head.guesses;
  };
  /** Works until there is nothing more to do, in slices. */
  const work = async (id: string, sliceMs?: number) => {
    for (let slices = 1; ; slices++) {
      await runImport(
        { db: database.worker },
        { tenantId, importId: id },
        sliceMs === undefined ? {} : { sliceMs },
      );
      const { state } = await getImport(owner, { id });
      if (state !== "checking" && state !== "running") return slices;
    }
  };
  const check = async (id: string, mapping?: ImportMapping, ctx = owner) => {
    await checkImport(ctx, { id, mapping: mapping ?? (await guessed(id, ctx)) });
    await work(id);
    return getImport(owner, { id });
  };
  const run = async (id: string) => {
    await startImport(owner, { id });
    await work(id);
    return getImport(owner, { id });
  };
  const entries = async () =>
    (
      await sql.query<{ address: string; state: string; source: string; sandbox: boolean; evidence: object }>(
        "SELECT address, channel, state, class, region, source, sandbox, evidence FROM consent_entries WHERE tenant_id = $1 ORDER BY address, id",
        [tenantId],
      )
    ).rows;
  const left = async (id: string) =>
    (await sql.query("SELECT FROM import_chunks WHERE tenant_id = $1 AND import_id = $2", [tenantId, id]))
      .rowCount;
  return {
    tenant,
    tenantId,
    environmentId,
    member,
    owner,
    create,
    send,
    upload,
    mapped,
    guessed,
    check,
    work,
    run,
    entries,
    left,
  };
}

const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "allowed",
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );
const numbers = (count: number, from = 0) =>
  Array.from({ length: count }, (_, index) => `+49151${String(10_000_000 + from + index)}`);

test("a file is uploaded, its columns are guessed, the dry run writes nothing, the run writes each row once", async () => {
  const { upload, check, run, entries, left, owner, tenantId } = await makeWorld();
  const id = await upload(
    [
      "E-Mail;Kanal;Status;Klasse;Land;Datum;Nachweis",
      "Ada@Example.com;email;opted_in;marketing;de;2026-03-01;Form 7",
      "bob@example.com;E-Mail;opted_out;;;31.12.2025;",
      "bob@example.com;E-Mail;opted_out;;;31.12.2025;",
      "+49 151 12345678;SMS;nein;alle;;;",
      '\'+4915112345679;whatsapp;yes;;;2026-03-01T10:00:00+01:00;"=Form, ""7"""',
      "",
    ].join("\r\n"),
  );
  expect(await getImport(owner, { id })).toMatchObject({
    state: "mapping",
    encoding: "utf-8",
    delimiter: ";",
    head: {
      header: ["E-Mail", "Kanal", "Status", "Klasse", "Land", "Datum", "Nachweis"],
      guesses: { columns: ["address", "channel", "state", "class", "region", "at", "evidence"] },
    },
  });
  expect(await check(id)).toMatchObject({
    state: "checked",
    share: 1,
    rows: 5,
    counts: { created: 4, updated: 0, unchanged: 1, failed: 0 },
    errors: [],
  });
  expect(await entries()).toEqual([]);
  expect(await run(id)).toMatchObject({ state: "finished", counts: { created: 4, unchanged: 1, failed: 0 } });
  expect(await entries()).toEqual([
    expect.objectContaining({ address: "+4915112345678", channel: "sms", state: "opted_out", class: null }),
    expect.objectContaining({
      address: "+4915112345679",
      channel: "whatsapp",
      state: "opted_in",
      evidence: { Nachweis: '=Form, "7"' },
    }),
    expect.objectContaining({
      address: "ada@example.com",
      region: "DE",
      class: "marketing",
      source: "import",
      sandbox: false,
      evidence: { Nachweis: "Form 7" },
    }),
    expect.objectContaining({ address: "bob@example.com", state: "opted_out" }),
  ]);
  expect(await left(id)).toBe(0);
  const { rows } = await sql.query<{ action: string; data: object }>(
    "SELECT action, data FROM audit_events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id",
    [tenantId, id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "import.created",
    "import.checked",
    "import.started",
    "import.finished",
  ]);
  expect(JSON.stringify(rows)).not.toContain("example.com");

  // The same file again says nothing new, whether its rows have a date or not.
  const again = await upload("address,channel,state\n+4915112345678,sms,out\nbob@example.com,email,no\n");
  expect(await check(again)).toMatchObject({ counts: { created: 0, unchanged: 2 } });
  expect(await codeOf(startImport(owner, { id: again }))).toBe("conflict");
});

test("a no in a file is recorded though one was recorded before, once a yes came after it", async () => {
  const { upload, check, run, entries } = await makeWorld();
  const file = (state: string) => `address,channel,state,evidence\nada@example.com,email,${state},Form\n`;
  for (const state of ["no", "yes", "no", "no", "yes"]) {
    const id = await upload(file(state));
    const { counts } = await check(id);
    if (counts.created > 0) await run(id);
  }
  expect((await entries()).map(({ state }) => state)).toEqual([
    "opted_out",
    "opted_in",
    "opted_out",
    "opted_in",
  ]);
});

test("what is wrong is told by row and column, quotes nothing of the file, and the other rows are imported", async () => {
  const { upload, check, run, entries, owner } = await makeWorld();
  const id = await upload(
    Buffer.concat([
      Buffer.from(
        [
          "address,channel,state,class,region,at,evidence",
          "not an address,email,opted_out,,,,",
          "015112345678,sms,opted_out,,,,",
          "4.91512E+12,sms,opted_out,,,,",
          "ada@example.com,sms,opted_out,,,,",
          ",email,opted_out,,,,",
          "a@example.com,fax,maybe,often,Germany,01/02/2026,",
          "a@example.com,email,opted_in,,,2999-01-01,x",
          "a@example.com,email,opted_in,,,2026-02-30,x",
          "no-evidence@example.com,email,opted_in,,,,",
          "too-few@example.com,email",
          "too-many@example.com,email,opted_out,,,,,,more",
          "trailing@example.com,email,opted_out,,,,,,",
          "nul@example.com,email,opted_in,,,,a\0b",
          `long@example.com,email,opted_in,,,,${"x".repeat(501)}`,
          `giant@example.com,email,opted_in,,,,${"x".repeat(70_000)}`,
          'open@example.com,email,opted_in,,,,"open',
          "=cmd|' /C calc'!A0,email,opted_out,,,,",
          "good@example.com,email,opted_out,,,,",
          "",
        ].join("\n"),
      ),
    ]),
  );
  const dry = await check(id);
  expect(dry.counts).toEqual({ created: 2, updated: 0, unchanged: 0, failed: 16 });
  expect(dry.errors.map(({ row, column }) => `${String(row)} ${column ?? "row"}`)).toEqual([
    "2 address",
    "3 address",
    "4 address",
    "5 address",
    "6 address",
    "7 channel",
    "7 state",
    "7 class",
    "7 region",
    "7 at",
    "8 at",
    "9 at",
    "10 evidence",
    "11 row",
    "12 row",
    "14 evidence",
    "15 evidence",
    "16 row",
    "17 row",
    "18 address",
  ]);
  expect(dry.errors[1]?.detail).toContain("country code");
  expect(dry.errors[2]?.detail).toContain("rounded");
  const file = await errorsFile(owner, { id });
  expect(file.name).toBe("list-errors.csv");
  expect(file.text).toContain(
    "\n10,evidence,evidence_missing,An opt-in needs evidence in its row: how you know.",
  );
  expect(file.text).not.toContain("example.com");
  expect(await run(id)).toMatchObject({ counts: { created: 2, failed: 16 } });
  expect((await entries()).map(({ address }) => address)).toEqual([
    "good@example.com",
    "trailing@example.com",
  ]);
});

test("no cell stops an import: what cannot be stored is an error of its row, and nothing is taken for a word that it is not", async () => {
  const { upload, check, run, entries, mapped, owner } = await makeWorld();
  const rows = [
    "address,channel,state,at,evidence",
    "a@example.com,constructor,opted_out,,",
    "b@example.com,__proto__,opted_out,,",
    "c@example.com,email,constructor,,x",
    "d@example.com,email,opted_out,0000-03-01,",
    "e@example.com,email,opted_out,0001-01-01T00:00:00+05:00,",
    String.raw`f@example.com,email,opted_in,,"{""form"":""a\u0000b""}"`,
    String.raw`g@example.com,email,opted_in,,"{""form"":""\ud800""}"`,
    "good@example.com,email,opted_out,0001-01-01,",
    "",
  ].join("\n");
  const id = await upload(rows);
  const dry = await check(id);
  // What is no evidence as it is kept is evidence as it is written.
  expect(dry.counts).toEqual({ created: 3, updated: 0, unchanged: 0, failed: 5 });
  expect(dry.errors.map(({ row, column }) => `${String(row)} ${column ?? "row"}`)).toEqual([
    "2 channel",
    "3 channel",
    "4 state",
    "5 at",
    "6 at",
  ]);
  expect(await run(id)).toMatchObject({ state: "finished", counts: { created: 3, failed: 5 } });
  expect((await entries()).map(({ address }) => address)).toEqual([
    "f@example.com",
    "g@example.com",
    "good@example.com",
  ]);

  // Half a pair of UTF-16, in a cell and in the header, and a NUL in the header.
  const halves = `\uFEFFaddress,channel,state,evi\0dence \ud83d\nh@example.com,email,yes,Form\ni@example.com,email,yes,\ud83d\n`;
  const wide = await upload(Buffer.from(halves, "utf16le"));
  const dryWide = await check(wide, mapped(["address", "channel", "state", "evidence"]));
  expect(dryWide).toMatchObject({ counts: { created: 1, failed: 1 }, errors: [{ row: 3 }] });
  expect(await run(wide)).toMatchObject({ state: "finished", counts: { created: 1, failed: 1 } });

  const one = await upload("address\na@example.com\n");
  for (const constants of [
    { channel: "constructor", state: "no" },
    { channel: "email", state: "constructor" },
  ])
    expect(await codeOf(checkImport(owner, { id: one, mapping: mapped(["address"], constants) }))).toBe(
      "invalid_request",
    );
});

test("of columns of one name all are evidence", async () => {
  const { upload, check, run, entries } = await makeWorld();
  const id = await upload("address,channel,state,proof,proof,proof\na@example.com,email,yes,Form,,Call\n");
  expect((await check(id)).counts).toMatchObject({ created: 1 });
  await run(id);
  expect(await entries()).toMatchObject([{ evidence: { proof: "Form", "proof 2": "Call" } }]);
});

test("a row that is cut off before a column that counts is an error: it would say more than was said", async () => {
  const { upload, mapped, check } = await makeWorld();
  const id = await upload(
    "address,evidence,class,note\nada@example.com,form,marketing\nbob@example.com,form\neve@example.com,form,marketing,x\n",
  );
  const state = await check(
    id,
    mapped(["address", "evidence", "class", null], { channel: "email", state: "opted_in" }),
  );
  expect(state).toMatchObject({ counts: { created: 2, failed: 1 } });
  expect(state.errors).toMatchObject([{ row: 3, detail: "This row has 2 cells, the header has 4." }]);
});

test("constants stand for columns that a file lacks, and a mapping that cannot work is refused", async () => {
  const { upload, check, run, entries, mapped, owner } = await makeWorld();
  const id = await upload(`Mobilnummer\n${numbers(3).join("\n")}\n`);
  const refuse = (mapping: ImportMapping) => codeOf(checkImport(owner, { id, mapping }));
  expect(await refuse(mapped(["address"]))).toBe("invalid_request");
  expect(await refuse(mapped(["address", null], { channel: "sms", state: "opted_out" }))).toBe(
    "invalid_request",
  );
  expect(await refuse(mapped(["name"], { channel: "sms", state: "opted_out" }))).toBe("invalid_request");
  expect(await refuse(mapped(["address"], { channel: "fax", state: "opted_out" }))).toBe("invalid_request");
  const all = { channel: "sms", state: "opted_out", class: "marketing", region: "DE" };
  expect(await check(id, mapped(["address"], all))).toMatchObject({ counts: { created: 3 } });
  await run(id);
  expect(await entries()).toMatchObject(
    numbers(3).map((address) => ({ address, class: "marketing", region: "DE", state: "opted_out" })),
  );
});

test("an upload is gone on with where it broke off, and pieces that come twice change nothing", async () => {
  const { create, owner, check } = await makeWorld();
  const file = Buffer.from(
    `address,channel,state\n${numbers(40_000)
      .map((address) => `${address},sms,no\n`)
      .join("")}`,
  );
  expect(file.length).toBeGreaterThan(importLimits.pieceBytes);
  const id = await create(file.length);
  const piece = (offset: number) => ({
    id,
    offset,
    data: file.subarray(offset, offset + importLimits.pieceBytes).toString("base64"),
  });
  expect(await codeOf(uploadPiece(owner, piece(importLimits.pieceBytes)))).toBe("conflict");
  expect(await codeOf(uploadPiece(owner, { id, offset: 0, data: "YQ==" }))).toBe("invalid_request");
  await uploadPiece(owner, piece(0));
  expect(await uploadPiece(owner, piece(0))).toEqual({ received: importLimits.pieceBytes });
  expect(await getImport(owner, { id })).toMatchObject({
    state: "uploading",
    received: importLimits.pieceBytes,
  });
  await Promise.all([
    uploadPiece(owner, piece(importLimits.pieceBytes)),
    uploadPiece(owner, piece(importLimits.pieceBytes)),
  ]);
  // The process ended before it had noted how the file is written.
  await sql.query("UPDATE imports SET encoding = NULL, delimiter = NULL WHERE id = $1", [id]);
  expect(await check(id)).toMatchObject({ counts: { created: 40_000, failed: 0 } });
});

test("what is no CSV is refused at its first piece, with what to do", async () => {
  const { upload, create, owner, check } = await makeWorld();
  await expect(upload(Buffer.from("504b0304140006000800", "hex"))).rejects.toThrow("CSV UTF-8");
  expect((await listImports(owner, { limit: 5 })).data[0]).toMatchObject({ state: "failed" });
  expect(await codeOf(create(1).then((id) => uploadPiece(owner, { id, offset: 0, data: "" })))).toBe(
    "invalid_request",
  );
  // A header and nothing else.
  const id = await upload("address,channel,state");
  expect(await check(id)).toMatchObject({ state: "checked", rows: 0, errors: [] });
  expect(await codeOf(startImport(owner, { id }))).toBe("conflict");
});

test("a job may end anywhere: no row is written twice and none is lost", async () => {
  const { upload, check, work, owner, tenantId, entries } = await makeWorld();
  const file = `address,channel,state\n${numbers(9_000)
    .map((address) => `${address},sms,no\n`)
    .join("")}`;
  const id = await upload(file);
  await check(id);
  await startImport(owner, { id });
  const key = { tenantId, importId: id };
  // The database loses the connection in every third transaction, before or after it commits.
  let transactions = 0;
  const prisma = new Proxy(database.worker.prisma, {
    get: (target, name, receiver) => {
      if (name !== "$transaction") return Reflect.get(target, name, receiver) as unknown;
      return async (job: (tx: unknown) => Promise<unknown>, options: object) => {
        const at = ++transactions % 6;
        const result = await target.$transaction(async (tx) => {
          const done = await job(tx);
          if (at === 3) throw new Error("lost before the commit");
          return done;
        }, options);
        if (at === 0) throw new Error("lost after the commit");
        return result;
      };
    },
  });
  let crashes = 0;
  for (let turn = 0; turn < 40; turn++) {
    // Two workers at once: one was taken for dead.
    const turns = [1, 2].map(() =>
      runImport({ db: { ...database.worker, prisma } }, key, { sliceMs: 30 }).catch(() => crashes++),
    );
    await Promise.all(turns);
  }
  await work(id);
  expect(crashes).toBeGreaterThan(2);
  expect(await getImport(owner, { id })).toMatchObject({
    state: "finished",
    rows: 9_000,
    counts: { created: 9_000, unchanged: 0 },
  });
  const written = await entries();
  expect(new Set(written.map(({ address }) => address)).size).toBe(9_000);
  expect(written).toHaveLength(9_000);
}, 60_000);

test("an organisation's imports are carried out one after the other, and hold up nobody else's", async () => {
  const [one, two] = [await makeWorld(), await makeWorld()];
  const list = (count: number) =>
    `address,channel,state\n${numbers(count)
      .map((address) => `${address},sms,no\n`)
      .join("")}`;
  const large = await one.upload(list(20_000));
  const behind = await one.upload(list(10));
  const other = await two.upload(list(10));
  await checkImport(one.owner, { id: large, mapping: await one.guessed(large) });
  await checkImport(one.owner, { id: behind, mapping: await one.guessed(behind) });
  const slice = (id: string, tenantId: string) =>
    runImport({ db: database.worker }, { tenantId, importId: id }, { sliceMs: 1 });
  await slice(large, one.tenantId);
  await slice(behind, one.tenantId);
  expect(await getImport(one.owner, { id: behind })).toMatchObject({ state: "checking", ahead: 1, rows: 0 });
  expect((await two.check(other)).state).toBe("checked");
  expect(await getImport(one.owner, { id: large })).toMatchObject({ state: "checking" });
  await one.work(large);
  await one.work(behind);
  expect(await getImport(one.owner, { id: behind })).toMatchObject({ state: "checked", ahead: 0, rows: 10 });
});

test("an organisation has few open imports, and one that is canceled ends at once and leaves no file", async () => {
  const { upload, create, owner, left, tenantId, guessed } = await makeWorld();
  const ids: string[] = [];
  for (let index = 0; index < importLimits.open; index++)
    ids.push(await upload("address,channel,state\na@b.de,email,no\n"));
  expect(await codeOf(create(10))).toBe("conflict");
  const [first = ""] = ids;
  await checkImport(owner, { id: first, mapping: await guessed(first) });
  await cancelImport(owner, { id: first });
  expect(await left(first)).toBe(0);
  expect(await codeOf(cancelImport(owner, { id: first }))).toBe("conflict");
  await runImport({ db: database.worker }, { tenantId, importId: first });
  expect(await getImport(owner, { id: first })).toMatchObject({ state: "canceled", rows: 0 });
  expect(await codeOf(create(10))).toBe("allowed");
});

test("what a check has counted is nothing that was imported, however the import ends", async () => {
  const { upload, check, owner, tenantId, member, guessed, work } = await makeWorld();
  const file = "address,channel,state\na@b.de,email,no\nnothing,email,no\n";
  const nothing = { rows: 0, counts: { created: 0, updated: 0, unchanged: 0, failed: 0 } };
  const canceled = await upload(file);
  expect(await check(canceled)).toMatchObject({ counts: { created: 1, failed: 1 } });
  await cancelImport(owner, { id: canceled });
  expect(await getImport(owner, { id: canceled })).toMatchObject({ state: "canceled", ...nothing });

  const left = await upload(file);
  await check(left);
  await sql.query("UPDATE imports SET queued_at = now() - interval '8 days' WHERE id = $1", [left]);
  await purgeImports(database.worker);
  expect(await getImport(owner, { id: left })).toMatchObject({ state: "canceled", ...nothing });

  const long = `address,channel,state\n${numbers(2_000)
    .map((address) => `${address},sms,no\n`)
    .join("")}`;
  const failed = await upload(long);
  await checkImport(owner, { id: failed, mapping: await guessed(failed) });
  await runImport({ db: database.worker }, { tenantId, importId: failed }, { sliceMs: 0 });
  await sql.query("DELETE FROM role_assignments WHERE user_id = $1", [member.id]);
  await work(failed);
  expect(await getImport(owner, { id: failed })).toMatchObject({ state: "failed", ...nothing });
});

test("an import whose job has failed for good ends and lets the next one go on; one whose job got lost gets another", async () => {
  const { upload, owner, guessed, work, left } = await makeWorld();
  const jobs = (id: string, change: string) => sql.query(`${change} WHERE payload->>'importId' = $1`, [id]);
  const table = "graphile_worker._private_jobs";
  const file = "address,channel,state\na@b.de,email,no\n";
  const [failing, behind] = [await upload(file), await upload(file)];
  for (const id of [failing, behind]) await checkImport(owner, { id, mapping: await guessed(id) });
  const look = () => resumeImports({ db: database.worker, log: logger() });
  await jobs(failing, `UPDATE ${table} SET attempts = max_attempts - 1`);
  await look();
  expect(await getImport(owner, { id: failing })).toMatchObject({ state: "checking" });
  await jobs(failing, `UPDATE ${table} SET attempts = max_attempts`);
  await jobs(behind, `DELETE FROM ${table}`);
  await look();
  expect(await getImport(owner, { id: failing })).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("contact the operator") as string,
  });
  expect(await left(failing)).toBe(0);
  expect((await jobs(behind, `SELECT FROM ${table}`)).rowCount).toBe(1);
  await look();
  expect((await jobs(behind, `SELECT FROM ${table}`)).rowCount).toBe(1);
  await work(behind);
  expect(await getImport(owner, { id: behind })).toMatchObject({ state: "checked", rows: 1 });
});

test("only those who may write consent of the whole organisation import it, and what is withdrawn stops a run", async () => {
  const { tenant, environmentId, upload, check, owner, member, work, create, entries, left } =
    await makeWorld();
  const by = (ctx: Ctx, environment = environmentId) => codeOf(create(10, ctx, environment));
  expect(await by(tenant.as("auditor"))).toBe("permission_denied");
  expect(await by(tenant.as("owner", tenant.units.alpha))).toBe("not_found");
  const id = await upload("address,channel,state\nada@example.com,email,no\n");
  expect(await codeOf(getImport(tenant.as("auditor"), { id }))).toBe("not_found");
  const other = await makeTenant(database);
  expect(await codeOf(getImport(other.as("owner"), { id }))).toBe("not_found");
  await check(id);
  await startImport(owner, { id });
  await sql.query("DELETE FROM role_assignments WHERE user_id = $1", [member.id]);
  await work(id);
  expect(await getImport(owner, { id })).toMatchObject({ state: "failed" });
  expect(await entries()).toEqual([]);
  expect(await left(id)).toBe(0);
});

test("in the sandbox an import counts in the sandbox only", async () => {
  const { upload, check, run, owner, tenant, environmentId } = await makeWorld();
  const id = await upload(
    "address,channel,state\nada@example.com,email,no\n",
    owner,
    tenant.environments.sandbox,
  );
  await check(id);
  await run(id);
  const standing = async (environment: string) =>
    (await getConsents(owner, { environmentId: environment, address: "ada@example.com", limit: 5 })).history
      .data.length;
  expect(await standing(tenant.environments.sandbox)).toBe(1);
  expect(await standing(environmentId)).toBe(0);
});

test("who may not see addresses sees no rows of a file that somebody else brought", async () => {
  const { upload, owner, tenant } = await makeWorld();
  const id = await upload("address,channel,state\nada@example.com,email,no\n");
  const blind = tenant.as("owner");
  const [grant] = blind.grants;
  const ctx: Ctx = {
    ...blind,
    grants: [
      { ...grant!, permissions: new Set([...grant!.permissions].filter((one) => one !== "content:reveal")) },
    ],
  };
  expect((await getImport(ctx, { id })).head?.rows).toBeNull();
  expect((await getImport(owner, { id })).head?.rows).toEqual([["ada@example.com", "email", "no"]]);
});

test("a file that nobody imports is gone after a week, and an import after ninety days", async () => {
  const { upload, owner, left, check, run } = await makeWorld();
  const waiting = await upload("address,channel,state\nada@example.com,email,no\n");
  const done = await upload("address,channel,state\nada@example.com,email,no\n");
  await check(done);
  await run(done);
  const age = (id: string, column: string, days: number) =>
    sql.query(`UPDATE imports SET ${column} = now() - make_interval(days => $2) WHERE id = $1`, [id, days]);
  await age(waiting, "created_at", 6);
  await age(done, "finished_at", 89);
  await purgeImports(database.worker);
  expect(await left(waiting)).toBe(1);
  await age(waiting, "created_at", 8);
  await age(done, "finished_at", 91);
  await purgeImports(database.worker);
  expect(await left(waiting)).toBe(0);
  expect(await getImport(owner, { id: waiting })).toMatchObject({ state: "canceled" });
  expect(await codeOf(getImport(owner, { id: done }))).toBe("not_found");
});

test("webhook endpoints are told of a file once, however it ends, and of none of its rows; the sandbox's of the sandbox's", async () => {
  const { tenant, tenantId, owner, environmentId, upload, check, run, work } = await makeWorld();
  const { production, sandbox } = tenant.environments;
  for (const place of [production, sandbox]) {
    await createWebhookEndpoint(owner, {
      url: `https://hooks.example/${place}`,
      environmentId: place,
      application: tenant.application.name,
      events: [],
    });
  }
  const owed = async () =>
    (
      await sql.query<{ url: string; event: string; payload: { state: string; counts: object } }>(
        `SELECT e.url, d.event, d.payload FROM webhook_deliveries d
         JOIN webhook_endpoints e ON e.tenant_id = d.tenant_id AND e.id = d.endpoint_id WHERE d.tenant_id = $1 ORDER BY d.id`,
        [tenantId],
      )
    ).rows;
  const file = (count: number) =>
    `address,channel,state\n${numbers(count)
      .map((address) => `${address},sms,no\n`)
      .join("")}`;
  const id = await upload(file(3));
  await check(id);
  expect(await owed()).toEqual([]);
  await run(id);
  const counts = { created: 3, updated: 0, unchanged: 0, failed: 0 };
  expect(await owed()).toMatchObject([
    {
      url: `https://hooks.example/${environmentId}`,
      event: "import.finished",
      payload: { importId: id, kind: "consent", state: "finished", counts },
    },
  ]);

  const half = await upload(file(2_000), owner, sandbox);
  await check(half);
  await startImport(owner, { id: half });
  await runImport({ db: database.worker }, { tenantId, importId: half }, { sliceMs: 0 });
  await cancelImport(owner, { id: half });
  await work(half);
  const unread = await upload(file(5), owner, sandbox);
  await check(unread);
  await cancelImport(owner, { id: unread });
  const told = await owed();
  expect(told).toHaveLength(2);
  expect(told[1]).toMatchObject({
    url: `https://hooks.example/${sandbox}`,
    payload: { importId: half, state: "canceled", counts: (await getImport(owner, { id: half })).counts },
  });
});

test("a no that was imported holds for the other names of whoever said it", async () => {
  const { tenant, upload, check, run, entries } = await makeWorld();
  const [number, userId] = ["+4915112345678", "US.13491208655302741918"];
  await recordLinks(tenant.system, [{ sandbox: false, names: [number, userId], source: "meta" }]);
  const id = await upload(`address,channel,state\n${number},whatsapp,no\n`);
  await check(id);
  expect(await entries()).toEqual([]);
  expect(await run(id)).toMatchObject({ counts: { created: 1 } });
  expect(await entries()).toMatchObject([
    { address: number, state: "opted_out", source: "import" },
    { address: userId, state: "opted_out", source: "import", evidence: { linkedFrom: number } },
  ]);
});

test("an import that an agent's key began goes on with the agent's limits", async () => {
  const { tenant, environmentId, upload, check } = await makeWorld();
  const { key } = await createApiKey(tenant.as("owner"), {
    name: "Assistant",
    environmentId,
    role: "owner",
    agent: { recipients: ["*@example.com"], hourlyCap: 7, laterStages: true },
  });
  const agent = await authenticateApiKey(database.web, `Bearer ${key}`, { requestId: "test" });
  const id = await upload("address,channel,state\nada@example.com,email,opted_out\n", agent);
  const authorize = vi.spyOn(consentKind, "authorize");
  expect(await check(id, undefined, agent)).toMatchObject({ state: "checked" });
  // Only the job is not a request of the key itself.
  const ofJob = authorize.mock.calls.filter(
    ([{ requestId, db }]) => requestId !== "test" && db === database.worker,
  );
  expect(ofJob.map(([{ actor }]) => actor)).toMatchObject([{ id: agent.actor.id, agent: { hourlyCap: 7 } }]);
  authorize.mockRestore();
});
