import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import type { AddressInfo, Socket } from "node:net";
import PostalMime from "postal-mime";
import type { SMTPServerOptions } from "smtp-server";
import { afterAll, afterEach, beforeEach, describe, expect, it } from "vitest";
import { createOutboundClient, OutboundError } from "../../kernel/outbound-http.ts";
import { acceptingAll, startMailServer, startScriptedServer } from "../../testing/mail-server.ts";
import { EMAIL_NOTIFICATION_ID, emailMessage } from "../../testing/outbound-email.ts";
import {
  EXPIRED_CERTIFICATE,
  FAULTY_AUTHORITY,
  FAULTY_CERTIFICATE_KEY,
  FUTURE_CERTIFICATE,
  SELF_SIGNED_CERTIFICATE,
  TEST_AUTHORITY,
} from "../../testing/tls-fixture.ts";
import type { Connection, OutboundMessage, SendOutcome } from "../adapter.ts";
import type { SmtpCredentials, SmtpSettings } from "./schemas.ts";
import { createSmtpAdapter } from "./smtp.ts";

const http = createOutboundClient({
  allow: ["127.0.0.0/8"],
  userAgent: "test/1.0",
  ca: TEST_AUTHORITY,
  resolver: (name) =>
    name.endsWith(".test") ? Promise.resolve(["127.0.0.1"]) : Promise.reject(new Error("ENOTFOUND")),
});
let smtp = createSmtpAdapter();
const cleanUps: (() => unknown)[] = [];

beforeEach(() => {
  smtp = createSmtpAdapter();
});
afterEach(async () => {
  await smtp.close?.();
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
});
afterAll(async () => {
  await http.close();
});

const message = (more: Partial<OutboundMessage> = {}): OutboundMessage =>
  emailMessage({ text: "Hallo\n.\nWelt", ...more });

const connection = (
  port: number,
  settings: Partial<SmtpSettings> = {},
  credentials: SmtpCredentials = {},
): Connection<SmtpCredentials, SmtpSettings> => ({
  id: "c1",
  credentials,
  settings: { host: "mail.test", port, security: "none", maxConnections: 2, ...settings },
});

async function mailServer(options?: SMTPServerOptions): ReturnType<typeof startMailServer> {
  const server = await startMailServer(options);
  cleanUps.push(server.close);
  return server;
}

async function scriptedServer(...script: Parameters<typeof startScriptedServer>): Promise<number> {
  const server = await startScriptedServer(...script);
  cleanUps.push(server.close);
  return server.port;
}

describe("sending by SMTP", () => {
  it("delivers text, HTML, attachment and headers to exactly one recipient", async () => {
    const server = await mailServer();
    const outcome = await smtp.send(
      connection(server.port),
      message({
        replyTo: "help@example.org",
        headers: {
          "List-Unsubscribe": "<https://tidings.example/u/1>",
          "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
        },
        attachments: [
          { filename: "rechnung\r\nX: 1.pdf", contentType: "application/pdf", content: Buffer.from("%PDF") },
        ],
      }),
      { http },
    );
    const id = `<${EMAIL_NOTIFICATION_ID}@example.org>`;
    expect(outcome).toEqual({ kind: "sent", providerMessageId: id, final: true });
    const [mail] = server.received;
    expect(mail).toMatchObject({ from: "shop@example.org", to: ["ada@example.com"] });
    const parsed = await PostalMime.parse(mail?.raw ?? "");
    expect(parsed).toMatchObject({
      subject: "Grüße 👋",
      messageId: id,
      from: { name: "Shop Zürich", address: "shop@example.org" },
      to: [{ address: "ada@example.com" }],
      replyTo: [{ address: "help@example.org" }],
    });
    expect(parsed.text?.replaceAll("\r\n", "\n").trim()).toBe("Hallo\n.\nWelt");
    expect(parsed.html).toContain("<b>Welt</b>");
    expect(parsed.attachments).toHaveLength(1);
    expect(parsed.headers.find((header) => header.key === "list-unsubscribe")?.value).toBe(
      "<https://tidings.example/u/1>",
    );
    expect(parsed.headers.find((header) => header.key === "x")).toBeUndefined();
  });

  it("reuses its connections and opens no more than allowed", async () => {
    const server = await mailServer();
    const outcomes = await Promise.all(
      Array.from({ length: 20 }, () => smtp.send(connection(server.port), message(), { http })),
    );
    expect(outcomes.every((outcome) => outcome.kind === "sent")).toBe(true);
    expect(server.received).toHaveLength(20);
    expect(server.connections()).toBeLessThanOrEqual(2);
  });
});

