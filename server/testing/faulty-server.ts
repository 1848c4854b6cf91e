/**
 * An HTTPS server on loopback whose faults can be switched on and off: what every adapter of an HTTP provider must
 * survive. It speaks no provider's protocol; tests configure the provider's good answer.
 */
import { once } from "node:events";
import { createServer as createHttpServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "./tls-fixture.ts";

/**
 * `refused` nobody listens; `plain` speaks no TLS; `hang` reads the request and stays silent; `reset` reads the request
 * and cuts the connection; the others are answers.
 */
export type Fault =
  "refused" | "plain" | "hang" | "reset" | "error500" | "garbage" | "empty" | "rate_limited" | "unauthorized";

export type FaultyRequest = {
  method: string;
  /** With its query. */
  path: string;
  /** Lower-case names. */
  headers: Record<string, string | undefined>;
  body: string;
};
export type FaultyAnswer = { status: number; headers?: Record<string, string>; body?: string };

export type FaultyServer = {
  /** https, with the certificate of tls-fixture.ts; resolve provider.test to 127.0.0.1. */
  baseUrl: string;
  /** Requests that `answer` did not treat as preliminary, in order. */
  requests: FaultyRequest[];
  setFault: (fault: Fault | null) => Promise<void>;
  close: () => Promise<void>;
};

export const RETRY_AFTER_SECONDS = 7;

const ANSWERS: Partial<Record<Fault, FaultyAnswer>> = {
  error500: { status: 500, headers: { "content-type": "application/json" }, body: "{}" },
  garbage: {
    status: 200,
    headers: { "content-type": "application/json" },
    body: '{"id": <html>It works!</html>',
  },
  empty: { status: 200 },
  rate_limited: { status: 429, headers: { "retry-after": String(RETRY_AFTER_SECONDS) }, body: "{}" },
  unauthorized: { status: 401, headers: { "content-type": "application/json" }, body: "{}" },
};

/**
 * @param options.answer the provider's good answer to a request
 * @param options.isPreliminary requests that come before the message, such as those for a token; answered well during
 *   faults, so that the fault meets the message
 */
export async function startFaultyServer(options: {
  answer: (request: FaultyRequest) => FaultyAnswer;
  isPreliminary?: (request: FaultyRequest) => boolean;
}): Promise<FaultyServer> {
  const requests: FaultyRequest[] = [];
  const sockets = new Set<Socket>();
  let fault: Fault | null = null;

  const handle = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const received = {
        method: request.method ?? "",
        path: request.url ?? "",
        headers: request.headers as Record<string, string | undefined>,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      const preliminary = options.isPreliminary?.(received) ?? false;
      if (!preliminary) requests.push(received);
      const now = preliminary ? null : fault;
      if (now === "hang") return;
      if (now === "reset") return void request.socket.destroy();
      const answer = (now && ANSWERS[now]) ?? options.answer(received);
      response.writeHead(answer.status, answer.headers ?? {}).end(answer.body ?? "");
    });
  };
  const secure = createHttpsServer({ key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE }, handle);
  const plain = createHttpServer(handle);
  for (const server of [secure, plain]) server.on("clientError", (_error, socket) => socket.destroy());
  secure.on("tlsClientError", () => undefined);

  const door = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
    (fault === "plain" ? plain : secure).emit("connection", socket);
  });
  const listen = async (port: number): Promise<number> => {
    door.listen(port, "127.0.0.1");
    await once(door, "listening");
    return (door.address() as AddressInfo).port;
  };
  const shut = async (): Promise<void> => {
    const closed = once(door, "close");
    door.close();
    for (const socket of sockets) socket.destroy();
    await closed;
  };
  const port = await listen(0);

  return {
    baseUrl: `https://provider.test:${port}`,
    requests,
    setFault: async (next) => {
      if (next === "refused") await shut();
      if (fault === "refused") await listen(port);
      fault = next;
    },
    close: async () => {
      if (fault !== "refused") await shut();
    },
  };
}
