import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant } from "../kernel/db.ts";
import type { Db, Prisma, Tx } from "../kernel/db.ts";
import type { ShortenerKind } from "./schemas.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;

export interface ShortenerRow {
  environmentId: string;
  kind: ShortenerKind;
  credentials: Buffer | null;
  dataKey: Buffer;
  settings: unknown;
  processingRegion: string | null;
  testedAt: Date | null;
  testProblem: string | null;
  problem: string | null;
  problemAt: Date | null;
  updatedAt: Date;
}

/** The shorteners of the tenant's environments; one without a row has the default. */
export function selectShorteners(ctx: Reader): Promise<ShortenerRow[]> {
  return queryInTenant<ShortenerRow>(
    ctx,
    `SELECT s.environment_id, s.kind, s.credentials, t.data_key, s.settings, s.processing_region, s.tested_at,
            s.test_problem, s.problem, s.problem_at, s.updated_at
     FROM shorteners s JOIN tenant_facts t ON t.id = s.tenant_id WHERE s.tenant_id = $1`,
    [ctx.tenantId],
  );
}

/** Locks the environment's shortener until the transaction ends. */
export async function lockShortener(
  tx: Tx,
  tenantId: string,
  environmentId: string,
): Promise<{
  kind: string;
  credentials: Uint8Array<ArrayBuffer> | null;
  baseUrl: string | null;
  settings: unknown;
  processingRegion: string | null;
  updatedAt: Date;
} | null> {
  await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`shortener ${tenantId} ${environmentId}`}, 0))`;
  const row = await tx.shortener.findUnique({
    where: { tenantId_environmentId: { tenantId, environmentId } },
    select: { kind: true, credentials: true, settings: true, processingRegion: true, updatedAt: true },
  });
  if (!row) return null;
  const { baseUrl } = row.settings as { baseUrl?: string | null };
  return { ...row, baseUrl: baseUrl ?? null };
}

export async function saveShortener(
  tx: Tx,
  key: { tenantId: string; environmentId: string },
  row: {
    kind: ShortenerKind;
    credentials: Uint8Array<ArrayBuffer> | null;
    settings: Prisma.InputJsonObject;
    processingRegion: string | null;
    updatedAt: Date;
  },
): Promise<void> {
  // Problems of the previous shortener say nothing about this one.
  const data = { ...row, testedAt: null, testProblem: null, problem: null, problemAt: null };
  await tx.shortener.upsert({
    where: { tenantId_environmentId: key },
    create: { ...key, ...data },
    update: data,
  });
}

export async function saveTest(
  tx: Tx,
  key: { tenantId: string; environmentId: string },
  test: { testedAt: Date; testProblem: string | null },
): Promise<void> {
  await tx.shortener.updateMany({ where: key, data: test });
}

/** Records a shortener's last problem, at most every few seconds, because a whole campaign may run into it. */
export async function saveProblem(
  tx: Tx,
  key: { tenantId: string; environmentId: string },
  problem: string,
  at: Date,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE shorteners SET problem = ${problem}, problem_at = ${at}
    WHERE tenant_id = ${key.tenantId}::uuid AND environment_id = ${key.environmentId}::uuid
      AND (problem_at IS NULL OR problem_at < ${at}::timestamptz - interval '5 seconds')`;
}

/** A link to create. `id` follows from message and address, so that a retry finds the same one. */
export interface WantedLink {
  tenantId: string;
  id: string;
  notificationId: string;
  sandbox: boolean;
  url: string;
  /** Of a built-in link. */
  code: string | null;
  shortUrl: string;
  validDays: number;
}

export interface KnownLink {
  tenantId: string;
  id: string;
  shortUrl: string;
}

/**
 * Creates missing links and returns the short form of each, in one round trip (worker's role). Throws Postgres'
 * unique_violation when a code is taken.
 */
