import { newId } from "../../kernel/ids.ts";
import { sendBody } from "../sending-world.ts";
import type { Arena } from "./arena.ts";
import { until } from "./arena.ts";

/** A small generator of numbers in [0, 1), the same for the same seed (mulberry32). */
export function randomOf(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 0x1_0000_0000;
  };
}

const types = [
  ["order", "order_status"],
  ["authentication", "one_time_passcode"],
  ["account", "maintenance"],
] as const;

export interface ChaosResult {
  /** Ids of the acknowledged messages, by transaction. */
  acknowledged: Map<string, { requestId: string; ids: string[] }>;
  kills: { worker: number; web: number; postgres: number };
  /** Requests that had to be repeated. */
  repeated: number;
}

/**
 * Sends `requests` requests of ten messages over eight connections, and meanwhile kills processes of the service,
 * chosen by the seed and by how much was acknowledged, so that each kill happens under load.
 */
export async function injectFaults(
  arena: Arena,
  options: { seed: number; requests: number; kills: number },
): Promise<ChaosResult> {
  const random = randomOf(options.seed);
  const acknowledged: ChaosResult["acknowledged"] = new Map();
  const kills = { worker: 0, web: 0, postgres: 0 };
  let repeated = 0;
  let sent = 0;

  const client = async () => {
    while (sent < options.requests) {
      const number = sent++;
      const [notificationType, notificationSubtype] = types[number % types.length] ?? types[0];
      const transactionId = newId();
      const recipients = Array.from({ length: 10 }, (_, index) => ({
        channel: "sms" as const,
        recipient: `+4915${String(100_000_000 + number * 10 + index)}`,
      }));
      const body = sendBody({ transactionId, notificationType, notificationSubtype, recipients });
      const { requestId, ids, tries } = await arena.accept(body);
      acknowledged.set(transactionId, { requestId, ids });
      if (tries > 1) repeated++;
    }
  };
  const chaos = async () => {
    // One of each, then at random.
    const kinds = ["worker", "web", "postgres"] as const;
    const victims = [...kinds]
      .map((kind) => ({ kind, order: random() }))
      .sort((a, b) => a.order - b.order)
      .map(({ kind }) => kind);
    while (victims.length < options.kills)
      victims.push(kinds[Math.floor(random() * kinds.length)] ?? "worker");
    const moments = victims
      .map(() => Math.floor((0.05 + 0.85 * random()) * options.requests))
      .sort((a, b) => a - b);
    for (const [index, kind] of victims.entries()) {
      const moment = moments[index] ?? 0;
      await until(`${String(moment)} requests are accepted`, 60_000, () =>
        Promise.resolve(acknowledged.size >= moment),
      );
      kills[kind]++;
      if (kind === "web") arena.web.kill();
      else if (kind === "worker") arena.workers[Math.floor(random() * arena.workers.length)]?.kill();
      else await arena.crashPostgres();
    }
  };
  await Promise.all([...Array.from({ length: 8 }, client), chaos()]);
  return { acknowledged, kills, repeated };
}

/**
 * Skips the time that messages wait for a receipt after an unknown outcome; then releases held receipts, and waits
 * until every message has ended.
 */
export async function settle(arena: Arena, ids: string[], ms: number): Promise<void> {
  await until("every message is sent or at its end", ms, async () => {
    const { rows } = await arena.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM notifications
       WHERE id = ANY ($1::uuid[]) AND status IN ('scheduled', 'queued', 'sending')`,
      [ids],
    );
    if (rows[0]?.n === 0) return true;
    await arena.owner.query(
      `WITH waiting AS (
         UPDATE notifications SET due_at = now() WHERE id = ANY ($1::uuid[]) AND status = 'sending'
           AND open_attempt IS NULL AND due_at > now() + interval '5 seconds' RETURNING id
       )
       UPDATE graphile_worker._private_jobs j SET run_at = now()
       FROM waiting WHERE j.payload::jsonb->'notificationIds' ? waiting.id::text AND j.locked_at IS NULL`,
      [ids],
    );
    return false;
  });
  await arena.releaseReceipts();
  await until("every message is at its end", ms, async () => {
    const { rows } = await arena.owner.query<{ n: number }>(
      `SELECT count(*)::int AS n FROM notifications
       WHERE id = ANY ($1::uuid[]) AND NOT final AND notification_rank(status) < 3`,
      [ids],
    );
    return rows[0]?.n === 0;
  });
}
