import { randomInt } from "node:crypto";
import { beforeAll, expect, test, vi } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { buildChains } from "./build-chains.ts";
import { loadStoredCheckpoints } from "./stored-checkpoints.ts";
import type { Checkpoints } from "./checkpoint.ts";
import { recordAudit } from "./record-audit.ts";
import { verifyDatabase } from "./verify-database.ts";
import { writeCheckpoint } from "./write-checkpoint.ts";

/*
 * Somebody with the database's owner and the checkpoints outside: each kind on real Postgres, 25 random ones, and 1,000 whole
 * organisations. tampering.test.ts does a thousand of each of the other kinds on exports.
 */

const times = 25;
const database = await testDatabase();
const sql = database.owner;
const tenant = await makeTenant(database);
const { tenantId } = tenant;
const length = 40;
let checkpoints: Checkpoints;

async function chained(): Promise<void> {
  await vi.waitUntil(
    async () => {
      await buildChains(database.worker);
      const { rows } = await sql.query<{ n: number }>(
        "SELECT (SELECT count(*) FROM audit_events)::int - (SELECT count(*) FROM audit_links)::int AS n",
      );
      return rows[0]?.n === 0;
    },
    { timeout: 60_000, interval: 100 },
  );
}

const sign = () =>
  writeCheckpoint({ db: database.worker, file: undefined, announce: () => Promise.resolve() });

async function signed(): Promise<Checkpoints> {
  const { rows } = await sql.query<{ public_key: string }>("SELECT public_key FROM audit_signers");
  return loadStoredCheckpoints(sql, rows[0]?.public_key ?? "");
}

beforeAll(async () => {
  for (let index = 0; index < length; index++) {
    await inTenant(tenant.system, (tx) =>
      recordAudit(tenant.system, tx, {
        action: "note.changed",
        targetType: "note",
        before: { index },
        after: { index: index + 1 },
        data: { name: `Note ${String(index)}` },
      }),
    );
  }
  await chained();
  await sign();
  checkpoints = await signed();
  // What is done below is taken back from these.
  await sql.query("CREATE TABLE kept_events AS SELECT * FROM audit_events");
  await sql.query("CREATE TABLE kept_links AS SELECT * FROM audit_links");
}, 120_000);

/** Those of an event that are written; the others follow from them. */
const eventColumns = `tenant_id, id, at, actor_type, actor_id, actor_name, action, target_type, target_id, unit_id,
  environment_id, request_id, data, mac, xid`;

async function restore(): Promise<void> {
  for (const [table, columns] of [
    ["events", eventColumns],
    ["links", "tenant_id, sequence, event_id, origin, hash"],
  ]) {
    await sql.query(`DELETE FROM audit_${table} WHERE tenant_id = $1`, [tenantId]);
    await sql.query(
      `INSERT INTO audit_${table} (${columns}) SELECT ${columns} FROM kept_${table} WHERE tenant_id = $1`,
      [tenantId],
    );
  }
}

async function found() {
  for await (const report of verifyDatabase(database.worker, { checkpoints, tenantId }))
    return report.problem;
  return undefined;
}

const last = async () => {
  const { rows } = await sql.query<{ n: number }>(
    "SELECT max(sequence)::int AS n FROM kept_links WHERE tenant_id = $1",
    [tenantId],
  );
  return rows[0]?.n ?? 0;
};
const eventOf = async (sequence: number) => {
  const { rows } = await sql.query<{ id: string }>(
    "SELECT event_id AS id FROM kept_links WHERE tenant_id = $1 AND sequence = $2",
    [tenantId, sequence],
  );
  return rows[0]?.id ?? "";
};

async function repeat(work: (sequence: number, total: number) => Promise<unknown>): Promise<void> {
  const total = await last();
  expect(await found()).toBeNull();
  for (let time = 0; time < times; time++) {
    await work(1 + randomInt(total), total);
    await restore();
  }
  expect(await found()).toBeNull();
}

test("an edited event is found, whichever column it was", async () => {
  const edits = [
    "at = at + interval '1 millisecond'",
    "actor_type = 'apiKey'",
    "actor_id = gen_random_uuid()",
    "actor_name = actor_name || ' '",
    "action = 'note.deleted'",
    "target_type = 'x'",
    "target_id = 'x'",
    "unit_id = gen_random_uuid()",
    "environment_id = gen_random_uuid()",
    "request_id = 'x'",
    "data = data || '{\"more\": 1}'",
    "data = '{}'",
  ];
  await repeat(async (sequence) => {
    await sql.query(
      `UPDATE audit_events SET ${edits[randomInt(edits.length)]!} WHERE tenant_id = $1 AND id = $2`,
      [tenantId, await eventOf(sequence)],
    );
    expect(await found()).toMatchObject({ sequence, eventId: await eventOf(sequence) });
  });
}, 120_000);

test("a deleted event is found, with its link or without", async () => {
  await repeat(async (sequence, total) => {
    await sql.query("DELETE FROM audit_events WHERE tenant_id = $1 AND id = $2", [
      tenantId,
      await eventOf(sequence),
    ]);
    const both = randomInt(2) === 1;
    if (both)
      await sql.query("DELETE FROM audit_links WHERE tenant_id = $1 AND sequence = $2", [tenantId, sequence]);
    const kind = both && sequence === total ? "truncated" : "missing";
    expect(await found()).toMatchObject({ kind, sequence });
  });
}, 120_000);

