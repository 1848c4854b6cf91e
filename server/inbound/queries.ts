import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { NotificationClass } from "../tenancy/schemas.ts";
import type { CleanInbound } from "./clean-inbound.ts";

/** Locks the threads of one of our senders, so that messages of one thread are stored one after the other. */
export async function lockThreads(
  tx: Tx,
  tenantId: string,
  messages: readonly CleanInbound[],
): Promise<void> {
  // Sorted, so that two callbacks cannot deadlock.
  const keys = [
    ...new Set(messages.map((each) => JSON.stringify([each.channel, each.address, each.ownAddress]))),
  ].sort();
  await tx.$queryRaw`SELECT count(pg_advisory_xact_lock(hashtextextended('inbound' || ${tenantId} || key, 0))) FROM unnest(${keys}::text[]) AS key`;
}

/** Ids of these that are stored already. */
export async function selectKnown(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  providerMessageIds: string[],
): Promise<Set<string>> {
  const rows = await tx.$queryRaw<{ id: string }[]>`
    SELECT provider_message_id AS id FROM inbound_messages
    WHERE tenant_id = ${tenantId}::uuid AND connection_id = ${connectionId}::uuid
      AND provider_message_id = ANY (${providerMessageIds}::text[])`;
  return new Set(rows.map((row) => row.id));
}

export interface Owner {
  /** The notification that the message answers, when the provider names it. */
  repliesTo: string | null;
  /** Both null: no application's. */
  applicationId: string | null;
  environmentId: string | null;
  /** The application's; without an application, the sender's; null: the whole organisation's. */
  unitId: string | null;
  sandbox: boolean;
  /** Class and region of the message of ours that it answers; null: none is known. */
  class: NotificationClass | null;
  region: string | null;
  language: string | null;
}

/**
 * The owner of each message, in their order: that of the notification that it answers, else of our newest message to
 * that address from that sender, else of what the connection names. Only applications of the number's owner count: its
 * unit by the list of senders, else the connection's; without one, all. Without an application, the message belongs to
 * the unit.
 * @param since the smallest id of a notification that may be answered without being named
 */
