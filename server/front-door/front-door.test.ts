import { once } from "node:events";
import { request as httpRequest } from "node:http";
import type { IncomingMessage } from "node:http";
import { connect } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { text } from "node:stream/consumers";
import { FastResponse } from "srvx";
import { afterEach, describe, expect, it } from "vitest";
import { parseProxyRanges } from "../kernel/client-address.ts";
import type { DomainError } from "../kernel/errors.ts";
import type { HttpMethod } from "../operations/operation.ts";
import { PathTree } from "../rest/path-tree.ts";
import type { PathHandler } from "../rest/path-tree.ts";
import { problemResponse } from "../rest/problem.ts";
import { readBytes } from "../rest/read-body.ts";
import { createFrontDoor } from "./front-door.ts";
import type { FrontDoor, FrontDoorOptions } from "./front-door.ts";

const MEBIBYTE = 1_024 * 1_024;
const doors: FrontDoor[] = [];
const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await Promise.all(doors.splice(0).map((door) => door.close(0)));
});

/** Answers that wait until a test releases them. */
function gate() {
  const waiting: (() => void)[] = [];
  return {
    handler: async () => {
      await new Promise<void>((resolve) => waiting.push(resolve));
      return new Response("done");
    },
    open: () => {
      for (const resolve of waiting.splice(0)) resolve();
    },
    waiting: () => waiting.length,
  };
}

const echo: PathHandler = async (request) => {
  try {
    const bytes = await readBytes(request, MEBIBYTE);
    return Response.json({ bytes: bytes.length, id: request.headers.get("x-request-id") });
  } catch (error) {
    return problemResponse(error as DomainError, "r-1");
  }
};

interface Seen {
  address: string | string[] | undefined;
  headers: IncomingMessage["headers"];
  url: string | undefined;
  bytes: number;
}

async function open(options: Partial<FrontDoorOptions> = {}) {
  const tree = new PathTree();
  const slow = gate();
  const add = (path: string, handlers: Partial<Record<HttpMethod, PathHandler>>) =>
    tree.add({
      path,
      handlers: new Map(Object.entries(handlers) as [HttpMethod, PathHandler][]),
      allow: Object.keys(handlers).join(", "),
    });
  add("/v1/echo", { POST: echo, GET: () => Response.json({ hello: "world" }) });
  add("/v1/file", {
    GET: () =>
      new FastResponse(new Blob(["id,status\n1,delivered\n"]).stream(), {
        status: 200,
        headers: { "content-type": "text/csv; charset=utf-8", "content-length": "22" },
      }),
  });
  add("/v1/slow", { GET: slow.handler, POST: slow.handler });
  add("/healthz", { GET: () => Response.json({ status: "ok" }) });
  add("/api/callbacks/{id}", { POST: () => new Response(null, { status: 404 }) });
  /** What reached the portal. */
  const seen: Seen[] = [];
  const door = createFrontDoor({
    tree,
    trustedProxies: [],
    portal: async (request, response) => {
      const entry = {
        address: request.headers["x-forwarded-for"],
        headers: request.headers,
        url: request.url,
        bytes: 0,
      };
      seen.push(entry);
      for await (const chunk of request) entry.bytes += (chunk as Buffer).length;
      response.end("page");
    },
    ...options,
    times: { checkMs: 50, ...options.times },
  });
  doors.push(door);
  door.server.listen(0, "127.0.0.1");
  await once(door.server, "listening");
  const { port } = door.server.address() as AddressInfo;

  async function dial(): Promise<Socket> {
    const socket = connect(port, "127.0.0.1");
    socket.on("error", () => undefined);
    sockets.push(socket);
    await once(socket, "connect");
    return socket;
  }
  return { door, port, base: `http://127.0.0.1:${port}`, seen, slow, dial };
}

/** Everything that arrives on a connection until it is closed. */
function untilClosed(socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let all = "";
    socket.on("data", (chunk: Buffer) => (all += chunk.toString()));
    socket.once("close", () => resolve(all));
  });
}

