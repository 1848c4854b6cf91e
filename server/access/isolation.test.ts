import { expect, test } from "vitest";
import { inTenant, queryInTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const other = await makeTenant(database);
await tenant.makeKey("production");
await tenant.addSimulator();

/** Every table and partition of the schema, with what guards it. */
async function tables() {
  const { rows } = await database.owner.query<{
    name: string;
    partition: boolean;
    tenant_column: string | null;
    enabled: boolean;
    forced: boolean;
    policies: string[];
  }>(`
    SELECT c.relname AS name, c.relispartition AS partition, c.relrowsecurity AS enabled, c.relforcerowsecurity AS forced,
           CASE WHEN c.relname = 'tenants' THEN 'id'
                WHEN EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped)
                THEN 'tenant_id' END AS tenant_column,
           ARRAY(SELECT format('%s: %s / %s', (SELECT string_agg(r::regrole::text, ',') FROM unnest(p.polroles) AS r),
                               pg_get_expr(p.polqual, p.polrelid), pg_get_expr(p.polwithcheck, p.polrelid))
                 FROM pg_policy p WHERE p.polrelid = c.oid ORDER BY p.polname) AS policies
    FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') ORDER BY 1`);
  return rows;
}

/** Tables that hold no tenant's data; of the line of a checkpoint, which names all tenants, the web role reads the time alone. */
const shared = new Set([
  "audit_checkpoints",
  "audit_progress",
  "audit_signers",
  "passkey_challenges",
  "sign_in_delays",
  "set_up_tokens",
  "_applied_sql",
  "_prisma_migrations",
  "platform_channels",
  "sending_holds",
  "worker_processes",
  "operators",
  "operator_links",
  "operator_sessions",
  "operator_events",
  "channel_requests",
  "operator_second_factors",
  "operator_recovery_codes",
  "organisation_deletions",
  "tenant_permits",
  "sweep_reports",
  "web_gaps",
  "web_presence",
]);

test("row-level security is on and forced for every tenant table and every partition", async () => {
  const all = await tables();
  expect(all.filter((table) => table.partition).length).toBeGreaterThanOrEqual(10);
  for (const table of all) {
    if (shared.has(table.name)) continue;
    expect(table, table.name).toMatchObject({
      enabled: true,
      forced: true,
      tenant_column: expect.any(String) as string,
    });
  }
});

test("the web role reaches a tenant table only through its own tenant, and no partition at all", async () => {
  const { rows } = await database.owner.query<{ owner: string }>("SELECT current_user AS owner");
  for (const table of await tables()) {
    if (shared.has(table.name)) continue;
    const own = `(${table.tenant_column ?? ""} = ( SELECT current_tenant() AS current_tenant))`;
    // What the console may do is in server/console/console-role.test.ts.
    const policies = table.policies.filter(
      (policy) =>
        !policy.startsWith("tidings_console: ") &&
        // Beside its own: of the ledger it deletes what holds an address back, and nothing else.
        !(table.name === "consent_entries" && policy === "tidings_web: (source = 'review'::text) / "),
    );
    expect(policies, table.name).toEqual(
      table.partition
        ? []
        : [`${rows[0]!.owner}: true / true`, `tidings_web: ${own} / ${own}`, "tidings_worker: true / true"],
    );
  }
});

test("the roles of web and worker own nothing, bypass nothing and inherit nothing", async () => {
  const { rows } = await database.owner.query(`
    SELECT r.rolname, r.rolsuper, r.rolbypassrls, r.rolcreaterole, r.rolcreatedb, r.rolreplication,
           (SELECT count(*)::int FROM pg_class c WHERE c.relowner = r.oid) AS tables,
           (SELECT count(*)::int FROM pg_auth_members m WHERE m.member = r.oid) AS memberships
    FROM pg_roles r WHERE r.rolname IN ('tidings_web', 'tidings_worker') ORDER BY 1`);
  const harmless = {
    rolsuper: false,
    rolbypassrls: false,
    rolcreaterole: false,
    rolcreatedb: false,
    rolreplication: false,
    tables: 0,
    memberships: 0,
  };
  expect(rows).toEqual([
    { rolname: "tidings_web", ...harmless },
    { rolname: "tidings_worker", ...harmless },
  ]);
  const web = await database.web.pool.query<{ role: string }>("SELECT current_user AS role");
  expect(web.rows).toEqual([{ role: "tidings_web" }]);
});

test("under one tenant no row of another is visible, in any table", async () => {
  for (const { name, tenant_column, partition } of await tables()) {
    if (shared.has(name) || partition) continue;
    const [row] = await queryInTenant<{ foreign: string }>(
      other.system,
      `SELECT count(*) AS foreign FROM ${name} WHERE ${tenant_column ?? ""} <> $1`,
      [other.tenantId],
    );
    expect(row?.foreign, name).toBe("0");
  }
  const [mine] = await queryInTenant<{ count: string }>(tenant.system, "SELECT count(*) FROM users", []);
  expect(Number(mine?.count)).toBeGreaterThan(0);
});

test("without a tenant the web role sees and writes nothing", async () => {
  for (const { name, partition } of await tables()) {
    if (shared.has(name) || partition) continue;
    const { rows } = await database.web.pool.query<{ count: string }>(`SELECT count(*) FROM ${name}`);
    expect(rows[0]?.count, name).toBe("0");
  }
  await expect(
    database.web.pool.query(
      "INSERT INTO organization_units (tenant_id, id, slug, name) VALUES ($1, $2, 'x', 'X')",
      [tenant.tenantId, newId()],
    ),
  ).rejects.toThrow(/row-level security/);
});

test("a partition cannot be read around its table", async () => {
  const { rows } = await database.owner.query<{ name: string }>(
    "SELECT relname AS name FROM pg_class WHERE relispartition AND relkind = 'r' AND relnamespace = 'public'::regnamespace",
  );
  for (const { name } of rows) {
    await expect(database.web.pool.query(`SELECT FROM ${name}`), name).rejects.toThrow(/permission denied/);
  }
});

test("no statement moves or adds a row into another tenant", async () => {
  await expect(
    inTenant(tenant.system, (tx) =>
      tx.organizationUnit.create({
        data: { tenantId: other.tenantId, id: newId(), slug: "planted", name: "Planted" },
      }),
    ),
  ).rejects.toThrow(/row-level security/);
  await expect(
    inTenant(tenant.system, (tx) =>
      tx.organizationUnit.updateMany({ where: { slug: "beta" }, data: { tenantId: other.tenantId } }),
    ),
  ).rejects.toThrow(/row-level security/);
  const touched = await inTenant(tenant.system, (tx) =>
    tx.organizationUnit.updateMany({ where: { tenantId: other.tenantId }, data: { name: "Taken" } }),
  );
  expect(touched.count).toBe(0);
});

test("a connection that goes back to the pool forgets its tenant", async () => {
  await Promise.all(
    Array.from({ length: 30 }, () => queryInTenant(tenant.system, "SELECT count(*) FROM users", [])),
  );
  await queryInTenant(tenant.system, "SELECT 1/0", []).catch(() => undefined);
  const seen = await Promise.all(
    Array.from({ length: 30 }, async () => {
      const { rows } = await database.web.pool.query<{ tenant: string | null }>(
        "SELECT current_tenant() AS tenant",
      );
      return rows[0]?.tenant;
    }),
  );
  expect(new Set(seen)).toEqual(new Set([null]));
});

test("the functions that the web role may run past row-level security are these, with a fixed search path", async () => {
  const { rows } = await database.owner.query<{ name: string; safe: boolean }>(`
    SELECT p.proname AS name, coalesce(p.proconfig::text LIKE '%search_path=public%', false) AS safe
    FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef
      AND has_function_privilege('tidings_web', p.oid, 'EXECUTE') ORDER BY 1`);
  expect(rows).toEqual(
    [
      "add_quota_use",
      "add_requests",
      "analyze_new_contacts",
      "change_transfer_regions",
      "count_sign_in",
      "create_first_tenant",
      "create_permitted_tenant",
      "enqueue_jobs",
      "find_api_key",
      "find_connection_tenant",
      "find_identities",
      "find_identity_providers",
      "find_invitation",
      "find_passkey",
      "find_platform_channel",
      "find_platform_connections",
      "find_platform_messages",
      "find_short_link",
      "find_sign_in",
      "has_one_organisation",
      "merge_ai_settings",
      "merge_consent_policies",
      "merge_consent_words",
      "merge_retention_settings",
      "merge_word_replies",
      "note_answers",
      "note_key_uses",
      "pending_migrations",
      "published_status_pages",
      "purge_quota_days",
      "purge_rate_windows",
      "rename_tenant",
      "restart_purge",
      "set_audit_retention",
      "set_up_token",
      "suspended_tenants",
      "take_back_sign_in",
      "take_passkey_challenge",
    ].map((name) => ({ name, safe: true })),
  );
});

test("the web role can write the audit trail and not rewrite it", async () => {
  const [row] = await queryInTenant<{ id: string }>(tenant.system, "SELECT id FROM audit_events LIMIT 1", []);
  expect(row).toBeDefined();
  for (const statement of ["UPDATE audit_events SET action = 'x'", "DELETE FROM audit_events"]) {
    await expect(inTenant(tenant.system, (tx) => tx.$executeRawUnsafe(statement))).rejects.toThrow(
      /permission denied/,
    );
  }
});