export async function selectOwners(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  messages: readonly CleanInbound[],
  since: string,
): Promise<Owner[]> {
  // A template that WhatsApp counts as marketing is answered as marketing.
  const owners = `n.id, n.application_id, n.environment_id, n.unit_id, n.sandbox, n.region, n.language,
    CASE WHEN n.channel = 'whatsapp' AND (SELECT c.category FROM template_categories c WHERE c.tenant_id = n.tenant_id
      AND c.template_id = n.template_id AND c.version = n.template_version) = 'marketing' THEN 'marketing' ELSE n.class END AS class`;
  return tx.$queryRawUnsafe<Owner[]>(
    `SELECT answered.id AS "repliesTo",
       coalesce(answered.application_id, newest.application_id, named.application_id) AS "applicationId",
       coalesce(answered.environment_id, newest.environment_id, named.environment_id) AS "environmentId",
       coalesce(answered.unit_id, newest.unit_id, named.unit_id, owner.unit_id) AS "unitId",
       coalesce(answered.sandbox, newest.sandbox, named.sandbox, c.adapter = 'simulator') AS sandbox,
       coalesce(answered.class, newest.class) AS class, coalesce(answered.region, newest.region) AS region,
       coalesce(answered.language, newest.language) AS language
     FROM jsonb_to_recordset($3::jsonb) AS x(position int, channel text, address text, "ownAddress" text, "repliesTo" text)
     JOIN connection_facts c ON c.tenant_id = $1::uuid AND c.id = $2::uuid
     LEFT JOIN LATERAL (
       SELECT true AS known, s.unit_id FROM sender_facts s
       WHERE s.tenant_id = $1::uuid AND s.channel = x.channel AND s.address = sender_address(x.channel, x."ownAddress")
         AND s.kind IN ('numeric', 'whatsapp') AND s.sandbox = (c.adapter = 'simulator')
       ORDER BY s.connection_id = c.id DESC LIMIT 1
     ) AS listed ON true
     CROSS JOIN LATERAL (SELECT CASE WHEN listed.known THEN listed.unit_id ELSE c.unit_id END AS unit_id) AS owner
     LEFT JOIN LATERAL (
       SELECT a.id AS application_id, v.id AS environment_id, a.unit_id, v.kind = 'sandbox' AS sandbox
       FROM application_facts a JOIN environment_facts v ON v.tenant_id = a.tenant_id AND v.id = c.inbound_environment_id
       WHERE a.tenant_id = $1::uuid AND a.id = c.inbound_application_id
         AND (owner.unit_id IS NULL OR a.unit_id = owner.unit_id)
     ) AS named ON true
     LEFT JOIN LATERAL (
       SELECT ${owners} FROM notification_facts n
       WHERE n.tenant_id = $1::uuid AND n.connection_id = $2::uuid AND n.provider_message_id = x."repliesTo"
         AND (owner.unit_id IS NULL OR n.unit_id = owner.unit_id)
       ORDER BY n.id DESC LIMIT 1
     ) AS answered ON x."repliesTo" IS NOT NULL
     LEFT JOIN LATERAL (
       SELECT ${owners} FROM notification_facts n
       WHERE n.tenant_id = $1::uuid AND n.recipient = x.address AND n.channel = x.channel AND n.id >= $4::uuid
         AND (owner.unit_id IS NULL OR n.unit_id = owner.unit_id)
         AND (n.connection_id = $2::uuid OR n.connection_id IN (
           -- The simulator may list a number that is also a real one: what is written to either answers nothing of the other.
           SELECT s.connection_id FROM sender_facts s WHERE s.tenant_id = $1::uuid AND s.channel = x.channel
             AND s.address = sender_address(x.channel, x."ownAddress") AND s.sandbox = (c.adapter = 'simulator')))
         -- Over the same connection, but from another number: not what is answered.
         AND (x."ownAddress" = '' OR 'other' IS DISTINCT FROM (
           SELECT CASE WHEN bool_and(sender_address(x.channel, e.data->>'from') <> sender_address(x.channel, x."ownAddress"))
             THEN 'other' END
           FROM event_facts e WHERE e.tenant_id = n.tenant_id AND e.notification_id = n.id
             AND sender_kind(x.channel, e.data->>'from') IN ('numeric', 'whatsapp') AND e.data ? 'from'))
       ORDER BY n.id DESC LIMIT 1
     ) AS newest ON answered.id IS NULL
     ORDER BY x.position`,
    tenantId,
    connectionId,
    JSON.stringify(messages.map((message, position) => ({ position, ...message }))),
    since,
  );
}

export interface Thread extends Omit<Owner, "repliesTo" | "class" | "region" | "language"> {
  channel: string;
  address: string;
  ownAddress: string;
}

/**
 * The conversation of each of these, which are all different: its id, how many messages it got since `floodSince`, and whether the
 * newest word among them was a no.
 */