describe("hostile content", () => {
  it("never becomes a header, a recipient or a command", async () => {
    const server = await mailServer();
    const evil = "x\r\nBcc: eve@evil.example\r\n\r\n<script>";
    const outcome = await smtp.send(
      connection(server.port),
      message({
        subject: `Hi ${evil}`,
        senderId: `"Shop\r\nBcc: eve@evil.example" <shop@example.org>`,
        text: "a\r\n.\r\nMAIL FROM:<eve@evil.example>\r\n",
        headers: { "X-Campaign": evil },
      }),
      { http },
    );
    expect(outcome.kind).toBe("sent");
    expect(server.received).toHaveLength(1);
    expect(server.received[0]?.to).toEqual(["ada@example.com"]);
    const parsed = await PostalMime.parse(server.received[0]?.raw ?? "");
    expect(parsed.bcc ?? []).toEqual([]);
    expect(parsed.headers.filter((header) => header.key === "bcc")).toEqual([]);
    expect(parsed.from?.address).toBe("shop@example.org");
  });

  it("takes an address with letters beyond ASCII where EHLO offers SMTPUTF8, and says so where it does not", async () => {
    const to = "josé@müller.example";
    const able = await mailServer();
    expect(await smtp.send(connection(able.port), message({ to }), { http })).toMatchObject({ kind: "sent" });
    expect(able.received[0]?.to).toEqual(["josé@müller.example"]);
    const unable = await mailServer({ hideSMTPUTF8: true });
    for (let i = 0; i < 2; i++) {
      expect(await smtp.send(connection(unable.port), message({ to }), { http })).toMatchObject({
        kind: "not_sent",
        retry: "failover",
        code: "invalid_recipient",
        detail: expect.stringContaining("SMTPUTF8") as string,
      });
    }
    // Asked once; a domain of its own letters needs nothing.
    expect(unable.connections()).toBe(1);
    const domain = await smtp.send(connection(unable.port), message({ to: "info@müller.example" }), { http });
    expect(domain).toMatchObject({ kind: "sent" });
    expect(unable.received[0]?.to).toEqual(["info@müller.example"]);
  });

  it("tells of a server that is not there, whoever it is for", async () => {
    const port = await scriptedServer(() => null, "554 no");
    const outcome = await smtp.send(connection(port), message({ to: "josé@example.com" }), { http });
    expect(outcome).toMatchObject({ kind: "not_sent" });
    expect(outcome).not.toMatchObject({ code: "invalid_recipient" });
  });

  it.each([
    "ada@example.com, eve@evil.example",
    "ada@example.com\r\nRCPT TO:<eve@evil.example>",
    "<ada@example.com>",
    "Ada <ada@example.com>",
    "group: ada@example.com;",
    "ada@example.com\0",
    "ada",
    "",
  ])("is refused as a recipient: %j", async (to) => {
    const server = await mailServer();
    const outcome = await smtp.send(connection(server.port), message({ to }), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "never", code: "invalid_recipient" });
    expect(server.connections()).toBe(0);
  });

  it.each(["Bcc", "To", "content-type", "Message-ID", "DKIM-Signature", "X Y", "X:\r\nBcc"])(
    "is refused as an extra header: %j",
    async (name) => {
      const server = await mailServer();
      const outcome = await smtp.send(connection(server.port), message({ headers: { [name]: "x" } }), {
        http,
      });
      expect(outcome).toMatchObject({ kind: "not_sent", retry: "never", code: "invalid_message" });
    },
  );

  it("cannot read files or addresses of this machine", async () => {
    const server = await mailServer();
    const text = { path: "/etc/passwd" } as unknown as string;
    await expect(
      smtp.send(connection(server.port), message({ text, html: undefined }), { http }),
    ).rejects.toThrow();
    expect(server.received).toEqual([]);
  });
});

