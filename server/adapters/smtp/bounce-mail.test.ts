import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { newId } from "../../kernel/ids.ts";
import { deliveryReports, otherMail } from "../../testing/delivery-reports.ts";
import type { CallbackRequest } from "../adapter.ts";
import { bounceAddress, readBounceAddress } from "./bounce-address.ts";
import { parseBounce } from "./bounce-callback.ts";
import { readBounceMail } from "./bounce-mail.ts";

const domain = "bounces.tidings.example";
const secret = "0123456789abcdefghijkl";
const connection = {
  id: newId(),
  credentials: { bounceSecret: secret },
  settings: {
    host: "mail.example",
    port: 587,
    security: "tls" as const,
    maxConnections: 1,
    bounceDomain: domain,
  },
};
const message = { notificationId: newId(), attempt: 1 };
const to = bounceAddress(connection.id, message, domain);
const request = (rawBody: Buffer, headers: Record<string, string> = {}): CallbackRequest => ({
  method: "POST",
  url: "https://tidings.example/api/callbacks/c",
  headers: { authorization: `Bearer ${secret}`, "content-type": "message/rfc822", ...headers },
  rawBody,
});
const nothing = { authentic: true, receipts: [], inbound: [] };

describe("the address that a message comes back to", () => {
  it("has room in every mail server, and names its message in any case of letters", () => {
    fc.assert(
      fc.property(fc.uuid(), fc.uuid(), fc.integer({ min: 1, max: 255 }), (id, notificationId, attempt) => {
        const address = bounceAddress(id, { notificationId, attempt }, domain);
        expect(address.split("@")[0]!.length).toBeLessThanOrEqual(64);
        expect(readBounceAddress(id, address.toUpperCase(), domain)).toEqual({ notificationId, attempt });
      }),
    );
  });

  it("is believed only as it was made, for its connection: whatever letter is changed", () => {
    expect(readBounceAddress(newId(), to, domain)).toBeNull();
    expect(readBounceAddress(connection.id, to.replace(domain, "other.example"), domain)).toBeNull();
    const [local = ""] = to.split("@");
    let believed = 0;
    // The last letter carries one bit, and four that mean nothing.
    for (let at = "bounces+".length; at < local.length - 1; at++) {
      for (const letter of "0a5v") {
        const forged = `${local.slice(0, at)}${letter}${local.slice(at + 1)}`;
        if (forged !== local && readBounceAddress(connection.id, `${forged}@${domain}`, domain))
          believed += 1;
      }
    }
    expect(believed).toBe(0);
    fc.assert(
      fc.property(fc.string({ maxLength: 80 }), (text) => {
        expect(readBounceAddress(connection.id, `bounces+${text}@${domain}`, domain)).toBeNull();
      }),
    );
  });
});

describe("a bounce of an operator's channel", () => {
  const channelId = newId();
  const report = Object.values(deliveryReports)[0]!;
  const read = (at: Partial<Parameters<typeof parseBounce>[0]>, signedFor: string) =>
    parseBounce({ ...connection, ...at }, request(report({ to: bounceAddress(signedFor, message, domain) })));

  it("is believed at the channel, also where a connection that uses it signed the address", async () => {
    const channel = { id: channelId, sharedBy: [newId(), connection.id] };
    for (const signedFor of [channelId, connection.id])
      expect(await read(channel, signedFor)).toMatchObject({ receipts: [message] });
    expect(await read(channel, newId())).toEqual(nothing);
  });

  it("is believed at the connection that uses it", async () => {
    for (const signedFor of [channelId, connection.id])
      expect(await read({ channelId }, signedFor)).toMatchObject({ receipts: [message] });
    expect(await read({}, channelId)).toEqual(nothing);
  });
});

describe.each(Object.entries(deliveryReports))("a report by %s", (_name, report) => {
  const read = async (fields: object) => parseBounce(connection, request(report({ to, ...fields })));

  it("of an address that does not exist is a hard bounce of that message", async () => {
    expect(await read({})).toMatchObject({
      authentic: true,
      receipts: [
        { ...message, status: "failed", event: "bounced", permanent: true, code: "invalid_recipient" },
      ],
    });
  });

  it.each([
    ["a full mailbox", "5.2.2", "smtp; 552 5.2.2 over quota", { permanent: false, code: "mailbox_full" }],
    [
      "a full mailbox, for days",
      "4.2.2",
      "smtp; 452 4.2.2 over quota",
      { permanent: false, code: "mailbox_full" },
    ],
    [
      "a server out of reach for days",
      "4.4.1",
      "smtp; connection timed out",
      { permanent: false, code: "mailbox_unavailable" },
    ],
    [
      "a refused content",
      "5.6.0",
      "smtp; 554 5.6.0 this type of attachment is refused",
      { permanent: false, code: "content_rejected" },
    ],
    [
      "a refusal by policy",
      "5.7.1",
      "smtp; 554 5.7.1 rejected as spam",
      { permanent: false, code: "policy_rejected" },
    ],
    [
      "a sender that is not authenticated",
      "5.7.26",
      "smtp; 550-5.7.26 Your email has been blocked because the sender is unauthenticated",
      { permanent: false, code: "sender_unauthenticated" },
    ],
    [
      "a sender that is refused",
      "5.1.8",
      "smtp; 550 5.1.8 domain of the sender not found",
      { permanent: false, code: "sender_rejected" },
    ],
    ["a size", "5.3.4", "smtp; 552 5.3.4 too big", { permanent: false, code: "message_too_large" }],
    [
      "a domain that does not exist",
      "5.4.4",
      "X-Postfix; Host or domain name not found",
      { permanent: true, code: "invalid_recipient" },
    ],
    [
      "a final no without a word",
      "5.0.0",
      "smtp; 550 No such user here",
      { permanent: true, code: "invalid_recipient" },
    ],
    [
      "a final no for what we are",
      "5.0.0",
      "smtp; 550 SPF check failed",
      { permanent: false, code: "undelivered" },
    ],
  ])("of %s means what it says", async (_what, status, diagnostic, wanted) => {
    expect(await read({ status, diagnostic })).toMatchObject({
      receipts: [{ ...message, status: "failed", event: "bounced", ...wanted }],
    });
  });

  it("of a delay, or of a delivery, changes nothing", async () => {
    expect(await read({ action: "delayed", status: "4.4.1" })).toEqual(nothing);
    expect(await read({ action: "delivered", status: "2.0.0" })).toEqual(nothing);
  });
});

