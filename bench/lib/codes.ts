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

/** Messages that are asked for at a steady pace, whether or not those before were answered. */
export interface Stream {
  asked: { id: string; askedAt: number }[];
  failures: unknown[];
  /** Asks for no more, and waits for the answers. */
  stop(): Promise<void>;
}

/** Asks for single messages of a kind, `perSecond`. */
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

/** From when each was asked for until the provider had it, ms; what never came is left out. */
export function latenciesOf(stream: Stream, at: ReadonlyMap<string, number>): number[] {
  return stream.asked.flatMap(({ id, askedAt }) => {
    const received = at.get(id);
    return received === undefined ? [] : [received - askedAt];
  });
}
