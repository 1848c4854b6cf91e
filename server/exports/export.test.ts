import { spawn } from "node:child_process";
import { once } from "node:events";
import { setTimeout as pause } from "node:timers/promises";
import { parse } from "csv-parse/sync";
import { expect, test, vi } from "vitest";
import { authenticateApiKey } from "../access/authenticate-api-key.ts";
import { createApiKey } from "../access/create-api-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { plainCell } from "../kernel/csv.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { Spellings } from "../kernel/spellings.ts";
import { listOwnNotices } from "../notices/own-notices.ts";
import { builtInRoles, permissions } from "../operations/permissions.ts";
import type { BuiltInRole, Permission } from "../operations/permissions.ts";
import { requestErasure } from "../privacy/request-erasure.ts";
import { runErasure } from "../privacy/run-erasure.ts";
import { listNotifications } from "../sending/list-notifications.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { plantMessages } from "../testing/planted-messages.ts";
import { downloadExport } from "./download-export.ts";
import { eraseFromExports } from "./erase-from-exports.ts";
import { getExport, listExports } from "./get-exports.ts";
import { resumeExports } from "./go-on.ts";
import { kinds } from "./kinds.ts";
import { purgeExports } from "./purge-exports.ts";
import { cancelExport, removeExport, requestExport } from "./request-export.ts";
import { runExport } from "./run-export.ts";
import { exportInputSchema, exportLimits } from "./schemas.ts";
import type { ExportInput } from "./schemas.ts";

const database = await testDatabase();
const sql = database.owner;

async function makeWorld(messages = 40) {
  const tenant = await makeTenant(database);
  const { tenantId } = tenant;
  if (messages > 0) {
    await plantMessages(
      sql,
      {
        tenantId,
        environmentId: tenant.environments.production,
        applicationId: tenant.application.id,
        unitId: tenant.units.alpha,
      },
      messages,
    );
  }
  /** A member with a role, of the organisation or a unit. */
  const member = async (role: BuiltInRole, unitId?: string): Promise<Ctx> => {
    const { id, email } = await tenant.addMember(role, unitId === undefined ? {} : { unitId });
    return { ...tenant.as(role, unitId), actor: { type: "user", id, name: role, email } };
  };
  const ask = async (ctx: Ctx, input: ExportInput) => (await requestExport(ctx, input)).id;
  const work = async (ctx: Ctx, id: string, options: { sliceMs?: number; bytes?: number } = {}) => {
    for (;;) {
      await runExport({ db: database.worker }, { tenantId, exportId: id }, options);
      const view = await getExport(ctx, { id });
      if (view.state !== "waiting" && view.state !== "running") return view;
    }
  };
  const read = async (ctx: Ctx, id: string) => {
    const { first, rest, bytes } = await downloadExport(ctx, { id });
    const pieces = [Buffer.from(first)];
    for await (const piece of rest) pieces.push(Buffer.from(piece));
    const file = Buffer.concat(pieces);
    expect(file.length).toBe(bytes);
    expect(file.subarray(0, 3)).toEqual(Buffer.from("\uFEFF"));
    return {
      text: file.toString(),
      rows: parse<Record<string, string>>(file, { bom: true, columns: true }),
    };
  };
  const whole = async (ctx: Ctx, input: ExportInput) => {
    const id = await ask(ctx, input);
    await work(ctx, id);
    return read(ctx, id);
  };
  const pieces = async (id: string) =>
    (await sql.query("SELECT FROM export_chunks WHERE tenant_id = $1 AND export_id = $2", [tenantId, id]))
      .rowCount;
  return {
    tenant,
    tenantId,
    environmentId: tenant.environments.production,
    member,
    ask,
    work,
    read,
    whole,
    pieces,
  };
}

const messages = (filter: object = {}) => exportInputSchema.parse({ kind: "messages", filter });
const costs = (filter: object = {}) => exportInputSchema.parse({ kind: "costs", filter });
const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "allowed",
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

