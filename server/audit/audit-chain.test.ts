import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { announceHeads } from "../webhooks/announce-heads.ts";
import { isSigned } from "./audit-event.ts";
import { buildChains } from "./build-chains.ts";
import { eventColumns, eventOf } from "./chain-queries.ts";
import type { EventRow } from "./chain-queries.ts";
import { Checkpoints, isHeadStatement } from "./checkpoint.ts";
import { getIntegrity } from "./get-integrity.ts";
import { purgeAudit } from "./purge-audit.ts";
import { recordAudit } from "./record-audit.ts";
import { setRetention } from "./set-retention.ts";
import { readPublicKey } from "./signing.ts";
import { verifyDatabase } from "./verify-database.ts";
import { verifySlices } from "./verify-slices.ts";
import { writeCheckpoint } from "./write-checkpoint.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const sql = database.owner;
let folder = "";
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), "audit-"));
});
afterAll(() => rm(folder, { recursive: true }));

type Tenant = typeof tenant;
const note = (of: Tenant, name: string) =>
  inTenant(of.system, (tx) =>
    recordAudit(of.system, tx, { action: "note.made", targetType: "note", data: { name } }),
  );

/** Until all that is committed is chained: test files beside this one hold transactions of their own. */
async function chainAll(): Promise<void> {
  await expect
    .poll(
      async () => {
        await buildChains(database.worker);
        const { rows } = await sql.query<{ n: number }>(
          "SELECT count(*)::int AS n FROM audit_events e WHERE NOT EXISTS (SELECT FROM audit_links l WHERE l.tenant_id = e.tenant_id AND l.event_id = e.id)",
        );
        return rows[0]?.n;
      },
      { timeout: 20_000 },
    )
    .toBe(0);
}

async function chainOf(of: Tenant) {
  const { rows } = await sql.query<{ sequence: number; origin: string; name: string | null; id: string }>(
    `SELECT l.sequence::int, l.origin, e.data->>'name' AS name, l.event_id AS id FROM audit_links l
     JOIN audit_events e ON e.tenant_id = l.tenant_id AND e.id = l.event_id WHERE l.tenant_id = $1 ORDER BY l.sequence`,
    [of.tenantId],
  );
  return rows;
}

/** What `npm run verify-audit` finds. */
async function problems(checkpoints?: Checkpoints) {
  const found = [];
  for await (const report of verifyDatabase(database.worker, { checkpoints })) {
    if (report.problem) found.push({ tenantId: report.tenantId, ...report.problem });
  }
  return found;
}

const checkpoint = (file?: string, now?: Date) =>
  writeCheckpoint({
    db: database.worker,
    file,
    announce: () => Promise.resolve(),
    ...(now ? { now: () => now } : {}),
  });

async function publicKey(): Promise<string> {
  const { rows } = await sql.query<{ public_key: string }>("SELECT public_key FROM audit_signers");
  return rows[0]?.public_key ?? "";
}

test("every event is signed by the process that writes it, and comes into its organisation's chain once, without gaps", async () => {
  const other = await makeTenant(database);
  await Promise.all(Array.from({ length: 20 }, (_, index) => note(tenant, `n${String(index)}`)));
  await Promise.all([chainAll(), buildChains(database.worker), buildChains(database.worker)]);
  for (const each of [tenant, other]) {
    const chain = await chainOf(each);
    expect(chain.map(({ sequence }) => sequence)).toEqual(chain.map((_, index) => index + 1));
    expect(new Set(chain.map(({ origin }) => origin))).toEqual(new Set(["service"]));
    expect(new Set(chain.map(({ id }) => id)).size).toBe(chain.length);
  }
  const { rows } = await sql.query<EventRow & { mac: Buffer }>(
    `SELECT ${eventColumns}, e.mac FROM audit_events e WHERE e.tenant_id = $1`,
    [tenant.tenantId],
  );
  for (const row of rows) {
    expect(isSigned(eventOf(row), row.mac)).toBe(true);
    expect(isSigned({ ...eventOf(row), actorName: "Somebody else" }, row.mac)).toBe(false);
  }
  expect(await problems()).toEqual([]);
});

