import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Db } from "../kernel/db.ts";
import { segmentsOf } from "../rest/path-tree.ts";
import { pathTree, servePath } from "../rest/serve-path.ts";

/**
 * The public API on a port of loopback, for what reaches it by HTTP. Open it before anything reads the configuration: it becomes
 * `PUBLIC_URL`, which callbacks are signed with.
 */
export async function startApiServer(): Promise<{
  url: string;
  /** From now on requests are answered. */
  serve: (db: Db) => void;
  close: () => Promise<unknown>;
}> {
  let answer: (request: Request) => Promise<Response> = () => Promise.reject(new Error("Not serving yet"));
  const server = createServer((incoming, outgoing) => {
    const chunks: Buffer[] = [];
    incoming.on("data", (chunk: Buffer) => chunks.push(chunk));
    incoming.on("end", () => {
      const { method = "GET", url = "/" } = incoming;
      const request = new Request(`${address}${url}`, {
        method,
        headers: Object.entries(incoming.headersDistinct).flatMap(([name, values = []]) =>
          values.map((value): [string, string] => [name, value]),
        ),
        ...(chunks.length > 0 ? { body: Buffer.concat(chunks) } : {}),
      });
      void answer(request)
        .then(async (response) => {
          outgoing.writeHead(response.status, Object.fromEntries(response.headers));
          outgoing.end(Buffer.from(await response.arrayBuffer()));
        })
        .catch(() => outgoing.destroy());
    });
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  process.env.PUBLIC_URL = address;
  return {
    url: address,
    serve: (db) => {
      const tree = pathTree({ db: () => db });
      answer = (request) => servePath(tree, request, segmentsOf(new URL(request.url).pathname));
    },
    close: () => {
      server.closeAllConnections();
      return new Promise((closed) => server.close(closed));
    },
  };
}

/** The environment of a process beside the test: the test's own secrets and addresses, and `more`. */
export function childEnvironment(more: Record<string, string>): NodeJS.ProcessEnv {
  const { PATH = "", TIDINGS_SECRET_KEY = "", PUBLIC_URL = "", OUTBOUND_ALLOW = "" } = process.env;
  return { NODE_ENV: "test", PATH, TIDINGS_SECRET_KEY, PUBLIC_URL, OUTBOUND_ALLOW, ...more };
}
