import pg from "pg";
import { packRollups } from "../../server/insights/fold-metrics.ts";
import { replaceFromLedger } from "../../server/insights/recompute-day.ts";
import { openDb } from "../../server/kernel/db.ts";
import type { World } from "./world.ts";

const dayMs = 86_400_000;

/**
 * Fills a product database with `count` messages of the last `days` days, as if they had been sent: requests of five, each with
 * its attempt, cost, counts and, where `events` are asked for, events. Three applications with three kinds of message each, which
 * mostly use one channel; half of the messages stay in one of twelve countries; 4 % go wrong.
 */
export async function createHistory(
  url: string,
  world: World,
  { count, days, events }: { count: number; days: number; events: boolean },
): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    await client.query("SET synchronous_commit = off");
    await client.query("SET work_mem = '64MB'");
    await client.query(olderMonths(days));
    await client.query(
      `CREATE TEMP TABLE made AS
       SELECT n, at, uuidv7(at - clock_timestamp()) AS id, request_id,
         app, applications[app + 1] AS application_id,
         (ARRAY['order_update', 'promotion', 'sign_in'])[kind + 1] AS type,
         (ARRAY['shipped', 'seasonal_sale', 'one_time_code'])[kind + 1] AS subtype,
         (ARRAY['transactional', 'marketing', 'authentication'])[kind + 1] AS class,
         templates[kind + 1] AS template_id,
         CASE WHEN luck < 0.9 THEN (ARRAY['email', 'sms', 'whatsapp'])[(app + kind) % 3 + 1] ELSE 'sms' END AS channel,
         CASE WHEN place < 0.5 THEN 'DE' ELSE ('{FR,US,GB,AT,CH,IT,ES,PL,NL,BE,IN}'::text[])[1 + (place * 1000)::int % 11] END AS region,
         CASE WHEN mailbox < 0.4 THEN 'gmail.com' WHEN mailbox < 0.6 THEN 'outlook.com' WHEN mailbox < 0.7 THEN 'yahoo.com'
           ELSE 'example.com' END AS mailbox,
         CASE WHEN fate < 0.9 THEN 'delivered' WHEN fate < 0.96 THEN 'sent' WHEN fate < 0.985 THEN 'failed'
              WHEN fate < 0.992 THEN 'rejected' WHEN fate < 0.996 THEN 'expired' WHEN fate < 0.998 THEN 'undetermined'
              ELSE 'canceled' END AS status,
         (ARRAY['invalid_recipient', 'unreachable', 'provider_error', 'spam_filtered', 'timeout'])[(fate * 100000)::int % 5 + 1] AS code,
         make_interval(secs => exp(ln(0.3) + random_normal() * 0.5)) AS sent_after,
         make_interval(secs => exp(ln(2.5) + random_normal() * 0.6)) AS delivered_after
       FROM (
         SELECT n, request_id, at + make_interval(secs => n % 5 * 0.001) AS at, app, kind, random() AS luck, random() AS place, random() AS fate, random() AS mailbox,
           $2::uuid[] AS applications, $3::uuid[] AS templates
         FROM (
           SELECT r, at, uuidv7(at - clock_timestamp()) AS request_id, (r % 7) % 3 AS app, (r % 11) % 3 AS kind
           FROM (SELECT r, now() - make_interval(secs => ${days} * 86400.0 * (1 - r::float8 / ($1::int / 5))) AS at
                 FROM generate_series(1, $1::int / 5) AS r) AS timed
         ) AS requests CROSS JOIN LATERAL generate_series(r * 5, r * 5 + 4) AS n
       ) AS drawn`,
      [
        count,
        world.applicationIds,
        [world.templateIds.order, world.templateIds.promotion, world.templateIds.otp],
      ],
    );
    await client.query("ANALYZE made");
    const values = [world.tenantId, world.environmentId];
    await client.query(
      `INSERT INTO send_requests (tenant_id, id, environment_id, application_id, transaction_id, source, actor_type, actor_id,
         region, language, notification_type, notification_subtype, variables, metadata, created_at)
       SELECT DISTINCT ON (request_id) $1, request_id, $2::uuid, application_id, 'order-' || n, 'send', 'apiKey', NULL::uuid,
         region, 'en', type, subtype, '{"name": "Ada", "order": "4711"}'::jsonb, '{"campaign": "autumn"}'::jsonb, at
       FROM made ORDER BY request_id, n`,
      values,
    );
    await client.query(
      `INSERT INTO notifications (tenant_id, id, request_id, position, environment_id, application_id, unit_id, sandbox, channel,
         recipient, region, language, notification_type, notification_subtype, class, template_id, template_version, status,
         final, reason_code, reason_detail, failure, connection_id, provider, provider_message_id, segments, sequence, attempts,
         expires_at, created_at, sent_at, delivered_at, failed_at, country, mail_domain)
       SELECT $1::uuid, id, request_id, n % 5, $2::uuid, application_id, $3::uuid, false, channel,
         CASE channel WHEN 'email' THEN 'customer' || n % 200000 || '@' || mailbox ELSE '+49151' || (10000000 + n % 200000) END,
         region, 'en', type, subtype, class, template_id, 1, status, status <> 'sent',
         CASE WHEN status IN ('rejected', 'expired', 'canceled') THEN status END, CASE WHEN status = 'rejected' THEN 'Not wanted' END,
         CASE WHEN status = 'failed' THEN jsonb_build_object('code', code, 'detail', 'The provider said no') END,
         CASE WHEN status NOT IN ('rejected', 'canceled') THEN $4::uuid END,
         CASE WHEN status NOT IN ('rejected', 'canceled') THEN 'Emulated provider' END,
         CASE WHEN status IN ('sent', 'delivered') THEN 'SM' || md5(n::text) END, CASE WHEN channel = 'sms' THEN 1 END,
         4, 1, at + interval '1 day', at,
         CASE WHEN status IN ('sent', 'delivered') THEN at + sent_after END,
         CASE WHEN status = 'delivered' THEN at + sent_after + delivered_after END,
         CASE WHEN status = 'failed' THEN at + sent_after END,
         region, mail_domain_group(channel, 'customer@' || mailbox)
       FROM made ORDER BY n`,
      [...values, world.unitId, world.connectionId],
    );
    if (events)
      await client.query(
        `INSERT INTO notification_events (tenant_id, notification_id, sequence, at, type, data)
       SELECT $1::uuid, id, step.sequence, at + step.after, step.type, '{}'
       FROM made CROSS JOIN LATERAL (VALUES (1, interval '0', 'queued'), (2, interval '20 ms', 'sending'), (3, sent_after, 'sent'),
         (4, sent_after + delivered_after, status)) AS step(sequence, after, type)
       WHERE step.type <> 'sent' OR status <> 'sent' ORDER BY n, step.sequence`,
        [world.tenantId],
      );
    await client.query(
      `INSERT INTO attempts (tenant_id, notification_id, number, connection_id, provider, worker, started_at, finished_at, outcome, code)
       SELECT $1::uuid, id, 1, $2::uuid, 'Emulated provider', 'bench', at, at + sent_after,
         CASE WHEN status = 'failed' THEN 'not_sent' ELSE 'sent' END, CASE WHEN status = 'failed' THEN code END
       FROM made WHERE status NOT IN ('rejected', 'canceled') ORDER BY n`,
      [world.tenantId, world.connectionId],
    );
    await client.query(
      `INSERT INTO cost_entries (tenant_id, id, notification_id, attempt, kind, amount, currency, source, at)
       SELECT $1::uuid, uuidv7(at - clock_timestamp()), id, 1, 'message', 0.075, 'EUR', 'reported', at
       FROM made WHERE status IN ('sent', 'delivered') ORDER BY n`,
      [world.tenantId],
    );
    await client.query("VACUUM (ANALYZE)");
    // From the ledger, as the product recomputes a day, and put away as the days pass.
    const db = openDb("worker", url, { poolSize: 2 });
    const today = Math.floor(Date.now() / dayMs);
    for (let day = today - days - 1; day <= today; day++) {
      await replaceFromLedger(db, world.tenantId, new Date(day * dayMs));
      await packRollups(db);
      await client.query(
        "VACUUM (ANALYZE) rollups, rollup_reasons, rollup_costs, rollup_keys, metric_deltas, cost_deltas",
      );
    }
    await db.close();
    await client.query("VACUUM (ANALYZE) rollup_packs");
  } finally {
    await client.end();
  }
}

/** Partitions of the months that a new database has none of any more. */
function olderMonths(days: number): string {
  return `DO $$
    DECLARE
      v_table text;
      v_month timestamp := date_trunc('month', (now() - interval '${String(days + 1)} days') AT TIME ZONE 'UTC');
    BEGIN
      WHILE v_month < date_trunc('month', now() AT TIME ZONE 'UTC') - interval '1 month' LOOP
        FOREACH v_table IN ARRAY ARRAY['notifications', 'notification_events', 'attempts'] LOOP
          EXECUTE format('CREATE TABLE IF NOT EXISTS %I PARTITION OF %I FOR VALUES FROM (%L) TO (%L)',
            v_table || '_' || to_char(v_month, 'YYYY_MM'), v_table, uuidv7_floor(v_month AT TIME ZONE 'UTC'),
            uuidv7_floor((v_month + interval '1 month') AT TIME ZONE 'UTC'));
        END LOOP;
        v_month := v_month + interval '1 month';
      END LOOP;
    END $$`;
}