test("an event that is committed late is not forgotten: nothing is chained past a transaction that is still open", async () => {
  await chainAll();
  const before = (await chainOf(tenant)).length;
  const held = Promise.withResolvers<undefined>();
  const written = Promise.withResolvers<undefined>();
  const late = inTenant(tenant.system, async (tx) => {
    await recordAudit(tenant.system, tx, { action: "note.made", targetType: "note", data: { name: "late" } });
    written.resolve(undefined);
    await held.promise;
  });
  await written.promise;
  await note(tenant, "early");
  await buildChains(database.worker);
  expect((await chainOf(tenant)).length).toBe(before);
  held.resolve(undefined);
  await late;
  await chainAll();
  expect((await chainOf(tenant)).slice(before).map(({ name }) => name)).toEqual(["late", "early"]);
});

test("an event that the service did not write is chained as foreign, and the verification names it", async () => {
  const victim = await makeTenant(database);
  await chainAll();
  const forge = (mac: string) =>
    sql.query(
      `INSERT INTO audit_events (tenant_id, id, at, actor_type, actor_name, action, target_type, request_id, mac)
       VALUES ($1, $2, now(), 'user', 'Olga', 'member.added', 'user', 'x', ${mac})`,
      [victim.tenantId, newId()],
    );
  await sql.query("UPDATE audit_progress SET signed_since = now() - interval '2 days'");
  await forge("NULL");
  await chainAll();
  const entries = await chainOf(victim);
  expect(entries.at(-1)?.origin).toBe("foreign");
  expect((await problems()).filter(({ tenantId }) => tenantId === victim.tenantId)).toMatchObject([
    { kind: "foreign", sequence: entries.length },
  ]);
  // One of another organisation does not fit either: the signature covers whose it is.
  await sql.query("DELETE FROM audit_links WHERE tenant_id = $1", [victim.tenantId]);
  await sql.query("DELETE FROM audit_chains WHERE tenant_id = $1", [victim.tenantId]);
  await sql.query("DELETE FROM audit_events WHERE tenant_id = $1", [victim.tenantId]);
});

test("events of an organisation that does not exist stop nobody else's chain", async () => {
  const nobody = newId();
  await sql.query(
    `INSERT INTO audit_events (tenant_id, id, at, actor_type, actor_name, action, target_type, request_id)
     VALUES ($1, $2, now(), 'user', 'Olga', 'member.added', 'user', 'x')`,
    [nobody, newId()],
  );
  await note(tenant, "after nobody");
  await expect
    .poll(
      async () => {
        await buildChains(database.worker);
        return (await chainOf(tenant)).at(-1)?.name;
      },
      { timeout: 20_000 },
    )
    .toBe("after nobody");
  await sql.query("DELETE FROM audit_events WHERE tenant_id = $1", [nobody]);
});

test("in a database that was restored, whose transactions count anew, the chain goes on", async () => {
  await chainAll();
  const before = (await chainOf(tenant)).length;
  await sql.query("UPDATE audit_progress SET xid = 9000000000000");
  await note(tenant, "after the restore");
  await chainAll();
  await note(tenant, "in the usual way");
  await chainAll();
  expect((await chainOf(tenant)).slice(before).map(({ name }) => name)).toEqual([
    "after the restore",
    "in the usual way",
  ]);
  expect(await problems()).toEqual([]);
});

test("the roles of web and worker add to the trail, and neither change nor delete what is in it", async () => {
  for (const db of [database.web, database.worker]) {
    for (const statement of [
      "UPDATE audit_events SET action = 'x'",
      "DELETE FROM audit_events",
      "TRUNCATE audit_events",
      "UPDATE audit_links SET hash = ''",
      "DELETE FROM audit_links",
      "UPDATE audit_chains SET purged_sequence = 1",
      "UPDATE audit_chains SET retention_months = 1",
      "DELETE FROM audit_chains",
      "UPDATE audit_checkpoints SET line = ''",
      "DELETE FROM audit_checkpoints",
      "UPDATE audit_signers SET public_key = ''",
    ]) {
      await expect(db.pool.query(statement), `${db.role}: ${statement}`).rejects.toThrow(/permission denied/);
    }
  }
  // The lines of checkpoints name all organisations, and the private key is the worker's.
  await expect(database.web.pool.query("SELECT line FROM audit_checkpoints")).rejects.toThrow(
    /permission denied/,
  );
  await expect(database.web.pool.query("SELECT private_key FROM audit_signers")).rejects.toThrow(
    /permission denied/,
  );
});

