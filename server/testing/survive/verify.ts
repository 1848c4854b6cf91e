import type { Arena } from "./arena.ts";
import type { ChaosResult } from "./chaos.ts";

/** What became of the messages that were acknowledged. */
export interface Account {
  /** Each broken promise in a sentence; empty when all are kept. */
  broken: string[];
  messages: number;
  delivered: number;
  undetermined: number;
  /** Times that a message reached the provider beyond its first. */
  extra: number;
  /** Attempts that were under way when their process was killed. */
  lost: number;
}

/**
 * Holds the service to its promises once every message is at its end: what was acknowledged is there under the ids that
 * were told, each message has exactly one end and events without a gap, and none reached the provider more often than
 * attempts were cut off by a kill.
 */
export async function verify(arena: Arena, acknowledged: ChaosResult["acknowledged"]): Promise<Account> {
  const account: Account = { broken: [], messages: 0, delivered: 0, undetermined: 0, extra: 0, lost: 0 };
  const demand = (kept: boolean, promise: string) => {
    if (!kept) account.broken.push(promise);
  };

  const { rows: requests } = await arena.owner.query<{ transaction_id: string; id: string; ids: string[] }>(
    `SELECT r.transaction_id, r.id, array_agg(n.id ORDER BY n.position) AS ids
     FROM send_requests r JOIN notifications n ON n.tenant_id = r.tenant_id AND n.request_id = r.id
     WHERE r.transaction_id = ANY ($1) GROUP BY r.transaction_id, r.id`,
    [[...acknowledged.keys()]],
  );
  demand(
    requests.length === acknowledged.size,
    `${String(acknowledged.size)} requests, ${String(requests.length)} rows`,
  );
  for (const { transaction_id, id, ids } of requests) {
    const told = acknowledged.get(transaction_id);
    demand(
      told?.requestId === id && told.ids.join() === ids.join(),
      `request ${id} has other ids than were told`,
    );
  }

  const all = [...acknowledged.values()].flatMap((request) => request.ids);
  const arrived = new Map<string, number[]>(all.map((id) => [id, []]));
  for (const { notificationId, attempt } of arena.received) arrived.get(notificationId)?.push(attempt);
  const { rows } = await arena.owner.query<{
    id: string;
    status: string;
    sequence: number;
    lost: number;
    events: number;
    first: number;
    ends: number;
    stuck: number;
  }>(
    `SELECT n.id, n.status, n.sequence,
       (SELECT count(*) FROM attempts a WHERE a.notification_id = n.id AND (a.outcome = 'unknown' OR a.outcome IS NULL))::int AS lost,
       (SELECT count(*) FROM notification_events e WHERE e.notification_id = n.id)::int AS events,
       (SELECT min(e.sequence) FROM notification_events e WHERE e.notification_id = n.id)::int AS first,
       -- What stayed undetermined may have been resolved by a receipt later.
       (SELECT count(*) FROM notification_events e WHERE e.notification_id = n.id AND notification_rank(e.type) = 3
          AND (e.type <> 'undetermined' OR n.status = 'undetermined'))::int AS ends,
       (SELECT count(*) FROM graphile_worker._private_jobs j
        WHERE j.payload::jsonb->'notificationIds' ? n.id::text AND j.attempts >= j.max_attempts)::int AS stuck
     FROM notifications n WHERE n.id = ANY ($1::uuid[])`,
    [all],
  );
  demand(
    new Set(all).size === rows.length,
    `${String(all.length)} messages were told, ${String(rows.length)} are there`,
  );
  for (const row of rows) {
    const attempts = arrived.get(row.id) ?? [];
    const extra = Math.max(0, attempts.length - 1);
    account.messages++;
    account.extra += extra;
    account.lost += row.lost;
    if (row.status === "delivered") account.delivered++;
    if (row.status === "undetermined") account.undetermined++;
    demand(row.ends === 1, `${row.id} has ${String(row.ends)} ends`);
    demand(row.first === 1 && row.events === row.sequence, `${row.id} has a gap in its events`);
    demand(
      row.status === "delivered" || (row.status === "undetermined" && row.lost > 0),
      `${row.id} is ${row.status}`,
    );
    demand(
      row.status !== "delivered" || attempts.length > 0,
      `${row.id} is delivered, but the provider never had it`,
    );
    demand(new Set(attempts).size === attempts.length, `an attempt of ${row.id} reached the provider twice`);
    demand(
      extra <= row.lost,
      `${row.id} reached the provider ${String(attempts.length)} times without a reason`,
    );
    demand(row.stuck === 0, `a job of ${row.id} was given up`);
  }
  return account;
}
