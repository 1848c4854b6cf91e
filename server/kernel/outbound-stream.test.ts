import { once } from "node:events";
import { createServer } from "node:http";
import type { RequestListener, ServerResponse } from "node:http";
import type { AddressInfo, Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { outboundFetch } from "./outbound-fetch.ts";
import { createOutboundClient, OutboundError } from "./outbound-http.ts";
import type { OutboundClient, OutboundStream } from "./outbound-http.ts";

const cleanUps: (() => unknown)[] = [];
afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});

async function serve(handler: RequestListener): Promise<string> {
  const server = createServer(handler);
  const sockets = new Set<Socket>();
  server.on("connection", (socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  cleanUps.push(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, "close");
  });
  return `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
}

function client(allow = ["127.0.0.0/8"]): OutboundClient {
  const created = createOutboundClient({ allow, userAgent: "test/1.0" });
  cleanUps.push(() => created.close());
  return created;
}

const failure = (work: Promise<unknown>): Promise<OutboundError> =>
  work.then(
    () => Promise.reject(new Error("did not fail")),
    (error: unknown) => {
      expect(error).toBeInstanceOf(OutboundError);
      return error as OutboundError;
    },
  );

async function read({ body }: Pick<OutboundStream, "body">): Promise<string> {
  let text = "";
  const decoder = new TextDecoder();
  for await (const chunk of body) text += decoder.decode(chunk, { stream: true });
  return text;
}

/** Resolves when the caller has closed the connection of an answer that is not complete. */
const gone = (response: ServerResponse): Promise<unknown> => once(response, "close");

describe("a streamed answer", () => {
  it("passes its head and each chunk on as they arrive", async () => {
    let answer!: ServerResponse;
    const url = await serve((_request, response) => {
      answer = response;
      response.writeHead(201, { "x-twice": ["a", "b"] });
      response.write("one");
    });
    const { status, headers, body } = await client().stream({ method: "POST", url, body: "hi" });
    expect({ status, twice: headers["x-twice"] }).toEqual({ status: 201, twice: "a, b" });
    const reader = body.getReader();
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("one");
    answer.end("two");
    expect(Buffer.from((await reader.read()).value ?? []).toString()).toBe("two");
    expect((await reader.read()).done).toBe(true);
  });

  it("may be larger than what waits for a slow reader", async () => {
    const url = await serve((_request, response) => response.end("x".repeat(3_000_000)));
    const answer = await client().stream({ method: "GET", url });
    expect(await read(answer)).toHaveLength(3_000_000);
  });

  it("that never begins, stops or drips ends in time and closes its connection", async () => {
    const hangs: Record<string, (response: ServerResponse) => void> = {
      "/silent": () => undefined,
      "/stops": (response) => response.write("so far"),
      "/drips": (response) => {
        const timer = setInterval(() => response.write("."), 20);
        response.on("close", () => clearInterval(timer));
      },
    };
    const closed: Promise<unknown>[] = [];
    const url = await serve((request, response) => {
      closed.push(gone(response));
      hangs[request.url ?? ""]?.(response);
    });
    const http = client();
    const call = async (path: string, bounds: object): Promise<void> => {
      await read(await http.stream({ method: "GET", url: url + path, ...bounds }));
    };
    expect(await failure(call("/silent", { idleTimeoutMs: 100 }))).toMatchObject({
      phase: "response",
      code: "timeout",
    });
    expect(await failure(call("/stops", { idleTimeoutMs: 100 }))).toMatchObject({
      phase: "body",
      code: "timeout",
    });
    expect(await failure(call("/drips", { idleTimeoutMs: 5_000, timeoutMs: 200 }))).toMatchObject({
      phase: "body",
      code: "timeout",
    });
    await Promise.all(closed);
    expect(closed).toHaveLength(3);
  });

  it("is bounded in size", async () => {
    const url = await serve((_request, response) => response.end("x".repeat(2_000)));
    const answer = await client().stream({ method: "GET", url, maxBodyBytes: 1_000 });
    expect(await failure(read(answer))).toMatchObject({ code: "body_too_large" });
  });

  it("ends with its caller's signal, before its head, after it, and while its reader is slow", async () => {
    const closed: Promise<unknown>[] = [];
    const url = await serve((request, response) => {
      closed.push(gone(response));
      if (request.url === "/begins") response.write("so far");
      if (request.url === "/floods") response.write("x".repeat(30_000_000));
    });
    const http = client();
    const caller = new AbortController();
    const silent = failure(http.stream({ method: "GET", url: `${url}/silent`, signal: caller.signal }));
    const begun = await http.stream({ method: "GET", url: `${url}/begins`, signal: caller.signal });
    const flood = await http.stream({ method: "GET", url: `${url}/floods`, signal: caller.signal });
    caller.abort();
    expect(await silent).toMatchObject({ code: "aborted" });
    expect(await failure(read(begun))).toMatchObject({ code: "aborted" });
    expect(await failure(read(flood))).toMatchObject({ code: "aborted" });
    await Promise.all(closed);
  });

  it("closes its connection when its reader cancels it", async () => {
    const closed = Promise.withResolvers<unknown>();
    const url = await serve((_request, response) => {
      response.on("close", closed.resolve);
      response.write("so far");
    });
    const { body } = await client().stream({ method: "GET", url });
    await body.cancel();
    await closed.promise;
  });

  it("that breaks off is not complete", async () => {
    const url = await serve((_request, response) => {
      response.write("so far", () => response.socket?.destroy());
    });
    const broken = client().stream({ method: "GET", url }).then(read);
    expect(await failure(broken)).toMatchObject({ phase: "body", code: "reset", bodyWritten: true });
  });

  it("comes from checked addresses only, and follows no redirect", async () => {
    const url = await serve((_request, response) => {
      response.writeHead(302, { location: "http://127.0.0.1:1/" });
      response.end();
    });
    expect(await failure(client([]).stream({ method: "GET", url }))).toMatchObject({ code: "blocked" });
    expect((await client().stream({ method: "GET", url })).status).toBe(302);
  });

  it("is waited for when the client closes", async () => {
    const url = await serve((_request, response) => response.end("whole"));
    const http = createOutboundClient({ allow: ["127.0.0.0/8"], userAgent: "test/1.0" });
    const answer = await http.stream({ method: "GET", url });
    const closing = http.close();
    expect(await read(answer)).toBe("whole");
    await closing;
  });
});

describe("a fetch made from the client", () => {
  it("sends what it is given and answers as fetch does", async () => {
    const url = await serve((request, response) => {
      request.setEncoding("utf8");
      let body = "";
      request.on("data", (chunk: string) => (body += chunk));
      request.on("end", () => {
        response.setHeader("content-type", "application/json");
        response.statusCode = 418;
        response.end(JSON.stringify({ method: request.method, body, custom: request.headers["x-custom"] }));
      });
    });
    const fetch = outboundFetch(client(), url);
    const response = await fetch(`${url}/x`, {
      method: "post",
      body: "hello",
      headers: new Headers({ "X-Custom": "1" }),
    });
    expect({ ok: response.ok, status: response.status }).toEqual({ ok: false, status: 418 });
    expect(await response.json()).toEqual({ method: "POST", body: "hello", custom: "1" });
  });

  it("has no body where HTTP has none", async () => {
    const url = await serve((_request, response) => {
      response.statusCode = 204;
      response.end();
    });
    const response = await outboundFetch(client(), url)(url);
    expect(response.body).toBeNull();
  });

  it("calls no other origin and sends nothing but texts and bytes", async () => {
    const fetch = outboundFetch(client(), "http://127.0.0.1:1");
    for (const other of ["http://127.0.0.1:2/", "https://127.0.0.1:1/", "http://localhost:1/", "nonsense"])
      await expect(fetch(other)).rejects.toThrow("its own service");
    await expect(fetch("http://127.0.0.1:1/", { method: "POST", body: new FormData() })).rejects.toThrow(
      "Only texts and bytes",
    );
  });

  it("rejects with the signal's own reason", async () => {
    const url = await serve(() => undefined);
    const reason = new Error("no longer wanted");
    const caller = new AbortController();
    const call = outboundFetch(client(), url)(url, { signal: caller.signal });
    caller.abort(reason);
    await expect(call).rejects.toBe(reason);
  });
});
