import { expect, test } from "vitest";
import { registry } from "../privacy/registry.ts";
import { makeConsole } from "../testing/console-world.ts";
import { testDatabase } from "../testing/database.ts";
import { codeOf } from "../testing/refusal.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { deleteOrganisations } from "./delete-organisations.ts";
import { consoleOperations } from "./operations.ts";

const database = await testDatabase();
const console = await makeConsole(database);
const sql = database.owner;
const { organisations } = consoleOperations;
const ask = async (world: { tenantId: string; tenant: { slug: string } }, slug = world.tenant.slug) =>
  organisations.delete.call(await console.ctx(), { id: world.tenantId, slug, reason: "Contract ended" });

/** Tables that hold nothing of one organisation alone, and why. */
const ofNoOrganisation = {
  audit_checkpoints: "signed statements on all trails at once: ids, counts and hashes",
  audit_progress: "how far the worker is",
  audit_signers: "the installation's own",
  channel_requests: "what operators ask for, for a day",
  operator_events: "the operators' log: names the organisation, and stays",
  operator_links: "operators",
  operator_recovery_codes: "operators",
  operator_second_factors: "operators",
  operator_sessions: "operators",
  operators: "operators",
  organisation_deletions: "the deletion itself",
  passkey_challenges: "hashes, for five minutes",
  platform_channels: "the operator's",
  sending_holds: "the installation",
  set_up_tokens: "before there is an organisation",
  sign_in_delays: "hashes, for a day",
  sweep_reports: "the installation",
  tenant_permits: "for a minute",
  tenants: "the organisation itself: it goes last",
  web_gaps: "when no web process ran",
  web_presence: "web processes",
  worker_processes: "processes",
};

async function tenantTables(): Promise<string[]> {
  const { rows } = await sql.query<{ name: string }>(`
    SELECT c.relname AS name FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attname = 'tenant_id'
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`);
  return rows.map(({ name }) => name);
}

