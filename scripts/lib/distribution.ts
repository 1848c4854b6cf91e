import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import type pg from "pg";
import { root } from "./paths.ts";

/*
 * What Citus asks of a schema that is distributed by tenant: primary keys, unique indexes and foreign keys have the distribution
 * column; triggers, and statements that name no tenant, work on the coordinator or not at all. What is here reads a real, migrated
 * database, so that a table of tomorrow is noticed.
 */

/** Small, the same on every node, because statements of one tenant join them. */
export const referenceTables: Record<string, string> = {
  platform_channels: "connections of any organisation may use the operator's channels",
};

/** Of the installation, not of a tenant: they stay on the coordinator, and nothing of a tenant joins them. */
export const localTables: Record<string, string> = {
  _applied_sql: "which SQL files have run",
  _prisma_migrations: "which migrations have run",
  audit_checkpoints: "signed heads of the trails of all organisations together",
  audit_progress: "how far the installation's checks of the trails are",
  audit_signers: "the installation's signing keys",
  channel_requests: "what operators ask the worker to do",
  operator_events: "the operators' log",
  operator_links: "operators",
  operator_recovery_codes: "operators",
  operator_second_factors: "operators",
  operator_sessions: "operators",
  operators: "operators",
  organisation_deletions: "what operators delete",
  passkey_challenges: "before anybody is known",
  sending_holds: "of the whole installation",
  set_up_tokens: "before there is an organisation",
  sign_in_delays: "before anybody is known",
  sweep_reports: "of the whole installation",
  tenant_permits: "before there is an organisation",
  web_gaps: "when no web process ran",
  web_presence: "which web processes run",
  worker_processes: "which workers run",
};

/** What does not fit a distribution by tenant today, and why, by the words of a finding. */
export const remaining: Record<string, string> = {
  ...Object.fromEntries(
    [
      "unique index domains_claimed_name_key of domains: without tenant_id",
      "unique index invitations_token_hash_key of invitations: without tenant_id",
      "unique index passkeys_credential_id_key of passkeys: without tenant_id",
      "unique index senders_lent_once of senders: without tenant_id",
      "unique index short_links_code_key of short_links: without tenant_id",
      "unique index status_pages_slug_key of status_pages: without tenant_id",
      "unique index tenants_slug_key of tenants: without id",
    ].map((finding) => [
      finding,
      "is one in the whole installation: needs a directory table on the coordinator",
    ]),
  ),
  ...Object.fromEntries(
    [
      "trigger count_changed_costs of cost_entries",
      "trigger count_new_costs of cost_entries",
      "trigger count_new_members of contact_group_members",
      "trigger count_removed_members of contact_group_members",
      "trigger guard_changed_platform_connection of provider_connections",
      "trigger guard_ended_platform_connection of provider_connections",
      "trigger guard_new_platform_connection of provider_connections",
      "trigger sync_changed_senders of provider_connections",
      "trigger sync_ended_senders of provider_connections",
      "trigger sync_new_senders of provider_connections",
    ].map((finding) => [
      finding,
      "changes rows of the same tenant alone: needs citus.enable_unsafe_triggers",
    ]),
  ),
  "trigger end_set_up of tenants": "changes a table of the coordinator: becomes a statement of the use case",
  "function accept_sends: writes jobs in the same transaction":
    "the queue is on the coordinator: the function runs there, and its transaction has two places",
  "function advance_notifications: writes jobs in the same transaction": "the same",
  ...Object.fromEntries(
    [
      "function purge_quota_days: of all tenants",
      "function purge_rate_windows: of all tenants",
      "function set_up_token: of all tenants",
      "function suspended_tenants: of all tenants",
      "function webhook_backlog: of all tenants",
    ].map((finding) => [finding, "asks every shard, seldom"]),
  ),
  ...Object.fromEntries(
    [
      "server/access/answer-queries.ts",
      "server/audit/chain-queries.ts",
      "server/audit/queries.ts",
      "server/budgets/queries.ts",
      "server/costs/queries.ts",
      "server/exports/queries.ts",
      "server/inbound/part-queries.ts",
      "server/insights/fold-queries.ts",
      "server/insights/rollup-store.ts",
      "server/key-rotation/queries.ts",
      "server/links/queries.ts",
      "server/objectives/queries.ts",
      "server/pipelines/pipeline-queries.ts",
      "server/privacy/erasure-queries.ts",
      "server/sending/approval-queries.ts",
      "server/sending/notification-queries.ts",
      "server/sending/queries.ts",
      "server/tenancy/find-unreadable-policies.ts",
      "server/tenancy/suspension-queries.ts",
      "server/webhooks/queries.ts",
    ].map((file) => [
      `statements of ${file}: of all tenants`,
      "the worker's rounds, look-ups before a tenant is known, commands: they ask every shard",
    ]),
  ),
};