export async function upsertConversations(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  threads: readonly Thread[],
  times: { now: Date; floodSince: Date },
): Promise<{ id: string; recent: number; saidNo: boolean }[]> {
  return tx.$queryRawUnsafe(
    `WITH x AS (
       SELECT * FROM jsonb_to_recordset($3::jsonb) AS x(position int, id uuid, sandbox boolean, channel text, address text,
         "ownAddress" text, "applicationId" uuid, "environmentId" uuid, "unitId" uuid)
     ), upserted AS (
       INSERT INTO conversations AS c (tenant_id, id, sandbox, channel, address, own_address, connection_id, application_id,
         environment_id, unit_id, last_inbound_at, created_at)
       SELECT $1::uuid, id, sandbox, channel, address, "ownAddress", $2::uuid, "applicationId", "environmentId", "unitId",
         $4::timestamptz, $4::timestamptz
       FROM x
       ON CONFLICT (tenant_id, sandbox, channel, address, own_address, application_id, environment_id, unit_id)
         DO UPDATE SET connection_id = excluded.connection_id
       RETURNING c.*
     )
     SELECT u.id, (SELECT count(*)::int FROM inbound_messages m WHERE m.tenant_id = $1::uuid AND m.conversation_id = u.id
                   AND m.at > $5::timestamptz) AS recent,
       coalesce((SELECT m.opt_out = 'stop' FROM inbound_messages m WHERE m.tenant_id = $1::uuid AND m.conversation_id = u.id
         AND m.at > $5::timestamptz AND m.opt_out IN ('stop', 'start') ORDER BY m.at DESC, m.id DESC LIMIT 1), false) AS "saidNo"
     FROM x JOIN upserted u ON u.sandbox = x.sandbox AND u.channel = x.channel AND u.address = x.address
       AND u.own_address = x."ownAddress" AND u.application_id IS NOT DISTINCT FROM x."applicationId"
       AND u.environment_id IS NOT DISTINCT FROM x."environmentId" AND u.unit_id IS NOT DISTINCT FROM x."unitId"
     ORDER BY x.position`,
    tenantId,
    connectionId,
    JSON.stringify(threads.map((thread, position) => ({ position, id: newId(), ...thread }))),
    times.now,
    times.floodSince,
  );
}

export interface NewInbound extends Omit<CleanInbound, "repliesTo"> {
  id: string;
  conversationId: string;
  /** The notification. */
  repliesTo: string | null;
  /** False: no message, but a switch in the recipient's app. */
  written: boolean;
}

/** Stores unknown messages and updates their conversations, in which only what was written is new. */
export async function insertInbound(
  tx: Tx,
  tenantId: string,
  connectionId: string,
  messages: readonly NewInbound[],
  now: Date,
): Promise<void> {
  await tx.$executeRawUnsafe(
    `WITH x AS (
       SELECT * FROM jsonb_to_recordset($3::jsonb) AS x(id uuid, "conversationId" uuid, "providerMessageId" text, text text,
         kind text, button jsonb, "optOut" text, "repliesTo" uuid, written boolean, at timestamptz)
     ), stored AS (
       INSERT INTO inbound_messages (tenant_id, id, conversation_id, connection_id, provider_message_id, text, kind, button,
         opt_out, replies_to, at, recorded_at)
       SELECT $1::uuid, id, "conversationId", $2::uuid, "providerMessageId", text, kind, button, "optOut", "repliesTo", at,
         $4::timestamptz
       FROM x
     ), counted AS (
       SELECT "conversationId" AS conversation_id, count(*) FILTER (WHERE written)::int AS count,
         max(at) FILTER (WHERE written) AS newest, max(at) AS newest_of_all
       FROM x GROUP BY "conversationId"
     )
     UPDATE conversations c SET unread = c.unread + counted.count,
       last_inbound_at = CASE WHEN EXISTS (SELECT FROM conversation_facts f WHERE f.tenant_id = $1::uuid AND f.id = c.id
           AND f.last_heard_at IS NOT NULL)
         THEN greatest(c.last_inbound_at, counted.newest) ELSE coalesce(counted.newest, counted.newest_of_all) END
     FROM counted WHERE c.tenant_id = $1::uuid AND c.id = counted.conversation_id`,
    tenantId,
    connectionId,
    JSON.stringify(messages),
    now,
  );
}

/** When a person last wrote to a connection's number on WhatsApp; null: never. */
export async function selectLastHeard(
  ctx: Pick<Ctx, "db" | "tenantId">,
  { sandbox, address, connectionId }: { sandbox: boolean; address: string; connectionId: string },
): Promise<Date | null> {
  const rows = await queryInTenant<{ at: Date | null }>(
    ctx,
    `SELECT max(last_heard_at) AS at FROM conversation_facts
     WHERE tenant_id = $1 AND sandbox = $2 AND channel = 'whatsapp' AND address = $3 AND connection_id = $4`,
    [ctx.tenantId, sandbox, address, connectionId],
  );
  return rows[0]?.at ?? null;
}
