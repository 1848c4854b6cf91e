import { once } from "node:events";
import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { describe, expect, it, vi } from "vitest";
import { createOutboundClient } from "../../kernel/outbound-http.ts";
import { smppWorld } from "../../testing/smpp-world.ts";
import { TEST_CERTIFICATE, TEST_CERTIFICATE_KEY } from "../../testing/tls-fixture.ts";

const world = smppWorld();
const { connection, http, message } = world;
const tls = { key: TEST_CERTIFICATE_KEY, cert: TEST_CERTIFICATE };

describe("sending by SMPP", () => {
  it("submits one short message, asks for a receipt and keeps the message id", async () => {
    const smsc = await world.smsc();
    const outcome = await world.smpp.send(connection(smsc.port), message({ text: "Grüße €5 @ [x]" }), {
      http,
    });
    expect(outcome).toEqual({ kind: "sent", providerMessageId: "m1", final: false, segments: 1 });
    expect(smsc.messages).toMatchObject([
      {
        source: "Shop",
        sourceTon: 5,
        sourceNpi: 0,
        destination: "4915112345678",
        destinationTon: 1,
        dataCoding: 0,
        esmClass: 0,
        udh: [],
        text: "Grüße €5 @ [x]",
        registeredDelivery: 1,
      },
    ]);
  });

  it("writes the bytes that the specification names", async () => {
    const received: Buffer[] = [];
    const server = createServer((socket) => {
      socket.on("error", () => undefined);
      socket.on("data", (data) => {
        received.push(data);
        const id = data.readUInt32BE(4);
        const answer = Buffer.alloc(id === 4 ? 19 : 17);
        answer.writeUInt32BE(answer.length, 0);
        answer.writeUInt32BE((id | 0x8000_0000) >>> 0, 4);
        data.copy(answer, 12, 12, 16);
        if (id === 4) answer.write("7f", 16);
        socket.write(answer);
      });
    }).listen(0, "127.0.0.1");
    await once(server, "listening");
    world.onEnd(() => server.close());
    const { port } = server.address() as AddressInfo;
    const outcome = await world.smpp.send(
      connection(port, { systemType: "ESME" }),
      message({ text: "Привет 😀", senderId: "+4930123456", expiresAt: new Date("2026-11-22T23:59:58Z") }),
      { http },
    );
    expect(outcome).toMatchObject({ kind: "sent", providerMessageId: "7f" });
    const [bind, submit] = received;
    expect(bind?.toString("latin1", 16)).toBe("tidings\0secret\0ESME\0\x34\0\0\0");
    const text = Buffer.from("Привет 😀", "utf16le").swap16();
    expect(submit?.subarray(16)).toEqual(
      Buffer.concat([
        Buffer.from(
          "\0\x01\x014930123456\0\x01\x014915112345678\0\0\0\0\x00261122235958000+\0\x01\0\x08\0",
          "latin1",
        ),
        Buffer.from([text.length]),
        text,
      ]),
    );
  });

  it("divides a long text into parts that belong together", async () => {
    const smsc = await world.smsc();
    const text = `${"a".repeat(152)}€${"b".repeat(200)}`;
    const outcome = await world.smpp.send(connection(smsc.port), message({ text }), { http });
    expect(outcome).toEqual({ kind: "sent", providerMessageId: "m3", final: false, segments: 3 });
    expect(smsc.messages.map((part) => part.text).join("")).toBe(text);
    expect(smsc.messages.every((part) => part.esmClass === 0x40 && part.dataCoding === 0)).toBe(true);
    const headers = smsc.messages.map((part) => [...(part.udh[0] ?? [])]);
    const reference = headers[0]?.[2];
    expect(headers).toEqual([1, 2, 3].map((number) => [0, 3, reference, 3, number]));
    await world.smpp.send(connection(smsc.port), message({ text }), { http });
    expect(smsc.messages[3]?.udh[0]?.[2]).not.toBe(reference);
  });

  it.each([
    ["+4930123456", 1, 1, "4930123456"],
    ["70700", 3, 0, "70700"],
    ["My Shop 24", 5, 0, "My Shop 24"],
  ])("names the sender %s as its kind wants it", async (senderId, ton, npi, source) => {
    const smsc = await world.smsc();
    await world.smpp.send(connection(smsc.port), message({ senderId }), { http });
    expect(smsc.messages).toMatchObject([{ source, sourceTon: ton, sourceNpi: npi }]);
  });

  it("lets the connection say otherwise", async () => {
    const smsc = await world.smsc();
    const own = { sourceTon: 0, sourceNpi: 1, destinationTon: 2, serviceType: "WAP", validityPeriod: "none" };
    await world.smpp.send(connection(smsc.port, own), message({ senderId: "70700" }), { http });
    expect(smsc.messages).toMatchObject([{ sourceTon: 0, sourceNpi: 1, destinationTon: 2 }]);
  });

  it.each([
    [{ to: "12345" }, "invalid_recipient", "never"],
    [{ senderId: "A name that is too long" }, "sender_rejected", "failover"],
    [{ senderId: "Zürich" }, "sender_rejected", "failover"],
    [{ senderId: undefined }, "sender_rejected", "failover"],
    [{ text: "" }, "invalid_message", "never"],
    [{ text: "ж".repeat(67 * 255 + 1) }, "invalid_message", "never"],
  ])("does not even dial for %j", async (fields, code, retry) => {
    const smsc = await world.smsc();
    const outcome = await world.smpp.send(connection(smsc.port), message(fields), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", code, retry });
    expect(smsc.links.binds).toBe(0);
  });

  it("shares its sessions, and lets no more messages wait for an answer than the window allows", async () => {
    let waiting = 0;
    let most = 0;
    const smsc = await world.smsc({ latencyMs: 5, onMessage: () => (most = Math.max(most, ++waiting)) });
    const over = connection(smsc.port, { binds: 2, window: 3 });
    const outcomes = await Promise.all(
      Array.from({ length: 60 }, async () => {
        const outcome = await world.smpp.send(over, message(), { http });
        waiting--;
        return outcome;
      }),
    );
    expect(outcomes.every((outcome) => outcome.kind === "sent")).toBe(true);
    expect(
      new Set(outcomes.map((outcome) => outcome.kind === "sent" && outcome.providerMessageId)).size,
    ).toBe(60);
    expect(most).toBeLessThanOrEqual(6);
    expect(most).toBeGreaterThan(3);
    expect(smsc.links.binds).toBe(2);
  });

  it("speaks TLS, and checks who it speaks to", async () => {
    const smsc = await world.smsc({ tls });
    const secure = { security: "tls" };
    expect(await world.smpp.send(connection(smsc.port, secure), message(), { http })).toMatchObject({
      kind: "sent",
    });
    const stranger = connection(smsc.port, { ...secure, host: "stranger.test" });
    expect(await world.smpp.send(stranger, message(), { http })).toMatchObject({
      kind: "not_sent",
      retry: "later",
      code: "provider_unavailable",
      detail: expect.stringContaining("TLS with stranger.test failed") as string,
    });
  });

  it("unbinds when it is closed, after what is under way", async () => {
    const smsc = await world.smsc({ latencyMs: 100 });
    const sending = world.smpp.send(connection(smsc.port), message(), { http });
    await vi.waitFor(() => expect(smsc.messages).toHaveLength(1));
    await world.smpp.close?.();
    expect(await sending).toMatchObject({ kind: "sent" });
    expect(smsc.links.unbinds).toBe(1);
  });
});

describe("a test of the connection", () => {
  it("binds, unbinds and tells whom it met", async () => {
    const smsc = await world.smsc();
    expect(await world.smpp.test(connection(smsc.port), { http })).toEqual({
      ok: true,
      facts: [{ label: "Message centre", value: "fake-smsc" }],
    });
    expect(smsc.links).toMatchObject({ binds: 1, unbinds: 1 });
    expect(smsc.messages).toEqual([]);
  });

  it("says which part failed", async () => {
    const smsc = await world.smsc();
    const problem = async (...of: Parameters<typeof connection>) => {
      const result = await world.smpp.test(connection(...of), { http });
      return result.ok ? "none" : result.problem;
    };
    expect(await problem(smsc.port, {}, "wrong")).toBe(
      "The provider does not accept the password (ESME_RINVPASWD 0x0000000e)",
    );
    smsc.links.bindStatus = 0x0f;
    expect(await problem(smsc.port)).toContain("does not know the system ID");
    smsc.links.bindStatus = 0x400;
    expect(await problem(smsc.port)).toBe("The provider refuses the session (status 0x00000400)");
    expect(await problem(smsc.port, { host: "nowhere.example" })).toContain("cannot be resolved");
    expect(await problem(smsc.port, { security: "tls" })).toContain("TLS with mail.test failed");
    await smsc.close();
    expect(await problem(smsc.port)).toContain("refuses the connection");
  });

  it("does not dial in plain text outside of what the operator opened", async () => {
    const strict = createOutboundClient({ allow: [], userAgent: "test/1.0" });
    world.onEnd(() => strict.close());
    const outside = connection(2_775, { host: "8.8.8.8" });
    expect(await world.smpp.test(outside, { http: strict })).toMatchObject({
      ok: false,
      problem: "8.8.8.8 may only be reached over TLS",
    });
  });
});
