import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";

export async function mergeConsentPolicies(tx: Tx, overrides: readonly object[]): Promise<void> {
  await tx.$executeRaw`SELECT merge_consent_policies(${JSON.stringify(overrides)}::jsonb)`;
}

export type EntrySource =
  "api" | "portal" | "keyword" | "unsubscribe_link" | "double_opt_in" | "import" | "provider" | "review";

/** The sealed consent key and the data key that opens it, from one statement; null: there is none. */
export async function selectConsentKey(
  ctx: Pick<Ctx, "db" | "tenantId">,
): Promise<{ key: Buffer; dataKey: Buffer } | null> {
  const rows = await queryInTenant<{ key: Buffer; dataKey: Buffer }>(
    ctx,
    `SELECT k.key, t.data_key FROM consent_keys k JOIN tenant_facts t ON t.id = k.tenant_id WHERE k.tenant_id = $1`,
    [ctx.tenantId],
  );
  return rows[0] ?? null;
}

export async function insertConsentKey(tx: Tx, tenantId: string, key: Buffer): Promise<void> {
  await tx.consentKey.createMany({
    data: [{ tenantId, key: Uint8Array.from(key), createdAt: new Date() }],
    skipDuplicates: true,
  });
}

export interface Standing {
  suppressed: boolean;
  consent: "opted_in" | "opted_out" | null;
}

/**
 * SQL: whether an address refuses, or has agreed to, a class in every region: it said so without a region, and the opposite of no
 * region since. Of one moment, the no counts. What is passed is SQL; `which` leaves entries out.
 */
export function saysEverywhere(
  state: "opted_in" | "opted_out",
  of: { tenant: string; sandbox: string; channel: string; addresses: string; class: string; which?: string },
): string {
  const [other, after] = state === "opted_out" ? ["opted_in", ">="] : ["opted_out", ">"];
  return `coalesce((
    SELECT max(c.at) FILTER (WHERE c.state = '${state}' AND c.region IS NULL)
      ${after} coalesce(max(c.at) FILTER (WHERE c.state = '${other}'), '-infinity')
    FROM consent_entries c
    WHERE c.tenant_id = ${of.tenant} AND c.sandbox = ${of.sandbox} AND c.channel = ${of.channel} AND c.address = ANY (${of.addresses})
      AND (c.class IS NULL OR c.class = ${of.class}) AND ${of.which ?? "true"}), false)`;
}

/** SQL: the addresses that a statement asks about, as rows x. */
export const ofAsked = {
  tenant: "$1::uuid",
  sandbox: "x.sandbox",
  channel: "x.channel",
  addresses: "ARRAY[x.address]",
};

/** Which of these classes an address refuses in every region, by itself or by what stays of it once it is erased. */
export async function selectRefused(
  ctx: Pick<Ctx, "db" | "tenantId">,
  of: { sandbox: boolean; channel: string; addresses: readonly string[]; classes: readonly string[] },
): Promise<Set<string>> {
  const rows = await queryInTenant<{ class: string }>(
    ctx,
    `SELECT k.class FROM unnest($5::text[]) AS k(class)
     WHERE ${saysEverywhere("opted_out", { tenant: "$1", sandbox: "$2", channel: "$3", addresses: "$4::text[]", class: "k.class" })}`,
    [ctx.tenantId, of.sandbox, of.channel, of.addresses, of.classes],
  );
  return new Set(rows.map((row) => row.class));
}

