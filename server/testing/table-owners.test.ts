import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.ts";
import { testDatabase } from "./database.ts";
import { domainOf, foreignTables, readTables } from "./table-owners.ts";

const database = await testDatabase();
const tables = readTables(path.join(root, "prisma", "schema"));

/** Who still names a table of another domain. Nothing is added here: ask the owner's use case, or read one of prisma/views. */
const exceptions: Record<string, string[]> = {
  // Tells a person of failed sign-ins with a notice of its own, once a while.
  "server/access/queries.ts": ["notices"],
  "server/access/tell-of-failure.ts": ["notices"],
  // Makes an organisation whole: its first roles and its owner; an application with its stages.
  "server/workspace/create-application.ts": ["pipeline_stages"],
  "server/workspace/create-tenant.ts": ["role_assignments", "roles", "users"],
  // Shows both directions on one page, with the texts of both.
  "server/conversations/queries.ts": ["conversations", "inbound_messages", "notifications", "send_requests"],
  // Fees and how far prices were listed are kept with what they belong to.
  "server/costs/queries.ts": ["provider_connections", "tenants"],
  // What waits for a connection is woken in steps that are kept with its health.
  "server/sending/waiting-queries.ts": ["connection_health"],
  // Moves probes of connections that stand beside one in a rule.
  "server/health/queries.ts": ["connection_health"],
  // Calls by the hour or the day with their latencies.
  "server/health/report-queries.ts": ["metric_deltas", "metric_summaries"],
  // Opens and seals again what is sealed, wherever it stands.
  "server/key-rotation/queries.ts": ["platform_channels", "tenants"],
  // Moves pointers of many templates in one statement; compares and imports texts.
  "server/pipelines/pointer-queries.ts": ["template_deployments"],
  "server/pipelines/promotion-queries.ts": ["template_versions"],
  "server/template-files/queries.ts": ["template_versions"],
  "server/templates/refuse-open-promotion.ts": ["promotion_items"],
  // A channel of the operator is given as a connection; a connection is used with the account of its channel.
  "server/platform/give-channel.ts": ["provider_connections"],
  "server/platform/lend-senders.ts": ["provider_connections"],
  "server/platform/take-channel.ts": ["provider_connections"],
  "server/connections/queries.ts": ["platform_channels"],
  // Lists where data is processed, and who allowed it; holds the settings while they change.
  "server/residency/queries.ts": ["audit_events", "shorteners", "tenants"],
  // Holds the connections that rules are about to name.
  "server/routing/queries.ts": ["provider_connections"],
};

/** The product's sources; tests and what helps them look past domains to see what has become of a row. */
const sources = ["app", "server", "worker"].flatMap((folder) =>
  readdirSync(path.join(root, folder), { recursive: true, encoding: "utf8" })
    .map((name) => `${folder}/${name}`)
    .filter((name) => /\.tsx?$/.test(name) && !/\.test\.ts$|^server\/(testing|kernel\/prisma)\//.test(name)),
);
const read = (file: string) => readFileSync(path.join(root, file), "utf8");

test("each table has one owner: a folder of server/ or of the root that bears the name of its schema file", () => {
  const folders = new Set(sources.map(domainOf));
  expect([...new Set(tables.owners.values())].filter((owner) => !folders.has(owner))).toEqual([]);
});

test("a domain names only its own tables, in SQL and through Prisma", () => {
  const found = sources.map((file) => [file, foreignTables(tables, file, read(file))] as const);
  expect(Object.fromEntries(found.filter(([, foreign]) => foreign.length > 0))).toEqual(exceptions);
});

test("a domain that names another's table is found out, however it does so", () => {
  const inSending = (text: string) => foreignTables(tables, "server/sending/some-query.ts", text);
  expect(inSending("`SELECT * FROM notifications n JOIN send_requests r ON true`")).toEqual([]);
  expect(inSending("`SELECT * FROM webhook_endpoints e`")).toEqual(["webhook_endpoints"]);
  expect(inSending("`WITH x AS (DELETE FROM users) UPDATE roles SET name = ''`")).toEqual(["roles", "users"]);
  expect(inSending("`SELECT 1 FROM notifications n, templates AS t, tenants`")).toEqual([
    "templates",
    "tenants",
  ]);
  expect(inSending("await tx.webhookEndpoint.findMany({ where })")).toEqual(["webhook_endpoints"]);
  expect(foreignTables(tables, "worker/presence.ts", "DELETE FROM worker_processes")).toEqual([]);
});

test("a view shows what the role that asks may see, and nothing else", async () => {
  const { rows } = await database.owner.query<{ relname: string }>(
    `SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('v', 'm')
       AND NOT coalesce('security_invoker=true' = ANY (reloptions), false)`,
  );
  expect(rows).toEqual([]);
});

test("the rights to a table stand with its owner", () => {
  const folder = path.join(root, "prisma", "policies");
  for (const file of readdirSync(folder).filter((name) => name !== "queue.sql")) {
    const text = readFileSync(path.join(folder, file), "utf8");
    const granted = [...text.matchAll(/\bON ([\w, \n]+?) TO\b/g)].flatMap(([, list = ""]) =>
      list.split(/,\s*/),
    );
    const known = granted.map((table) => table.trim()).filter((table) => tables.owners.has(table));
    expect(known.length, file).toBeGreaterThan(0);
    for (const table of known) expect(`${String(tables.owners.get(table))}.sql`, table).toBe(file);
  }
});