it.each(Object.entries(otherMail))("%s is left alone", async (_what, mail) => {
  expect(await parseBounce(connection, request(mail(to)))).toEqual(nothing);
});

describe("whoever posts", () => {
  const raw = deliveryReports.Postfix({ to });

  it("needs the connection's secret, as Bearer or as the password of Basic", async () => {
    const basic = `Basic ${Buffer.from(`postfix:${secret}`).toString("base64")}`;
    expect(await parseBounce(connection, request(raw, { authorization: basic }))).toMatchObject({
      receipts: [{}],
    });
    for (const authorization of [
      "",
      "Bearer",
      `Bearer ${secret}x`,
      "Basic OnNlY3JldA==",
      `Basic ${secret}`,
    ]) {
      expect(await parseBounce(connection, request(raw, { authorization }))).toEqual({ authentic: false });
    }
    for (const credentials of [{}, { bounceSecret: `${secret}2` }]) {
      expect(await parseBounce({ ...connection, credentials }, request(raw))).toEqual({ authentic: false });
    }
    const { bounceDomain: _, ...settings } = connection.settings;
    expect(await parseBounce({ ...connection, settings }, request(raw))).toEqual({ authentic: false });
  });

  it("at another connection has no effect, whoever it belongs to", async () => {
    const other = { ...connection, id: newId() };
    expect(await parseBounce(other, request(raw))).toEqual(nothing);
  });

  it("may say whom the mail was for, where the header does not", async () => {
    const hidden = deliveryReports.Postfix({ to: "postmaster@corp.example" });
    expect(await parseBounce(connection, request(hidden))).toEqual(nothing);
    expect(await parseBounce(connection, request(hidden, { "x-envelope-to": to }))).toMatchObject({
      receipts: [message],
    });
  });

  it("is told when it posts a form instead of the message", async () => {
    expect(
      await parseBounce(connection, request(raw, { "content-type": "multipart/form-data; boundary=x" })),
    ).toMatchObject({
      receipts: [],
      response: { status: 415 },
    });
  });
});

const mebibyte = 1_024 * 1_024;
const report =
  "Content-Type: multipart/report; boundary=b\r\n\r\n--b\r\nContent-Type: message/delivery-status\r\n\r\n";
const nested = (depth: number) => {
  let text = `To: ${to}\r\n`;
  for (let level = 0; level < depth; level++) {
    text += `Content-Type: multipart/mixed; boundary="b${String(level)}"\r\n\r\n--b${String(level)}\r\n`;
  }
  return text;
};
const filled = (start: string, unit: string) => start + unit.repeat(Math.floor(mebibyte / unit.length));

test.each([
  ["parts in parts, 1,000 deep", nested(1_000)],
  ["messages in messages", filled(`To: ${to}\r\n`, "Content-Type: message/rfc822\r\n\r\n")],
  ["a header line of a mebibyte", filled("To: ", "a")],
  ["a mebibyte of addresses", filled("To: ", "a@b.example,")],
  ["groups of addresses", filled("To: ", "a:")],
  ["brackets", filled("To: ", "(")],
  ["a mebibyte of header fields", filled("", "X: y\r\n")],
  ["a body line of a mebibyte", filled(`To: ${to}\r\n\r\n`, "x")],
  ["no boundary", filled("Content-Type: multipart/report\r\n\r\n", "--\r\n")],
  ["nothing but boundaries", filled("Content-Type: multipart/mixed; boundary=b\r\n\r\n", "--b\r\n")],
  ["parameters", filled("Content-Type: multipart/mixed; ", "a*0*=x;")],
  ["encoded words", filled("To: ", "=?utf-8?q?=41?= ")],
  ["a report of a mebibyte of fields", filled(report, "Action: failed\r\n")],
  ["a report of folded lines", filled(`${report}Action: failed\r\nStatus: 5.1.1\r\n`, " c\r\n")],
  ["a report of recipients", filled(report, "Action: failed\r\nStatus: 5.1.1\r\n\r\n")],
  ["NUL", filled("", "\0")],
  ["line ends", filled("", "\r\n")],
])("hostile mail costs little time and throws nothing: %s", async (_what, text) => {
  const raw = Buffer.from(text);
  await readBounceMail(Buffer.from("To: warm@up.example\r\n"));
  const from = process.cpuUsage();
  const result = await readBounceMail(raw);
  const { user, system } = process.cpuUsage(from);
  expect((user + system) / 1_000).toBeLessThan(400);
  expect(["unclear", "failed"]).toContain(result.says);
  expect(result.addresses.length).toBeLessThanOrEqual(50);
});

test("no bytes make it throw, or bounce anything without the address of a message", async () => {
  const genuine = deliveryReports.Postfix({ to: "somebody@example.com" });
  await fc.assert(
    fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.nat(genuine.length), async (noise, at) => {
      const raw = Buffer.concat([genuine.subarray(0, at), noise, genuine.subarray(at)]);
      expect(await parseBounce(connection, request(raw))).toEqual(nothing);
    }),
    { numRuns: 200 },
  );
});
