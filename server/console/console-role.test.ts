import { expect, test } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { makeConsole } from "../testing/console-world.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";

const database = await testDatabase();
const console = await makeConsole(database);
const tenant = await makeTenant(database);
const denied = /permission denied/;

/** All that the console's role may do with tables: whole ones, or single columns in brackets. */
const rights: Record<string, string> = {
  audit_events: "INSERT",
  channel_requests:
    "INSERT (action, id, input, ip, operator_id, operator_name, organisation, organisation_slug, request_id, session_id), SELECT",
  operator_events: "INSERT, SELECT",
  operator_links: "DELETE, SELECT",
  operator_recovery_codes: "DELETE, INSERT, SELECT, UPDATE (used_at)",
  operator_second_factors: "DELETE, INSERT, SELECT, UPDATE (confirmed_at, created_at, last_step, secret)",
  operator_sessions: "DELETE, INSERT, SELECT, UPDATE (ended_at, last_seen_at)",
  operators: "SELECT, UPDATE (password_hash)",
  organisation_deletions: "DELETE, INSERT (organisation, organisation_slug), SELECT",
  sending_holds: "DELETE, SELECT",
  tenant_permits: "INSERT",
  quota_days: "SELECT",
  tenant_quotas: "INSERT, SELECT, UPDATE",
  tenant_states: "SELECT",
  tenants:
    "SELECT (created_at, data_region, id, name, platform_fees, resumed_at, slug, suspended_at), UPDATE (platform_fees, resumed_at, suspended_at)",
};

test("what the console's role may see and write is this list: no table that holds what organisations send, to whom, or who they are", async () => {
  const { rows } = await database.owner.query<{ name: string; rights: string }>(`
    SELECT c.relname AS name, string_agg(right_of, ', ' ORDER BY right_of) AS rights
    FROM pg_class c
    CROSS JOIN LATERAL (
      SELECT p AS right_of FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE', 'TRUNCATE', 'REFERENCES', 'TRIGGER']) AS p
      WHERE has_table_privilege('tidings_console', c.oid, p)
      UNION ALL
      SELECT p || ' (' || string_agg(a.attname, ', ' ORDER BY a.attname) || ')'
      FROM unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'REFERENCES']) AS p
      JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
        AND has_column_privilege('tidings_console', c.oid, a.attnum, p)
      WHERE NOT has_table_privilege('tidings_console', c.oid, p)
      GROUP BY p
    ) AS r
    WHERE c.relnamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace) AND c.relkind IN ('r', 'p', 'v', 'm', 'f')
    GROUP BY 1 ORDER BY 1`);
  expect(Object.fromEntries(rows.map(({ name, rights: found }) => [name, found]))).toEqual(rights);
});

/** What it may call past its own rights. */
const calls = [
  "channel_assignments(p_channel uuid, p_before uuid, p_limit integer)",
  "channel_states()",
  "database_state()",
  "held_broadcasts()",
  "held_messages()",
  "held_webhooks()",
  "last_checkpoint()",
  "queue_state(p_most integer)",
  "sweep_state()",
  "worker_state()",
];

test("what it may call with the rights of others is this list, and tells figures, times and who has the operator's own channels", async () => {
  const { rows } = await database.owner.query<{ name: string; result: string }>(`
    SELECT p.proname || '(' || pg_get_function_identity_arguments(p.oid) || ')' AS name, pg_get_function_result(p.oid) AS result
    FROM pg_proc p
    WHERE p.pronamespace IN ('public'::regnamespace, 'graphile_worker'::regnamespace) AND p.prosecdef
      AND has_function_privilege('tidings_console', p.oid, 'EXECUTE')
      AND has_schema_privilege('tidings_console', p.pronamespace, 'USAGE')
    ORDER BY 1`);
  expect(rows.map(({ name }) => name)).toEqual(calls);
  const columns = rows.flatMap(({ result }) =>
    [...result.matchAll(/(\w+) text(\[\])?/g)].map(([, column]) => column),
  );
  // The only texts: names of kinds of jobs and messages, of organisations, of processes and their lanes, Postgres's version, and of the operator's channels.
  expect(columns.sort()).toEqual([
    "channel",
    "channels",
    "class",
    "connection",
    "lanes",
    "name",
    "name",
    "provider",
    "region",
    "slug",
    "slug",
    "slug",
    "slug",
    "task",
    "version",
  ]);
});

test("its login owns nothing, bypasses nothing and inherits nothing", async () => {
  const { rows } = await database.owner.query(
    `SELECT r.rolsuper OR r.rolbypassrls OR r.rolcreaterole OR r.rolcreatedb OR r.rolreplication AS mighty,
            (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS owns
     FROM pg_roles r WHERE r.rolname LIKE 'tidings\\_console%'`,
  );
  expect(rows.length).toBeGreaterThanOrEqual(2);
  for (const row of rows) expect(row).toEqual({ mighty: false, owns: 0 });
  for (const role of ["tidings_web", "tidings_worker"]) {
    await expect(console.db.pool.query(`SET ROLE ${role}`)).rejects.toThrow(/permission denied to set role/);
  }
});

