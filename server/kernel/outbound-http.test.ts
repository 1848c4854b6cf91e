import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener } from "node:http";
import { createServer as createHttpsServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import type { AddressInfo, Server, Socket } from "node:net";
import { gzipSync } from "node:zlib";
import { afterEach, describe, expect, it } from "vitest";
import { TEST_AUTHORITY, TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "../testing/tls-fixture.ts";
import { createOutboundClient, OutboundError } from "./outbound-http.ts";
import type { OutboundClient, OutboundClientOptions, OutboundRequest } from "./outbound-http.ts";

const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function listen(server: Server): Promise<number> {
  const sockets = new Set<Socket>();
  server.on("connection", (socket: Socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("close", () => sockets.delete(socket));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return (server.address() as AddressInfo).port;
}

const serveHttp = (handler: RequestListener): Promise<number> => listen(createServer(handler));
const serveTcp = (handler: (socket: Socket) => void): Promise<number> => listen(createTcpServer(handler));

function client(options: Partial<OutboundClientOptions> = {}): OutboundClient {
  const created = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "test/1.0", ...options });
  cleanUps.push(() => created.close());
  return created;
}

async function failure(call: Promise<unknown>): Promise<OutboundError> {
  const error = await call.then(
    () => new Error("did not fail"),
    (reason: unknown) => reason,
  );
  expect(error).toBeInstanceOf(OutboundError);
  return error as OutboundError;
}

const post = (url: string, more: Partial<OutboundRequest> = {}): OutboundRequest => ({
  method: "POST",
  url,
  body: "hello",
  ...more,
});

describe("an outbound call", () => {
  it("carries method, headers and body and returns the answer", async () => {
    const port = await serveHttp((request, response) => {
      const chunks: Buffer[] = [];
      request.on("data", (chunk: Buffer) => chunks.push(chunk));
      request.on("end", () => {
        response.setHeader("X-Twice", ["a", "b"]);
        response.statusCode = 201;
        response.end(
          JSON.stringify({
            method: request.method,
            path: request.url,
            agent: request.headers["user-agent"],
            custom: request.headers["x-custom"],
            body: Buffer.concat(chunks).toString(),
          }),
        );
      });
    });
    const answer = await client().request(
      post(`http://127.0.0.1:${port}/path?q=1`, {
        headers: { "x-custom": "yes" },
        body: Buffer.from("hällo"),
      }),
    );
    expect(answer.status).toBe(201);
    expect(answer.truncated).toBe(false);
    expect(answer.headers["x-twice"]).toBe("a, b");
    expect(JSON.parse(answer.body.toString())).toEqual({
      method: "POST",
      path: "/path?q=1",
      agent: "test/1.0",
      custom: "yes",
      body: "hällo",
    });
  });

  it("reuses connections", async () => {
    let connections = 0;
    const port = await serveHttp((_request, response) => response.end("ok"));
    const http = client({ resolver: () => ((connections += 1), Promise.resolve(["127.0.0.1"])) });
    for (let i = 0; i < 20; i += 1) await http.request(post(`http://provider.test:${port}/`));
    expect(connections).toBeLessThanOrEqual(2);
  });

  it("hands a redirect to the caller instead of following it", async () => {
    let calls = 0;
    const port = await serveHttp((_request, response) => {
      calls += 1;
      response.writeHead(302, { location: "/elsewhere" }).end();
    });
    const answer = await client().request(post(`http://127.0.0.1:${port}/`));
    expect(answer.status).toBe(302);
    expect(answer.headers.location).toBe("/elsewhere");
    expect(calls).toBe(1);
  });

  it("never decompresses", async () => {
    const bomb = gzipSync(Buffer.alloc(10_000_000));
    const port = await serveHttp((_request, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end(bomb);
    });
    const answer = await client().request(post(`http://127.0.0.1:${port}/`));
    expect(answer.body).toEqual(bomb);
  });
});

describe("a call to an address that is not public", () => {
  const never = (): Promise<number> =>
    serveTcp(() => {
      throw new Error("dialled");
    });

  it.each([
    "127.0.0.1",
    "[::1]",
    "[::ffff:127.0.0.1]",
    "0.0.0.0",
    "2130706433",
    "0x7f.1",
    "127.1",
    "169.254.169.254",
  ])("is blocked before it is dialled: literal %s", async (host) => {
    const port = await never();
    const error = await failure(client({ allow: [] }).request(post(`https://${host}:${port}/`)));
    expect(error).toMatchObject({ phase: "blocked", code: "blocked", bodyWritten: false });
  });

  it.each([["127.0.0.1"], ["::ffff:127.0.0.1"], ["64:ff9b::7f00:1"]])(
    "is blocked before it is dialled: name on %s",
    async (address) => {
      const port = await never();
      const http = client({ allow: [], resolver: () => Promise.resolve([address]) });
      const error = await failure(http.request(post(`https://receiver.test:${port}/`)));
      expect(error).toMatchObject({ phase: "blocked", bodyWritten: false });
    },
  );

  it("cannot be reached by a second DNS answer", async () => {
    const port = await serveHttp((_request, response) => response.end("ok"));
    const answers = [["127.0.0.1"], ["10.255.255.1"]];
    let asked = 0;
    const http = client({ resolver: () => Promise.resolve(answers[asked++] ?? []) });
    const answer = await http.request(post(`http://rebind.test:${port}/`));
    expect(answer.status).toBe(200);
    expect(asked).toBe(1);
  });

  it("is blocked for sockets of other protocols too", async () => {
    const port = await never();
    const error = await failure(client({ allow: [] }).dial({ host: "127.0.0.1", port }));
    expect(error).toMatchObject({ phase: "blocked" });
  });
});

describe("plain http", () => {
  it("only reaches ranges that the operator opened", async () => {
    const http = client({ resolver: () => Promise.resolve(["8.8.8.8"]) });
    const error = await failure(http.request(post("http://public.test/")));
    expect(error).toMatchObject({ phase: "blocked", bodyWritten: false });
    const dialled = await failure(http.dial({ host: "public.test", port: 25, requireAllowed: true }));
    expect(dialled.phase).toBe("blocked");
  });
});

describe("TLS", () => {
  const serveTls = (): Promise<number> =>
    listen(
      createHttpsServer({ cert: TEST_CERTIFICATE, key: TEST_CERTIFICATE_KEY }, (_request, response) =>
        response.end("ok"),
      ),
    );
  const resolver = (): Promise<string[]> => Promise.resolve(["127.0.0.1"]);

  it("is verified against the name that was asked for", async () => {
    const port = await serveTls();
    const http = client({ ca: TEST_AUTHORITY, resolver });
    expect((await http.request(post(`https://provider.test:${port}/`))).status).toBe(200);
    const error = await failure(http.request(post(`https://other.test:${port}/`)));
    expect(error).toMatchObject({ phase: "tls", code: "tls_failed", bodyWritten: false });
  });

  it("fails as not sent when no authority vouches for the certificate", async () => {
    const port = await serveTls();
    const error = await failure(client({ resolver }).request(post(`https://provider.test:${port}/`)));
    expect(error).toMatchObject({ phase: "tls", bodyWritten: false });
  });

  it("fails as not sent when the TLS handshake does not finish", async () => {
    const port = await serveTcp(() => undefined);
    const error = await failure(
      client({ resolver }).request(post(`https://provider.test:${port}/`, { connectTimeoutMs: 100 })),
    );
    expect(error).toMatchObject({ code: "timeout", bodyWritten: false });
  });
});

describe("a call that fails before a connection exists", () => {
  it("is not sent: name unknown", async () => {
    const http = client({ resolver: () => Promise.reject(new Error("ENOTFOUND")) });
    expect(await failure(http.request(post("https://gone.test/")))).toMatchObject({
      phase: "dns",
      code: "dns_failed",
      bodyWritten: false,
    });
  });

  it("is not sent: resolver silent", async () => {
    const http = client({ resolver: () => new Promise(() => undefined) });
    const error = await failure(http.request(post("https://slow.test/", { connectTimeoutMs: 50 })));
    expect(error).toMatchObject({ phase: "connect", code: "timeout", bodyWritten: false });
  });

  it("is not sent: nobody listens", async () => {
    const port = await serveTcp(() => undefined);
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
    const error = await failure(client().request(post(`http://127.0.0.1:${port}/`)));
    expect(error).toMatchObject({ phase: "connect", code: "refused", bodyWritten: false });
    expect(await failure(client().dial({ host: "127.0.0.1", port }))).toMatchObject({ phase: "connect" });
  });

  it("is not sent: it waited for a busy connection until its time was up", async () => {
    let calls = 0;
    const release: (() => void)[] = [];
    const port = await serveHttp((_request, response) => {
      calls += 1;
      release.push(() => response.end("ok"));
    });
    const http = client({ maxConnectionsPerOrigin: 1 });
    const first = http.request(post(`http://127.0.0.1:${port}/`));
    const error = await failure(http.request(post(`http://127.0.0.1:${port}/`, { connectTimeoutMs: 50 })));
    expect(error).toMatchObject({ phase: "connect", bodyWritten: false });
    release[0]?.();
    expect((await first).status).toBe(200);
    const third = http.request(post(`http://127.0.0.1:${port}/`));
    while (release.length < 2) await new Promise((next) => setImmediate(next));
    release[1]?.();
    expect((await third).status).toBe(200);
    expect(calls).toBe(2);
  });

  it.each([
    "ftp://example.com/",
    "https://user:pass@example.com/",
    "//example.com",
    "javascript:alert(1)",
    "",
  ])("is refused: %s", async (url) => {
    expect(await failure(client().request(post(url)))).toMatchObject({
      code: "invalid_request",
      bodyWritten: false,
    });
  });

  it("is refused: a header that would break the request apart", async () => {
    const port = await serveHttp((_request, response) => response.end("ok"));
    const error = await failure(
      client().request(post(`http://127.0.0.1:${port}/`, { headers: { "x-a": "1\r\nx-b: 2" } })),
    );
    expect(error).toMatchObject({ code: "invalid_request", bodyWritten: false });
  });
});

describe("a call that fails after the request was written", () => {
  it("is unknown: no answer", async () => {
    const port = await serveTcp((socket) => socket.resume());
    const error = await failure(client().request(post(`http://127.0.0.1:${port}/`, { timeoutMs: 100 })));
    expect(error).toMatchObject({ phase: "response", code: "timeout", bodyWritten: true });
  });

  it("is unknown: the answer drips slower than the deadline", async () => {
    const port = await serveTcp((socket) => {
      socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100000\r\n\r\n");
      const drip = setInterval(() => socket.write("x"), 10);
      socket.on("close", () => clearInterval(drip));
    });
    const error = await failure(client().request(post(`http://127.0.0.1:${port}/`, { timeoutMs: 150 })));
    expect(error).toMatchObject({ phase: "body", code: "timeout", bodyWritten: true });
  });

  it("is unknown: reset before the answer", async () => {
    const port = await serveTcp((socket) => socket.once("data", () => socket.resetAndDestroy()));
    const error = await failure(client().request(post(`http://127.0.0.1:${port}/`)));
    expect(error).toMatchObject({ phase: "response", code: "reset", bodyWritten: true });
  });

  it("is unknown: reset in the middle of the answer", async () => {
    const port = await serveTcp((socket) =>
      socket.once("data", () => {
        socket.write("HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf", () => socket.resetAndDestroy());
      }),
    );
    const error = await failure(client().request(post(`http://127.0.0.1:${port}/`)));
    expect(error).toMatchObject({ code: "reset", bodyWritten: true });
  });

  it("is unknown: the answer is not HTTP", async () => {
    const port = await serveTcp((socket) => socket.once("data", () => socket.end("SSH-2.0-OpenSSH\r\n\r\n")));
    const error = await failure(client().request(post(`http://127.0.0.1:${port}/`)));
    expect(error).toMatchObject({ bodyWritten: true });
  });

  it("is unknown: aborted by the caller", async () => {
    const controller = new AbortController();
    const port = await serveTcp((socket) => socket.once("data", () => controller.abort()));
    const error = await failure(
      client().request(post(`http://127.0.0.1:${port}/`, { signal: controller.signal })),
    );
    expect(error).toMatchObject({ code: "aborted", bodyWritten: true });
  });
});

describe("an answer longer than the limit", () => {
  const endless = (): Promise<number> =>
    serveHttp((_request, response) => {
      const chunk = Buffer.alloc(65_536, "a");
      const more = (): void => {
        while (!response.destroyed && response.write(chunk));
      };
      response.on("drain", more);
      more();
    });

  it("is cut when the caller wants the beginning", async () => {
    const port = await endless();
    const answer = await client().request(
      post(`http://127.0.0.1:${port}/`, { maxBodyBytes: 100_000, onBodyLimit: "truncate" }),
    );
    expect(answer.truncated).toBe(true);
    expect(answer.body).toHaveLength(100_000);
  });

  it("is an error when the caller wants the whole", async () => {
    const port = await endless();
    const error = await failure(
      client().request(post(`http://127.0.0.1:${port}/`, { maxBodyBytes: 100_000 })),
    );
    expect(error).toMatchObject({ phase: "body", code: "body_too_large", bodyWritten: true });
  });

  it("is not confused with one of exactly the limit", async () => {
    const port = await serveHttp((_request, response) => response.end("12345"));
    const answer = await client().request(post(`http://127.0.0.1:${port}/`, { maxBodyBytes: 5 }));
    expect(answer).toMatchObject({ truncated: false, status: 200 });
  });
});
