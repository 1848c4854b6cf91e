import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { OutboundMessage } from "./adapter.ts";
import { checkEmail, formatMailbox, parseMailbox, sizeProblem } from "./email-message.ts";

const message = (more: Partial<OutboundMessage>): OutboundMessage => ({
  tenantId: "t",
  notificationId: "n",
  attempt: 1,
  channel: "email",
  to: "ada@example.com",
  senderId: "Shop <shop@example.org>",
  text: "Hello",
  idempotencyKey: "n",
  callbackUrl: "https://tidings.example/api/callbacks/c1",
  ...more,
});

describe("a mailbox", () => {
  it("is an address with or without a name", () => {
    expect(parseMailbox("shop@example.org")).toEqual({ name: "", address: "shop@example.org" });
    expect(parseMailbox(' "Shop, Zürich" <shop@example.org> ')).toEqual({
      name: "Shop, Zürich",
      address: "shop@example.org",
    });
    expect(parseMailbox('"Shop <\\"A\\"> \\\\ B" <shop@example.org>')).toEqual({
      name: 'Shop <"A"> \\ B',
      address: "shop@example.org",
    });
    expect(parseMailbox("a@b.example, c@d.example")).toBeNull();
    expect(parseMailbox("Shop <a@b.example> <c@d.example>")).toBeNull();
  });

  it("takes no longer to be refused than to be read, however many spaces somebody puts into it", () => {
    for (const text of [
      `${" ".repeat(200_000)}<`,
      `a${" ".repeat(200_000)}b<`,
      `"a"${" ".repeat(200_000)}<`,
    ]) {
      expect(parseMailbox(text)).toBeNull();
    }
    expect(parseMailbox(`  Shop ${" ".repeat(1_000)}<shop@example.org>  `)?.name).toBe("Shop");
  });

  it("has its domain as DNS knows it, and is otherwise left alone", () => {
    expect(parseMailbox("Ada.L@Zürich.example")?.address).toBe("Ada.L@xn--zrich-kva.example");
    expect(parseMailbox("Ada.L@EXAMPLE.org")?.address).toBe("Ada.L@EXAMPLE.org");
  });

  it("written as one text is the same again when it is read", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        const name = text.replace(/[\p{Cc}\u2028\u2029]+/gu, " ").trim();
        const mailbox = { name, address: "shop@example.org" };
        expect(parseMailbox(formatMailbox(mailbox))).toEqual(mailbox);
      }),
    );
  });

  it("written as one text holds one address and no line of its own, whatever the name is", () => {
    fc.assert(
      fc.property(fc.string({ unit: "binary" }), (name) => {
        const mailbox = parseMailbox(`${name} <shop@example.org>`);
        if (!mailbox) return;
        const text = formatMailbox(mailbox);
        expect(text).not.toMatch(/[\r\n\0]/);
        const unquoted = text.replace(/^"(?:[^"\\]|\\.)*" /su, "");
        expect(unquoted === "<shop@example.org>" || unquoted === "shop@example.org").toBe(true);
      }),
    );
  });
});

describe("a checked e-mail", () => {
  it("has single lines wherever a header could begin", () => {
    const email = checkEmail(
      message({
        subject: "Hi\r\nBcc: eve@evil.example",
        senderId: "Shop\r\nBcc: eve@evil.example <shop@example.org>",
        headers: { "X-Campaign": "a\r\nBcc: eve@evil.example" },
        attachments: [
          { filename: "../a\r\nb.pdf", contentType: "text/html\r\nX: 1", content: Buffer.from("x") },
        ],
      }),
    );
    expect(email).toEqual({
      from: { name: "Shop Bcc: eve@evil.example", address: "shop@example.org" },
      to: "ada@example.com",
      replyTo: null,
      subject: "Hi Bcc: eve@evil.example",
      text: "Hello",
      headers: [{ key: "X-Campaign", value: "a Bcc: eve@evil.example" }],
      attachments: [
        { filename: ".._a b.pdf", contentType: "application/octet-stream", content: Buffer.from("x") },
      ],
    });
  });

  it.each<[string, Partial<OutboundMessage>, string, string]>([
    ["two recipients", { to: "ada@example.com,eve@evil.example" }, "never", "invalid_recipient"],
    ["no sender", { senderId: undefined }, "failover", "sender_rejected"],
    ["two addresses to reply to", { replyTo: "a@b.example, c@d.example" }, "never", "invalid_message"],
    ["nothing to read", { text: "" }, "never", "invalid_message"],
    ["a header that is not its own", { headers: { Bcc: "eve@evil.example" } }, "never", "invalid_message"],
  ])("is refused with %s", (_what, more, retry, code) => {
    expect(checkEmail(message(more))).toMatchObject({ retry, code });
  });
});

it("says how large a message is and what the provider takes", () => {
  expect(sizeProblem(4_000_000, 4_000_000, "Microsoft 365")).toBeNull();
  expect(sizeProblem(4_000_001, 4_000_000, "Microsoft 365")).toEqual({
    retry: "failover",
    code: "message_too_large",
    detail: "The message with its attachments has 4.1 MB encoded, and Microsoft 365 takes 4 MB",
    unasked: true,
  });
});
