/** SMTP's DKIM signatures, checked by a verifier of RFC 6376 that shares no code with the signer. */
import { createHash, createVerify, generateKeyPairSync } from "node:crypto";
import type { KeyObject } from "node:crypto";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { startMailServer } from "../../testing/mail-server.ts";
import { emailMessage, loopbackClient, PDF, UNSUBSCRIBE_HEADERS } from "../../testing/outbound-email.ts";
import type { OutboundMessage } from "../adapter.ts";
import { createSmtpAdapter } from "./smtp.ts";

const { privateKey, publicKey } = generateKeyPairSync("rsa", { modulusLength: 2048 });
const dkimPrivateKey = privateKey.export({ type: "pkcs8", format: "pem" }).toString();
const http = loopbackClient();
const smtp = createSmtpAdapter();
const servers: { close: () => Promise<unknown> }[] = [];
afterEach(async () => {
  for (const server of servers.splice(0)) await server.close();
});
afterAll(async () => {
  await smtp.close?.();
  await http.close();
});

async function sent(more: Partial<OutboundMessage>): Promise<string> {
  const server = await startMailServer();
  servers.push(server);
  const connection = {
    id: "c1",
    credentials: { dkimPrivateKey },
    settings: {
      host: "mail.test",
      port: server.port,
      security: "none" as const,
      maxConnections: 1,
      dkim: { domain: "example.org", selector: "s1" },
    },
  };
  expect(await smtp.send(connection, emailMessage(more), { http })).toMatchObject({ kind: "sent" });
  return server.received[0]?.raw ?? "";
}

/** Relaxed canonicalization of a header field (RFC 6376, 3.4.2). */
const relaxedHeader = (field: string): string => {
  const colon = field.indexOf(":");
  const value = field
    .slice(colon + 1)
    .replace(/\r\n/g, "")
    .replace(/[ \t]+/g, " ")
    .trim();
  return `${field.slice(0, colon).trim().toLowerCase()}:${value}`;
};

/** Relaxed canonicalization of a body (3.4.4). */
const relaxedBody = (body: string): string => {
  const lines = body.replace(/[ \t]+/g, " ").replace(/ \r\n/g, "\r\n");
  const trimmed = lines.replace(/(\r\n)*$/, "");
  return trimmed === "" ? "" : `${trimmed}\r\n`;
};

type Verdict = "pass" | "body hash differs" | "signature is wrong" | "not signed";

/** For one rsa-sha256 signature, relaxed/relaxed, over the whole body; `signed` are the names in its h=. */
function verifyDkim(raw: string, key: KeyObject): { verdict: Verdict; signed: string[]; domain?: string } {
  const end = raw.indexOf("\r\n\r\n");
  const fields = raw.slice(0, end).split(/\r\n(?![ \t])/);
  const signature = fields.find((field) => /^dkim-signature:/i.test(field));
  if (!signature) return { verdict: "not signed", signed: [] };
  const tags = new Map(
    signature
      .slice(signature.indexOf(":") + 1)
      .split(";")
      .map((tag): [string, string] => {
        const equals = tag.indexOf("=");
        return [tag.slice(0, equals).trim(), tag.slice(equals + 1).replace(/\s+/g, "")];
      }),
  );
  expect(tags.get("v")).toBe("1");
  expect(tags.get("a")).toBe("rsa-sha256");
  expect(tags.get("c")).toBe("relaxed/relaxed");
  expect(tags.get("s")).toBe("s1");
  expect(tags.has("l")).toBe(false);
  const signed = (tags.get("h") ?? "").toLowerCase().split(":");
  const found = { signed, domain: tags.get("d") ?? "" };
  const bodyHash = createHash("sha256")
    .update(relaxedBody(raw.slice(end + 4)))
    .digest("base64");
  if (bodyHash !== tags.get("bh")) return { ...found, verdict: "body hash differs" };
  // Of fields with the same name the last one is signed first (5.4.2); one that is not there counts as empty.
  const rest = [...fields];
  const chosen = signed.flatMap((name) => {
    const index = rest.findLastIndex((field) => field.toLowerCase().startsWith(`${name}:`));
    return index < 0 ? [] : rest.splice(index, 1);
  });
  const own = relaxedHeader(signature).replace(/(;| |:)b=[^;]*/, "$1b=");
  const text = [...chosen.map(relaxedHeader), own].join("\r\n");
  const isRight = createVerify("RSA-SHA256")
    .update(text)
    .verify(key, tags.get("b") ?? "", "base64");
  return { ...found, verdict: isRight ? "pass" : "signature is wrong" };
}

describe("a DKIM signature", () => {
  it.each<[string, Partial<OutboundMessage>]>([
    ["text", { html: undefined }],
    ["text and HTML with headers and an attachment", { headers: UNSUBSCRIBE_HEADERS, attachments: [PDF] }],
    ["lines that tempt", { html: undefined, text: " a \t b  \r\n.\r\n\r\n..\r\nFrom x\r\n\r\n\r\n" }],
    ["a long subject", { subject: `${"Grüße 👋 ".repeat(40)}\r\nBcc: eve@evil.example` }],
  ])("of %s verifies", async (_what, more) => {
    const { verdict, signed, domain } = verifyDkim(await sent(more), publicKey);
    expect(verdict).toBe("pass");
    expect(domain).toBe("example.org");
    expect(signed).toEqual(expect.arrayContaining(["from", "to", "subject", "mime-version"]));
  });

  it("covers both List-Unsubscribe fields, so that mailboxes offer one click and nobody can change where it goes", async () => {
    const raw = await sent({ headers: UNSUBSCRIBE_HEADERS });
    const { verdict, signed } = verifyDkim(raw, publicKey);
    expect(verdict).toBe("pass");
    expect(signed).toEqual(expect.arrayContaining(["list-unsubscribe", "list-unsubscribe-post"]));
    for (const value of Object.values(UNSUBSCRIBE_HEADERS)) {
      const changed = raw.replace(value, `${value.slice(0, -1)}x`);
      expect(changed).not.toBe(raw);
      expect(verifyDkim(changed, publicKey).verdict).toBe("signature is wrong");
    }
    // What is not there is not named: another field of that name added on the way does not have to break it.
    expect(verifyDkim(await sent({}), publicKey).signed).not.toContain("list-unsubscribe-post");
  });

  it("does not verify what was changed on the way, or with another key", async () => {
    const raw = await sent({ html: undefined });
    const verdict = (text: string, key = publicKey): Verdict => verifyDkim(text, key).verdict;
    expect(verdict(raw)).toBe("pass");
    expect(verdict(raw.replace("Hallo", "Hello"))).toBe("body hash differs");
    expect(verdict(raw.replace("shop@example.org", "eve@evil.example"))).toBe("signature is wrong");
    expect(verdict(raw, generateKeyPairSync("rsa", { modulusLength: 2048 }).publicKey)).toBe(
      "signature is wrong",
    );
    expect(verdict(raw.replace(/^DKIM-Signature:/i, "X-Other:"))).toBe("not signed");
  });
});