/** The first answer on a connection that stays open. */
async function firstAnswer(socket: Socket): Promise<string> {
  let all = "";
  for await (const [chunk] of on(socket)) {
    all += chunk.toString();
    const head = all.indexOf("\r\n\r\n");
    const length = Number(/content-length: (\d+)/i.exec(all)?.[1] ?? 0);
    if (head >= 0 && all.length >= head + 4 + length) return all;
  }
  return all;
}
async function* on(socket: Socket): AsyncGenerator<[Buffer]> {
  for (;;) yield (await once(socket, "data")) as [Buffer];
}

const lines = (...parts: string[]) => `${parts.join("\r\n")}\r\n\r\n`;

describe("the guard", () => {
  it.each([
    ["/api/auth/callback/credentials", 16 * 1_024],
    ["/api/trpc/templates.create", 2 * MEBIBYTE],
    ["/v1/echo", MEBIBYTE],
    ["/scim/v2/Groups", MEBIBYTE],
    ["/api/callbacks/x", 3 * MEBIBYTE],
    ["/some/page", 0],
    ["/l/abc", 0],
    ["/api/app/brand/x/y", 0],
    ["/api/app/unsubscribe/x", 16 * 1_024],
    ["/healthz", 0],
  ])("refuses a body that is too large for %s before anything reads a byte of it", async (path, max) => {
    const { base, seen } = await open();
    const answer = await fetch(base + path, { method: "POST", body: "x".repeat(max + 1) });
    expect(answer.status).toBe(413);
    expect(await answer.json()).toMatchObject({ code: "payload_too_large" });
    expect(seen).toEqual([]);
  });

  it("names the same methods whether one is foreign to a path, foreign to everything, or asked for", async () => {
    const { base, port, seen } = await open();
    const foreign = await fetch(`${base}/v1/echo`, { method: "PUT" });
    const asked = await fetch(`${base}/v1/echo`, { method: "OPTIONS" });
    const [unheardOf] = (await once(
      httpRequest({ port, host: "127.0.0.1", path: "/v1/echo", method: "PROPFIND" }).end(),
      "response",
    )) as [IncomingMessage];
    expect([foreign.status, unheardOf.statusCode, asked.status]).toEqual([405, 405, 204]);
    expect(foreign.headers.get("allow")).toBe("POST, GET");
    expect(unheardOf.headers.allow).toBe("POST, GET");
    expect(asked.headers.get("allow")).toBe("POST, GET");
    expect(seen).toEqual([]);
  });

  it("answers 60 MiB with a readable 413, and passes none of it on", async () => {
    const { base, seen } = await open();
    const answer = await fetch(`${base}/api/auth/callback/credentials`, {
      method: "POST",
      headers: { "content-type": "application/x-www-form-urlencoded" },
      body: Buffer.alloc(60 * MEBIBYTE, "a"),
    });
    expect(answer.status).toBe(413);
    expect(answer.headers.get("connection")).toBe("close");
    expect(await answer.json()).toMatchObject({ status: 413, code: "payload_too_large" });
    expect(seen).toEqual([]);
  });

  it("lets a caller who reads only after writing everything read the 413", async () => {
    const { dial } = await open();
    const socket = await dial();
    const size = 3 * MEBIBYTE;
    const head = lines("POST /api/auth/x HTTP/1.1", "Host: x", `Content-Length: ${size}`);
    socket.pause();
    await new Promise<void>((resolve, reject) => {
      socket.write(head + "x".repeat(size), (error) => (error ? reject(error) : resolve()));
    });
    const answer = untilClosed(socket);
    socket.resume();
    expect(await answer).toMatch(/^HTTP\/1\.1 413 .*payload_too_large/s);
  });

  it("accepts no body of unknown length from the portal's callers", async () => {
    const { dial, seen } = await open();
    const socket = await dial();
    socket.write(
      lines("POST /api/trpc/x HTTP/1.1", "Host: x", "Transfer-Encoding: chunked") + "5\r\nhello\r\n0\r\n\r\n",
    );
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 413 /);
    expect(seen).toEqual([]);
  });

  it("counts a chunked body of the API while it arrives", async () => {
    const { port } = await open();
    const post = (size: number) =>
      new Promise<{ status: number; body: string }>((resolve, reject) => {
        const outgoing = httpRequest(
          { port, host: "127.0.0.1", path: "/v1/echo", method: "POST" },
          (answer) => {
            text(answer).then((body) => resolve({ status: answer.statusCode ?? 0, body }), reject);
          },
        );
        outgoing.on("error", () => undefined);
        for (let sent = 0; sent < size; sent += 65_536) outgoing.write(Buffer.alloc(65_536, "x"));
        outgoing.end();
      });
    expect(await post(MEBIBYTE)).toEqual({ status: 200, body: `{"bytes":${MEBIBYTE},"id":null}` });
    expect(await post(3 * MEBIBYTE)).toMatchObject({ status: 413 });
  });

  it("asks for the body of `Expect: 100-continue` only when it will accept it", async () => {
    const { dial } = await open();
    const taken = await dial();
    taken.write(lines("POST /v1/echo HTTP/1.1", "Host: x", "Content-Length: 5", "Expect: 100-continue"));
    expect(String(((await once(taken, "data")) as [Buffer])[0])).toMatch(/^HTTP\/1\.1 100 Continue/);
    taken.write("hello");
    expect(await firstAnswer(taken)).toContain('"bytes":5');

    const refused = await dial();
    refused.write(
      lines("POST /api/auth/x HTTP/1.1", "Host: x", "Content-Length: 99999999", "Expect: 100-continue"),
    );
    expect(await untilClosed(refused)).toMatch(/^HTTP\/1\.1 413 /);
  });

  it.each([
    ["nothing at all", ""],
    ["half a head", "GET /v1/echo HTTP/1.1\r\nHost: x\r\n"],
    ["half a body", lines("POST /v1/echo HTTP/1.1", "Host: x", "Content-Length: 100") + "x"],
    [
      "half a body for the portal",
      lines("POST /api/trpc/x HTTP/1.1", "Host: x", "Content-Length: 100") + "x",
    ],
  ])("waits a bounded time for whoever sends %s", async (_what, sent) => {
    const { dial } = await open({ times: { headersMs: 300, requestMs: 300 } });
    const socket = await dial();
    if (sent) socket.write(sent);
    // One byte from time to time changes nothing.
    const drip = setInterval(() => socket.write("x"), 100);
    const answer = await untilClosed(socket);
    clearInterval(drip);
    expect(answer).toMatch(/^HTTP\/1\.1 4\d\d |^$/);
  });

  it("limits the connections of one address", async () => {
    const { dial } = await open({ limits: { connectionsOfOne: 3 } });
    for (let i = 0; i < 3; i++) await dial();
    const socket = await dial();
    await once(socket, "close");
    sockets[0]?.destroy();
    await expect
      .poll(async () => {
        const again = await dial();
        again.write(lines("GET /v1/echo HTTP/1.1", "Host: x", "Connection: close"));
        return (await untilClosed(again)).slice(0, 12);
      })
      .toBe("HTTP/1.1 200");
  });

  it("limits the concurrent requests of one caller, without affecting another", async () => {
    const { base, slow } = await open({
      limits: { requestsOfOne: 2 },
      trustedProxies: parseProxyRanges(["127.0.0.1"]),
    });
    const from = (address: string, path = "/v1/slow") =>
      fetch(base + path, { headers: { "x-forwarded-for": address } });
    const first = [from("198.51.100.1"), from("198.51.100.1")];
    await expect.poll(slow.waiting).toBe(2);
    const third = await from("198.51.100.1");
    expect([third.status, third.headers.get("retry-after")]).toEqual([429, "1"]);
    expect(await third.json()).toMatchObject({ code: "rate_limited" });
    expect((await from("198.51.100.2", "/v1/echo")).status).toBe(200);
    slow.open();
    expect((await Promise.all(first)).map((answer) => answer.status)).toEqual([200, 200]);
    await expect.poll(async () => (await from("198.51.100.1", "/v1/echo")).status).toBe(200);
  });

  it("says 503 when the process is full, and still reports that it is alive", async () => {
    const { base, slow } = await open({ limits: { requests: 1 } });
    const first = fetch(`${base}/v1/slow`);
    await expect.poll(slow.waiting).toBe(1);
    const second = await fetch(`${base}/v1/echo`);
    expect([second.status, second.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await second.json()).toMatchObject({ code: "service_overloaded" });
    expect((await fetch(`${base}/page`)).status).toBe(503);
    expect((await fetch(`${base}/healthz`)).status).toBe(200);
    slow.open();
    expect((await first).status).toBe(200);
  });

  it("lets slow sign-ins fill only their own slots, and releases those", async () => {
    const { base, dial } = await open({
      limits: { requests: 6, signIns: 4, signInsOfOne: 2 },
      trustedProxies: parseProxyRanges(["127.0.0.1"]),
    });
    const path = "/api/auth/callback/credentials";
    const from = (address: string, to = path) =>
      fetch(base + to, {
        headers: { "x-forwarded-for": address },
        ...(to === path ? { method: "POST", body: "a=b" } : {}),
      });
    const slowly = async (address: string) => {
      const socket = await dial();
      socket.write(
        lines(`POST ${path} HTTP/1.1`, "Host: x", `X-Forwarded-For: ${address}`, "Content-Length: 16384"),
      );
      return socket;
    };
    const held = [await slowly("198.51.100.1"), await slowly("198.51.100.1")];
    await expect.poll(async () => (await from("198.51.100.1")).status).toBe(429);
    expect((await from("198.51.100.2")).status).toBe(200);
    for (const address of ["2001:db8:1::1", "2001:db8:2::1"]) held.push(await slowly(address));
    await expect.poll(async () => (await from("198.51.100.2")).status).toBe(503);
    // Everything else goes on, including for those who have signed in.
    for (const to of ["/page", "/v1/echo", "/api/auth/session"]) {
      expect((await from("198.51.100.1", to)).status, to).toBe(200);
    }
    for (const socket of held) socket.destroy();
    await expect.poll(async () => (await from("198.51.100.1")).status).toBe(200);
  });

  it("counts the many networks of one IPv6 customer together, with a larger share", async () => {
    const { base, slow } = await open({
      limits: { requestsOfOne: 2, requestsOfSite: 3 },
      trustedProxies: parseProxyRanges(["127.0.0.1"]),
    });
    const from = (address: string, path = "/v1/slow") =>
      fetch(base + path, { headers: { "x-forwarded-for": address } });
    const under = ["2001:db8:1:1::1", "2001:db8:1:2::1", "2001:db8:1:3::1"].map((address) => from(address));
    await expect.poll(slow.waiting).toBe(3);
    expect((await from("2001:db8:1:4::1", "/v1/echo")).status).toBe(429);
    expect((await from("2001:db8:2:4::1", "/v1/echo")).status).toBe(200);
    slow.open();
    await Promise.all(under);
    await expect.poll(async () => (await from("2001:db8:1:4::1", "/v1/echo")).status).toBe(200);
  });

  it("releases slots when callers go away before their answer", async () => {
    const { base, dial, slow } = await open({ limits: { requests: 1 } });
    const socket = await dial();
    socket.write(lines("GET /v1/slow HTTP/1.1", "Host: x"));
    await expect.poll(slow.waiting).toBe(1);
    socket.destroy();
    await expect.poll(async () => (await fetch(`${base}/v1/echo`)).status).toBe(200);
    slow.open();
  });
});

