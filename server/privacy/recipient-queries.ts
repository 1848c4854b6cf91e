import type { Ctx } from "../kernel/ctx.ts";
import { beginReading, camelRows, inTransaction, queryInTenant } from "../kernel/db.ts";
import type { holdings } from "./schemas.ts";

type Reader = Pick<Ctx, "db" | "tenantId">;

/** How much there is of each kind, each counted up to `most`. */
export async function countHoldings(
  ctx: Reader,
  address: string,
  tokens: readonly string[],
  most: number,
): Promise<Record<Exclude<(typeof holdings)[number], "contacts">, number> & { member: boolean }> {
  return inTransaction(ctx.db.pool, beginReading(ctx.tenantId, 8_000), async (client) => {
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
  });
}

const plain = (table: string) => `to_jsonb(${table}) - 'tenant_id'`;
const among = (table: string, alias: string) =>
  `coalesce((SELECT jsonb_agg(${plain(alias)} - 'notification_id') FROM (SELECT * FROM ${table} x
     WHERE x.tenant_id = $1 AND x.notification_id = m.id LIMIT 1000) AS ${alias}), '[]')`;

/** Messages to the address, oldest first, each with all that belongs to it. */
export function selectMessagePage(
  ctx: Reader,
  address: string,
  after: string | null,
  limit: number,
): Promise<{ id: string; document: object }[]> {
  return queryInTenant(
    ctx,
    `SELECT m.id, ${plain("m")} || jsonb_build_object(
       'request', (SELECT ${plain("r")} FROM send_requests r WHERE r.tenant_id = $1 AND r.id = m.request_id),
       'events', ${among("notification_events", "e")}, 'attempts', ${among("attempts", "a")},
       'links', ${among("short_links", "l")}, 'webhooks', ${among("webhook_deliveries", "d")},
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

/** Consent and suppressions of the address, and of what stays of it. */
export function selectConsentRows(ctx: Reader, addresses: readonly string[]): Promise<object[]> {
  return queryInTenant<{ document: object }>(
    ctx,
    `SELECT ${plain("c")} || '{"kind":"consent"}' AS document FROM consent_entries c
     WHERE c.tenant_id = $1 AND c.channel = ANY ('{sms,email,whatsapp}') AND c.address = ANY ($2::text[])
     UNION ALL
     SELECT ${plain("s")} || '{"kind":"suppression"}' FROM suppressions s
     WHERE s.tenant_id = $1 AND s.channel = ANY ('{sms,email,whatsapp}') AND s.address = ANY ($2::text[])
     UNION ALL
     SELECT ${plain("l")} || '{"kind":"link"}' FROM address_links l
     WHERE l.tenant_id = $1 AND l.sandbox IN (true, false) AND l.channel = 'whatsapp' AND l.address = ANY ($2::text[])
     UNION ALL
     SELECT ${plain("r")} || '{"kind":"automatic reply"}' FROM word_replies r
     WHERE r.tenant_id = $1 AND r.channel = ANY ('{sms,email,whatsapp}') AND r.address = ANY ($2::text[])
     UNION ALL
     SELECT ${plain("v")} || '{"kind":"consent review"}' FROM consent_reviews v
     WHERE v.tenant_id = $1 AND v.channel = ANY ('{sms,email,whatsapp}') AND v.address = ANY ($2::text[])
     UNION ALL
     SELECT ${plain("k")} || '{"kind":"confirmation"}' FROM consent_confirmations k
     WHERE k.tenant_id = $1 AND k.sandbox IN (true, false) AND k.channel = ANY ('{sms,email,whatsapp}') AND k.address = ANY ($2::text[])
     LIMIT 10000`,
    [ctx.tenantId, addresses],
  ).then((rows) => rows.map(({ document }) => document));
}