/** How addresses stand, by themselves or by what stays of them once they are erased; in the order asked. */
export async function selectStandings(
  db: Pick<Db, "pool">,
  asked: readonly {
    tenantId: string;
    sandbox: boolean;
    channel: string;
    addresses: readonly [string, string];
    region: string | null;
    class: string | null;
  }[],
): Promise<Standing[]> {
  const { rows } = await db.pool.query<Standing>(
    `SELECT EXISTS (SELECT FROM suppressions s WHERE s.tenant_id = x."tenantId" AND s.sandbox = x.sandbox
              AND s.channel = x.channel AND s.address IN (x.addresses->>0, x.addresses->>1)
              AND (s.expires_at IS NULL OR s.expires_at > now())) AS suppressed,
            (SELECT c.state FROM newest_consent_of(x."tenantId", x.sandbox, x.channel,
              ARRAY[x.addresses->>0, x.addresses->>1], x.region, x.class) AS c) AS consent
     FROM jsonb_to_recordset($1::jsonb) AS x(position int, "tenantId" uuid, sandbox boolean, channel text, addresses jsonb,
       region text, class text) ORDER BY x.position`,
    [JSON.stringify(asked.map((one, position) => ({ position, ...one })))],
  );
  return rows;
}

/** An entry of the ledger that is to be written. */
export interface NewEntry {
  id: string;
  channel: Channel;
  address: string;
  region: string | null;
  class: string | null;
  state: "opted_in" | "opted_out";
  source: EntrySource;
  evidence: Record<string, string>;
  at: Date;
  /** What its reporter calls it. */
  itemId?: string;
}

/**
 * Writes entries in one statement, in the caller's transaction. What each came to: written, written before, or another entry was
 * reported by this name before.
 */
export async function insertEntries(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  entries: readonly NewEntry[],
): Promise<("recorded" | "known" | "other")[]> {
  const rows = await tx.$queryRawUnsafe<{ outcome: "recorded" | "known" | "other" }[]>(
    `WITH x AS (
       SELECT * FROM jsonb_to_recordset($3::jsonb) AS x(position int, id uuid, channel text, address text, region text,
         class text, state text, source text, evidence jsonb, at timestamptz, "itemId" text)
     ), written AS (
       INSERT INTO consent_entries (tenant_id, id, sandbox, channel, address, region, class, state, source, evidence, at, item_id)
       SELECT $1::uuid, id, $2, channel, address, region, class, state, source, evidence, at, "itemId" FROM x ORDER BY "itemId"
       ON CONFLICT (tenant_id, sandbox, item_id) DO NOTHING
       RETURNING id
     )
     SELECT CASE WHEN w.id IS NOT NULL THEN 'recorded'
       -- Without a row: it was written at this moment, by a request that is the same as far as anybody can tell.
       WHEN k.id IS NULL OR (k.channel, k.address, k.state) = (x.channel, x.address, x.state)
         AND k.region IS NOT DISTINCT FROM x.region AND k.class IS NOT DISTINCT FROM x.class THEN 'known'
       ELSE 'other' END AS outcome
     FROM x LEFT JOIN written w ON w.id = x.id
     LEFT JOIN consent_entries k ON w.id IS NULL AND k.tenant_id = $1::uuid AND k.sandbox = $2 AND k.item_id = x."itemId"
     ORDER BY x.position`,
    tenantId,
    sandbox,
    JSON.stringify(entries.map((entry, position) => ({ ...entry, position }))),
  );
  return rows.map(({ outcome }) => outcome);
}

export async function mergeConsentWords(tx: Tx, words: object): Promise<void> {
  await tx.$executeRaw`SELECT merge_consent_words(${JSON.stringify(words)}::jsonb)`;
}

export async function mergeWordReplies(tx: Tx, replies: object): Promise<void> {
  await tx.$executeRaw`SELECT merge_word_replies(${JSON.stringify(replies)}::jsonb)`;
}