test("no statement of it reaches what an organisation has, with or without naming the organisation", async () => {
  for (const table of [
    "notifications",
    "send_requests",
    "templates",
    "template_versions",
    "users",
    "sessions",
    "api_keys",
    "inbound_messages",
    "provider_connections",
    "attempts",
    "webhook_deliveries",
    "tenant_facts",
    "audit_facts",
    "platform_channels",
    "graphile_worker._private_jobs",
  ]) {
    const within = inTenant({ db: console.db, tenantId: tenant.tenantId }, (tx) =>
      tx.$queryRawUnsafe(`SELECT count(*) FROM ${table}`),
    );
    await expect(within, table).rejects.toThrow(denied);
  }
  for (const column of ["settings", "data_key"]) {
    await expect(console.db.pool.query(`SELECT ${column} FROM tenants`)).rejects.toThrow(denied);
  }
  for (const statement of [
    "INSERT INTO tenants (id, slug, name, data_key) VALUES (gen_random_uuid(), 'x', 'X', '')",
    "DELETE FROM tenants",
    "UPDATE tenants SET slug = 'x'",
    "SELECT enqueue_jobs('[]')",
    "SELECT find_identities('x')",
    "SELECT data FROM audit_events",
  ]) {
    await expect(console.db.pool.query(statement), statement).rejects.toThrow(denied);
  }
});

test("the operators' log is only added to, by the console, and nobody else sees it or an operator", async () => {
  for (const statement of [
    "UPDATE operator_events SET action = 'x'",
    "DELETE FROM operator_events",
    "TRUNCATE operator_events",
    "UPDATE operators SET email = 'x'",
    "INSERT INTO operators (id, email, name) VALUES (gen_random_uuid(), 'x', 'x')",
    "INSERT INTO operator_links VALUES (gen_random_uuid(), '', now())",
  ]) {
    await expect(console.db.pool.query(statement), statement).rejects.toThrow(denied);
  }
  for (const db of [database.web, database.worker]) {
    for (const table of [
      "operators",
      "operator_links",
      "operator_sessions",
      "operator_events",
      "operator_second_factors",
      "operator_recovery_codes",
      "tenant_permits",
    ]) {
      await expect(db.pool.query(`SELECT * FROM ${table}`), table).rejects.toThrow(denied);
    }
    await expect(db.pool.query("SELECT queue_state(1)")).rejects.toThrow(denied);
  }
});

test("a deletion that it asks for begins after seven days: it can name no earlier time and move none", async () => {
  const { tenantId } = await makeTenant(database);
  const asked = `('${tenantId}', 'x'`;
  for (const statement of [
    `INSERT INTO organisation_deletions (organisation, organisation_slug, due_at) VALUES ${asked}, now())`,
    `INSERT INTO organisation_deletions (organisation, organisation_slug, due_at) VALUES ${asked}, now() + interval '30 days')`,
    `INSERT INTO organisation_deletions (organisation, organisation_slug, started_at) VALUES ${asked}, now())`,
    `INSERT INTO organisation_deletions (organisation, organisation_slug) VALUES ${asked})
     ON CONFLICT (organisation) DO UPDATE SET due_at = now()`,
    "UPDATE organisation_deletions SET due_at = now()",
    "ALTER TABLE organisation_deletions DISABLE TRIGGER ALL",
    "SET session_replication_role = replica",
    `SELECT delete_organisation('${tenantId}', 1)`,
  ]) {
    await expect(console.db.pool.query(statement), statement).rejects.toThrow(/denied|must be owner/);
  }
  const { rows } = await console.db.pool.query<{ whole: boolean }>(
    `INSERT INTO organisation_deletions (organisation, organisation_slug) VALUES ${asked})
     RETURNING due_at > now() + interval '7 days' - interval '1 second' AND deletion_days() = 7 AS whole`,
  );
  expect(rows).toEqual([{ whole: true }]);
  // Taken back and asked for again, the days are counted anew.
  await console.db.pool.query(`DELETE FROM organisation_deletions WHERE organisation = '${tenantId}'`);
});

test("a deletion that has begun, or whose time has come, cannot be taken back with any statement of it", async () => {
  for (const [due, started] of [
    ["now() - interval '1 second'", "NULL"],
    ["now() + interval '1 day'", "now()"],
  ]) {
    const { tenantId } = await makeTenant(database);
    await database.owner.query(
      `INSERT INTO organisation_deletions (organisation, organisation_slug, due_at, started_at)
       VALUES ($1, 'x', ${String(due)}, ${String(started)})`,
      [tenantId],
    );
    const take = `DELETE FROM organisation_deletions WHERE organisation = '${tenantId}'`;
    expect((await console.db.pool.query(take)).rowCount).toBe(0);
    expect((await database.owner.query(take)).rowCount).toBe(1);
  }
});

test("in an organisation's trail it writes as the operator only, and reads nothing back", async () => {
  const add = (name: string, tenantId = tenant.tenantId) =>
    inTenant({ db: console.db, tenantId: tenant.tenantId }, (tx) =>
      tx.$executeRawUnsafe(
        `INSERT INTO audit_events (tenant_id, id, at, actor_type, actor_name, action, target_type, request_id)
         VALUES ('${tenantId}', gen_random_uuid(), now(), 'system', '${name}', 'x', 'tenant', 'r')`,
      ),
    );
  const other = await makeTenant(database);
  await add("Operator");
  await expect(add("Somebody")).rejects.toThrow(/row-level security/);
  await expect(add("Operator", other.tenantId)).rejects.toThrow(/row-level security/);
});