test("checkpoints name all organisations once a day and otherwise what has grown, and leave in order, also after the file could not be written", async () => {
  const file = path.join(folder, "checkpoints.jsonl");
  const day = new Date("2030-01-01T10:00:00Z");
  await chainAll();
  // Nowhere to write: a folder that does not exist.
  await checkpoint(path.join(folder, "missing", "file"), day);
  await note(tenant, "grown");
  await chainAll();
  await checkpoint(file, new Date(day.getTime() + 300_000));
  await checkpoint(file, new Date(day.getTime() + 600_000));
  await checkpoint(file, new Date(day.getTime() + 86_400_000));
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  const parsed = lines.map((line) => JSON.parse(line) as { number: number; full: boolean; heads: unknown[] });
  expect(parsed.map(({ number }) => number)).toEqual(parsed.map((_, index) => index + 1));
  expect(parsed.map(({ full }) => full)).toEqual([true, false, false, true]);
  expect(parsed.map(({ heads }) => heads.length)).toEqual([
    parsed[0]!.heads.length,
    1,
    0,
    parsed[0]!.heads.length,
  ]);
  const checkpoints = new Checkpoints(readPublicKey(await publicKey()));
  expect(lines.map((line) => checkpoints.add(line))).toEqual(lines.map(() => null));
  expect(await problems(checkpoints)).toEqual([]);
});

test("an endpoint that asks for it is told its own organisation's head, signed, and nobody else's", async () => {
  const listening = await makeTenant(database);
  const endpoint = (events: string[]) =>
    createWebhookEndpoint(listening.system, {
      environmentId: listening.environments.production,
      application: "shop",
      url: "https://8.8.8.8/hooks",
      events: events as [],
    });
  const asking = await endpoint(["audit.checkpoint"]);
  await endpoint([]);
  await chainAll();
  await writeCheckpoint({
    db: database.worker,
    file: undefined,
    announce: (statements) => announceHeads(database.worker, statements),
  });
  const { rows } = await sql.query<{
    tenant_id: string;
    endpoint_id: string;
    payload: Record<string, unknown>;
  }>("SELECT tenant_id, endpoint_id, payload FROM webhook_deliveries WHERE event = 'audit.checkpoint'");
  expect(rows.map((row) => row.endpoint_id)).toEqual([asking.id]);
  const [told] = rows;
  expect(told?.payload).toMatchObject({
    tenantId: listening.tenantId,
    sequence: (await chainOf(listening)).length,
  });
  const key = readPublicKey(await publicKey());
  expect(isHeadStatement(key, told!.payload)).toBe(true);
  expect(isHeadStatement(key, { ...told!.payload, sequence: 1 })).toBe(false);
});

test("the worker verifies in slices, shows how far it has come, and says what is wrong until it is put right", async () => {
  const watched = await makeTenant(database);
  for (let index = 0; index < 5; index++) await note(watched, `w${String(index)}`);
  await chainAll();
  await checkpoint();
  const reader = watched.as("auditor");
  await verifySlices(database.worker);
  const entries = (await chainOf(watched)).length;
  expect(await getIntegrity(reader)).toMatchObject({
    entries,
    verified: { sequence: entries },
    failure: null,
    retentionMonths: 24,
    checkpoint: { publicKey: await publicKey() },
  });
  const chain = await chainOf(watched);
  const edited = chain[entries - 2]!;
  const rename = (name: string) =>
    sql.query(
      "UPDATE audit_events SET data = jsonb_set(data, '{name}', to_jsonb($3::text)) WHERE tenant_id = $1 AND id = $2",
      [watched.tenantId, edited.id, name],
    );
  await rename("hidden");
  // What was verified today is looked at again tomorrow.
  const tomorrow = () => new Date(Date.now() + 25 * 3_600_000);
  const { failed } = await verifySlices(database.worker, { now: tomorrow });
  expect(failed).toContain(watched.tenantId);
  expect((await getIntegrity(reader)).failure).toMatchObject({
    kind: "changed",
    sequence: entries - 1,
    eventId: edited.id,
  });
  await rename(edited.name!);
  await verifySlices(database.worker, { now: tomorrow });
  expect((await getIntegrity(reader)).failure).toBeNull();
});