export type TableKind = "distributed" | "reference" | "local" | "undecided";

/** Findings that nobody has decided about, and decisions about what is not found any more. */
export function undecided({ findings }: Distribution): { unknown: string[]; outdated: string[] } {
  return {
    unknown: findings.filter((finding) => !Object.hasOwn(remaining, finding)),
    outdated: Object.keys(remaining).filter((finding) => !findings.includes(finding)),
  };
}

export interface Distribution {
  tables: { name: string; kind: TableKind; partitioned: boolean }[];
  /** What does not fit, in words; sorted. */
  findings: string[];
}

const tenantColumn = (table: string) => (table === "tenants" ? "id" : "tenant_id");

/** Reads the catalogue of a migrated database, and the statements of the sources. */
export async function readDistribution(client: Pick<pg.ClientBase, "query">): Promise<Distribution> {
  const { rows: tables } = await client.query<{ name: string; tenant: boolean; partitioned: boolean }>(
    `SELECT c.relname AS name, c.relkind = 'p' AS partitioned,
       c.relname = 'tenants' OR EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname = 'tenant_id' AND NOT a.attisdropped) AS tenant
     FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition ORDER BY 1`,
  );
  const kindOf = ({ name, tenant }: (typeof tables)[number]): TableKind => {
    if (Object.hasOwn(referenceTables, name)) return "reference";
    if (Object.hasOwn(localTables, name)) return "local";
    return tenant ? "distributed" : "undecided";
  };
  const kinds = new Map(tables.map((table) => [table.name, kindOf(table)]));
  const distributed = new Set([...kinds].flatMap(([name, kind]) => (kind === "distributed" ? [name] : [])));
  const findings = [
    ...[...kinds].flatMap(([name, kind]) =>
      kind === "undecided" ? [`table ${name}: neither distributed nor named`] : [],
    ),
    ...(await uniqueIndexes(client, distributed)),
    ...(await foreignKeys(client, kinds)),
    ...(await triggers(client, distributed)),
    ...(await views(client, distributed)),
    ...(await functions(client, distributed)),
    ...statements(distributed),
  ];
  return {
    tables: tables.map((table) => ({
      name: table.name,
      kind: kindOf(table),
      partitioned: table.partitioned,
    })),
    findings: [...new Set(findings)].sort(),
  };
}

/** A unique index holds on each shard only: without the tenant in it, it would promise nothing. */
async function uniqueIndexes(client: Pick<pg.ClientBase, "query">, distributed: ReadonlySet<string>) {
  const { rows } = await client.query<{ table: string; name: string; columns: string[] }>(
    `SELECT c.relname AS table, i.indexrelid::regclass::text AS name,
       ARRAY(SELECT a.attname::text FROM unnest(i.indkey) AS k(number) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number) AS columns
     FROM pg_index i JOIN pg_class c ON c.oid = i.indrelid
     WHERE c.relnamespace = 'public'::regnamespace AND NOT c.relispartition AND (i.indisunique OR i.indisexclusion)`,
  );
  return rows.flatMap(({ table, name, columns }) =>
    distributed.has(table) && !columns.includes(tenantColumn(table))
      ? [`unique index ${name} of ${table}: without ${tenantColumn(table)}`]
      : [],
  );
}

async function foreignKeys(client: Pick<pg.ClientBase, "query">, kinds: ReadonlyMap<string, TableKind>) {
  const { rows } = await client.query<{ name: string; from: string; to: string; pairs: string[] }>(
    `SELECT k.conname AS name, f.relname AS from, t.relname AS to,
       ARRAY(SELECT a.attname || '=' || b.attname FROM unnest(k.conkey, k.confkey) AS p(one, other)
             JOIN pg_attribute a ON a.attrelid = f.oid AND a.attnum = p.one JOIN pg_attribute b ON b.attrelid = t.oid AND b.attnum = p.other) AS pairs
     FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
     WHERE k.contype = 'f' AND k.conparentid = 0 AND k.connamespace = 'public'::regnamespace`,
  );
  return rows.flatMap(({ name, from, to, pairs }) => {
    const [one, other] = [kinds.get(from), kinds.get(to)];
    const says = `foreign key ${name} of ${from} to ${to}`;
    if (one === "distributed" && other === "reference") return [];
    if (one === "distributed" && other === "distributed")
      return pairs.includes(`${tenantColumn(from)}=${tenantColumn(to)}`)
        ? []
        : [`${says}: without the tenant`];
    return one === other || other === "reference" ? [] : [`${says}: from ${String(one)} to ${String(other)}`];
  });
}