export async function insertLinks(db: Db, links: readonly WantedLink[]): Promise<KnownLink[]> {
  const { rows } = await db.pool.query<KnownLink>({
    name: "insert_links",
    text: `INSERT INTO short_links AS l (tenant_id, id, code, short_url, url, notification_id, sandbox, created_at, expires_at)
       SELECT x."tenantId", x.id, x.code, x."shortUrl", x.url, x."notificationId", x.sandbox, now(),
              now() + make_interval(days => x."validDays")
       FROM jsonb_to_recordset($1::jsonb) AS x("tenantId" uuid, id uuid, code text, "shortUrl" text, url text,
              "notificationId" uuid, sandbox boolean, "validDays" int)
       ON CONFLICT (tenant_id, id) DO UPDATE SET expires_at = greatest(l.expires_at, excluded.expires_at)
       RETURNING tenant_id AS "tenantId", id, short_url AS "shortUrl"`,
    values: [JSON.stringify(links)],
  });
  return rows;
}

/** Links of these ids that exist already. */
export function selectLinks(ctx: Reader, ids: readonly string[]): Promise<KnownLink[]> {
  return queryInTenant<KnownLink>(
    ctx,
    `SELECT tenant_id AS "tenantId", id, short_url AS "shortUrl" FROM short_links WHERE tenant_id = $1 AND id = ANY ($2::uuid[])`,
    [ctx.tenantId, ids],
  );
}

export interface MessageLinkRow {
  code: string | null;
  shortUrl: string;
  url: string;
  clicks: number;
  firstClickedAt: Date | null;
  lastClickedAt: Date | null;
  machineClicks: number;
}

export function selectMessageLinks(ctx: Reader, notificationId: string): Promise<MessageLinkRow[]> {
  return queryInTenant<MessageLinkRow>(
    ctx,
    `SELECT code, short_url, url, clicks, first_clicked_at, last_clicked_at, machine_clicks FROM short_links
     WHERE tenant_id = $1 AND notification_id = $2 ORDER BY created_at, url LIMIT 50`,
    [ctx.tenantId, notificationId],
  );
}

export interface FoundLink {
  tenantId: string;
  id: string;
  url: string;
  sandbox: boolean;
}

/** The link of a code, before a tenant is known; null for one that is unknown or has expired. */
export async function findLink(db: Db, code: string): Promise<FoundLink | null> {
  const result = await db.pool.query({
    name: "find_short_link",
    text: "SELECT tenant_id, id, url, sandbox FROM find_short_link($1)",
    values: [code],
  });
  return camelRows<FoundLink>(result)[0] ?? null;
}

/** Counts a click and, for the first `maxEvents` of people on a link, writes the event; one round trip. */
export async function callRecordClick(
  db: Db,
  link: Pick<FoundLink, "tenantId" | "id">,
  { maxEvents, machine }: { maxEvents: number; machine: string | null },
): Promise<void> {
  await db.pool.query({
    name: "record_link_click",
    text: "SELECT record_link_click($1, $2, $3, $4)",
    values: [link.tenantId, link.id, maxEvents, machine],
  });
}

/** Deletes up to `limit` expired links of any tenant (worker's role); returns how many. */
export async function deleteExpiredLinks(db: Db, limit: number): Promise<number> {
  const result = await db.pool.query(
    `DELETE FROM short_links WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM short_links WHERE expires_at < now() ORDER BY expires_at LIMIT $1))`,
    [limit],
  );
  return result.rowCount ?? 0;
}

/** Clicks of people and of programs, of all messages since a day or of one broadcast's. */
export async function selectClicks(
  ctx: Reader,
  of: { since: Date } | { requestId: string },
): Promise<{ people: number; machines: number }> {
  const [where, value] = "since" in of ? ["day >= $2", of.since] : ["request_id = $2", of.requestId];
  const rows = await queryInTenant<{ people: number; machines: number }>(
    ctx,
    `SELECT greatest(coalesce(sum(people), 0), 0)::float8 AS people, coalesce(sum(machines), 0)::float8 AS machines
     FROM link_clicks WHERE tenant_id = $1 AND ${where}`,
    [ctx.tenantId, value],
  );
  return rows[0] ?? { people: 0, machines: 0 };
}