describe("the address of a caller", () => {
  it("reaches the portal as resolved here, never as the caller claims it", async () => {
    const { base, seen } = await open();
    await fetch(`${base}/page`, {
      headers: {
        "x-forwarded-for": "6.6.6.6",
        "x-forwarded-host": "evil.example",
        "x-forwarded-proto": "https",
        "x-real-ip": "6.6.6.6",
      },
    });
    expect(seen[0]?.address).toBe("127.0.0.1");
    for (const name of ["x-forwarded-host", "x-forwarded-proto", "x-real-ip"]) {
      expect(seen[0]?.headers[name], name).toBeUndefined();
    }
  });

  it("is what a trusted proxy says", async () => {
    const { base, seen } = await open({ trustedProxies: parseProxyRanges(["127.0.0.0/8"]) });
    await fetch(`${base}/page`, {
      headers: { "x-forwarded-for": "6.6.6.6, 203.0.113.5", "x-forwarded-proto": "https" },
    });
    expect(seen[0]).toMatchObject({ address: "203.0.113.5", headers: { "x-forwarded-proto": "https" } });
  });
});

describe("HTTP", () => {
  it("serves several requests on one connection, pipelined ones in order", async () => {
    const { dial } = await open();
    const socket = await dial();
    const one = lines("GET /v1/echo HTTP/1.1", "Host: x");
    socket.write(one + lines("GET /healthz HTTP/1.1", "Host: x", "Connection: close"));
    const all = await untilClosed(socket);
    expect(all.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    expect(all.indexOf("hello")).toBeLessThan(all.indexOf('"ok"'));
  });

  it("sends a file that is streamed whole, with its own headers and the common ones", async () => {
    const { base } = await open();
    const response = await fetch(`${base}/v1/file`);
    expect(response.status).toBe(200);
    expect(response.headers.get("content-type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("content-length")).toBe("22");
    expect(response.headers.get("x-content-type-options")).toBe("nosniff");
    expect(await response.text()).toBe("id,status\n1,delivered\n");
    const head = await fetch(`${base}/v1/file`, { method: "HEAD" });
    expect([head.headers.get("content-length"), await head.text()]).toEqual(["22", ""]);
  });

  it("does not have a file written to its end that HEAD asks for", async () => {
    let [read, canceled] = [0, false];
    const endless = new ReadableStream<Uint8Array>({
      pull: (controller) => {
        read++;
        controller.enqueue(new Uint8Array(1_024));
        if (read > 1_000) controller.close();
      },
      cancel: () => {
        canceled = true;
      },
    });
    const tree = new PathTree();
    const headers = { "content-type": "text/csv" };
    const handlers = new Map([["GET", () => new FastResponse(endless, { headers })] as const]);
    tree.add({ path: "/v1/endless", handlers, allow: "GET" });
    const { base } = await open({ tree });
    const head = await fetch(`${base}/v1/endless`, { method: "HEAD" });
    expect([head.status, head.headers.get("content-type"), await head.text()]).toEqual([200, "text/csv", ""]);
    expect(canceled).toBe(true);
    expect(read).toBeLessThan(5);
  });

  it("answers HEAD with the headers of GET and no body", async () => {
    const { dial } = await open();
    const socket = await dial();
    socket.write(lines("HEAD /v1/echo HTTP/1.1", "Host: x", "Connection: close"));
    const all = await untilClosed(socket);
    expect(all).toMatch(/^HTTP\/1\.1 200 /);
    expect(all.split("\r\n\r\n")[1]).toBe("");
  });

  it("keeps a connection whose small body nobody read", async () => {
    const { dial } = await open();
    const socket = await dial();
    socket.write(lines("POST /v1/nothing HTTP/1.1", "Host: x", "Content-Length: 5") + "hello");
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 404 /);
    socket.write(lines("GET /v1/echo HTTP/1.1", "Host: x"));
    expect(await firstAnswer(socket)).toMatch(/^HTTP\/1\.1 200 /);
  });

  it("echoes a request id, also in refusals, unless it is not a plain token", async () => {
    const { base } = await open();
    const get = (path: string, id: string) => fetch(base + path, { headers: { "x-request-id": id } });
    expect((await get("/v1/nothing", "r-42")).headers.get("x-request-id")).toBe("r-42");
    expect((await get("/_next/image", "r-43")).headers.get("x-request-id")).toBe("r-43");
    expect((await get("/v1/nothing", "a b{}")).headers.get("x-request-id")).toMatch(/^[0-9a-f-]{36}$/);
  });

  it("sends the same security headers with every answer: ours, refusals, and the portal's", async () => {
    const { base } = await open();
    for (const path of ["/v1/echo", "/v1/nothing", "/healthz", "/_next/image", "/page"]) {
      const { headers } = await fetch(base + path);
      expect(headers.get("x-content-type-options"), path).toBe("nosniff");
      expect(headers.get("x-frame-options"), path).toBe("DENY");
      expect(headers.get("strict-transport-security"), path).toContain("max-age");
      expect(headers.get("content-security-policy"), path).toMatch(/^default-src '(none|self)'/);
    }
  });

  it("has no image optimizer, however its path is written", async () => {
    const { base, seen } = await open();
    for (const path of [
      "/_next/image",
      "/_next/image?url=%2Fx%0aforged&w=1&q=1",
      "/_next/%69mage",
      "/%5fnext/image/x",
    ]) {
      expect((await fetch(base + path)).status, path).toBe(404);
    }
    expect(seen).toEqual([]);
  });

  it.each([
    ["GET // HTTP/1.1", "x", 400],
    ["GET //evil.example/x HTTP/1.1", "x", 400],
    ["GET /\\evil.example HTTP/1.1", "x", 400],
    ["GET http://evil.example//x HTTP/1.1", "x", 400],
    ["GET ftp://x/y HTTP/1.1", "x", 400],
    ["OPTIONS * HTTP/1.1", "x", 400],
    ["GET /page HTTP/1.1", 'x"><script>', 400],
    ["GET /page HTTP/1.1", "a b", 400],
    ["GET /page HTTP/1.1", "user@host", 400],
    ["TRACE /page HTTP/1.1", "x", 405],
    ["PROPFIND /v1/echo HTTP/1.1", "x", 405],

    ["GET /v1/echo HTTP/9.9", "x", 400],
    ["GET /v1%2fecho HTTP/1.1", "x", 200],
    ["GET /%76%31/nothing HTTP/1.1", "x", 404],
    ["GET http://evil.example/v1/echo HTTP/1.1", "evil.example", 200],
    ["GET /%ff HTTP/1.1", "x", 200],
  ])("answers %s of host %s with %s", async (line, host, status) => {
    const { dial } = await open();
    const socket = await dial();
    socket.write(lines(line, `Host: ${host}`, "Connection: close"));
    expect(await untilClosed(socket)).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it("refuses an address that is too long", async () => {
    const { dial } = await open();
    const socket = await dial();
    socket.write(lines(`GET /${"a".repeat(20_000)} HTTP/1.1`, "Host: x"));
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 431 /);
  });

  it("refuses a request that can be read in two ways", async () => {
    const { dial, seen } = await open();
    const socket = await dial();
    socket.write(
      lines("POST /page HTTP/1.1", "Host: x", "Content-Length: 5", "Transfer-Encoding: chunked") +
        "0\r\n\r\n",
    );
    expect(await untilClosed(socket)).toMatch(/^HTTP\/1\.1 400 /);
    expect(seen).toEqual([]);
  });
});

describe("closing", () => {
  it("lets running requests finish, accepts no new connection, and ends idle ones", async () => {
    const { door, base, dial, slow } = await open();
    const idle = await dial();
    idle.write(lines("GET /v1/echo HTTP/1.1", "Host: x"));
    await firstAnswer(idle);
    const idleClosed = once(idle, "close");
    const first = fetch(`${base}/v1/slow`);
    await expect.poll(slow.waiting).toBe(1);
    const closed = door.close(20_000);
    await idleClosed;
    await expect(fetch(`${base}/v1/echo`)).rejects.toThrow();
    slow.open();
    expect(await (await first).text()).toBe("done");
    await closed;
  });

  it("cuts off requests that outlast the grace period", async () => {
    const { door, base, slow } = await open();
    const first = fetch(`${base}/v1/slow`).catch(() => "cut off");
    await expect.poll(slow.waiting).toBe(1);
    await door.close(50);
    expect(await first).toBe("cut off");
  });
});