describe("encryption and login", () => {
  const login: SMTPServerOptions = {
    onAuth: (auth, _session, done) => {
      if (auth.username === "user" && auth.password === "secret") done(null, { user: "user" });
      else done(new Error("no"));
    },
  };
  const right = { user: "user", password: "secret" };

  it.each([
    ["starttls", {}],
    ["tls", { secure: true }],
  ] as const)("works with %s", async (security, options) => {
    const server = await mailServer({ ...login, ...options });
    const outcome = await smtp.send(connection(server.port, { security }, right), message(), { http });
    expect(outcome).toMatchObject({ kind: "sent" });
    expect(await smtp.test(connection(server.port, { security }, right), { http })).toEqual({ ok: true });
  });

  it("refuses a server whose certificate is for another name", async () => {
    const server = await mailServer(login);
    const other = connection(server.port, { security: "starttls", host: "other.test" }, right);
    expect(await smtp.send(other, message(), { http })).toMatchObject({ kind: "not_sent", retry: "later" });
    expect(await smtp.test(other, { http })).toMatchObject({ ok: false });
  });

  describe.each([
    ["starttls", {}],
    ["tls", { secure: true }],
  ] as const)("with %s", (security, options) => {
    it.each([
      ["has expired", { cert: EXPIRED_CERTIFICATE, key: FAULTY_CERTIFICATE_KEY }, {}, "has expired"],
      ["is not valid yet", { cert: FUTURE_CERTIFICATE, key: FAULTY_CERTIFICATE_KEY }, {}, "not valid yet"],
      ["is self-signed", { cert: SELF_SIGNED_CERTIFICATE, key: FAULTY_CERTIFICATE_KEY }, {}, "self-signed"],
      ["is of an authority that nobody trusts", {}, { ca: "" }, "not trusted here"],
      ["is for another host", {}, { host: "other.test" }, "for provider.test, mail.test, localhost and not"],
    ])("a certificate that %s is named, with what to do, in the outcome and the test", async (...given) => {
      const [, certificate, { host = "mail.test", ca }, words] = given as [
        string,
        SMTPServerOptions,
        { host?: string; ca?: string },
        string,
      ];
      const server = await mailServer({ ...login, ...options, ...certificate });
      const own = createOutboundClient({
        allow: ["127.0.0.0/8"],
        userAgent: "test/1.0",
        ...(ca === "" ? {} : { ca: TEST_AUTHORITY + FAULTY_AUTHORITY }),
        resolver: () => Promise.resolve(["127.0.0.1"]),
      });
      cleanUps.push(() => own.close());
      const faulty = connection(server.port, { security, host }, right);
      const detail = expect.stringContaining(words) as string;
      expect(await smtp.send(faulty, message(), { http: own })).toMatchObject({
        kind: "not_sent",
        retry: "later",
        code: "provider_tls_failed",
        detail,
      });
      expect(await smtp.test(faulty, { http: own })).toMatchObject({ ok: false, problem: detail });
      expect(server.received).toEqual([]);
    });
  });

  it("says so when the server does not speak TLS where it should, or the other way round", async () => {
    const plain = await mailServer();
    expect(await smtp.send(connection(plain.port, { security: "tls" }), message(), { http })).toMatchObject({
      kind: "not_sent",
      code: "provider_tls_failed",
      detail: expect.stringContaining("choose STARTTLS") as string,
    });
    expect(
      await smtp.send(connection(plain.port, { security: "starttls" }), message(), { http }),
    ).toMatchObject({
      kind: "not_sent",
      code: "provider_tls_failed",
      detail: expect.stringContaining("choose TLS") as string,
    });
  });

  it("does not fall back to plain text", async () => {
    const server = await mailServer();
    const outcome = await smtp.send(connection(server.port, { security: "starttls" }), message(), { http });
    expect(outcome).toMatchObject({ kind: "not_sent" });
    expect(server.received).toEqual([]);
  });

  it("says that the credentials are wrong", async () => {
    const server = await mailServer(login);
    const wrong = connection(server.port, { security: "starttls" }, { user: "user", password: "wrong" });
    expect(await smtp.send(wrong, message(), { http })).toMatchObject({
      kind: "not_sent",
      retry: "failover",
      code: "provider_credentials",
      providerCode: "535",
    });
    expect(await smtp.test(wrong, { http })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("password") as string,
    });
  });
});