test("a file of messages holds every message of the filter once, oldest first, as the list shows them, and no formula", async () => {
  const { member, environmentId, whole, ask, work, read } = await makeWorld(230);
  const owner = await member("owner");
  const { rows, text } = await whole(owner, messages({ environmentId }));
  const listed = [];
  for (let cursor: string | undefined; ;) {
    const page = await listNotifications(owner, { environmentId, limit: 100, cursor });
    listed.unshift(...page.data.toReversed());
    if (page.nextCursor === null) break;
    cursor = page.nextCursor;
  }
  expect(rows.map(({ id }) => id)).toEqual(listed.map(({ notificationId }) => notificationId));
  for (const [index, one] of listed.entries()) {
    expect(rows[index]).toMatchObject({
      to: `'${one.to}`,
      status: one.status,
      createdAt: one.createdAt,
      application: "shop",
      unit: "alpha",
      environment: "production",
      costAmount: one.cost?.amount,
      costCurrency: "EUR",
      failureCode: one.failure?.code ?? "",
      segments: String(one.segments),
      metadata: '{"orderId":"=4711"}',
    });
  }
  // A cell in which a spreadsheet would see a formula has an apostrophe before it.
  expect(text).not.toMatch(/(^|[,\n])"?[=+\-@]/);
  expect(plainCell(rows[0]?.to ?? "")).toBe("+4915110000000");

  const some = await ask(owner, messages({ environmentId, statuses: ["failed"], search: undefined }));
  expect(await work(owner, some)).toMatchObject({ state: "finished", rows: 23, share: 1 });
  expect((await read(owner, some)).rows.every(({ status }) => status === "failed")).toBe(true);
  const one = await whole(owner, messages({ environmentId, search: "+49 151 1000 0017" }));
  expect(one.rows.map(({ to }) => to)).toEqual(["'+4915110000017"]);
  const none = await whole(owner, messages({ environmentId, channel: "email" }));
  expect(none.rows).toEqual([]);
  expect(none.text).toContain("notificationType");
});

test("what comes after the request is not in the file", async () => {
  const { tenant, member, ask, work, read, environmentId } = await makeWorld(20);
  const owner = await member("owner");
  const id = await ask(owner, messages({ environmentId }));
  const late = newId(Date.now() + 60_000);
  await sql.query(
    `INSERT INTO notifications SELECT (jsonb_populate_record(n, jsonb_build_object('id', $2::text, 'created_at', now() + interval '1 minute'))).*
     FROM notifications n WHERE tenant_id = $1 LIMIT 1`,
    [tenant.tenantId, late],
  );
  await work(owner, id);
  const { rows } = await read(owner, id);
  expect(rows).toHaveLength(20);
  expect(rows.map((row) => row.id)).not.toContain(late);
});

test("a file of costs has one row for each entry of the ledger, and the same sum to the last digit", async () => {
  const { tenantId, member, whole, environmentId } = await makeWorld(1_234);
  const finance = await member("finance");
  await sql.query(
    `INSERT INTO cost_entries (tenant_id, id, notification_id, attempt, kind, amount, currency, source, at)
     SELECT tenant_id, uuidv7_new(), notification_id, 0, 'platform_fee', 0.0005, 'EUR', 'reported', at FROM cost_entries
     WHERE tenant_id = $1 LIMIT 100`,
    [tenantId],
  );
  // Of a message that is gone.
  await sql.query(
    `INSERT INTO cost_entries (tenant_id, id, notification_id, attempt, kind, amount, currency, source, at)
     VALUES ($1, uuidv7_new(), $2, 1, 'message', 0.000001, 'USD', 'reported', now())`,
    [tenantId, newId()],
  );
  const { rows } = await whole(finance, costs());
  const sum = (currency: string) =>
    rows
      .filter((row) => row.currency === currency)
      .reduce((total, { amount = "" }) => total + BigInt(amount.replace(".", "")), 0n);
  const straight = await sql.query<{ currency: string; micros: string; entries: number }>(
    "SELECT currency, (sum(amount) * 1000000)::bigint AS micros, count(*)::int AS entries FROM cost_entries WHERE tenant_id = $1 GROUP BY 1 ORDER BY 1",
    [tenantId],
  );
  expect(rows).toHaveLength(straight.rows.reduce((total, { entries }) => total + entries, 0));
  for (const { currency, micros } of straight.rows) expect(sum(currency)).toBe(BigInt(micros));
  expect(rows.every(({ amount }) => /^\d+\.\d{6}$/.test(amount ?? ""))).toBe(true);
  expect(rows[0]).toMatchObject({
    application: "shop",
    provider: "Planted",
    kind: "message",
    source: "estimated",
  });
  const own = await whole(finance, costs({ environmentId, application: "shop", channel: "sms" }));
  expect(own.rows).toHaveLength(1_334);
});

const kill = `
  import { openDb } from ${JSON.stringify(new URL("../kernel/db.ts", import.meta.url).href)};
  import { runExport } from ${JSON.stringify(new URL("./run-export.ts", import.meta.url).href)};
  const [url, tenantId, exportId] = process.argv.slice(1);
  const db = openDb("worker", url, { poolSize: 4 });
  await runExport({ db }, { tenantId, exportId }, { sliceMs: 60_000 });
  await db.close();
`;

test("a worker that is killed again and again neither doubles nor loses a row", async () => {
  const { tenantId, member, ask, work, read, environmentId, pieces } = await makeWorld(30_000);
  const owner = await member("owner");
  const id = await ask(owner, messages({ environmentId }));
  let killed = 0;
  for (let times = 0; times < 8; times++) {
    const before = await pieces(id);
    const child = spawn(
      process.execPath,
      ["--input-type=module", "-e", kill, database.workerUrl, tenantId, id],
      {
        stdio: ["ignore", "ignore", "inherit"],
      },
    );
    const exit = once(child, "exit");
    // As soon as it has written something, and then at any moment of the next piece.
    while (child.exitCode === null && (await pieces(id)) === before) await pause(5);
    await pause(times * 7);
    child.kill("SIGKILL");
    await exit;
    if (child.signalCode === "SIGKILL") killed++;
  }
  expect(killed).toBeGreaterThan(3);
  await work(owner, id);
  const { rows } = await read(owner, id);
  const { rows: stored } = await sql.query<{ id: string; recipient: string; status: string }>(
    "SELECT id, recipient, status FROM notifications WHERE tenant_id = $1 ORDER BY id",
    [tenantId],
  );
  expect(rows.map((row) => [row.id, row.to, row.status])).toEqual(
    stored.map((row) => [row.id, `'${row.recipient}`, row.status]),
  );
}, 120_000);

test("it goes on where another process stopped, and two that work at it at once write it once", async () => {
  const { tenantId, member, ask, read, environmentId } = await makeWorld(6_500);
  const owner = await member("owner");
  const id = await ask(owner, messages({ environmentId }));
  const key = { tenantId, exportId: id };
  await runExport({ db: database.worker }, key, { sliceMs: 0 });
  expect(await getExport(owner, { id })).toMatchObject({ state: "running", rows: 500 });
  await Promise.all(Array.from({ length: 3 }, () => runExport({ db: database.worker }, key)));
  while ((await getExport(owner, { id })).state === "running") await runExport({ db: database.worker }, key);
  const { rows } = await read(owner, id);
  expect(new Set(rows.map((row) => row.id)).size).toBe(6_500);
  expect(rows).toHaveLength(6_500);
});

test.each(Object.keys(builtInRoles) as BuiltInRole[])(
  "%s gets what their permissions say: no column of cost, and no address, without the right",
  async (role) => {
    const { member, whole, environmentId } = await makeWorld(12);
    const may: ReadonlySet<Permission> = new Set(builtInRoles[role].permissions);
    const ctx = await member(role);
    const wanted = messages({ environmentId });
    if (!may.has("notifications:read"))
      expect(await codeOf(requestExport(ctx, wanted))).toBe("permission_denied");
    else {
      const { rows, text } = await whole(ctx, wanted);
      expect(rows).toHaveLength(12);
      expect(Object.keys(rows[0] ?? {}).filter((column) => column.startsWith("cost"))).toHaveLength(
        may.has("costs:read") ? 3 : 0,
      );
      expect(text.includes("0.07")).toBe(may.has("costs:read"));
      expect(text.includes("15110000003")).toBe(may.has("content:reveal"));
      // Nor where a provider repeats it.
      expect(text.includes("0151 10000000")).toBe(may.has("content:reveal"));
    }
    const ledger = requestExport(ctx, costs());
    expect(await codeOf(ledger)).toBe(may.has("costs:read") ? "allowed" : "permission_denied");
  },
);

test("each permission by itself decides about its own columns", async () => {
  const { tenant, whole, environmentId } = await makeWorld(3);
  for (const more of [[], ["costs:read"], ["content:reveal"], permissions] as Permission[][]) {
    const role = newId();
    const user = newId();
    await sql.query(
      "INSERT INTO roles (tenant_id, id, key, name, permissions) VALUES ($1, $2, $3, 'Some', $4)",
      [tenant.tenantId, role, `some-${role}`, ["notifications:read", ...more]],
    );
    await sql.query("INSERT INTO users (tenant_id, id, email, name) VALUES ($1, $2, $3, 'Some')", [
      tenant.tenantId,
      user,
      `${user}@example.com`,
    ]);
    await sql.query(
      "INSERT INTO role_assignments (tenant_id, id, user_id, role_id) VALUES ($1, $2, $3, $4)",
      [tenant.tenantId, newId(), user, role],
    );
    const ctx: Ctx = {
      ...tenant.as("owner"),
      actor: { type: "user", id: user, name: "Some", email: "" },
      grants: [
        {
          permissions: new Set(["notifications:read", ...more]),
          unitId: null,
          applicationId: null,
          environmentId: null,
        },
      ],
    };
    const { rows, text } = await whole(ctx, messages({ environmentId }));
    expect("costAmount" in (rows[0] ?? {})).toBe(more.includes("costs:read"));
    expect(text.includes("EUR")).toBe(more.includes("costs:read"));
    expect(text.includes("+4915110000001")).toBe(more.includes("content:reveal"));
  }
});

test("a team sees its own messages and costs, and cannot ask about applications of others", async () => {
  const { tenant, member, whole, environmentId } = await makeWorld(10);
  const alpha = await member("owner", tenant.units.alpha);
  const beta = await member("owner", tenant.units.beta);
  expect((await whole(alpha, messages({ environmentId }))).rows).toHaveLength(10);
  expect((await whole(beta, messages({ environmentId }))).rows).toHaveLength(0);
  expect((await whole(beta, costs())).rows).toHaveLength(0);
  const refused = [
    await codeOf(requestExport(beta, messages({ application: "shop" }))),
    await codeOf(requestExport(beta, messages({ application: "nothing" }))),
    await codeOf(requestExport(alpha, messages({ environmentId: newId() }))),
  ];
  expect(refused).toEqual(["invalid_request", "invalid_request", "invalid_request"]);
});

test("an export is its asker's alone", async () => {
  const { tenant, member, ask, work } = await makeWorld(5);
  const owner = await member("owner");
  const colleague = await member("owner");
  const id = await ask(owner, messages());
  await work(owner, id);
  const stranger = (await makeTenant(database)).as("owner");
  for (const other of [colleague, stranger, { ...stranger, actor: owner.actor }, tenant.system]) {
    expect((await listExports(other, { limit: 10 })).data).toEqual([]);
    for (const use of [getExport, downloadExport, cancelExport, removeExport])
      expect(await codeOf(use(other, { id }))).toBe("not_found");
  }
  expect((await listExports(owner, { limit: 10 })).data.map((one) => one.id)).toEqual([id]);
  const { data } = await listOwnNotices(owner, { limit: 10 });
  expect(data).toMatchObject([{ kind: "export.finished", targetId: id, data: { rows: 5 } }]);
  expect((await listOwnNotices(colleague, { limit: 10 })).data).toEqual([]);
});

test("whoever loses a right that a file needs gets none: not while it is written, and not of one that is finished", async () => {
  const { tenantId, tenant, member, ask, work, environmentId } = await makeWorld(2_500);
  const demote = (userId: string, role: BuiltInRole) =>
    sql.query(
      "UPDATE role_assignments SET role_id = (SELECT id FROM roles WHERE tenant_id = $1 AND key = $3) WHERE tenant_id = $1 AND user_id = $2",
      [tenantId, userId, role],
    );
  const finished = await member("owner");
  const done = await ask(finished, messages({ environmentId }));
  await work(finished, done);
  const administrator = { ...tenant.as("administrator"), actor: finished.actor };
  await expect(downloadExport(administrator, { id: done })).rejects.toThrow(/content:reveal/);
  await expect(
    downloadExport({ ...tenant.as("finance"), actor: finished.actor }, { id: done }),
  ).rejects.toThrow(/notifications:read/);

  const midway = await member("owner");
  const id = await ask(midway, messages({ environmentId }));
  await runExport({ db: database.worker }, { tenantId, exportId: id }, { sliceMs: 0 });
  await demote(midway.actor.id ?? "", "administrator");
  expect(await work(midway, id)).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("content:reveal") as string,
  });
  expect((await sql.query("SELECT FROM export_chunks WHERE export_id = $1", [id])).rowCount).toBe(0);
  expect((await listOwnNotices(midway, { limit: 1 })).data).toMatchObject([{ kind: "export.failed" }]);

  const before = await member("owner");
  const never = await ask(before, messages({ environmentId }));
  await demote(before.actor.id ?? "", "finance");
  expect(await work(before, never)).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("notifications:read") as string,
  });
  // Rights at the time of the run count, not those of the request.
  const masked = await member("owner");
  const later = await ask(masked, messages({ environmentId }));
  await demote(masked.actor.id ?? "", "administrator");
  expect(await work(masked, later)).toMatchObject({ state: "finished" });
  const { first, rest } = await downloadExport(
    { ...tenant.as("administrator"), actor: masked.actor },
    { id: later },
  );
  let text = first;
  for await (const piece of rest) text += Buffer.from(piece).toString();
  expect(text).not.toContain("15110000001");
});