async function triggers(client: Pick<pg.ClientBase, "query">, distributed: ReadonlySet<string>) {
  const { rows } = await client.query<{ table: string; name: string }>(
    `SELECT c.relname AS table, t.tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid
     WHERE NOT t.tgisinternal AND t.tgparentid = 0 AND c.relnamespace = 'public'::regnamespace`,
  );
  return rows.flatMap(({ table, name }) => (distributed.has(table) ? [`trigger ${name} of ${table}`] : []));
}

/** The tables of a set that a text of SQL names. */
function namedIn(text: string, tables: ReadonlySet<string>): string[] {
  const named = [
    ...text.matchAll(/\b(?:from|join|into|update|using)\s+\(*(?:only\s+)?(?:public\.)?"?(\w+)"?/gi),
  ];
  return [...new Set(named.map(([, name = ""]) => name))].filter((name) => tables.has(name));
}

const bare = (text: string) => text.replaceAll(/--.*/g, "");
const namesTenant = (text: string) =>
  /tenant_id|p_tenant|p_organisation|app\.tenant|current_tenant/.test(text);

/** A view of several tables joins them by tenant, and hands the tenant on. */
async function views(client: Pick<pg.ClientBase, "query">, distributed: ReadonlySet<string>) {
  const { rows } = await client.query<{ name: string; text: string; tenant: boolean }>(
    `SELECT c.relname AS name, pg_get_viewdef(c.oid) AS text,
       EXISTS (SELECT FROM pg_attribute a WHERE a.attrelid = c.oid AND a.attname IN ('tenant_id', 'id')) AS tenant
     FROM pg_class c WHERE c.relkind = 'v' AND c.relnamespace = 'public'::regnamespace`,
  );
  return rows.flatMap(({ name, text, tenant }) => {
    const named = namedIn(text, distributed);
    const joins = [...text.matchAll(/tenant_id\s*=\s*\(?\w+\.(?:tenant_id|id)\b|\.id\s*=\s*\w+\.tenant_id/g)]
      .length;
    if (named.length > 0 && !tenant) return [`view ${name}: does not hand the tenant on`];
    // The parts of a union are put together, not joined.
    const unions = [...text.matchAll(/\bUNION\b/g)].length;
    return joins + unions < named.length - 1
      ? [`view ${name}: joins ${named.join(", ")} otherwise than by tenant`]
      : [];
  });
}

/** A function that reads or writes tenants' tables names the tenant; and it writes nothing that is on the coordinator alone. */
async function functions(client: Pick<pg.ClientBase, "query">, distributed: ReadonlySet<string>) {
  const { rows } = await client.query<{ name: string; text: string; arguments: string }>(
    `SELECT p.proname AS name, pg_get_functiondef(p.oid) AS text, pg_get_function_identity_arguments(p.oid) AS arguments
     FROM pg_proc p WHERE p.pronamespace = 'public'::regnamespace AND p.prokind = 'f'`,
  );
  const jobs = /\b(?:enqueue_jobs|graphile_worker\.\w+)\b/;
  return rows.flatMap(({ name, text }) => {
    const body = bare(text);
    const named = namedIn(body, distributed);
    if (named.length === 0) return [];
    return [
      ...(namesTenant(body) ? [] : [`function ${name}: of all tenants`]),
      ...(jobs.test(body.replace(/^.*?AS \$/s, ""))
        ? [`function ${name}: writes jobs in the same transaction`]
        : []),
    ];
  });
}

/** Statements of the sources that name a tenant's table and no tenant. */
function statements(distributed: ReadonlySet<string>): string[] {
  const files = globSync("{server,worker}/**/*.ts", { cwd: root }).filter(
    (file) => !/\.test\.ts$|^server\/testing\//.test(file),
  );
  return files.flatMap((file) => {
    const text = readFileSync(path.join(root, file), "utf8");
    const literals = [...text.matchAll(/`([^`]*)`|"((?:SELECT|INSERT|UPDATE|DELETE|WITH)\b[^"]*)"/g)];
    const across = literals
      .map(([, template, plain]) => template ?? plain ?? "")
      .filter((sql) => /\b(?:SELECT|INSERT|UPDATE|DELETE)\b/.test(sql))
      .filter(
        (sql) => namedIn(sql, distributed).length > 0 && !namesTenant(sql) && !sql.includes("tenantId"),
      );
    return across.length === 0 ? [] : [`statements of ${file.replaceAll(path.sep, "/")}: of all tenants`];
  });
}
