import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import { Duplex } from "node:stream";
import { describe, expect, it, vi } from "vitest";
import type { SmscMode } from "../../testing/fake-smsc.ts";
import { smppWorld } from "../../testing/smpp-world.ts";
import { command, responseBit } from "./smpp-pdu.ts";

const world = smppWorld();
const { connection, http, message } = world;
const soon = { timeout: 10_000, interval: 20 };
const long = "a".repeat(400);

/** A server of bytes: what `answer` says is written for each piece that arrives. */
async function rawServer(answer: (data: Buffer, socket: Socket) => void): Promise<number> {
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.on("error", () => undefined);
    socket.on("data", (data) => answer(data, socket));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  world.onEnd(() => {
    for (const socket of sockets) socket.destroy();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe("what the message centre answers", () => {
  it.each([
    [0x58, "later", "provider_rate_limited"],
    [0x14, "later", "provider_rate_limited"],
    [0x08, "later", "provider_deferred"],
    [0x64, "later", "provider_deferred"],
    [0x0b, "never", "invalid_recipient"],
    [0x0a, "failover", "sender_rejected"],
    [0x01, "never", "invalid_message"],
    [0x45, "failover", "provider_rejected"],
    [0x0f, "failover", "provider_credentials"],
    [0x412, "failover", "provider_rejected"],
  ])("with status %i decides what can help", async (status, retry, code) => {
    const smsc = await world.smsc();
    smsc.setMode({ kind: "status", status });
    expect(await world.smpp.send(connection(smsc.port), message(), { http })).toMatchObject({
      kind: "not_sent",
      retry,
      code,
      providerCode: `0x${status.toString(16).padStart(8, "0")}`,
    });
    expect(smsc.messages).toEqual([]);
    // The session is as good as before.
    smsc.setMode({ kind: "ok" });
    expect(await world.smpp.send(connection(smsc.port), message(), { http })).toMatchObject({ kind: "sent" });
    expect(smsc.links.binds).toBe(1);
  });

  it("with an id beyond reason is kept in part", async () => {
    const smsc = await world.smsc();
    smsc.setMode({ kind: "ok", id: "a".repeat(10_000) });
    const outcome = await world.smpp.send(connection(smsc.port), message(), { http });
    expect(outcome).toMatchObject({ kind: "sent", providerMessageId: "a".repeat(255) });
  });

  it("without an id is sent all the same, since it said so", async () => {
    const smsc = await world.smsc();
    smsc.setMode({ kind: "ok", id: "" });
    expect(await world.smpp.send(connection(smsc.port), message(), { http })).toMatchObject({
      kind: "sent",
      providerMessageId: null,
    });
  });
});

describe("a bind that is refused", () => {
  it("fails messages at once, as what it is, and is not tried again for each", async () => {
    const smsc = await world.smsc();
    const wrong = connection(smsc.port, {}, "wrong");
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => world.smpp.send(wrong, message(), { http })),
    );
    for (const outcome of outcomes) {
      expect(outcome).toMatchObject({ kind: "not_sent", retry: "failover", code: "provider_credentials" });
    }
    expect(smsc.links.binds).toBe(1);
  });

  it("for another reason may work later", async () => {
    const smsc = await world.smsc();
    smsc.links.bindStatus = 0x05;
    expect(await world.smpp.send(connection(smsc.port), message(), { http })).toMatchObject({
      kind: "not_sent",
      retry: "later",
      code: "provider_unavailable",
      detail: expect.stringContaining("ESME_RALYBND") as string,
    });
  });
});

describe("an outcome that nobody knows", () => {
  it("is said when the message centre hangs after the message was written", async () => {
    const smsc = await world.smsc();
    expect(await world.smpp.send(connection(smsc.port), message(), { http })).toMatchObject({ kind: "sent" });
    smsc.setMode({ kind: "hang" });
    expect(await world.smpp.send(connection(smsc.port), message(), { http, timeoutMs: 300 })).toMatchObject({
      kind: "unknown",
      code: "provider_timeout",
    });
    expect(smsc.messages).toHaveLength(2);
  });

  it("is said of what was written when the connection breaks, and not of what was not", async () => {
    const smsc = await world.smsc();
    smsc.setMode({ kind: "hang" });
    const over = connection(smsc.port, { window: 3 });
    const sending = Array.from({ length: 8 }, () =>
      world.smpp.send(over, message(), { http, timeoutMs: 5_000 }),
    );
    await vi.waitFor(() => expect(smsc.messages).toHaveLength(3), soon);
    await smsc.close();
    const outcomes = await Promise.all(sending);
    expect(outcomes.filter((outcome) => outcome.kind === "unknown")).toHaveLength(3);
    expect(
      outcomes.filter((outcome) => outcome.kind === "not_sent" && outcome.retry === "later"),
    ).toHaveLength(5);
  });

  it("is not said of messages that found no room in a window that hangs", async () => {
    const smsc = await world.smsc();
    const over = connection(smsc.port, { window: 1 });
    expect(await world.smpp.send(over, message(), { http })).toMatchObject({ kind: "sent" });
    smsc.setMode({ kind: "hang" });
    const written = world.smpp.send(over, message(), { http, timeoutMs: 3_000 });
    await vi.waitFor(() => expect(smsc.messages).toHaveLength(2), soon);
    expect(await world.smpp.send(over, message(), { http, timeoutMs: 50 })).toMatchObject({
      kind: "not_sent",
      retry: "later",
      detail: expect.stringContaining("window is full") as string,
      unasked: true,
    });
    expect(await written).toMatchObject({ kind: "unknown" });
    expect(smsc.messages).toHaveLength(2);
  });

  it.each<[SmscMode["kind"], SmscMode]>([
    ["reset", { kind: "reset" }],
    ["garbage", { kind: "garbage" }],
  ])("is said after %s instead of an answer, and the next message has a new session", async (_name, mode) => {
    const smsc = await world.smsc();
    smsc.setMode(mode);
    expect(await world.smpp.send(connection(smsc.port), message(), { http })).toMatchObject({
      kind: "unknown",
      code: "provider_connection_lost",
    });
    smsc.setMode({ kind: "ok" });
    await vi.waitFor(async () => {
      expect(await world.smpp.send(connection(smsc.port), message(), { http })).toMatchObject({
        kind: "sent",
      });
    }, soon);
    expect(smsc.links.binds).toBe(2);
  });

  it("is said of a long message whose second part is refused: the first is on its way", async () => {
    const smsc = await world.smsc();
    smsc.setMode(() => (smsc.messages.length === 1 ? { kind: "status", status: 0x45 } : { kind: "ok" }));
    expect(await world.smpp.send(connection(smsc.port), message({ text: long }), { http })).toMatchObject({
      kind: "unknown",
      code: "provider_partly_accepted",
      providerCode: "0x00000045",
      detail: expect.stringContaining("1 of 3 parts") as string,
    });
    expect(smsc.messages).toHaveLength(1);
  });

  it("is not said of a long message whose first part is refused", async () => {
    const smsc = await world.smsc();
    smsc.setMode({ kind: "status", status: 0x0b });
    expect(await world.smpp.send(connection(smsc.port), message({ text: long }), { http })).toMatchObject({
      kind: "not_sent",
      retry: "never",
      code: "invalid_recipient",
    });
  });

  it("is avoided when the later part is only held up: it is sent as soon as there is room", async () => {
    const smsc = await world.smsc();
    let refusals = 0;
    smsc.setMode(() =>
      smsc.messages.length === 2 && refusals++ === 0 ? { kind: "status", status: 0x58 } : { kind: "ok" },
    );
    expect(await world.smpp.send(connection(smsc.port), message({ text: long }), { http })).toMatchObject({
      kind: "sent",
      segments: 3,
    });
    expect(smsc.messages.map((part) => part.text).join("")).toBe(long);
  });
});

describe("a message centre that cannot be reached", () => {
  it("holds up no message, and is used again after the outage without a restart", async () => {
    const first = await world.smsc();
    const over = connection(first.port);
    world.listen(over);
    await vi.waitFor(() => expect(first.bound()).toBe(1), soon);
    await first.close();
    await vi.waitFor(async () => {
      expect(await world.smpp.send(over, message(), { http })).toMatchObject({
        kind: "not_sent",
        retry: "later",
      });
    }, soon);
    const second = await world.smsc({ port: first.port });
    await vi.waitFor(() => expect(second.bound()).toBe(1), soon);
    expect(await world.smpp.send(over, message(), { http })).toMatchObject({ kind: "sent" });
  });

  it("is bound again after it ended the session itself", async () => {
    const smsc = await world.smsc();
    world.listen(connection(smsc.port));
    await vi.waitFor(() => expect(smsc.bound()).toBe(1), soon);
    smsc.unbind();
    await vi.waitFor(() => expect(smsc.links.binds).toBe(2), soon);
    expect(await world.smpp.send(connection(smsc.port), message(), { http })).toMatchObject({ kind: "sent" });
  });

  it("without closing the connection is found out, and what waits for its answer is unknown", async () => {
    const smsc = await world.smsc();
    const over = connection(smsc.port);
    over.settings = { ...over.settings, enquireLinkSeconds: 0.1 };
    expect(await world.smpp.send(over, message(), { http })).toMatchObject({ kind: "sent" });
    // A session that is checked and answers stays.
    await new Promise((resolve) => setTimeout(resolve, 400));
    expect(smsc.links.binds).toBe(1);
    smsc.links.answersLinks = false;
    smsc.setMode({ kind: "hang" });
    expect(await world.smpp.send(over, message(), { http })).toMatchObject({
      kind: "unknown",
      code: "provider_connection_lost",
    });
  });

  it("and takes the connection, but speaks another protocol, is told apart in the test", async () => {
    const web = await rawServer((_data, socket) => void socket.end("HTTP/1.1 400 Bad Request\r\n\r\n"));
    expect(await world.smpp.test(connection(web), { http })).toEqual({
      ok: false,
      problem: "mail.test takes the connection, but ends it when asked for a session",
    });
  });

  it.each([
    ["a length of zero", Buffer.alloc(16)],
    ["a length below a header's", Buffer.from([0, 0, 0, 15])],
    ["a length beyond reason", Buffer.from([0x7f, 0xff, 0xff, 0xff])],
  ])("and sends %s loses its session", async (_name, bytes) => {
    const port = await rawServer((_data, socket) => void socket.write(bytes));
    expect(await world.smpp.test(connection(port), { http })).toMatchObject({ ok: false });
  });

  it("and does not read what it is answered is not read from, until it does", async () => {
    let [written, writes] = [0, 0];
    let deaf = false;
    const held: (() => void)[] = [];
    const pdu = (id: number, sequence: number, body = ""): Buffer => {
      const bytes = Buffer.alloc(16 + body.length);
      for (const [index, value] of [bytes.length, id, 0, sequence].entries())
        bytes.writeUInt32BE(value, index * 4);
      bytes.write(body, 16, "latin1");
      return bytes;
    };
    const duplex = new Duplex({
      read: () => undefined,
      write: (chunk: Buffer, _encoding, done) => {
        if (writes === 0) duplex.push(pdu(command.bindTransceiver + responseBit, 1, "deaf\0"));
        written += chunk.length;
        writes += 1;
        if (deaf) held.push(done);
        else done();
      },
    });
    const socket = Object.assign(duplex, { destroySoon: () => undefined }) as unknown as Socket;
    const dial = () => Promise.resolve(socket);
    const sending = world.smpp.send(connection(1), message(), { http: { ...http, dial } });
    // The bind and the message.
    await vi.waitFor(() => expect(writes).toBe(2), soon);
    const before = written;
    deaf = true;
    const questions = 20_000;
    const thousand = Buffer.concat(Array.from({ length: 1_000 }, () => pdu(command.enquireLink, 7)));
    for (let sent = 0; sent < questions; sent += 1_000) duplex.push(thousand);
    await vi.waitFor(() => expect(duplex.isPaused()).toBe(true), soon);
    expect(duplex.writableLength).toBeLessThan(100_000);
    deaf = false;
    for (const done of held) done();
    await vi.waitFor(() => expect(written - before).toBe(questions * 16), soon);
    duplex.destroy();
    expect(await sending).toMatchObject({ kind: "unknown", code: "provider_connection_lost" });
  });
});
