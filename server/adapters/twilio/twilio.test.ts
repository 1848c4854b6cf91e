/** Twilio without an address of its own, and the fake Twilio of other suites; what all adapters promise is in outgoing.test.ts. */
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, it, vi } from "vitest";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import { startFakeTwilio } from "../../testing/fake-twilio.ts";
import { httpProvider } from "../../testing/http-providers.ts";
import { loopbackClient } from "../../testing/outbound-email.ts";
import { phoneMessage } from "../../testing/outbound-phone.ts";
import type { CallbackRequest } from "../adapter.ts";

const { adapter, connection, answer } = httpProvider("twilio");

it("sends without receipts rather than not at all when Twilio could not call back", async () => {
  const bodies: string[] = [];
  const request: OutboundClient["request"] = ({ body }) => {
    bodies.push(String(body));
    const said = answer({ method: "POST", path: "/", headers: {}, body: "" });
    return Promise.resolve({ headers: {}, truncated: false, ...said, body: Buffer.from(said.body ?? "") });
  };
  const cloud = { ...connection(""), settings: { region: "ie1" } };
  const local = phoneMessage({ callbackUrl: "http://localhost:3000/api/callbacks/c1" });
  const deps = { http: { request } as OutboundClient };
  expect(await adapter.send(cloud, local, deps)).toMatchObject({ kind: "sent", final: true });
  expect(await adapter.send(cloud, phoneMessage(), deps)).toMatchObject({ kind: "sent", final: false });
  expect(bodies.map((body) => body.includes("StatusCallback"))).toEqual([false, true]);
});

it("refuses a WhatsApp user id without calling Twilio, which could take its digits for somebody's number", async () => {
  const calls: unknown[] = [];
  const http = { request: (call: unknown) => Promise.resolve(calls.push(call)) } as unknown as OutboundClient;
  const to = phoneMessage({ channel: "whatsapp", to: "US.13491208655302741918" });
  expect(await adapter.send(connection(""), to, { http })).toMatchObject({
    kind: "not_sent",
    retry: "failover",
    code: "invalid_recipient",
  });
  expect(calls).toEqual([]);
});

const sentForm = async (message: Parameters<typeof phoneMessage>[0]) => {
  const bodies: string[] = [];
  const request: OutboundClient["request"] = ({ body }) => {
    bodies.push(String(body));
    const said = answer({ method: "POST", path: "/", headers: {}, body: "" });
    return Promise.resolve({ headers: {}, truncated: false, ...said, body: Buffer.from(said.body ?? "") });
  };
  const deps = { http: { request } as OutboundClient };
  const outcome = await adapter.send(connection(""), phoneMessage(message), deps);
  return { outcome, forms: bodies.map((body) => new URLSearchParams(body)) };
};

it.each(["sms", "whatsapp"] as const)(
  "tells Twilio when a message expires, within what Twilio takes, on %s",
  async (channel) => {
    vi.useFakeTimers({ toFake: ["Date"] });
    try {
      for (const [left, wanted] of [
        [600_900, "600"],
        [35_999_000, "35999"],
        [36_000_000, null],
        [86_400_000, null],
        [200, "1"],
        [-5_000, "1"],
      ] as const) {
        const { forms } = await sentForm({ channel, expiresAt: new Date(Date.now() + left) });
        expect(forms[0]?.get("ValidityPeriod"), String(left)).toBe(wanted);
      }
      expect((await sentForm({ channel })).forms[0]?.has("ValidityPeriod")).toBe(false);
    } finally {
      vi.useRealTimers();
    }
  },
);

it("refuses a WhatsApp template with another provider's name, and does not send its text instead", async () => {
  for (const template of ["order_shipped", "HX12", ""]) {
    const whatsapp = { template, language: "en", variables: {} };
    const { outcome, forms } = await sentForm({ channel: "whatsapp", whatsapp });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "failover", code: "template_rejected" });
    expect(forms).toEqual([]);
  }
});

it("finds message, notification and status in a callback of the fake Twilio", async () => {
  const received: CallbackRequest[] = [];
  const receiver = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const headers = { "x-twilio-signature": String(request.headers["x-twilio-signature"]) };
      received.push({
        method: "POST",
        url: origin + (request.url ?? ""),
        headers,
        rawBody: Buffer.concat(chunks),
      });
      response.writeHead(204).end();
    });
  }).listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const http = loopbackClient();
  const twilio = await startFakeTwilio();
  const to = connection(twilio.baseUrl);
  await adapter.send(to, phoneMessage({ callbackUrl: `${origin}/api/callbacks/c1`, attempt: 3 }), { http });
  const [sent] = twilio.messages;
  expect(await twilio.postStatus(sent!, "undelivered", { ErrorCode: "30007" })).toBe(204);
  const { notificationId } = phoneMessage();
  expect(await adapter.parseCallback?.(to, received[0]!, { http })).toMatchObject({
    authentic: true,
    receipts: [
      {
        providerMessageId: sent!.sid,
        notificationId,
        attempt: 3,
        status: "failed",
        code: "content_filtered",
      },
    ],
  });
  await Promise.all([twilio.close(), http.close()]);
  receiver.close();
});
