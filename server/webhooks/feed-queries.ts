import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions, scopeSql } from "../operations/conditions.ts";
import { contentColumns, historyOf, toContent } from "./delivery-queries.ts";
import type { ContentRow } from "./delivery-queries.ts";
import type { EventContent } from "./body.ts";
import type { FeedPosition } from "./feed-cursor.ts";

interface FeedRow extends ContentRow, Omit<FeedPosition, "at"> {
  writtenAt: Date;
  sequence: number;
  matches: boolean;
  unitId: string | null;
  applicationId: string | null;
}

/** A place of the feed, and what happened there if it is in the filter. */
export interface FeedEntry {
  position: FeedPosition;
  /** Null: not in the filter, or erased. */
  content: EventContent | null;
  /** Whose it is; null: of all. */
  unitId: string | null;
  applicationId: string | null;
}

export interface FeedFilter {
  scopes: Required<Scope>[] | null;
  environmentId: string;
  sandbox: boolean;
  /** Kinds of events. */
  events: readonly string[];
  /** Name of an application. */
  application: string | undefined;
}

/** Whether an event concerns every application. */
const ofAll = "coalesce(n.application_id, d.application_id) IS NULL";

/**
 * The next `limit` events of the organisation after a place and not later than `until`, in the order in which they were written. Those
 * that the filter leaves out are among them, without content, so that the work of a call is bounded and the reader knows how far it came.
 */
export async function selectFeed(
  ctx: Ctx,
  { from, until, limit }: { from: FeedPosition; until: Date; limit: number },
  filter: FeedFilter,
): Promise<FeedEntry[]> {
  const where = new Conditions(
    [
      ctx.tenantId,
      from.at,
      from.id,
      from.sequence,
      until,
      limit,
      filter.environmentId,
      filter.sandbox,
      filter.events,
    ],
    "d.event = ANY ($9::text[])",
    `CASE WHEN d.notification_id IS NOT NULL THEN n.environment_id = $7::uuid
          WHEN d.environment_id IS NOT NULL THEN d.environment_id = $7::uuid
          ELSE d.sandbox = $8::boolean END`,
  ).given(`(${ofAll} OR a.name = ?)`, filter.application);
  // What concerns all applications concerns each that the caller reads events of.
  const within = scopeSql(
    filter.scopes,
    { unit: "a.unit_id", application: "a.id", environment: "$7::uuid" },
    where.values,
  );
  where.and(`(${ofAll} OR ${within})`);
  const page = (columns: string, table: string, id: string, sequence: string) => `
    (SELECT ${columns} FROM ${table}
     WHERE tenant_id = $1 AND written_at >= $2 AND written_at <= $5 AND (written_at, ${id}, ${sequence}) > ($2, $3::uuid, $4::int)
     ORDER BY written_at, ${id}, ${sequence} LIMIT $6)`;
  const rows = await queryInTenant<FeedRow>(
    ctx,
    `WITH page AS MATERIALIZED (
       SELECT * FROM (${page(
         `tenant_id, written_at, notification_id AS id, notification_id, sequence, webhook_event_of(type) AS event, at,
          NULL::uuid AS application_id, NULL::uuid AS environment_id, NULL::boolean AS sandbox, NULL::jsonb AS payload`,
         "event_facts",
         "notification_id",
         "sequence",
       )}
       UNION ALL ${page(
         "tenant_id, written_at, id, NULL, 0, event, at, application_id, environment_id, sandbox, payload",
         "feed_events",
         "id",
         "0::int",
       )}) AS both_kinds
       ORDER BY written_at, id, sequence LIMIT $6
     )
     SELECT d.written_at, d.id, d.sequence, d.notification_id, d.at, d.event, m.matches, a.id AS application_id, a.unit_id,
       a.name AS application, v.slug AS environment, CASE WHEN m.matches THEN d.payload END AS payload, ${contentColumns}
     FROM page d
     CROSS JOIN LATERAL (SELECT slug FROM environment_facts WHERE tenant_id = $1 AND id = $7::uuid OFFSET 0) v
     LEFT JOIN LATERAL (SELECT channel, recipient, provider, request_id, environment_id, application_id FROM notification_facts
       WHERE tenant_id = $1 AND id BETWEEN d.notification_id AND d.notification_id ORDER BY id LIMIT 1) n ON true
     LEFT JOIN LATERAL (SELECT id, name, unit_id FROM application_facts
       WHERE tenant_id = $1 AND id = coalesce(n.application_id, d.application_id) OFFSET 0) a ON true
     CROSS JOIN LATERAL (SELECT coalesce(${where.sql}, false) AS matches) m
     LEFT JOIN LATERAL (SELECT transaction_id, metadata FROM request_facts
       WHERE m.matches AND tenant_id = $1 AND id BETWEEN n.request_id AND n.request_id ORDER BY id LIMIT 1) r ON true
     LEFT JOIN LATERAL ${historyOf("d", "m.matches")} h ON d.notification_id IS NOT NULL
     ORDER BY d.written_at, d.id, d.sequence`,
    where.values,
  );
  return rows.map((row) => ({
    position: { at: row.writtenAt, id: row.id, sequence: row.sequence },
    content: row.matches ? toContent(row) : null,
    unitId: row.unitId,
    applicationId: row.applicationId,
  }));
}
