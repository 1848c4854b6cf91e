import pg from "pg";
import { withOwnerUrl } from "../scripts/lib/database.ts";
import { quickstart } from "./quickstart.ts";

/** What the application is called that is not used any more: at length, and from right to left. */
export const loyalty =
  "برنامج الولاء والمكافآت لعملائنا الدائمين في جميع أنحاء المنطقة العربية وشمال أفريقيا";

/** Messages of last month with one price each. */
export interface Sent {
  application: "webshop" | "loyalty";
  country: string;
  /** The template's language; it is the demo's e-mail "promotion". */
  language: "en" | "de";
  /** Where nothing is sent otherwise, so that one test's sums are not another's; production without. */
  environment?: "staging";
  count: number;
  /** Of one, a decimal number. */
  price: string;
}

/** The first moments of last month and of this one, in UTC as costs are counted. */
export function lastMonth(now = new Date()): { name: string; from: Date; to: Date } {
  const from = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1, 1));
  const to = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), 1));
  return { name: from.toISOString().slice(0, 7), from, to };
}

/**
 * Puts messages with their tries and costs of last month into the installation under test: no message can be sent in the past. The worker
 * counts them as it counts all. The application `loyalty` is not used any more, so that nobody else's test meets it.
 */
export async function sentLastMonth(lines: readonly Sent[]): Promise<void> {
  const { tenantId } = quickstart();
  const { from, to } = lastMonth();
  await withOwnerUrl(process.env.E2E_DATA_DIR ?? ".data", async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      await client.query(
        `INSERT INTO applications (tenant_id, id, unit_id, name, title, default_region, default_language, archived_at)
         SELECT tenant_id, uuidv7_new(), unit_id, 'loyalty', $2, 'DE', 'en', now() FROM applications
         WHERE tenant_id = $1 AND name = 'webshop' ON CONFLICT DO NOTHING`,
        [tenantId, loyalty],
      );
      for (const line of lines) {
        await client.query(
          `WITH place AS (
             SELECT a.id AS application_id, a.unit_id, e.id AS environment_id, c.id AS connection_id, c.name AS provider, t.id AS template_id,
               uuidv7_new() AS request_id
             FROM applications a
             JOIN environments e ON e.tenant_id = a.tenant_id AND e.slug = $9
             JOIN provider_connections c ON c.tenant_id = a.tenant_id AND c.name = 'Quickstart mailbox'
             JOIN templates t ON t.tenant_id = a.tenant_id AND t.name = 'promotion' AND t.channel = 'email' AND t.language = $4
             WHERE a.tenant_id = $1 AND a.name = $2
           ), request AS (
             INSERT INTO send_requests (tenant_id, id, environment_id, application_id, transaction_id, source, actor_type, region, language,
               notification_type, notification_subtype, variables, metadata, created_at)
             SELECT $1, request_id, environment_id, application_id, 'last month ' || request_id, 'v1', 'system', $3, $4, 'marketing', 'promotion',
               '{}', '{}', $7 FROM place RETURNING id
           ), sent AS (
             INSERT INTO notifications (tenant_id, id, request_id, position, environment_id, application_id, unit_id, sandbox, channel,
               recipient, region, mail_domain, language, notification_type, notification_subtype, class, template_id, template_version, status,
               final, connection_id, provider, sequence, attempts, expires_at, created_at, sent_at)
             SELECT $1, (left(uuidv7_floor(m.at)::text, 24) || left(md5(i || r.id::text), 12))::uuid, r.id, i, p.environment_id,
               p.application_id, p.unit_id, false, 'email', 'reader' || i || '@gmail.com', $3, 'gmail', $4, 'marketing', 'promotion', 'marketing',
               p.template_id, 1, 'sent', true, p.connection_id, p.provider, 3, 1, m.at + interval '2 days', m.at,
               m.at + interval '1 second'
             FROM place p, request r, generate_series(0, $5::int - 1) AS i
             CROSS JOIN LATERAL (SELECT $7::timestamptz + i * ($8::timestamptz - $7::timestamptz) / $5::int AS at) AS m
             RETURNING id, created_at, connection_id, provider
           ), tried AS (
             INSERT INTO attempts (tenant_id, notification_id, number, connection_id, provider, worker, started_at, finished_at, outcome)
             SELECT $1, id, 1, connection_id, provider, 'last month', created_at, created_at + interval '1 second', 'sent' FROM sent
           )
           INSERT INTO cost_entries (tenant_id, id, notification_id, attempt, kind, amount, currency, source, at)
           SELECT $1, (left(id::text, 24) || left(md5(id::text), 12))::uuid, id, 1, 'message', $6::numeric, 'EUR', 'reported',
             created_at + interval '1 second'
           FROM sent`,
          [
            tenantId,
            line.application,
            line.country,
            line.language,
            line.count,
            line.price,
            from,
            to,
            line.environment ?? "production",
          ],
        );
      }
    } finally {
      await client.end();
    }
  });
}

/** What the ledger itself says that last month came to, by plain SQL: a decimal number. */
export async function ledgerOfLastMonth(): Promise<string> {
  const { from, to } = lastMonth();
  return withOwnerUrl(process.env.E2E_DATA_DIR ?? ".data", async (url) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      const { rows } = await client.query<{ sum: string }>(
        "SELECT sum(amount)::text AS sum FROM cost_entries WHERE tenant_id = $1 AND at >= $2 AND at < $3",
        [quickstart().tenantId, from, to],
      );
      return rows[0]?.sum ?? "0";
    } finally {
      await client.end();
    }
  });
}