test("an erased address stands in no file, the other rows do, and the file is one still", async () => {
  const { tenant, tenantId, member, ask, work, read, environmentId } = await makeWorld(2_400);
  const owner = await member("owner");
  const id = await ask(owner, messages({ environmentId, search: "+4915110000020" }));
  await work(owner, id);
  const all = await ask(owner, messages({ environmentId }));
  await work(owner, all);
  const before = (await read(owner, all)).rows;
  // One that is being written.
  const other = await member("owner");
  const open = await ask(other, messages({ environmentId }));
  await runExport({ db: database.worker }, { tenantId, exportId: open }, { sliceMs: 0 });
  const erasure = await requestErasure(tenant.system, { addresses: ["+4915110000020"] });
  for (let slices = 0; slices < 200; slices++) {
    await runErasure({ db: database.worker }, { tenantId, erasureId: erasure.id }, { sliceMs: 20 });
    const { rows } = await sql.query<{ state: string }>("SELECT state FROM erasures WHERE id = $1", [
      erasure.id,
    ]);
    if (rows[0]?.state === "done") break;
  }
  await work(other, open);
  for (const [ctx, file] of [
    [owner, all],
    [owner, id],
    [other, open],
  ] as const) {
    const { text, rows } = await read(ctx, file);
    expect(text).not.toMatch(/15110000020|0151 10000020/);
    if (file === id) continue;
    expect(rows).toHaveLength(2_400);
    expect(rows.map((row) => row.id)).toEqual(before.map((row) => row.id));
    expect(rows.filter(({ to }) => to === "[erased]")).toHaveLength(1);
    expect(rows.filter(({ to }, index) => to !== before[index]?.to)).toHaveLength(1);
  }
  const filters = await sql.query<{ filter: string }>("SELECT filter::text FROM exports WHERE id = $1", [id]);
  expect(filters.rows[0]?.filter).not.toContain("15110000020");
});