describe("the server's answer", () => {
  it.each([
    ["RCPT", "550 5.1.1 no such user", "never", "invalid_recipient"],
    ["RCPT", "550 no such user", "never", "invalid_recipient"],
    ["RCPT", "552 5.2.2 over quota", "never", "mailbox_full"],
    ["RCPT", "554 5.7.1 relay access denied", "failover", "provider_rejected"],
    ["RCPT", "550 5.7.1 blocked by our policy", "failover", "policy_rejected"],
    ["RCPT", "550 5.7.26 sender is not authenticated", "failover", "sender_unauthenticated"],
    ["RCPT", "550 5.1.8 domain of the sender not found", "failover", "sender_rejected"],
    ["RCPT", "550 5.5.1 commands out of order", "failover", "provider_rejected"],
    ["RCPT", "450 4.2.0 greylisted", "later", "provider_deferred"],
    ["MAIL", "553 5.1.8 sender not allowed", "failover", "sender_rejected"],
    ["MAIL", "550 5.7.60 may not send as this sender", "failover", "sender_rejected"],
    ["MAIL", "550 5.7.23 SPF does not pass", "failover", "sender_unauthenticated"],
    ["MAIL", "421 4.3.2 shutting down", "later", "provider_unavailable"],
    ["DATA", "451 4.3.0 not now", "later", "provider_deferred"],
    ["end", "554 5.6.0 looks like spam", "never", "content_rejected"],
    ["end", "554 no", "never", "content_rejected"],
    ["end", "550 5.1.1 no such user", "never", "invalid_recipient"],
    ["end", "554 5.7.1 refused by policy", "failover", "policy_rejected"],
    ["end", "550-5.7.26 not authenticated\r\n550 5.7.26 see SPF", "failover", "sender_unauthenticated"],
    ["end", "550 5.7.515 the domain does not meet the level", "failover", "sender_unauthenticated"],
    ["end", "550 5.7.25 no name for the sending address", "failover", "policy_rejected"],
    ["end", "552 5.3.4 too large", "failover", "message_too_large"],
    ["end", "552 5.2.2 over quota", "never", "mailbox_full"],
    ["end", "452 4.3.1 disk full", "later", "provider_deferred"],
  ])("%s: %s means not sent, %s, %s", async (command, answer, retry, code) => {
    const port = await scriptedServer(acceptingAll({ [command]: answer }));
    const outcome = await smtp.send(connection(port), message(), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", retry, code, providerCode: answer.slice(0, 3) });
  });

  it.each([
    ["RCPT", "550 5.1.1 no such user", true],
    ["RCPT", "550 5.2.1 the mailbox is disabled", true],
    ["RCPT", "550 5.1.10 the domain takes no mail", true],
    ["end", "550 5.1.1 no such user", true],
    // A bare 550 is also how servers refuse a sender, and 4.x may be over tomorrow.
    ["RCPT", "550 no such user", undefined],
    ["RCPT", "450 4.1.1 not now", undefined],
    ["RCPT", "550 4.1.1 a status that is not the reply's", undefined],
    ["RCPT", "552 5.2.2 over quota", undefined],
    ["RCPT", "550 5.1.8 domain of the sender not found", undefined],
    ["RCPT", "550 5.7.1 blocked", undefined],
    ["end", "554 5.7.1 blocked", undefined],
    ["end", "550 5.7.26 not authenticated", undefined],
    ["MAIL", "550 5.1.1 odd", undefined],
  ])("%s: %s says for good that the address does not work: %s", async (command, answer, hardBounce) => {
    const port = await scriptedServer(acceptingAll({ [command]: answer }));
    const outcome = await smtp.send(connection(port), message(), { http });
    expect(outcome).toMatchObject({ kind: "not_sent" });
    expect("hardBounce" in outcome ? outcome.hardBounce : undefined).toBe(hardBounce);
  });

  it.each([
    ["530 5.7.0 Must issue a STARTTLS command first", "provider_tls_failed", "STARTTLS or TLS"],
    ["538 5.7.11 Encryption required", "provider_tls_failed", "STARTTLS or TLS"],
    ["530 5.7.0 Authentication required", "provider_login_required", "after a login"],
    ["530 authenticate first", "provider_login_required", "after a login"],
  ])("to MAIL of %s says what is missing, and blames no password", async (answer, code, words) => {
    const port = await scriptedServer(acceptingAll({ MAIL: answer }));
    const outcome = await smtp.send(connection(port), message(), { http });
    expect(outcome).toMatchObject({
      kind: "not_sent",
      retry: "failover",
      code,
      providerCode: answer.slice(0, 3),
    });
    const detail = outcome.kind === "sent" ? "" : outcome.detail;
    expect(detail).toContain(words);
    expect(detail).not.toContain("does not accept");
  });

  it("of a real server that wants a login, or TLS before it, is told apart from a wrong password", async () => {
    const server = await mailServer({
      authOptional: false,
      onAuth: (_auth, _session, done) => done(new Error("no")),
    });
    expect(await smtp.send(connection(server.port), message(), { http })).toMatchObject({
      code: "provider_login_required",
      providerCode: "530",
    });
    expect(server.received).toEqual([]);
    const strict = await scriptedServer((line) =>
      line.startsWith("AUTH") ? "530 5.7.0 Must issue a STARTTLS command first" : acceptingAll({})(line),
    );
    const login = { user: "user", password: "secret" };
    expect(await smtp.send(connection(strict, {}, login), message(), { http })).toMatchObject({
      code: "provider_tls_failed",
    });
    expect(await smtp.test(connection(strict, {}, login), { http })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("STARTTLS or TLS") as string,
    });
  });

  it("to a session that it refuses leaves the message waiting: it is about us and not about the message", async () => {
    const port = await scriptedServer(() => null, "554 5.7.1 blocked, see our page");
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({
      kind: "not_sent",
      retry: "later",
      code: "provider_unavailable",
      providerCode: "554",
    });
  });

  it("keeps the recipient's address out of what is stored", async () => {
    const port = await scriptedServer(acceptingAll({ RCPT: "550 5.1.1 <ada@example.com>: unknown" }));
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({
      providerMessage: "550 5.1.1 <[address]>: unknown",
    });
  });

  it("goes on with the same server after a refusal", async () => {
    let refuse = true;
    const yes = acceptingAll({});
    const port = await scriptedServer((line) =>
      line.startsWith("RCPT") && refuse ? "550 5.1.1 no" : yes(line),
    );
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({ kind: "not_sent" });
    refuse = false;
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({ kind: "sent" });
  });
});

