import { waitFor } from "./children.ts";
import { query } from "./cluster.ts";
import { percentile } from "./run.ts";
import { sendBody } from "./world.ts";
import type { World } from "./world.ts";

/** Sends a request; returns the ids of its messages. Throws when it is not accepted. */
export async function send(baseUrl: string, world: Pick<World, "apiKey">, body: string): Promise<string[]> {
  const answer = await fetch(`${baseUrl}/api/app/notifications/send`, {
    method: "POST",
    headers: { authorization: `Bearer ${world.apiKey}`, "content-type": "application/json" },
    body,
  });
  if (answer.status !== 202) throw new Error(`status ${answer.status}: ${await answer.text()}`);
  const { notifications } = (await answer.json()) as { notifications: { notificationId: string }[] };
  return notifications.map((notification) => notification.notificationId);
}

/**
 * Sends a code and a promotion and waits until both have left: they meet freshly started processes, and do not count.
 * @param url the product's database
 */
export async function sendFirst(baseUrl: string, world: World, url: string): Promise<void> {
  const ids = await Promise.all(
    (["otp", "promotion"] as const).map((kind) => send(baseUrl, world, sendBody(kind, `first-${kind}`, 1))),
  );
  await waitFor(null, "the first messages have left", async () => {
    const [row] = await query<{ gone: number }>(
      url,
      "SELECT count(*)::int AS gone FROM notifications WHERE id = ANY($1) AND status NOT IN ('queued', 'sending')",
      [ids.flat()],
    );
    return row?.gone === ids.length ? true : undefined;
  });
}

/** Messages that are requested at a steady pace, whether or not earlier ones were answered. */
export interface Stream {
  asked: { id: string; askedAt: number }[];
  failures: unknown[];
  /** Stops requesting, and waits for the answers. */
  stop(): Promise<void>;
}

/** Requests single messages of a kind, `perSecond`. */
export function startStream(
  baseUrl: string,
  world: World,
  options: { kind: "otp" | "order"; perSecond: number },
): Stream {
  const asked: Stream["asked"] = [];
  const failures: unknown[] = [];
  const pending = new Set<Promise<void>>();
  let number = 0;
  const timer = setInterval(() => {
    const askedAt = Date.now();
    const promise = send(
      baseUrl,
      world,
      sendBody(options.kind, `${options.kind}-${number++}-${askedAt}`, 1),
    ).then(
      ([id = ""]) => void asked.push({ id, askedAt }),
      (error: unknown) => void failures.push(error),
    );
    pending.add(promise);
    void promise.finally(() => pending.delete(promise));
  }, 1_000 / options.perSecond);
  return {
    asked,
    failures,
    stop: async () => {
      clearInterval(timer);
      await Promise.all(pending);
    },
  };
}

/** From the request until the provider had it, ms, for each message; lost ones are left out. */
export function latenciesOf(stream: Stream, at: ReadonlyMap<string, number>): number[] {
  return stream.asked.flatMap(({ id, askedAt }) => {
    const received = at.get(id);
    return received === undefined ? [] : [received - askedAt];
  });
}

/** Where the time of a stream's messages went, in words. */
export async function partsOf(
  url: string,
  stream: Stream,
  receivedAt: ReadonlyMap<string, number>,
): Promise<string> {
  const steps = await timesOf(
    url,
    stream.asked.map(({ id }) => id),
  );
  const part = (name: string, of: (message: { id: string; askedAt: number }) => number) => {
    const values = stream.asked.map(of).filter((value) => !Number.isNaN(value));
    return `${name} ${percentile(values, 0.5)}/${percentile(values, 0.99)}`;
  };
  return `its parts, p50/p99 in ms: ${[
    part("to the transaction", ({ id, askedAt }) => (steps.get(id)?.acceptedAt ?? NaN) - askedAt),
    part("to the claim", ({ id }) => (steps.get(id)?.claimedAt ?? NaN) - (steps.get(id)?.acceptedAt ?? NaN)),
    part("to the provider", ({ id }) => (receivedAt.get(id) ?? NaN) - (steps.get(id)?.claimedAt ?? NaN)),
  ].join(", ")}`;
}

/** When each was accepted and claimed, by the database's clock, epoch ms. */
async function timesOf(
  url: string,
  ids: string[],
): Promise<Map<string, { acceptedAt: number; claimedAt: number }>> {
  const rows = await query<{ id: string; accepted: Date; claimed: Date | null }>(
    url,
    `SELECT n.id, n.created_at AS accepted, a.started_at AS claimed
     FROM notifications n LEFT JOIN attempts a ON a.tenant_id = n.tenant_id AND a.notification_id = n.id AND a.number = 1
     WHERE n.id = ANY ($1::uuid[])`,
    [ids],
  );
  return new Map(
    rows.map((row) => [
      row.id,
      { acceptedAt: row.accepted.getTime(), claimedAt: row.claimed?.getTime() ?? NaN },
    ]),
  );
}