/** Those who had refused each of these classes by then already, in every region; by the id of what they wrote. */
export async function selectAlreadyRefused(
  tx: Tx,
  tenantId: string,
  asked: readonly {
    id: string;
    sandbox: boolean;
    channel: string;
    address: string;
    classes: readonly string[];
  }[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set();
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT x.id FROM jsonb_to_recordset($2::jsonb) AS x(id text, sandbox boolean, channel text, address text, classes text[])
     WHERE NOT EXISTS (SELECT FROM unnest(x.classes) AS k(class)
       WHERE NOT ${saysEverywhere("opted_out", { ...ofAsked, class: "k.class", which: "c.source <> 'review'" })})`,
    tenantId,
    JSON.stringify(asked),
  );
  return new Set(rows.map(({ id }) => id));
}

/** An automatic reply that is owed. */
export interface NewReply {
  /** Of the reply, and of the message that it becomes. */
  id: string;
  inboundMessageId: string;
  sandbox: boolean;
  channel: Channel;
  address: string;
  ownAddress: string;
  connectionId: string;
  applicationId: string;
  environmentId: string;
  kind: "stop" | "start" | "help" | "confirmed";
  language: string | null;
  region: string | null;
  classes: readonly string[];
}

/**
 * Writes replies that are within the bounds, at most one for each address, in the caller's transaction, and adds their jobs.
 * Waits for other transactions that answer the same addresses.
 */
export async function insertReplies(
  tx: Tx,
  tenantId: string,
  replies: readonly NewReply[],
  bounds: { now: Date; perKindAndHour: number; perDay: number; tenantPerHour: number },
): Promise<void> {
  const keys = [
    ...new Set(replies.map((each) => JSON.stringify([each.sandbox, each.channel, each.address]))),
  ];
  // Sorted, so that two transactions cannot deadlock.
  await tx.$queryRaw`SELECT count(pg_advisory_xact_lock(hashtextextended('word reply' || ${tenantId} || key, 0))) FROM unnest(${keys.sort()}::text[]) AS key`;
  const { now, perKindAndHour, perDay, tenantPerHour } = bounds;
  const since = (ms: number) => new Date(now.getTime() - ms);
  await tx.$queryRawUnsafe(
    `WITH x AS (
       SELECT * FROM jsonb_to_recordset($2::jsonb) AS x(position int, id uuid, "inboundMessageId" uuid, sandbox boolean, channel text,
         address text, "ownAddress" text, "connectionId" uuid, "applicationId" uuid, "environmentId" uuid, kind text,
         language text, region text, classes text[])
     ), room AS (
       SELECT $8::int - count(*)::int AS left FROM (
         SELECT FROM word_replies r WHERE r.tenant_id = $1::uuid AND r.created_at > $4::timestamptz LIMIT $8::int) AS recent
     ), due AS (
       SELECT x.*, row_number() OVER (ORDER BY x.position) AS number FROM x
       WHERE (SELECT count(*) FROM word_replies r WHERE r.tenant_id = $1::uuid AND r.sandbox = x.sandbox AND r.channel = x.channel
                AND r.address = x.address AND r.created_at > $4::timestamptz AND r.kind = x.kind) < $6::int
         AND (SELECT count(*) FROM word_replies r WHERE r.tenant_id = $1::uuid AND r.sandbox = x.sandbox
                AND r.channel = x.channel AND r.address = x.address AND r.created_at > $5::timestamptz) < $7::int
     ), written AS (
       INSERT INTO word_replies (tenant_id, id, inbound_message_id, sandbox, channel, address, own_address, connection_id,
         application_id, environment_id, kind, language, region, classes, created_at)
       SELECT $1::uuid, id, "inboundMessageId", sandbox, channel, address, "ownAddress", "connectionId", "applicationId",
         "environmentId", kind, language, region, classes, $3::timestamptz
       FROM due, room WHERE number <= room.left
       ON CONFLICT (tenant_id, inbound_message_id) DO NOTHING RETURNING id
     ), jobs AS (
       SELECT jsonb_agg(jsonb_build_object('task', 'post_word_reply', 'payload',
         jsonb_build_object('tenantId', $1::uuid, 'replyId', id))) AS jobs FROM written
     )
     SELECT CASE WHEN jobs IS NOT NULL THEN enqueue_jobs(jobs)::text END FROM jobs`,
    tenantId,
    JSON.stringify(replies.map((reply, position) => ({ position, ...reply }))),
    now,
    since(3_600_000),
    since(86_400_000),
    perKindAndHour,
    perDay,
    tenantPerHour,
  );
}

/** What is to be answered. */
export async function selectReply(
  ctx: Pick<Ctx, "db" | "tenantId">,
  id: string,
): Promise<(NewReply & { createdAt: Date }) | null> {
  const rows = await queryInTenant<NewReply & { createdAt: Date }>(
    ctx,
    `SELECT id, inbound_message_id AS "inboundMessageId", sandbox, channel, address, own_address AS "ownAddress",
       connection_id AS "connectionId", application_id AS "applicationId", environment_id AS "environmentId", kind, language,
       region, classes, created_at AS "createdAt"
     FROM word_replies WHERE tenant_id = $1 AND id = $2`,
    [ctx.tenantId, id],
  );
  return rows[0] ?? null;
}

/**
 * Those whose last word about marketing was a yes, in every region, before what they said by keyword. Whom a yes by keyword gives
 * marketing back.
 */
export async function selectAgreedToMarketing(
  tx: Tx,
  tenantId: string,
  asked: readonly {
    inboundMessageId: string;
    sandbox: boolean;
    channel: string;
    address: string;
    at: Date;
  }[],
): Promise<Set<string>> {
  if (asked.length === 0) return new Set();
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `SELECT x."inboundMessageId" AS id
     FROM jsonb_to_recordset($2::jsonb) AS x("inboundMessageId" text, sandbox boolean, channel text, address text, at timestamptz)
     WHERE ${saysEverywhere("opted_in", { ...ofAsked, class: "'marketing'", which: "c.source NOT IN ('keyword', 'review') AND c.at <= x.at" })}`,
    tenantId,
    JSON.stringify(asked),
  );
  return new Set(rows.map((row) => row.id));
}

/** How many entries there are about an address since then. */
export async function countEntriesSince(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  channel: string,
  address: string,
  since: Date,
): Promise<number> {
  return tx.consentEntry.count({ where: { tenantId, sandbox, channel, address, at: { gt: since } } });
}

export interface EntryRow {
  id: string;
  channel: Channel;
  address: string;
  region: string | null;
  class: NotificationClass | null;
  state: "opted_in" | "opted_out";
  source: EntrySource;
  evidence: unknown;
  at: Date;
}

/** Addresses by channel, each with its token if it may have been erased. */
interface OfAddresses {
  sandbox: boolean;
  places: readonly { channel: string; names: readonly string[] }[];
}

/** The regions that entries about these addresses name, at most `limit`. */
export async function selectNamedRegions(ctx: Ctx, filter: OfAddresses, limit: number): Promise<string[]> {
  const rows = await queryInTenant<{ region: string }>(
    ctx,
    `SELECT DISTINCT c.region FROM jsonb_to_recordset($3::jsonb) AS x(channel text, names text[])
     JOIN consent_entries c ON c.tenant_id = $1 AND c.sandbox = $2 AND c.channel = x.channel AND c.address = ANY (x.names)
     WHERE c.region IS NOT NULL ORDER BY c.region LIMIT $4`,
    [ctx.tenantId, filter.sandbox, JSON.stringify(filter.places), limit],
  );
  return rows.map(({ region }) => region);
}

/** Entries, newest first. */
export function selectEntries(
  ctx: Ctx,
  filter: {
    sandbox: boolean;
    places?: OfAddresses["places"];
    channel?: string | undefined;
    state?: string | undefined;
    source?: string | undefined;
    before: { at: Date; id: string } | undefined;
    limit: number;
  },
): Promise<EntryRow[]> {
  const { places, before } = filter;
  return queryInTenant<EntryRow>(
    ctx,
    `SELECT c.id, c.channel, c.address, c.region, c.class, c.state, c.source, c.evidence, c.at FROM consent_entries c
     WHERE c.tenant_id = $1 AND c.sandbox = $2 AND ($3::text IS NULL OR c.channel = $3) AND ($4::text IS NULL OR c.state = $4)
       AND ($5::text IS NULL OR c.source = $5) AND ($6::timestamptz IS NULL OR (c.at, c.id) < ($6, $7::uuid))
       ${places ? `AND (c.channel, c.address) IN (SELECT x.channel, unnest(x.names) FROM jsonb_to_recordset($9::jsonb) AS x(channel text, names text[]))` : ""}
     ORDER BY c.at DESC, c.id DESC LIMIT $8`,
    [
      ctx.tenantId,
      filter.sandbox,
      filter.channel ?? null,
      filter.state ?? null,
      filter.source ?? null,
      before?.at ?? null,
      before?.id ?? null,
      filter.limit,
      ...(places ? [JSON.stringify(places)] : []),
    ],
  );
}

/** The newest entry of each address by region and class, in the order of channels and addresses, after that of another page. */
export function selectLastWords(
  ctx: Ctx,
  filter: { sandbox: boolean; after: EntryRow | undefined; limit: number },
): Promise<EntryRow[]> {
  const { after } = filter;
  return queryInTenant<EntryRow>(
    ctx,
    `SELECT DISTINCT ON (c.channel, c.address, coalesce(c.region, ''), coalesce(c.class, ''))
       c.id, c.channel, c.address, c.region, c.class, c.state, c.source, c.evidence, c.at FROM consent_entries c
     WHERE c.tenant_id = $1 AND c.sandbox = $2 AND ($3::text IS NULL OR (c.channel, c.address) >= ($3, $4)
       AND (c.channel, c.address, coalesce(c.region, ''), coalesce(c.class, '')) > ($3, $4, $5, $6))
     ORDER BY c.channel, c.address, coalesce(c.region, ''), coalesce(c.class, ''), c.at DESC, c.state DESC, c.id DESC
     LIMIT $7`,
    [
      ctx.tenantId,
      filter.sandbox,
      after?.channel ?? null,
      after?.address ?? "",
      after?.region ?? "",
      after?.class ?? "",
      filter.limit,
    ],
  );
}

/** Turns suppressions and opt-outs of addresses into tokens and deletes what else there is of them. Returns how many rows changed. */
export async function forgetAddresses(
  tx: Tx,
  tenantId: string,
  pairs: readonly { channel: string; address: string; token: string }[],
): Promise<{ suppressions: number; consents: number; links: number }> {
  const json = JSON.stringify(pairs);
  const erased = `jsonb_to_recordset($2::jsonb) AS x(channel text, address text, token text)`;
  // Suppressed again after an earlier erasure: the token is there already, and holds for as long as either.
  await tx.$executeRawUnsafe(
    `UPDATE suppressions o SET reason = CASE WHEN o.reason = 'complaint' THEN o.reason ELSE s.reason END,
       expires_at = CASE WHEN o.expires_at IS NULL OR s.expires_at IS NULL THEN NULL ELSE greatest(o.expires_at, s.expires_at) END
     FROM suppressions s JOIN ${erased} ON s.channel = x.channel AND s.address = x.address
     WHERE s.tenant_id = $1::uuid AND o.tenant_id = s.tenant_id AND o.sandbox = s.sandbox AND o.channel = s.channel
       AND o.address = x.token`,
    tenantId,
    json,
  );
  const doubled = await tx.$executeRawUnsafe(
    `DELETE FROM suppressions s USING ${erased} WHERE s.tenant_id = $1::uuid AND s.channel = x.channel AND s.address = x.address
       AND EXISTS (SELECT FROM suppressions o WHERE o.tenant_id = s.tenant_id AND o.sandbox = s.sandbox AND o.channel = s.channel
                   AND o.address = x.token)`,
    tenantId,
    json,
  );
  const suppressed = await tx.$executeRawUnsafe(
    `UPDATE suppressions s SET address = x.token, notification_id = NULL, note = NULL FROM ${erased}
     WHERE s.tenant_id = $1::uuid AND s.channel = x.channel AND s.address = x.address`,
    tenantId,
    json,
  );
  // An opt-in ends with the person's data. An opt-out that a later opt-in took back must not come alive by that.
  const dropped = await tx.$executeRawUnsafe(
    `DELETE FROM consent_entries c USING ${erased}
     WHERE c.tenant_id = $1::uuid AND c.channel = x.channel AND c.address IN (x.address, x.token)
       AND (c.state = 'opted_in' OR EXISTS (
         SELECT FROM consent_entries later WHERE later.tenant_id = c.tenant_id AND later.sandbox = c.sandbox
           AND later.channel = c.channel AND later.address IN (x.address, x.token) AND later.state = 'opted_in'
           AND later.at > c.at
           AND (later.region IS NULL OR later.region = c.region) AND (later.class IS NULL OR later.class = c.class)))`,
    tenantId,
    json,
  );
  const kept = await tx.$executeRawUnsafe(
    `UPDATE consent_entries c SET address = x.token, evidence = '{}', item_id = NULL FROM ${erased}
     WHERE c.tenant_id = $1::uuid AND c.channel = x.channel AND c.address = x.address`,
    tenantId,
    json,
  );
  await tx.$executeRawUnsafe(
    `DELETE FROM consent_confirmations k USING ${erased}
     WHERE k.tenant_id = $1::uuid AND k.sandbox IN (true, false) AND k.channel = x.channel AND k.address = x.address`,
    tenantId,
    json,
  );
  const links = await tx.$executeRawUnsafe(
    `WITH ends AS (
       SELECT l.sandbox, l.channel, l.address, l.linked_address FROM ${erased} JOIN address_links l
         ON l.tenant_id = $1::uuid AND l.sandbox IN (true, false) AND l.channel = x.channel AND l.address = x.address
     )
     DELETE FROM address_links l USING ends e WHERE l.tenant_id = $1::uuid AND l.sandbox = e.sandbox AND l.channel = e.channel
       AND (l.address, l.linked_address) IN ((e.address, e.linked_address), (e.linked_address, e.address))`,
    tenantId,
    json,
  );
  await tx.$executeRawUnsafe(
    `DELETE FROM word_replies r USING ${erased} WHERE r.tenant_id = $1::uuid AND r.channel = x.channel AND r.address = x.address`,
    tenantId,
    json,
  );
  await tx.$executeRawUnsafe(
    `DELETE FROM consent_reviews r USING ${erased}
     WHERE r.tenant_id = $1::uuid AND r.channel = x.channel AND r.address = x.address`,
    tenantId,
    json,
  );
  return { suppressions: doubled + suppressed, consents: dropped + kept, links };
}

/**
 * Writes those entries of a file that say something new, in the caller's transaction; with `dry`, only finds them. Returns their
 * ids. An entry without a date of its own says nothing new if the last one for the same is alike and none of the address that
 * says otherwise came after it.
 */
export async function insertImported(
  tx: Tx,
  tenantId: string,
  sandbox: boolean,
  entries: readonly (NewEntry & { dated: boolean })[],
  dry: boolean,
): Promise<Set<string>> {
  const rows = await tx.$queryRawUnsafe<{ id: string }[]>(
    `WITH x AS (
       SELECT * FROM jsonb_to_recordset($3::jsonb) AS x(id uuid, channel text, address text, region text, class text, state text,
         source text, evidence jsonb, at timestamptz, dated boolean)
     ), fresh AS (
       SELECT x.* FROM x WHERE NOT EXISTS (
         SELECT FROM consent_entries k
         WHERE k.tenant_id = $1::uuid AND k.sandbox = $2 AND k.channel = x.channel AND k.address = x.address
           AND k.state = x.state AND k.region IS NOT DISTINCT FROM x.region AND k.class IS NOT DISTINCT FROM x.class
           AND (k.at = x.at OR NOT x.dated AND NOT EXISTS (
             SELECT FROM consent_entries o
             WHERE o.tenant_id = $1::uuid AND o.sandbox = $2 AND o.channel = x.channel AND o.address = x.address
               AND o.state <> x.state AND o.at >= k.at)))
     ), written AS (
       INSERT INTO consent_entries (tenant_id, id, sandbox, channel, address, region, class, state, source, evidence, at)
       SELECT $1::uuid, id, $2, channel, address, region, class, state, source, evidence, at FROM fresh WHERE NOT $4
     )
     SELECT id FROM fresh`,
    tenantId,
    sandbox,
    JSON.stringify(entries),
    dry,
  );
  return new Set(rows.map(({ id }) => id));
}
