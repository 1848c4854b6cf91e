import path from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.ts";
import { testDatabase } from "../testing/database.ts";
import { readTables } from "../testing/table-owners.ts";
import { columnsOf, ofRecipients, registry } from "./registry.ts";
import type { Holds } from "./registry.ts";
import { purgeSteps } from "./purge-steps.ts";

/* Nothing personal is stored without being declared: the registry and the live schema are the same. */

const database = await testDatabase();

/** Columns that can hold what somebody wrote: all but numbers, times, ids and flags. */
async function liveColumns(): Promise<Record<string, string[]>> {
  const { rows } = await database.owner.query<{ table: string; columns: string[] }>(`
    SELECT c.relname AS "table",
      coalesce(array_agg(a.attname::text ORDER BY a.attname) FILTER (WHERE t.typcategory IN ('S', 'I', 'U', 'X')
        AND t.typname <> 'uuid' OR t.typcategory = 'A' AND e.typname <> 'uuid' AND e.typcategory IN ('S', 'U', 'C')), '{}') AS columns
    FROM pg_class c
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
    JOIN pg_type t ON t.oid = a.atttypid LEFT JOIN pg_type e ON e.oid = t.typelem
    WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
      AND c.relname NOT LIKE '\\_%'
    GROUP BY c.relname`);
  return Object.fromEntries(rows.map(({ table, columns }) => [table, columns]));
}

const kinds: Holds[] = [
  "address",
  "content",
  "mention",
  "member",
  "authored",
  "file",
  "words",
  "sealed",
  "token",
  "plain",
];

test("every column that can hold what somebody wrote is declared, once, as what it holds", async () => {
  const declared = Object.fromEntries(
    Object.keys(registry).map((table) => [table, columnsOf(table, kinds).sort()]),
  );
  const hint =
    "Columns marked + are not in server/privacy/registry.ts: say what they hold and how long it stays";
  expect(await liveColumns(), hint).toEqual(declared);
});

test("the owner of each table is the one that its schema file names", () => {
  const { owners } = readTables(path.join(root, "prisma", "schema"));
  expect(Object.fromEntries(Object.entries(registry).map(([table, { owner }]) => [table, owner]))).toEqual(
    Object.fromEntries([...owners].sort(([a], [b]) => (a < b ? -1 : 1))),
  );
});

test("each period is carried out: what is kept for a time has a step that removes it", () => {
  const elsewhere: Record<string, string> = {
    audit_events: "server/audit/purge-audit.ts",
    audit_links: "server/audit/purge-audit.ts",
    exports: "server/exports/purge-exports.ts",
    import_errors: "server/imports/purge-imports.ts",
    imports: "server/imports/purge-imports.ts",
    template_import_items: "server/template-files/purge-imports.ts",
    template_imports: "server/template-files/purge-imports.ts",
    idempotency_keys: "with send_requests",
  };
  const timed = Object.entries(registry).filter(([, { kept }]) => typeof kept === "string" || "days" in kept);
  const missing = timed.filter(
    ([table]) =>
      elsewhere[table] === undefined &&
      !purgeSteps.some((step) => step.table === table && step.action === "delete"),
  );
  expect(missing.map(([table]) => table)).toEqual([]);
});

test("what is about a recipient and stays longer than contents is blanked with them", () => {
  const staying = Object.entries(registry).filter(
    ([table, { kept }]) => kept === "metadata" && columnsOf(table, ofRecipients).length > 0,
  );
  const uncovered = staying.filter(
    ([table]) => !purgeSteps.some((step) => step.table === table && step.period === "content"),
  );
  // A caller's own identifier of a request, and a provider's words about an outage: of no message's content.
  expect(uncovered.map(([table]) => table)).toEqual(["connection_incidents", "idempotency_keys"]);
});

test("what is blanked can be blanked", async () => {
  for (const [table, { blank = {} }] of Object.entries(registry)) {
    const set = Object.entries(blank).map(([column, value]) => `${column} = ${value}`);
    if (set.length > 0) await database.owner.query(`EXPLAIN UPDATE ${table} SET ${set.join(", ")}`);
    const about = columnsOf(table, ofRecipients);
    expect(Object.keys(blank).filter((column) => !about.includes(column))).toEqual([]);
  }
});