test("an erasure waits for the first rows of a file that is being begun, and finds them there", async () => {
  const { tenantId, member, ask, work, read, environmentId } = await makeWorld(40);
  const owner = await member("owner");
  const id = await ask(owner, messages({ environmentId }));
  const { promise: reached, resolve: hasRead } = Promise.withResolvers<unknown>();
  const { promise: goesOn, resolve: goOn } = Promise.withResolvers<unknown>();
  const original = kinds.messages.read;
  const read1 = vi.spyOn(kinds.messages, "read").mockImplementation(async (...of) => {
    const rows = await original(...of);
    hasRead(null);
    await goesOn;
    return rows;
  });
  const writing = work(owner, id);
  await reached;
  const spellings = new Spellings([{ address: "+4915110000020", callingCode: 2 }]);
  const client = await database.worker.pool.connect();
  try {
    await client.query("BEGIN");
    await client.query("SELECT set_config('app.tenant', $1, true)", [tenantId]);
    const erasing = eraseFromExports(client, tenantId, spellings, { after: null, most: 8 });
    expect(await Promise.race([erasing, pause(200)])).toBeUndefined();
    goOn(null);
    await writing;
    expect(await erasing).toMatchObject({ changed: 1 });
    await client.query("COMMIT");
  } finally {
    client.release();
    read1.mockRestore();
  }
  expect((await read(owner, id)).text).not.toContain("15110000020");
});

