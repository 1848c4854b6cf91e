/**
 * A server that speaks the contracts of Bitly, TinyURL and Rebrandly on loopback. Sources as in server/links/services.ts.
 */
import { once } from "node:events";
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

export type FakeShortenerMode =
  | { kind: "ok" }
  | { kind: "error"; status: number; body?: unknown; retryAfter?: string }
  /** Reads the request and never answers. */
  | { kind: "hang" }
  /** 200 with this text. */
  | { kind: "garbage"; text: string };

export interface FakeShortener {
  baseUrl: string;
  /** Every request: path, headers and parsed body. */
  requests: { path: string; headers: IncomingMessage["headers"]; body: Record<string, unknown> }[];
  /** The next answers, in this order; afterwards the last one repeats. */
  answer: (...modes: FakeShortenerMode[]) => void;
  close: () => Promise<void>;
}

export const fakeSecret = "s3cret-of-the-shortener";

export async function startFakeShortener(): Promise<FakeShortener> {
  const requests: FakeShortener["requests"] = [];
  let modes: FakeShortenerMode[] = [{ kind: "ok" }];
  let links = 0;
  const server = createServer((request, response) => {
    void read(request).then((text) => {
      const path = request.url ?? "";
      const body = JSON.parse(text) as Record<string, unknown>;
      requests.push({ path, headers: request.headers, body });
      const mode = modes.length > 1 ? modes.shift() : modes[0];
      respond(response, path, request.headers, body, mode ?? { kind: "ok" }, () => ++links);
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    requests,
    answer: (...next) => {
      modes = next;
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}

async function read(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks).toString();
}

function respond(
  response: ServerResponse,
  path: string,
  headers: IncomingMessage["headers"],
  body: Record<string, unknown>,
  mode: FakeShortenerMode,
  next: () => number,
): void {
  const json = (status: number, value: unknown, more: Record<string, string> = {}) => {
    response.writeHead(status, { "content-type": "application/json", ...more });
    response.end(JSON.stringify(value));
  };
  if (mode.kind === "hang") return;
  if (mode.kind === "garbage") {
    response.writeHead(200, { "content-type": "text/html" });
    response.end(mode.text);
    return;
  }
  if (mode.kind === "error") {
    const more: Record<string, string> =
      mode.retryAfter === undefined ? {} : { "retry-after": mode.retryAfter };
    json(mode.status, mode.body ?? { message: "NO" }, more);
    return;
  }
  const code = `abc${String(next()).padStart(4, "0")}`;
  const authorized =
    path === "/v1/links" ? headers.apikey === fakeSecret : headers.authorization === `Bearer ${fakeSecret}`;
  if (!authorized) {
    json(403, { message: "FORBIDDEN" });
  } else if (path === "/v4/shorten" && typeof body.long_url === "string") {
    const domain = typeof body.domain === "string" ? body.domain : "bit.ly";
    json(201, { link: `https://${domain}/${code}`, id: `${domain}/${code}`, long_url: body.long_url });
  } else if (path === "/create" && typeof body.url === "string") {
    const domain = typeof body.domain === "string" ? body.domain : "tinyurl.com";
    json(200, { code: 0, data: { tiny_url: `https://${domain}/${code}`, url: body.url }, errors: [] });
  } else if (path === "/v1/links" && typeof body.destination === "string") {
    const { fullName = "rebrand.ly" } = (body.domain ?? {}) as { fullName?: string };
    json(200, { id: code, destination: body.destination, shortUrl: `${fullName}/${code}`, https: true });
  } else {
    json(400, { message: "INVALID_ARG_LONG_URL" });
  }
}
