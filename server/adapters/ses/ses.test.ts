import { createHash } from "node:crypto";
import type { Server } from "node:http";
import type { AddressInfo } from "node:net";
import startLocalSes from "aws-ses-v2-local";
import PostalMime from "postal-mime";
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from "vitest";
import { startFaultyServer } from "../../testing/faulty-server.ts";
import type { FaultyAnswer, FaultyServer } from "../../testing/faulty-server.ts";
import { emailMessage, loopbackClient, PDF, UNSUBSCRIBE_HEADERS } from "../../testing/outbound-email.ts";
import type { Connection } from "../adapter.ts";
import { signAws } from "./aws-signature.ts";
import type { SesCredentials, SesSettings } from "./schemas.ts";
import { sesAdapter } from "./ses.ts";

const MESSAGE_ID = "010701934c0f7c3a-2f6d2f0e-0000-4000-8000-000000000000-000000";
const http = loopbackClient();
const running: FaultyServer[] = [];
afterEach(async () => {
  for (const server of running.splice(0)) await server.close();
});
afterAll(() => http.close());

const connection = (
  baseUrl: string | undefined,
  settings: Partial<SesSettings> = {},
): Connection<SesCredentials, SesSettings> => ({
  id: "c1",
  credentials: { accessKeyId: "AKIDEXAMPLEKEY123", secretAccessKey: "s3cret" },
  settings: { region: "eu-central-1", ...(baseUrl === undefined ? {} : { baseUrl }), ...settings },
});

const json = (status: number, value: unknown, headers: Record<string, string> = {}): FaultyAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});

async function provider(answer: FaultyAnswer): Promise<FaultyServer> {
  const server = await startFaultyServer({ answer: () => answer });
  running.push(server);
  return server;
}

describe("sending through Amazon SES", () => {
  it("hands over MIME for headers and attachments, to the one recipient", async () => {
    const server = await provider(json(200, { MessageId: MESSAGE_ID }));
    const message = emailMessage({ headers: UNSUBSCRIBE_HEADERS, attachments: [PDF] });
    const outcome = await sesAdapter.send(connection(server.baseUrl), message, { http });
    expect(outcome).toMatchObject({ kind: "sent", final: true });
    const [request] = server.requests;
    const hash = createHash("sha256").update(request?.body ?? "");
    expect(request?.headers["x-amz-content-sha256"]).toBe(hash.digest("hex"));
    const body = JSON.parse(request?.body ?? "") as {
      Content: { Raw: { Data: string } };
    };
    expect(body).toMatchObject({
      FromEmailAddress: "shop@example.org",
      Destination: { ToAddresses: ["ada@example.com"] },
    });
    const mail = await PostalMime.parse(Buffer.from(body.Content.Raw.Data, "base64"));
    expect(mail).toMatchObject({
      from: { name: "Shop Zürich", address: "shop@example.org" },
      subject: "Grüße 👋",
      html: expect.stringContaining("<b>Welt</b>") as string,
      text: expect.stringContaining("Hallo Welt") as string,
      attachments: [{ filename: "rechnung.pdf", mimeType: "application/pdf" }],
    });
    expect(mail.headers).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          key: "list-unsubscribe",
          value: UNSUBSCRIBE_HEADERS["List-Unsubscribe"],
        }),
        expect.objectContaining({ key: "list-unsubscribe-post", value: "List-Unsubscribe=One-Click" }),
      ]),
    );
  });
});

describe("the signature", () => {
  const key = {
    accessKeyId: "AKIDEXAMPLE",
    secretAccessKey: "wJalrXUtnFEMI/K7MDENG+bPxRfiCYEXAMPLEKEY",
    region: "us-east-1",
  };
  const at = new Date("2015-08-30T12:36:00Z");

  it("is the one that AWS published for its test requests", async () => {
    const vanilla = await signAws(
      { method: "POST", url: "https://example.amazonaws.com/", headers: {} },
      { ...key, service: "service" },
      at,
    );
    expect(vanilla.headers).toEqual({
      host: "example.amazonaws.com",
      "x-amz-date": "20150830T123600Z",
      authorization:
        "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, SignedHeaders=host;x-amz-date, Signature=5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b",
    });
    const listUsers = await signAws(
      {
        method: "GET",
        url: "https://iam.amazonaws.com/?Action=ListUsers&Version=2010-05-08",
        headers: { "content-type": "application/x-www-form-urlencoded; charset=utf-8" },
      },
      { ...key, service: "iam" },
      at,
    );
    expect(listUsers.headers.authorization).toContain(
      "Signature=5d672d79c15b13162d9279b0855cfba6789a8edb4c82c400e06b5924a6f2b5d7",
    );
  });

  it("covers the body and is made for Amazon's host of the region", async () => {
    const seen: { url: string; headers: Record<string, string> }[] = [];
    const recorder = {
      ...http,
      request: ({ url, headers = {} }: Parameters<typeof http.request>[0]) => {
        seen.push({ url, headers });
        const body = Buffer.from(JSON.stringify({ MessageId: MESSAGE_ID }));
        return Promise.resolve({ status: 200, headers: {}, body, truncated: false });
      },
    };
    vi.useFakeTimers({ now: at, toFake: ["Date"] });
    try {
      for (const text of ["a", "b"]) {
        await sesAdapter.send(connection(undefined), emailMessage({ text }), { http: recorder });
      }
    } finally {
      vi.useRealTimers();
    }
    const [first, second] = seen;
    expect(first?.url).toBe("https://email.eu-central-1.amazonaws.com/v2/email/outbound-emails");
    expect(first?.headers.host).toBe("email.eu-central-1.amazonaws.com");
    expect(first?.headers["x-amz-date"]).toBe(second?.headers["x-amz-date"]);
    expect(first?.headers.authorization).not.toBe(second?.headers.authorization);
  });
});

describe("a local SES", () => {
  let server: Server;
  let baseUrl = "";
  beforeAll(async () => {
    server = await startLocalSes({ host: "127.0.0.1", port: 0 });
    if (!server.listening) await new Promise((ready) => server.once("listening", ready));
    baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  });
  afterAll(() => void server.close());

  it("refuses a wrong request (the probe that shows it checks at all)", async () => {
    const outcome = await sesAdapter.send(connection(baseUrl), emailMessage({ subject: "" }), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", providerMessage: "Bad Request Exception" });
  });

  it("receives both kinds of content", async () => {
    const simple = await sesAdapter.send(connection(baseUrl), emailMessage(), { http });
    const more = { headers: UNSUBSCRIBE_HEADERS, attachments: [PDF] };
    const raw = await sesAdapter.send(connection(baseUrl), emailMessage(more), { http });
    const answer = await http.request({ method: "GET", url: `${baseUrl}/store` });
    const { emails } = JSON.parse(answer.body.toString()) as {
      emails: { messageId: string; attachments: unknown[]; [part: string]: unknown }[];
    };
    for (const [outcome, attachments] of [
      [simple, 0],
      [raw, 1],
    ] as const) {
      const id = outcome.kind === "sent" ? outcome.providerMessageId : "";
      const email = emails.find(({ messageId }) => messageId === id);
      expect(email).toMatchObject({
        destination: { to: ["ada@example.com"], cc: [], bcc: [] },
        replyTo: ["help@example.org"],
        subject: "Grüße 👋",
        body: { html: expect.stringContaining("<b>Welt</b>") as string },
      });
      expect(email?.attachments).toHaveLength(attachments);
    }
  });
});