/** Rows of an organisation, by table. */
async function rowsOf(tenantId: string): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const table of await tenantTables()) {
    const { rows } = await sql.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM ${table} WHERE tenant_id = $1`,
      [tenantId],
    );
    if (rows[0]?.n) counts[table] = rows[0].n;
  }
  // Written after a request was answered: one may come in late.
  delete counts.rate_windows;
  delete counts.quota_days;
  return counts;
}

const pass = (tenantId: string, what: string) =>
  sql.query(
    `UPDATE organisation_deletions SET ${what} = ${what} - interval '8 days' WHERE organisation = $1`,
    [tenantId],
  );

test("every table is either deleted from or said to be of no organisation", async () => {
  expect([...(await tenantTables()), ...Object.keys(ofNoOrganisation)].sort()).toEqual(
    Object.keys(registry).sort(),
  );
});

test("an organisation that is deleted leaves no row, and its neighbour loses none", async () => {
  const gone = await makeSendingWorld(database);
  const stays = await makeSendingWorld(database);
  for (const world of [gone, stays]) {
    await world.tenant.makeKey("production");
    await world.tenant.addMember("owner", { password: "a long enough password 1" });
    for (let i = 0; i < 5; i++) await world.send();
  }
  const before = await rowsOf(stays.tenantId);
  expect(Object.keys(await rowsOf(gone.tenantId)).length).toBeGreaterThan(12);
  const state = await ask(gone);
  expect(state.suspendedAt).not.toBeNull();
  const days = ((state.deletion?.dueAt.getTime() ?? 0) - Date.now()) / 86_400_000;
  expect(days).toBeGreaterThan(6.99);

  // Nothing goes before its time.
  const whole = await rowsOf(gone.tenantId);
  await deleteOrganisations({ db: database.worker });
  expect(await rowsOf(gone.tenantId)).toEqual(whole);

  await pass(gone.tenantId, "due_at");
  // A run that ends early says what is left, and the next one goes on.
  await sql.query("SELECT delete_organisation($1, 7)", [gone.tenantId]);
  const midway = await organisations.get.call(await console.ctx(), { id: gone.tenantId });
  expect(midway.deletion?.startedAt).not.toBeNull();
  expect(midway.deletion?.tablesLeft).toBeGreaterThan(3);
  expect(await codeOf(organisations.keep.call(await console.ctx(), { id: gone.tenantId }))).toBe("conflict");
  await deleteOrganisations({ db: database.worker }, { batchRows: 10 });
  expect(await codeOf(organisations.get.call(await console.ctx(), { id: gone.tenantId }))).toBe("not_found");

  // What comes in late is taken by the second pass.
  await sql.query(
    "UPDATE organisation_deletions SET emptied_at = now() - interval '1 hour' WHERE organisation = $1",
    [gone.tenantId],
  );
  await sql.query(
    `INSERT INTO organization_units SELECT (jsonb_populate_record(e, jsonb_build_object('tenant_id', $1::text))).*
     FROM organization_units e WHERE tenant_id = $2 LIMIT 1`,
    [gone.tenantId, stays.tenantId],
  );
  await deleteOrganisations({ db: database.worker });
  const [told, ...more] = await console.events("organisation.deleted");
  expect(more).toEqual([]);
  expect(told).toMatchObject({ organisation: gone.tenantId, organisation_slug: gone.tenant.slug });
  const { removed } = told?.data as { removed: Record<string, number> };
  expect({ ...removed, rate_windows: undefined, quota_days: undefined }).toEqual({
    ...whole,
    organization_units: (whole.organization_units ?? 0) + 1,
  });
  expect(await rowsOf(gone.tenantId)).toEqual({});
  expect(await rowsOf(stays.tenantId)).toEqual(before);
  const { rowCount } = await sql.query(
    "SELECT FROM graphile_worker._private_jobs WHERE payload->>'tenantId' = $1",
    [gone.tenantId],
  );
  expect(rowCount).toBe(0);
  expect((await sql.query("SELECT FROM organisation_deletions")).rowCount).toBe(0);
});

test("an organisation whose deletion fails keeps no other waiting, and is deleted once it can be", async () => {
  const [stuck, other] = [await makeSendingWorld(database), await makeSendingWorld(database)];
  for (const world of [stuck, other]) {
    await ask(world);
    await pass(world.tenantId, "due_at");
  }
  await sql.query(`
    CREATE FUNCTION refuse_deletion() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN IF OLD.tenant_id = '${stuck.tenantId}' THEN RAISE EXCEPTION 'not now'; END IF; RETURN OLD; END $$;
    CREATE TRIGGER refuse_deletion BEFORE DELETE ON applications FOR EACH ROW EXECUTE FUNCTION refuse_deletion()`);
  try {
    await deleteOrganisations({ db: database.worker });
    expect(await rowsOf(other.tenantId)).toEqual({});
    expect(await rowsOf(stuck.tenantId)).toHaveProperty("applications");
  } finally {
    await sql.query("DROP FUNCTION refuse_deletion CASCADE");
  }
  await deleteOrganisations({ db: database.worker });
  expect(await rowsOf(stuck.tenantId)).toEqual({});
  await sql.query("DELETE FROM organisation_deletions");
});

test("a deletion asks for the short name, is asked for once, and can be taken back until it begins", async () => {
  const world = await makeSendingWorld(database);
  const whole = await rowsOf(world.tenantId);
  expect(await codeOf(ask(world, "another"))).toBe("invalid_request");
  await ask(world);
  expect(await codeOf(ask(world))).toBe("conflict");
  const ref = { id: world.tenantId };
  expect(await codeOf(organisations.resume.call(await console.ctx(), ref))).toBe("conflict");
  const kept = await organisations.keep.call(await console.ctx(), ref);
  expect([kept.deletion, kept.suspendedAt === null]).toEqual([null, false]);
  expect(await codeOf(organisations.keep.call(await console.ctx(), ref))).toBe("conflict");
  await organisations.resume.call(await console.ctx(), ref);
  await deleteOrganisations({ db: database.worker });
  // Asked for, taken back, going again.
  expect(await rowsOf(world.tenantId)).toEqual({ ...whole, audit_events: (whole.audit_events ?? 0) + 3 });
});

test("an organisation that is in use is never deleted, whatever the table of deletions says", async () => {
  const world = await makeSendingWorld(database);
  const whole = await rowsOf(world.tenantId);
  await sql.query("INSERT INTO organisation_deletions VALUES ($1, 'x', now() - interval '1 day')", [
    world.tenantId,
  ]);
  await deleteOrganisations({ db: database.worker });
  expect(await rowsOf(world.tenantId)).toEqual(whole);
  await sql.query("DELETE FROM organisation_deletions");
});