test("an export whose job has failed for good ends and lets those of others go on; one whose job got lost gets another", async () => {
  const { member, ask, work, environmentId } = await makeWorld(5);
  const [owner, colleague] = [await member("owner"), await member("owner")];
  const failing = await ask(owner, messages({ environmentId }));
  const behind = await ask(colleague, messages({ environmentId }));
  const table = "graphile_worker._private_jobs";
  const jobs = (id: string, change: string) => sql.query(`${change} WHERE payload->>'exportId' = $1`, [id]);
  const look = () => resumeExports({ db: database.worker, log: logger() });
  await jobs(failing, `UPDATE ${table} SET attempts = max_attempts - 1`);
  await look();
  expect(await getExport(owner, { id: failing })).toMatchObject({ state: "waiting" });
  await jobs(failing, `UPDATE ${table} SET attempts = max_attempts`);
  await jobs(behind, `DELETE FROM ${table}`);
  await look();
  expect(await getExport(owner, { id: failing })).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("contact the operator") as string,
  });
  expect((await listOwnNotices(owner, { limit: 1 })).data).toMatchObject([{ kind: "export.failed" }]);
  expect((await jobs(behind, `SELECT FROM ${table}`)).rowCount).toBe(1);
  expect(await work(colleague, behind)).toMatchObject({ state: "finished", rows: 5 });
});

