/** Who may report a message of Infobip: its own address, or a subscription. What reports say is in callbacks.test.ts. */
import { createHmac } from "node:crypto";
import fc from "fast-check";
import { expect, it } from "vitest";
import { infobipCallbacks } from "../../testing/provider-cases/infobip.ts";
import type { CallbackResult } from "../adapter.ts";
import { signedCallbackUrlFor } from "../callback-url.ts";
import { basicAuth } from "../http-call.ts";
import { parseInfobipCallback } from "./infobip-callback.ts";
import type { InfobipSettings } from "./schemas.ts";

const callbackSecret = "a secret of callbacks";
const plainUrl = "https://tidings.example/api/callbacks/c1";
const notificationId = "0198c7a0-0000-7000-8000-000000000001";
const other = "0198c7a0-0000-7000-8000-000000000002";
const signedUrl = signedCallbackUrlFor({ callbackUrl: plainUrl, notificationId, attempt: 2 }, callbackSecret);
const authorization = basicAuth("tidings", callbackSecret);
const report = (messageId = `${notificationId}.0000000c`) => ({
  messageId,
  status: { groupId: 3, groupName: "DELIVERED", name: "DELIVERED_TO_HANDSET" },
});
const body = { results: [report()] };

function post(
  payload: unknown,
  more: {
    url?: string;
    headers?: Record<string, string> | undefined;
    settings?: Partial<InfobipSettings>;
  } = {},
): CallbackResult {
  const rawBody = Buffer.isBuffer(payload) ? payload : Buffer.from(JSON.stringify(payload));
  const { url = plainUrl, headers = {} } = more;
  const settings = { baseUrl: "https://abc.api.infobip.com", ...more.settings };
  const connection = { id: "c1", credentials: { apiKey: "k", callbackSecret }, settings };
  return parseInfobipCallback(connection, { method: "POST", url, headers, rawBody });
}
const atMessage = (payload: unknown): CallbackResult => post(payload, { url: signedUrl });

it("believes reports at the message's own address, every one that the table has", () => {
  expect(atMessage(body)).toMatchObject({ authentic: true, receipts: [{ notificationId, attempt: 2 }] });
  for (const [, payload, { status }] of infobipCallbacks.receipts)
    expect(atMessage(payload)).toMatchObject({ receipts: [{ status, notificationId, attempt: 2 }] });
});

it.each<[string, string]>([
  ["another notification", signedUrl.replace(notificationId, other)],
  ["another attempt", signedUrl.replace("attempt=2", "attempt=3")],
  ["another signature", signedUrl.replace(/signature=.{4}/, "signature=AAAA")],
  ["no signature", signedUrl.replace(/&signature=.*/, "")],
  ["a signature alone", `${plainUrl}?signature=${signedUrl.split("signature=")[1] ?? ""}`],
  ["no query", plainUrl],
  ["something that is no URL", "::"],
])("does not believe a report at an address with %s", (_what, url) => {
  expect(post(body, { url })).toEqual({ authentic: false });
});

it("takes from a message's own address nothing about other messages", () => {
  const result = atMessage({ results: [report(other)] });
  expect(result).toMatchObject({ receipts: [{ notificationId, attempt: 2 }] });
  expect(JSON.stringify(result)).not.toContain(`"notificationId":"${other}"`);
  const inbound = { results: [{ messageId: "1", from: "4915112345678", to: "1", text: "STOP" }] };
  expect(atMessage(inbound)).toEqual({ authentic: true, receipts: [], inbound: [] });
  const many = atMessage({ results: Array.from({ length: 500 }, () => report()) });
  expect(many.authentic && many.receipts.length).toBe(10);
});

it("believes a signed subscription where the settings say so, and then no other", () => {
  const settings = { signatureHeader: "X-Signature" };
  const rawBody = Buffer.from(JSON.stringify(body));
  const digest = createHmac("sha256", callbackSecret).update(rawBody).digest();
  const hex = digest.toString("hex");
  for (const value of [hex, digest.toString("base64"), `sha256=${hex}`]) {
    const headers = { "x-signature": value };
    expect(post(rawBody, { headers, settings })).toMatchObject({ authentic: true, receipts: [{}] });
    const changed = Buffer.concat([rawBody, Buffer.from(" ")]);
    expect(post(changed, { headers, settings })).toEqual({ authentic: false });
  }
  for (const headers of [{ authorization }, undefined])
    expect(post(rawBody, { headers, settings })).toEqual({ authentic: false });
});

it("never throws for an address and a header that are none", () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.string(), fc.string(), (bytes, url, text) => {
      const headers = { authorization: text };
      expect(post(Buffer.from(bytes), { url, headers })).toEqual({ authentic: false });
    }),
  );
});