describe("a server that breaks off", () => {
  it.each([
    ["EHLO", null],
    ["MAIL", null],
    ["DATA", null],
  ])("before the message (%s): not sent, also when it merely falls silent", async (command) => {
    const yes = acceptingAll({});
    const port = await scriptedServer((line, socket) => {
      if (!line.startsWith(command)) return yes(line);
      socket.destroy();
      return null;
    });
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({
      kind: "not_sent",
      retry: "later",
    });
    const silent = await scriptedServer(acceptingAll({ [command]: null }));
    expect(await smtp.send(connection(silent), message(), { http, timeoutMs: 200 })).toMatchObject({
      kind: "not_sent",
      retry: "later",
    });
  });

  it("after the message: unknown, and never sent a second time by itself", async () => {
    let messages = 0;
    const yes = acceptingAll({});
    const port = await scriptedServer((line, socket) => {
      if (line !== ".") return yes(line);
      messages += 1;
      socket.destroy();
      return null;
    });
    const outcome = await smtp.send(connection(port), message(), { http });
    expect(outcome).toMatchObject({ kind: "unknown", code: "provider_connection_lost" });
    expect(messages).toBe(1);
  });

  it("after the message, on a connection that was used before: unknown as well", async () => {
    let messages = 0;
    const yes = acceptingAll({});
    const port = await scriptedServer((line, socket) => {
      if (line !== "." || (messages += 1) === 1) return yes(line);
      socket.destroy();
      return null;
    });
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({ kind: "sent" });
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({ kind: "unknown" });
    expect(messages).toBe(2);
  });

  it("by never confirming the message: unknown", async () => {
    const port = await scriptedServer(acceptingAll({ end: null }));
    const outcome = await smtp.send(connection(port), message(), { http, timeoutMs: 300 });
    expect(outcome).toMatchObject({ kind: "unknown", code: "provider_timeout" });
  });

  it("while idle: the next message goes out over a new connection", async () => {
    const sockets: Socket[] = [];
    const handlers = new Map<Socket, (line: string) => string | null>();
    const port = await scriptedServer((line, socket) => {
      if (!handlers.has(socket)) {
        handlers.set(socket, acceptingAll({}));
        sockets.push(socket);
      }
      return handlers.get(socket)?.(line) ?? null;
    });
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({ kind: "sent" });
    sockets[0]?.destroy();
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({ kind: "sent" });
    expect(sockets).toHaveLength(2);
  });
});