test("what is older than it is kept goes from the beginning, with a signed note; what is not old enough does not go", async () => {
  const old = await makeTenant(database);
  for (let index = 0; index < 6; index++) await note(old, `o${String(index)}`);
  await chainAll();
  const chain = await chainOf(old);
  expect(await purgeAudit(database.worker)).toBe(0);
  // Nobody can set a clock back in a chain that is verified: here the tenant's oldest events are made two years older first.
  const ages = (upTo: number) =>
    sql.query(
      `UPDATE audit_events e SET at = at - interval '25 months' FROM audit_links l
       WHERE l.tenant_id = e.tenant_id AND l.event_id = e.id AND e.tenant_id = $1 AND l.sequence <= $2`,
      [old.tenantId, upTo],
    );
  await ages(4);
  expect(await purgeAudit(database.worker)).toBe(4);
  expect((await chainOf(old)).map(({ sequence }) => sequence)).toEqual(
    chain.slice(4).map(({ sequence }) => sequence),
  );
  expect((await problems()).filter(({ tenantId }) => tenantId === old.tenantId)).toEqual([]);
  await note(old, "afterwards");
  await chainAll();
  expect((await problems()).filter(({ tenantId }) => tenantId === old.tenantId)).toEqual([]);
  await checkpoint();
  await verifySlices(database.worker);
  expect(await getIntegrity(old.as("auditor"))).toMatchObject({
    purged: { sequence: 4 },
    failure: null,
    verified: { sequence: (await chainOf(old)).at(-1)!.sequence },
  });
  // The worker's own role cannot have younger ones deleted, nor somebody without the key the oldest ones.
  const { rows } = await sql.query<{ hash: string }>(
    "SELECT encode(hash, 'hex') AS hash FROM audit_links WHERE tenant_id = $1 AND sequence = 6",
    [old.tenantId],
  );
  const purge = (through: number) =>
    database.worker.pool.query("SELECT purge_audit($1, $2, decode($3, 'hex'), now(), 'x')", [
      old.tenantId,
      through,
      rows[0]?.hash,
    ]);
  await expect(purge(6)).rejects.toThrow(/not old enough/);
  await ages(6);
  await purge(6);
  expect((await problems()).filter(({ tenantId }) => tenantId === old.tenantId)).toMatchObject([
    { kind: "purge", sequence: 6 },
  ]);
});

test("an organisation whose old entries cannot be deleted keeps no other's", async () => {
  const [broken, other] = [await makeTenant(database), await makeTenant(database)];
  for (const of of [broken, other]) await note(of, "old");
  await chainAll();
  await sql.query("UPDATE audit_events SET at = at - interval '25 months' WHERE tenant_id = ANY ($1)", [
    [broken.tenantId, other.tenantId],
  ]);
  await sql.query(
    `CREATE FUNCTION refuse_purge() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
     CREATE TRIGGER refuse_purge BEFORE UPDATE OF purged_sequence ON audit_chains FOR EACH ROW
       WHEN (NEW.tenant_id = '${broken.tenantId}') EXECUTE FUNCTION refuse_purge()`,
  );
  const left = (await chainOf(broken)).length;
  await purgeAudit(database.worker);
  expect([(await chainOf(broken)).length, (await chainOf(other)).length]).toEqual([left, 0]);
  await sql.query("DROP TRIGGER refuse_purge ON audit_chains; DROP FUNCTION refuse_purge()");
  await purgeAudit(database.worker);
  expect(await chainOf(broken)).toEqual([]);
});

test("how long the trail is kept is the organisation's to say, a year at least, and in the trail itself", async () => {
  const owner = tenant.as("owner");
  await setRetention(owner, { months: 36 });
  expect(await getIntegrity(owner)).toMatchObject({ retentionMonths: 36 });
  const { rows } = await sql.query<{ data: unknown }>(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'audit_retention.changed'",
    [tenant.tenantId],
  );
  expect(rows).toEqual([{ data: { before: { months: 24 }, after: { months: 36 } } }]);
  await expect(inTenant(owner, (tx) => tx.$executeRaw`SELECT set_audit_retention(1)`)).rejects.toThrow(
    /12 to 120/,
  );
});