test("it can be canceled and deleted, few wait at a time, and what an organisation keeps is bounded", async () => {
  const { tenantId, member, ask, work, environmentId, pieces } = await makeWorld(1_500);
  const owner = await member("owner");
  const first = await ask(owner, messages({ environmentId }));
  await runExport({ db: database.worker }, { tenantId, exportId: first }, { sliceMs: 0 });
  const second = await ask(owner, messages({ environmentId }));
  expect(await getExport(owner, { id: second })).toMatchObject({ state: "waiting", ahead: 1 });
  await runExport({ db: database.worker }, { tenantId, exportId: second });
  expect(await getExport(owner, { id: second })).toMatchObject({ state: "waiting", rows: 0 });
  expect(await codeOf(removeExport(owner, { id: first }))).toBe("conflict");
  expect(await codeOf(downloadExport(owner, { id: first }))).toBe("conflict");
  expect(await cancelExport(owner, { id: first })).toMatchObject({ state: "canceled" });
  expect(await pieces(first)).toBe(0);
  await runExport({ db: database.worker }, { tenantId, exportId: first });
  expect(await codeOf(cancelExport(owner, { id: first }))).toBe("conflict");
  expect(await work(owner, second)).toMatchObject({ state: "finished", rows: 1_500 });
  const third = await ask(owner, messages());
  expect(await work(owner, third, { bytes: 30_000 })).toMatchObject({
    state: "failed",
    problem: expect.stringContaining("Delete some") as string,
  });
  expect(await pieces(third)).toBe(0);
  await removeExport(owner, { id: second });
  expect(await codeOf(getExport(owner, { id: second }))).toBe("not_found");
  expect(await pieces(second)).toBe(0);
  for (let index = 0; index < exportLimits.openOfOne; index++) await ask(owner, messages());
  expect(await codeOf(requestExport(owner, messages()))).toBe("conflict");
  const colleague = await member("owner");
  expect(await codeOf(requestExport(colleague, messages()))).toBe("allowed");
});