test("an event that was put in behind the chain is found, with an entry made up for it or without", async () => {
  await repeat(async (sequence, total) => {
    const id = newId();
    await sql.query(
      `INSERT INTO audit_events (${eventColumns}) SELECT ${eventColumns} FROM (
         SELECT (jsonb_populate_record(e, jsonb_build_object('id', $3::text, 'action', 'note.forged'))).*
         FROM kept_events e WHERE tenant_id = $1 AND id = $2) AS forged`,
      [tenantId, await eventOf(sequence), id],
    );
    if (randomInt(2) === 1) {
      // As one of the newest transaction it looks as if it was still to be chained: then it is chained, as foreign.
      if (sequence === total) await buildChains(database.worker);
      const kind = sequence === total ? "foreign" : "inserted";
      expect(await found()).toMatchObject({ kind, eventId: id });
      return;
    }
    // Between two entries: all behind it get the next number.
    await sql.query("UPDATE audit_links SET sequence = -sequence WHERE tenant_id = $1 AND sequence >= $2", [
      tenantId,
      sequence,
    ]);
    await sql.query("UPDATE audit_links SET sequence = 1 - sequence WHERE tenant_id = $1 AND sequence < 0", [
      tenantId,
    ]);
    await sql.query(
      "INSERT INTO audit_links SELECT tenant_id, $2, $3, origin, hash FROM kept_links WHERE tenant_id = $1 AND sequence = $4",
      [tenantId, sequence, id, 1 + randomInt(total)],
    );
    expect(await found()).toMatchObject({ sequence, eventId: id });
  });
}, 120_000);

test("events that exchanged their places are found", async () => {
  await repeat(async (sequence, total) => {
    const other = sequence === total ? 1 : sequence + 1 + randomInt(total - sequence);
    const [one, two] = [await eventOf(sequence), await eventOf(other)];
    const place = (from: number, to: string) =>
      sql.query("UPDATE audit_links SET event_id = $3 WHERE tenant_id = $1 AND sequence = $2", [
        tenantId,
        from,
        to,
      ]);
    await place(sequence, newId());
    await place(other, one);
    await place(sequence, two);
    expect(await found()).toMatchObject({ sequence: Math.min(sequence, other) });
  });
}, 120_000);

test("a tail that was cut off is found, with its events or without", async () => {
  await repeat(async (sequence) => {
    const gone = await sql.query<{ event_id: string }>(
      "DELETE FROM audit_links WHERE tenant_id = $1 AND sequence >= $2 RETURNING event_id",
      [tenantId, sequence],
    );
    await sql.query("DELETE FROM audit_events WHERE tenant_id = $1 AND id = ANY ($2)", [
      tenantId,
      gone.rows.map((row) => row.event_id),
    ]);
    expect(await found()).toMatchObject({ kind: "truncated", sequence });
  });
}, 120_000);

test("a thousand organisations that were dropped, one after the other, are each found", async () => {
  const count = 1_000;
  const ids = Array.from({ length: count }, () => newId());
  // Their tenants are copies of the first one: only the trail is looked at.
  await sql.query(
    `INSERT INTO tenants SELECT (jsonb_populate_record(t, jsonb_build_object('id', x, 'slug', x))).*
     FROM tenants t, unnest($2::text[]) AS x WHERE t.id = $1`,
    [tenantId, ids],
  );
  await sql.query(
    `INSERT INTO audit_chains (tenant_id, key) SELECT x, c.key FROM audit_chains c, unnest($2::uuid[]) AS x WHERE c.tenant_id = $1`,
    [tenantId, ids],
  );
  await sql.query(
    `INSERT INTO audit_events (${eventColumns}) SELECT ${eventColumns} FROM (
       SELECT (jsonb_populate_record(e, jsonb_build_object('tenant_id', x, 'id', x))).*
       FROM audit_events e, unnest($2::text[]) AS x WHERE e.tenant_id = $1 AND e.id = $3) AS others`,
    [tenantId, ids, await eventOf(1)],
  );
  await sql.query(
    `INSERT INTO audit_links SELECT x, 1, x, 'service', l.hash
     FROM (SELECT * FROM audit_links WHERE tenant_id = $1 LIMIT 1) AS l, unnest($2::uuid[]) AS x`,
    [tenantId, ids],
  );
  await sign();
  checkpoints = await signed();
  const all = [...ids].sort(() => randomInt(3) - 1);
  for (const id of all) {
    for (const [table, column] of [
      ["audit_links", "tenant_id"],
      ["audit_events", "tenant_id"],
      ["audit_chains", "tenant_id"],
      ["tenants", "id"],
    ] as const) {
      await sql.query(`DELETE FROM ${table} WHERE ${column} = $1`, [id]);
    }
    const reports = [];
    for await (const report of verifyDatabase(database.worker, { checkpoints, tenantId: id }))
      reports.push(report);
    expect(reports).toMatchObject([{ tenantId: id, problem: { kind: "tenant", sequence: 1 } }]);
  }
}, 240_000);