describe("a server that cannot be reached", () => {
  it("was not sent anything: nobody listens, the name is unknown, the address is private", async () => {
    const port = await scriptedServer(() => null);
    for (const cleanUp of cleanUps.splice(0)) await cleanUp();
    expect(await smtp.send(connection(port), message(), { http })).toMatchObject({
      kind: "not_sent",
      retry: "later",
      code: "provider_unavailable",
    });
    expect(await smtp.send(connection(port, { host: "gone.example" }), message(), { http })).toMatchObject({
      kind: "not_sent",
      retry: "later",
    });
    const guarded = createOutboundClient({
      allow: [],
      userAgent: "test/1.0",
      resolver: () => Promise.resolve(["127.0.0.1"]),
    });
    const server = await mailServer();
    for (const host of ["mail.test", "127.0.0.1"]) {
      const outcome = await smtp.send(connection(server.port, { host, security: "starttls" }), message(), {
        http: guarded,
      });
      expect(outcome).toMatchObject({ kind: "not_sent", retry: "failover", code: "provider_blocked" });
    }
    expect(server.connections()).toBe(0);
    await guarded.close();
  });

  it("is named by the connection test", async () => {
    const port = await scriptedServer(() => null, "");
    expect(await smtp.test(connection(port), { http, timeoutMs: 200 })).toMatchObject({ ok: false });
    expect(await smtp.test(connection(1, { host: "gone.example" }), { http })).toMatchObject({
      ok: false,
      problem: expect.stringContaining("gone.example") as string,
    });
  });

  it("is told from one that has no session left, in the connection test", async () => {
    const full = await scriptedServer(() => null, "421 4.7.0 Too many connections from your address");
    expect(await smtp.test(connection(full), { http })).toMatchObject({ ok: false, reachable: true });
    const closed = await scriptedServer(() => null, "554 5.7.1 blocked, see our page");
    expect(await smtp.test(connection(closed), { http })).not.toHaveProperty("reachable");
  });

  it("is told apart from one whose connections are all busy with other messages", async () => {
    const port = await scriptedServer((line) => (line.startsWith("MAIL") ? null : acceptingAll({})(line)));
    const one = connection(port, { maxConnections: 1 });
    const [first, second] = await Promise.all(
      [1, 2].map(() => smtp.send(one, message(), { http, timeoutMs: 500 })),
    );
    expect(first).toMatchObject({ kind: "not_sent", retry: "later", code: "provider_unavailable" });
    expect(first).not.toHaveProperty("unasked");
    expect(second).toMatchObject({ kind: "not_sent", retry: "later", unasked: true });
  });

  it("takes no longer than the attempt's clock, also where its address needs a question first", async () => {
    const silent: typeof http = {
      ...http,
      dial: ({ signal }) =>
        new Promise((_done, fail) => {
          signal?.addEventListener("abort", () =>
            fail(new OutboundError("connect", "timeout", "mail.test does not answer", false)),
          );
        }),
    };
    const outcome = smtp.send(connection(1), message({ to: "jürgen@example.com" }), {
      http: silent,
      timeoutMs: 100,
    });
    expect(await outcome).toMatchObject({ kind: "not_sent", retry: "later", code: "provider_unavailable" });
  });
});