test("a file is kept for seven days, and what is left of it for thirty", async () => {
  const { tenantId, member, ask, work, pieces } = await makeWorld(5);
  const owner = await member("owner");
  const id = await ask(owner, messages());
  await work(owner, id);
  const age = (days: number) =>
    sql.query(
      "UPDATE exports SET finished_at = now() - make_interval(days => $2) - interval '1 second' WHERE tenant_id = $1",
      [tenantId, days],
    );
  await age(6);
  await purgeExports(database.worker);
  expect(await pieces(id)).toBe(1);
  await age(7);
  // Before the purge has come to it.
  expect(await codeOf(downloadExport(owner, { id }))).toBe("conflict");
  await purgeExports(database.worker);
  expect(await pieces(id)).toBe(0);
  expect(await getExport(owner, { id })).toMatchObject({ state: "expired", rows: 5, expiresAt: null });
  await age(30);
  await purgeExports(database.worker);
  expect((await listExports(owner, { limit: 10 })).data).toEqual([]);
});

test("the audit trail says who asked for what and who took it away, and holds no address", async () => {
  const { tenantId, member, ask, work, read } = await makeWorld(5);
  const owner = await member("owner");
  const id = await ask(owner, messages({ search: "+4915110000001" }));
  await work(owner, id);
  await read(owner, id);
  await removeExport(owner, { id });
  const { rows } = await sql.query<{ action: string }>(
    "SELECT action, data, actor_id FROM audit_events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id",
    [tenantId, id],
  );
  expect(rows.map(({ action }) => action)).toEqual([
    "export.requested",
    "export.finished",
    "export.downloaded",
    "export.deleted",
  ]);
  expect(JSON.stringify(rows)).not.toContain("1511000");
});

test("a file for an agent's key is written with the agent's limits", async () => {
  const { tenant, environmentId, ask, work } = await makeWorld();
  const { key } = await createApiKey(tenant.as("owner"), {
    name: "Assistant",
    environmentId,
    role: "owner",
    agent: { recipients: ["*@example.com"], hourlyCap: 7, laterStages: true },
  });
  const agent = await authenticateApiKey(database.web, `Bearer ${key}`, { requestId: newId() });
  const read = vi.spyOn(kinds.messages, "read");
  const id = await ask(agent, messages({ environmentId }));
  expect(await work(agent, id)).toMatchObject({ state: "finished", rows: 40 });
  expect(read.mock.calls.map(([{ actor }]) => actor)).toMatchObject([
    { id: agent.actor.id, agent: { hourlyCap: 7 } },
  ]);
  read.mockRestore();
});
