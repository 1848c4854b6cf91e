/** An HTTP server on loopback that records requests and answers as configured: the base of the fake providers. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import type { FaultyRequest } from "./faulty-server.ts";

export type ProviderCall = {
  method: string;
  /** Without the query. */
  path: string;
  query: URLSearchParams;
  headers: Record<string, string | string[] | undefined>;
  body: string;
};

/** `body` is JSON unless it is a string. */
export type ProviderAnswer = { status: number; headers?: Record<string, string>; body?: unknown };

/** A call as contracts of providers check it. */
export const requestOf = ({ method, path, headers, body }: ProviderCall): FaultyRequest => ({
  method,
  path,
  headers: headers as FaultyRequest["headers"],
  body,
});

export type FakeProvider = {
  baseUrl: string;
  calls: ProviderCall[];
  close: () => Promise<void>;
};

/** @param answer may be slow; an error becomes a 500 */
export async function startFakeProvider(
  answer: (call: ProviderCall) => ProviderAnswer | Promise<ProviderAnswer>,
): Promise<FakeProvider> {
  const calls: ProviderCall[] = [];
  const sockets = new Set<Socket>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("error", () => undefined);
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const url = new URL(request.url ?? "/", "http://fake");
      const call: ProviderCall = {
        method: request.method ?? "",
        path: decodeURIComponent(url.pathname),
        query: url.searchParams,
        headers: request.headers,
        body: Buffer.concat(chunks).toString("utf8"),
      };
      calls.push(call);
      Promise.resolve(call)
        .then(answer)
        .catch((): ProviderAnswer => ({ status: 500, body: "the fake failed" }))
        .then(({ status, headers, body }) => {
          const type = typeof body === "string" ? "text/html" : "application/json";
          response.writeHead(status, { "content-type": type, ...headers });
          response.end(typeof body === "string" || body === undefined ? (body ?? "") : JSON.stringify(body));
        })
        .catch(() => response.destroy());
    });
  });
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    close: async () => {
      for (const socket of sockets) socket.destroy();
      server.close();
      await once(server, "close");
    },
  };
}