const sink = ["/usr/sbin/smtp-sink", "/usr/local/sbin/smtp-sink"].find((path) => existsSync(path));
if (!sink)
  process.stderr.write(
    "SKIPPED: e-mail is not checked against postfix's smtp-sink, because it is not installed\n",
  );

describe.skipIf(sink === undefined)("postfix's smtp-sink", () => {
  /** Starts it, and gives the outcome of a message to it as soon as it listens. */
  async function sendTo(...options: string[]): Promise<SendOutcome> {
    const free = createServer().listen(0, "127.0.0.1");
    await once(free, "listening");
    const { port } = free.address() as AddressInfo;
    free.close();
    const asNobody = process.getuid?.() === 0 ? ["-u", "nobody"] : [];
    const child = spawn(sink ?? "", [...asNobody, ...options, `127.0.0.1:${port}`, "100"]);
    cleanUps.push(() => child.kill());
    let outcome = await smtp.send(connection(port), message(), { http });
    while (outcome.kind === "not_sent" && outcome.providerCode === undefined && child.exitCode === null)
      outcome = await smtp.send(connection(port), message(), { http });
    return outcome;
  }

  it("takes the message", async () => {
    expect(await sendTo()).toMatchObject({ kind: "sent" });
  });

  it.each([
    ["rcpt", "550 5.1.1 unknown", { retry: "never", code: "invalid_recipient", hardBounce: true }],
    [".", "550 5.1.1 unknown", { retry: "never", code: "invalid_recipient", hardBounce: true }],
    [".", "554 5.7.1 policy", { retry: "failover", code: "policy_rejected" }],
    [".", "550 5.7.26 unauthenticated", { retry: "failover", code: "sender_unauthenticated" }],
    ["mail", "530 5.7.0 Must issue a STARTTLS command first", { code: "provider_tls_failed" }],
    ["mail", "530 5.7.0 Authentication required", { code: "provider_login_required" }],
  ])("that refuses %s with %s is understood", async (command, answer, wanted) => {
    expect(await sendTo("-f", command, "-B", answer)).toMatchObject({ kind: "not_sent", ...wanted });
  });
});
