import { once } from "node:events";
import { createServer } from "node:http";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";

/** An order's confirmation, as the demo has a template for. */
export const order = {
  application: "webshop",
  region: "DE",
  language: "en",
  notificationType: "order",
  notificationSubtype: "order_status",
  recipients: [{ channel: "email" as const, recipient: "ada@example.com" }],
  templateVariables: [
    { customerName: "Ada", orderNumber: "A-1", status: "shipped", trackingUrl: "https://shop.example/1" },
  ],
};

/** Listens on a free port of loopback; answers its address. */
export async function listen(server: Server): Promise<string> {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

/**
 * A proxy that passes each request on and then loses a part of the answers: the connection breaks before the first byte, or in
 * the middle. The work is done by then.
 * @param lost whether the answer to this request is lost
 */
export async function losingProxy(target: string, lost: () => boolean) {
  const counts = { requests: 0, lost: 0 };
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      void (async () => {
        counts.requests++;
        const { host: _, connection: __, "content-length": ___, ...headers } = incoming.headers;
        const answer = await fetch(`${target}${incoming.url ?? ""}`, {
          method: incoming.method ?? "GET",
          headers: headers as Record<string, string>,
          ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
        });
        const body = Buffer.from(await answer.arrayBuffer());
        if (lost()) {
          counts.lost++;
          if (counts.lost % 2 === 0) return void outgoing.destroy();
          outgoing.writeHead(answer.status, {
            "content-type": "application/json",
            "content-length": body.length,
          });
          outgoing.write(body.subarray(0, body.length >> 1), () => outgoing.destroy());
          return;
        }
        outgoing.writeHead(answer.status, Object.fromEntries(answer.headers)).end(body);
      })().catch(() => outgoing.destroy());
    });
  });
  const url = await listen(server);
  return {
    url,
    counts,
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

/** Numbers that look random and are the same in every run (mulberry32). */
export function seededRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  };
}
