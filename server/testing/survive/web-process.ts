/**
 * The public API and the callback route in a process of their own, which a test may kill: the real serving code behind
 * Node's HTTP server, without the portal and its build. `node web-process.ts`, configured like the web (PORT,
 * WEB_DATABASE_URL, …).
 */
import { createServer } from "node:http";
import type { IncomingMessage, ServerResponse } from "node:http";
import { env } from "../../kernel/env.ts";
import { restDeps } from "../../rest/rest-deps.ts";
import { serveCallback } from "../../rest/serve-callback.ts";
import { serveRoute } from "../../rest/serve-route.ts";
import { sendNotifications } from "../../sending/rest.ts";

const send = serveRoute(sendNotifications, restDeps);

async function answer(request: Request, path: string): Promise<Response> {
  if (path === sendNotifications.path) return send(request, { params: Promise.resolve({}) });
  const connectionId = /^\/api\/callbacks\/([^/]+)$/.exec(path)?.[1];
  if (connectionId !== undefined) return serveCallback(request, connectionId, restDeps);
  return new Response(null, { status: 404 });
}

async function handle(incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of incoming) chunks.push(chunk as Buffer);
  const url = new URL(incoming.url ?? "/", env().publicUrl);
  const response = await answer(
    new Request(url, {
      method: incoming.method ?? "GET",
      headers: Object.entries(incoming.headers).flatMap(([name, value]): [string, string][] =>
        typeof value === "string" ? [[name, value]] : [],
      ),
      ...(incoming.method === "POST" ? { body: Buffer.concat(chunks) } : {}),
    }),
    url.pathname,
  );
  outgoing.writeHead(response.status, Object.fromEntries(response.headers));
  outgoing.end(Buffer.from(await response.arrayBuffer()));
}

createServer((incoming, outgoing) => {
  handle(incoming, outgoing).catch(() => outgoing.destroy());
}).listen(env().port, "127.0.0.1");
