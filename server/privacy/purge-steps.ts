import type { Retention } from "../tenancy/schemas.ts";
import { registry } from "./registry.ts";

/** Periods of an organisation, and those that are the same for all. */
export type PurgePeriod = keyof typeof periodOf | "fixed";

/** Which of an organisation's settings says how long. */
export const periodOf = {
  content: "contentDays",
  metadata: "metadataMonths",
  webhookLog: "webhookLogDays",
} as const satisfies Record<string, keyof Retention>;

export interface PurgeStep {
  /** Stored with how far it has come: never changes. */
  id: string;
  table: string;
  period: PurgePeriod;
  /** blank: the row stays without its content. */
  action: "blank" | "delete";
  /** The column by which rows are old: a UUIDv7, or a time. */
  key: string;
  clock: "uuid" | "time";
  /** Of a fixed period. */
  days?: number;
  /** What else must be true of a row. */
  when?: string;
  /** In place of a plain deletion: $1 tenant, $2 older than, $3 at most. Counts the rows that it deletes. */
  statement?: string;
  /** What the portal calls it. */
  says: string;
}

const blanked = (table: string, key: string, says: string): PurgeStep => ({
  id: `blank_${table}`,
  table,
  period: "content",
  action: "blank",
  key,
  clock: "uuid",
  says,
});

const deleted = (
  period: PurgePeriod,
  table: string,
  key: string,
  says: string,
  more: Partial<PurgeStep> = {},
): PurgeStep => ({
  id: `delete_${table}`,
  table,
  period,
  action: "delete",
  key,
  clock: "uuid",
  says,
  ...more,
});

const fixed = (table: string, key: string, says: string, more: Partial<PurgeStep> = {}): PurgeStep => {
  const kept = registry[table]?.kept;
  const days = typeof kept === "object" && "days" in kept ? kept.days : 0;
  return deleted("fixed", table, key, says, { clock: "time", days, ...more });
};

/**
 * What the purge does for each organisation, in this order. What refers to something goes before it, so that an interrupted run
 * leaves nothing that nobody finds again.
 */
export const purgeSteps: readonly PurgeStep[] = [
  blanked("notification_events", "notification_id", "Details of what happened to messages"),
  blanked("attempts", "notification_id", "Providers' answers about messages"),
  blanked("notifications", "id", "Addresses and variables of messages"),
  blanked("send_requests", "id", "Variables and metadata of requests"),
  deleted("content", "send_approvals", "request_id", "Approvals of what agents sent"),
  deleted("content", "consent_confirmations", "id", "Confirmations that recipients were asked for", {
    when: "t.expires_at < now()",
  }),
  deleted("content", "consent_reviews", "id", "Reviews of what recipients wrote"),
  deleted("content", "word_replies", "id", "Automatic replies to recipients"),
  deleted("content", "inbound_messages", "id", "Messages from recipients"),
  deleted("content", "conversations", "last_inbound_at", "Conversations", {
    clock: "time",
    when: "NOT EXISTS (SELECT FROM inbound_facts m WHERE m.tenant_id = t.tenant_id AND m.conversation_id = t.id)",
  }),
  deleted("content", "address_words", "seen_on", "What addresses of messages are found by", {
    clock: "time",
    // A day stays until its last message is without its address.
    when: "t.seen_on < ($2::timestamptz AT TIME ZONE 'UTC')::date",
    statement: `DELETE FROM address_words WHERE tenant_id = $1 AND (sandbox, word, address) IN (
        SELECT sandbox, word, address FROM address_words
        WHERE tenant_id = $1 AND seen_on < ($2::timestamptz AT TIME ZONE 'UTC')::date ORDER BY seen_on LIMIT $3)`,
  }),
  deleted("webhookLog", "webhook_attempts", "delivery_id", "Attempts to deliver webhooks"),
  deleted("webhookLog", "webhook_deliveries", "id", "Webhook deliveries"),
  deleted("metadata", "notification_events", "notification_id", "What happened to messages"),
  deleted("metadata", "attempts", "notification_id", "Attempts to send messages"),
  deleted("metadata", "notifications", "id", "Messages"),
  deleted("metadata", "broadcast_recipients", "request_id", "Recipients of broadcasts"),
  deleted("metadata", "broadcasts", "request_id", "Broadcasts", {
    // Deleting one deletes what is left of its recipients with it, however many: they go before, in portions.
    statement: `DELETE FROM broadcasts WHERE tenant_id = $1 AND request_id IN (
        SELECT b.request_id FROM broadcasts b WHERE b.tenant_id = $1 AND b.request_id < $2 AND NOT EXISTS (
          SELECT FROM broadcast_recipients r WHERE r.tenant_id = b.tenant_id AND r.request_id = b.request_id)
        ORDER BY b.request_id LIMIT $3)`,
  }),
  deleted("metadata", "send_requests", "id", "Requests", {
    // The keys of a request are found by it: a search by request would need an index that every request pays for.
    statement: `WITH old AS (
        SELECT id, environment_id, application_id, transaction_id FROM send_requests
        WHERE tenant_id = $1 AND id < $2 ORDER BY id LIMIT $3
      ), keys AS (
        DELETE FROM idempotency_keys k USING old WHERE k.tenant_id = $1 AND k.environment_id = old.environment_id
          AND k.application_id = old.application_id AND k.kind = 'transaction' AND k.key = old.transaction_id
          AND k.request_id = old.id
      )
      DELETE FROM send_requests r USING old WHERE r.tenant_id = $1 AND r.id = old.id`,
  }),
  deleted("metadata", "connection_incidents", "id", "Incidents of connections"),
  fixed("sessions", "expires_at", "Sign-ins of members"),
  fixed("invitations", "expires_at", "Invitations", {
    when: "coalesce(t.ended_at, t.expires_at) < $2",
  }),
  fixed("notices", "created_at", "Notices to members"),
  fixed("report_sends", "due_at", "Mails of scheduled reports"),
  fixed("recipient_sends", "at", "What counts towards frequency caps"),
  fixed("link_clicks", "day", "Counts of clicks"),
  fixed("sender_domain_checks", "tried_at", "Look-ups of domains that nothing is sent from any more"),
  fixed("ai_usage", "at", "Calls to the AI service"),
  fixed("routing_revisions", "at", "Former routing rules", {
    when: "t.number < (SELECT max(o.number) FROM routing_revisions o WHERE o.tenant_id = t.tenant_id AND o.environment_id = t.environment_id)",
  }),
  fixed("feed_events", "written_at", "Events of the feed"),
  fixed("price_changes", "id", "Changes of price lists", { clock: "uuid" }),
  fixed("suppressions", "expires_at", "Suppressions that have ended"),
  fixed("connection_health", "updated_at", "Health of deleted connections", {
    days: 30,
    when: "NOT EXISTS (SELECT FROM connection_facts c WHERE c.tenant_id = t.tenant_id AND c.id = t.connection_id)",
  }),
];
