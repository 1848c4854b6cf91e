import type { Ctx } from "../kernel/ctx.ts";
import { camelRows, queryInTenant, readInTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import type { holdings } from "./schemas.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;

/** How much there is of each kind, each counted up to `most`. */
export async function countHoldings(
  ctx: Reader,
  address: string,
  tokens: readonly string[],
  most: number,
): Promise<Record<Exclude<(typeof holdings)[number], "contacts">, number> & { member: boolean }> {
  const count = async (client: Pick<Db["pool"], "query">) => {
    const result = await client.query(
      `WITH m AS MATERIALIZED (
           SELECT id, request_id FROM notification_facts WHERE tenant_id = $1 AND recipient = $2 LIMIT $4
         ), c AS MATERIALIZED (
           SELECT id FROM conversation_facts WHERE tenant_id = $1 AND address = $2 LIMIT $4
         )
         SELECT (SELECT count(*)::int FROM m) AS messages,
           (SELECT count(DISTINCT request_id)::int FROM m) AS requests,
           (SELECT count(*)::int FROM (SELECT FROM event_facts e WHERE e.tenant_id = $1 AND e.notification_id IN (SELECT id FROM m) LIMIT $4) x) AS events,
           (SELECT count(*)::int FROM (SELECT FROM attempt_facts a WHERE a.tenant_id = $1 AND a.notification_id IN (SELECT id FROM m) LIMIT $4) x) AS attempts,
           (SELECT count(*)::int FROM (SELECT FROM short_links l WHERE l.tenant_id = $1 AND l.notification_id IN (SELECT id FROM m) LIMIT $4) x) AS "shortLinks",
           (SELECT count(*)::int FROM (SELECT FROM delivery_facts d WHERE d.tenant_id = $1 AND d.notification_id IN (SELECT id FROM m) LIMIT $4) x) AS "webhookDeliveries",
           (SELECT count(*)::int FROM c) AS conversations,
           (SELECT count(*)::int FROM (SELECT FROM inbound_facts i WHERE i.tenant_id = $1 AND i.conversation_id IN (SELECT id FROM c) LIMIT $4) x) AS "inboundMessages",
           (SELECT count(*)::int FROM (SELECT FROM consent_entries e WHERE e.tenant_id = $1 AND e.channel = ANY ('{sms,email,whatsapp}')
              AND e.address = ANY ($3::text[] || $2::text) LIMIT $4) x) AS "consentEntries",
           (SELECT count(*)::int FROM (SELECT FROM suppressions s WHERE s.tenant_id = $1 AND s.channel = ANY ('{sms,email,whatsapp}')
              AND s.address = ANY ($3::text[] || $2::text) LIMIT $4) x) AS suppressions,
           (SELECT count(*)::int FROM address_links l WHERE l.tenant_id = $1 AND l.sandbox IN (true, false) AND l.channel = 'whatsapp'
              AND l.address = $2) AS "addressLinks",
           EXISTS (SELECT FROM users u WHERE u.tenant_id = $1 AND u.email = $2) AS member`,
      [ctx.tenantId, address, tokens, most],
    );
    const [row] = camelRows<
      Record<Exclude<(typeof holdings)[number], "contacts">, number> & { member: boolean }
    >(result);
    if (!row) throw new Error("nothing was counted");
    return row;
  };
  return readInTenant(ctx, count, 8_000);
}

const plain = (table: string) => `to_jsonb(${table}) - 'tenant_id'`;
const among = (table: string, alias: string) =>
  `coalesce((SELECT jsonb_agg(${plain(alias)} - 'notification_id') FROM ${table} ${alias}
     WHERE ${alias}.tenant_id = $1 AND ${alias}.notification_id = m.id), '[]')`;

/** What a message may have very much of, as of a link in it that is opened again and again. */
const longTables = {
  events: { table: "notification_events", key: "sequence", type: "int" },
  webhooks: { table: "webhook_deliveries", key: "id", type: "uuid" },
} as const;
export type LongList = keyof typeof longTables;
/** Of each, so much is read with the message; the rest follows page by page. */
export const firstOfLong = 500;

const firstAmong = (of: LongList, alias: string) => {
  const { table, key } = longTables[of];
  return `coalesce((SELECT jsonb_agg(${plain(alias)} - 'notification_id' ORDER BY ${alias}.${key}) FROM (SELECT * FROM ${table} x
     WHERE x.tenant_id = $1 AND x.notification_id = m.id ORDER BY x.${key} LIMIT ${String(firstOfLong)}) AS ${alias}), '[]')`;
};

/** More of what a message has, from behind a key on. */
export function selectLongPage(
  ctx: Reader,
  of: LongList,
  notificationId: string,
  after: string,
  limit: number,
): Promise<{ id: string; document: object }[]> {
  const { table, key, type } = longTables[of];
  return queryInTenant(
    ctx,
    `SELECT x.${key}::text AS id, ${plain("x")} - 'notification_id' AS document FROM ${table} x
     WHERE x.tenant_id = $1 AND x.notification_id = $2 AND x.${key} > $3::${type} ORDER BY x.${key} LIMIT $4`,
    [ctx.tenantId, notificationId, after, limit],
  );
}

export interface MessageDocument {
  id: string;
  document: { events: { sequence: number }[]; webhooks: { id: string }[] };
}

/** Messages to the address, oldest first, each with what belongs to it. */
export function selectMessagePage(
  ctx: Reader,
  address: string,
  after: string | null,
  limit: number,
): Promise<MessageDocument[]> {
  return queryInTenant(
    ctx,
    `SELECT m.id, ${plain("m")} || jsonb_build_object(
       'request', (SELECT ${plain("r")} FROM send_requests r WHERE r.tenant_id = $1 AND r.id = m.request_id),
       'events', ${firstAmong("events", "e")}, 'attempts', ${among("attempts", "a")},
       'links', ${among("short_links", "l")}, 'webhooks', ${firstAmong("webhooks", "d")},
       'costs', ${among("cost_entries", "k")}) AS document
     FROM notifications m WHERE m.tenant_id = $1 AND m.recipient = $2 AND ($3::uuid IS NULL OR m.id > $3)
     ORDER BY m.id LIMIT $4`,
    [ctx.tenantId, address, after, limit],
  );
}

export function selectConversationPage(
  ctx: Reader,
  address: string,
  after: string | null,
  limit: number,
): Promise<{ id: string; document: object }[]> {
  return queryInTenant(
    ctx,
    `SELECT c.id, ${plain("c")} AS document FROM conversations c
     WHERE c.tenant_id = $1 AND c.address = $2 AND ($3::uuid IS NULL OR c.id > $3) ORDER BY c.id LIMIT $4`,
    [ctx.tenantId, address, after, limit],
  );
}

export function selectInboundPage(
  ctx: Reader,
  conversationId: string,
  after: string | null,
  limit: number,
): Promise<{ id: string; document: object }[]> {
  return queryInTenant(
    ctx,
    `SELECT i.id, ${plain("i")} AS document FROM inbound_messages i
     WHERE i.tenant_id = $1 AND i.conversation_id = $2 AND ($3::uuid IS NULL OR i.id > $3) ORDER BY i.id LIMIT $4`,
    [ctx.tenantId, conversationId, after, limit],
  );
}

/** What the ledger holds of an address, and what belongs to it; `key` tells rows of the same moment apart. */
const consentTables = {
  consent: { from: "FROM consent_entries x", at: "at", key: "x.id::text" },
  suppression: { from: "FROM suppressions x", at: "created_at", key: "x.id::text" },
  link: {
    from: "FROM address_links x",
    at: "at",
    key: "concat_ws(' ', x.sandbox, x.address, x.linked_address)",
  },
  "automatic reply": { from: "FROM word_replies x", at: "created_at", key: "x.id::text" },
  "consent review": { from: "FROM consent_reviews x", at: "created_at", key: "x.id::text" },
  confirmation: { from: "FROM consent_confirmations x", at: "created_at", key: "x.id::text" },
} as const;
type ConsentKind = keyof typeof consentTables;
export const consentKinds = Object.keys(consentTables) as ConsentKind[];

export interface ConsentRow {
  at: string;
  key: string;
  document: object;
}

/** Rows of one kind about an address, and about what stays of it, oldest first. */
export function selectConsentPage(
  ctx: Reader,
  kind: ConsentKind,
  addresses: readonly string[],
  after: Pick<ConsentRow, "at" | "key"> | null,
  limit: number,
): Promise<ConsentRow[]> {
  const { from, at, key } = consentTables[kind];
  return queryInTenant<ConsentRow>(
    ctx,
    `SELECT x.${at}::text AS at, ${key} AS key, ${plain("x")} || jsonb_build_object('kind', $6::text) AS document ${from}
     WHERE x.tenant_id = $1 AND x.sandbox IN (true, false) AND x.channel = ANY ('{sms,email,whatsapp}') AND x.address = ANY ($2::text[])
       AND ($3::timestamptz IS NULL OR (x.${at}, ${key}) > ($3, $4::text)) ORDER BY x.${at}, ${key} LIMIT $5`,
    [ctx.tenantId, addresses, after?.at ?? null, after?.key ?? null, limit, kind],
  );
}
