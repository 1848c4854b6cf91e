import { readdirSync, readFileSync } from "node:fs";
import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.ts";
import { testDatabase } from "./database.ts";
import { domainOf, foreignTables, readOwnedSql, readTables } from "./table-owners.ts";

const database = await testDatabase();
const tables = readTables(path.join(root, "prisma", "schema"));
const views = readOwnedSql(path.join(root, "prisma", "views"));
const functions = readOwnedSql(path.join(root, "prisma", "functions"));

/** Who names a table of another domain. Nothing is added here: ask the owner's use case, or read one of prisma/views. */
const exceptions: Record<string, string[]> = {
  // Seals anew what is sealed, wherever it stands: its test holds the list to every such column that there is.
  "server/key-rotation/queries.ts": ["operator_second_factors", "platform_channels", "tenants"],
  // Removes and hands out what is kept of a recipient, wherever it stands: its registry names every table, and a test compares it
  // with the schema.
  "server/privacy/erasure-queries.ts": ["inbound_messages", "inbound_parts"],
  "server/privacy/purge-steps.ts": [
    "address_words",
    "broadcast_recipients",
    "broadcasts",
    "idempotency_keys",
    "routing_revisions",
    "send_requests",
  ],
  "server/privacy/recipient-queries.ts": [
    "address_links",
    "consent_confirmations",
    "consent_entries",
    "consent_reviews",
    "conversations",
    "inbound_messages",
    "notifications",
    "send_requests",
    "short_links",
    "suppressions",
    "users",
    "word_replies",
  ],
};

/** SQL functions that name a table of another domain: what they write there commits, in one statement, with what they are for. */
const functionExceptions: Record<string, string[]> = {
  // What is owed and counted for a message, in the statement that accepts it, ...
  accept_sends: ["metric_deltas", "webhook_deliveries"],
  // ... or changes it, with what it cost.
  advance_notifications: ["cost_entries", "metric_deltas", "webhook_deliveries"],
  // Takes no region without an entry in the audit trail.
  change_transfer_regions: ["audit_events"],
  // The token of the set-up page and the first organisation exclude one another.
  create_first_tenant: ["tenants"],
  set_up_token: ["tenants"],
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
  const found = sources.map((file) => [file, foreignTables(tables, domainOf(file), read(file))] as const);
  expect(Object.fromEntries(found.filter(([, foreign]) => foreign.length > 0))).toEqual(exceptions);
});

test("each view and each SQL function says whose it is", () => {
  const folders = new Set(sources.map(domainOf));
  expect([...views, ...functions].filter(({ owner }) => !folders.has(owner))).toEqual([]);
});

test("a view shows its owner's tables only", () => {
  expect(views.flatMap(({ owner, text }) => foreignTables(tables, owner, text))).toEqual([]);
});

test("an SQL function names only its owner's tables", () => {
  const found = functions.map(({ file, owner, text }) => [file, foreignTables(tables, owner, text)] as const);
  expect(Object.fromEntries(found.filter(([, foreign]) => foreign.length > 0))).toEqual(functionExceptions);
});

test("a domain that names another's table is found out, however it does so", () => {
  const inSending = (text: string) => foreignTables(tables, "sending", text);
  expect(inSending("`SELECT * FROM notifications n JOIN send_requests r ON true`")).toEqual([]);
  expect(inSending("`SELECT * FROM webhook_endpoints e`")).toEqual(["webhook_endpoints"]);
  expect(inSending("`WITH x AS (DELETE FROM users) UPDATE roles SET name = ''`")).toEqual(["roles", "users"]);
  expect(inSending("`SELECT 1 FROM notifications n, templates AS t, tenants`")).toEqual([
    "templates",
    "tenants",
  ]);
  expect(inSending("RETURNS SETOF templates LANGUAGE sql")).toEqual(["templates"]);
  expect(inSending("await tx.webhookEndpoint.findMany({ where })")).toEqual(["webhook_endpoints"]);
  expect(foreignTables(tables, domainOf("worker/presence.ts"), "DELETE FROM worker_processes")).toEqual([]);
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
