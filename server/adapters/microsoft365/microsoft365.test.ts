import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { startFaultyServer } from "../../testing/faulty-server.ts";
import type { FaultyAnswer, FaultyRequest, FaultyServer } from "../../testing/faulty-server.ts";
import { emailMessage, loopbackClient, PDF, UNSUBSCRIBE_HEADERS } from "../../testing/outbound-email.ts";
import { descriptionFile, serveDescription } from "../../testing/prism.ts";
import type { ServedDescription } from "../../testing/prism.ts";
import type { Adapter, Connection, OutboundMessage } from "../adapter.ts";
import { createMicrosoft365Adapter } from "./microsoft365.ts";
import type { Microsoft365Credentials, Microsoft365Settings } from "./schemas.ts";

const SECRET = "s3cret~value";
const http = loopbackClient();
const running: FaultyServer[] = [];
let graph: Adapter<Microsoft365Credentials, Microsoft365Settings>;
beforeEach(() => {
  graph = createMicrosoft365Adapter();
});
afterEach(async () => {
  vi.useRealTimers();
  for (const server of running.splice(0)) await server.close();
});
afterAll(() => http.close());

const connection = (
  baseUrl: string,
  settings: Partial<Microsoft365Settings> = {},
): Connection<Microsoft365Credentials, Microsoft365Settings> => ({
  id: "c1",
  credentials: { clientSecret: SECRET },
  settings: {
    tenantId: "contoso.example",
    clientId: "11111111-2222-3333-4444-555555555555",
    saveToSentItems: false,
    baseUrl,
    ...settings,
  },
});

const json = (status: number, value: unknown, headers: Record<string, string> = {}): FaultyAnswer => ({
  status,
  headers: { "content-type": "application/json", ...headers },
  body: JSON.stringify(value),
});
const isTokenRequest = ({ path }: FaultyRequest): boolean => path.endsWith("/oauth2/v2.0/token");
const tokenFor = (claims: unknown): string =>
  ["{}", JSON.stringify(claims), "sig"].map((part) => Buffer.from(part).toString("base64url")).join(".");
const graphError = (status: number, code: string, message = "No, ada@example.com"): FaultyAnswer =>
  json(status, { error: { code, message } });

/** `messages` answers to sendMail, `tokens` to the requests for tokens; each is given how many there were before. */
async function microsoft(
  messages: (nth: number, request: FaultyRequest) => FaultyAnswer = () => ({ status: 202 }),
  tokens: (nth: number) => FaultyAnswer = (nth) =>
    json(200, { token_type: "Bearer", access_token: `token-${nth}`, expires_in: 3_599 }),
): Promise<FaultyServer & { sent: () => FaultyRequest[]; asked: () => FaultyRequest[] }> {
  const counts = { tokens: 0, messages: 0 };
  const server = await startFaultyServer({
    answer: (request) =>
      isTokenRequest(request) ? tokens(counts.tokens++) : messages(counts.messages++, request),
  });
  running.push(server);
  return {
    ...server,
    sent: () => server.requests.filter((request) => !isTokenRequest(request)),
    asked: () => server.requests.filter(isTokenRequest),
  };
}

describe("sending through Microsoft 365", () => {
  it("hands over every part from the sender's mailbox, with a token for Graph", async () => {
    const server = await microsoft();
    const message = emailMessage({
      headers: { "X-Campaign": "spring", ...UNSUBSCRIBE_HEADERS },
      attachments: [PDF],
    });
    const outcome = await graph.send(connection(server.baseUrl), message, { http });
    expect(outcome).toEqual({ kind: "sent", providerMessageId: null, final: true });
    const [asked] = server.asked();
    expect(asked?.path).toBe("/contoso.example/oauth2/v2.0/token");
    expect(Object.fromEntries(new URLSearchParams(asked?.body))).toEqual({
      grant_type: "client_credentials",
      client_id: "11111111-2222-3333-4444-555555555555",
      client_secret: SECRET,
      scope: "https://graph.microsoft.com/.default",
    });
    const [sent] = server.sent();
    expect(sent).toMatchObject({ method: "POST", path: "/v1.0/users/shop%40example.org/sendMail" });
    expect(sent?.headers.authorization).toBe("Bearer token-0");
    expect(JSON.parse(sent?.body ?? "")).toEqual({
      message: {
        subject: "Grüße 👋",
        body: { contentType: "html", content: "<p>Hallo <b>Welt</b></p>" },
        from: { emailAddress: { address: "shop@example.org", name: "Shop Zürich" } },
        toRecipients: [{ emailAddress: { address: "ada@example.com" } }],
        replyTo: [{ emailAddress: { address: "help@example.org" } }],
        internetMessageHeaders: [{ name: "X-Campaign", value: "spring" }],
        singleValueExtendedProperties: [
          { id: "String 0x1045", value: UNSUBSCRIBE_HEADERS["List-Unsubscribe"] },
        ],
        attachments: [
          {
            "@odata.type": "#microsoft.graph.fileAttachment",
            name: "rechnung.pdf",
            contentType: "application/pdf",
            contentBytes: PDF.content.toString("base64"),
          },
        ],
      },
      saveToSentItems: false,
    });
  });

  it("sends text where there is no HTML, and keeps a copy where that is wished", async () => {
    const server = await microsoft();
    const message = emailMessage({ html: undefined });
    await graph.send(connection(server.baseUrl, { saveToSentItems: true }), message, { http });
    expect(JSON.parse(server.sent()[0]?.body ?? "")).toMatchObject({
      message: { body: { contentType: "text", content: "Hallo Welt" } },
      saveToSentItems: true,
    });
  });

  it("refuses what Graph does not carry before anything leaves", async () => {
    const server = await microsoft();
    const send = (more: Partial<OutboundMessage>) =>
      graph.send(connection(server.baseUrl), emailMessage(more), { http });
    const six = Object.fromEntries([1, 2, 3, 4, 5, 6].map((nth) => [`X-${nth}`, "x"]));
    expect(await send({ headers: six })).toMatchObject({ retry: "failover", code: "invalid_message" });
    expect(await send({ headers: { Precedence: "bulk" } })).toMatchObject({
      retry: "failover",
      detail: "Microsoft 365 does not carry the header Precedence",
    });
    expect(await send({ attachments: [{ ...PDF, content: Buffer.alloc(3_100_000) }] })).toMatchObject({
      retry: "failover",
      code: "message_too_large",
    });
    expect(await send({ to: "ada@example.com\r\nBcc: eve@evil.example" })).toMatchObject({
      retry: "never",
      code: "invalid_recipient",
    });
    expect(server.requests).toEqual([]);
  });

  it.each([
    [400, "ErrorInvalidRecipients", "never", "invalid_recipient"],
    [403, "ErrorAccessDenied", "failover", "provider_credentials"],
    [403, "ErrorSendAsDenied", "failover", "sender_rejected"],
    [404, "ErrorInvalidUser", "failover", "sender_rejected"],
    [413, "RequestEntityTooLarge", "failover", "message_too_large"],
    [429, "ApplicationThrottled", "later", "provider_rate_limited"],
    [400, "ErrorMessageSubmissionBlocked", "failover", "account_restricted"],
    [400, "ErrorSomethingElse", "failover", "provider_rejected"],
  ])("knows that %i %s was not sent: %s, %s", async (status, name, retry, code) => {
    const server = await microsoft(() => graphError(status, name));
    expect(await graph.send(connection(server.baseUrl), emailMessage(), { http })).toMatchObject({
      kind: "not_sent",
      retry,
      code,
      providerCode: name,
      providerMessage: "No, [address]",
    });
  });
});

describe("the token", () => {
  it("is asked for once by all who need it at the same time, and kept", async () => {
    const server = await microsoft();
    const send = () => graph.send(connection(server.baseUrl), emailMessage(), { http });
    const outcomes = await Promise.all(Array.from({ length: 8 }, send));
    expect(outcomes.every(({ kind }) => kind === "sent")).toBe(true);
    await send();
    expect(server.asked()).toHaveLength(1);
    expect(server.sent()).toHaveLength(9);
  });

  it("is another one for another connection and another secret", async () => {
    const server = await microsoft();
    const one = connection(server.baseUrl);
    for (const other of [one, { ...one, id: "c2" }, { ...one, credentials: { clientSecret: "new" } }]) {
      await graph.send(other, emailMessage(), { http });
    }
    expect(server.asked()).toHaveLength(3);
  });

  it("is renewed before it expires", async () => {
    vi.useFakeTimers({ toFake: ["Date"] });
    const server = await microsoft();
    const send = () => graph.send(connection(server.baseUrl), emailMessage(), { http });
    await send();
    vi.setSystemTime(Date.now() + 3_290_000);
    await send();
    expect(server.asked()).toHaveLength(1);
    vi.setSystemTime(Date.now() + 20_000);
    await send();
    expect(server.asked()).toHaveLength(2);
  });

  it("is renewed once after it was refused, also for those who were refused at the same time", async () => {
    const server = await microsoft((_nth, { headers }) =>
      headers.authorization === "Bearer token-0"
        ? graphError(401, "InvalidAuthenticationToken")
        : { status: 202 },
    );
    const send = () => graph.send(connection(server.baseUrl), emailMessage(), { http });
    const outcomes = await Promise.all([send(), send(), send()]);
    expect(outcomes.every(({ kind }) => kind === "sent")).toBe(true);
    expect(server.asked()).toHaveLength(2);
    expect(server.sent()).toHaveLength(6);
  });

  it("is not asked for a third time when the second is refused as well", async () => {
    const server = await microsoft(() => graphError(401, "InvalidAuthenticationToken"));
    const outcome = await graph.send(connection(server.baseUrl), emailMessage(), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "failover", code: "provider_credentials" });
    expect(server.asked()).toHaveLength(2);
    expect(server.sent()).toHaveLength(2);
  });

  it.each<[string, FaultyAnswer, Record<string, unknown>]>([
    [
      "the secret is wrong",
      json(401, {
        error: "invalid_client",
        error_description: `AADSTS7000215: Invalid client secret provided for app. Trace ID: 1`,
      }),
      {
        retry: "failover",
        code: "provider_credentials",
        providerCode: "AADSTS7000215",
        detail: expect.stringContaining("secret") as string,
      },
    ],
    ["it does not say why", json(400, {}), { retry: "failover", code: "provider_credentials" }],
    [
      "there are too many requests",
      json(429, {}, { "retry-after": "3" }),
      { retry: "later", code: "provider_rate_limited", retryAfterMs: 3_000 },
    ],
    ["it fails", json(500, {}), { retry: "later", code: "provider_unavailable" }],
    ["it answers with garbage", { status: 200, body: "<html>" }, { retry: "later" }],
  ])("is not given out because %s: certainly nothing was sent", async (_what, answer, expected) => {
    let healthy = false;
    const server = await microsoft(undefined, () =>
      healthy ? json(200, { access_token: "later", expires_in: 3_599 }) : answer,
    );
    const send = () => graph.send(connection(server.baseUrl), emailMessage(), { http });
    const outcome = await send();
    expect(outcome).toMatchObject({ kind: "not_sent", ...expected });
    expect(JSON.stringify(outcome)).not.toContain(SECRET);
    expect(server.sent()).toEqual([]);
    healthy = true;
    expect(await send()).toMatchObject({ kind: "sent" });
  });

  it("could not be asked for: certainly nothing was sent, even when the request had left", async () => {
    const server = await microsoft();
    for (const fault of ["hang", "reset", "refused"] as const) {
      await server.setFault(fault);
      const outcome = await graph.send(connection(server.baseUrl), emailMessage(), { http, timeoutMs: 300 });
      expect(outcome).toMatchObject({ kind: "not_sent", retry: "later", code: "provider_unavailable" });
    }
    await server.setFault(null);
    expect(await graph.send(connection(server.baseUrl), emailMessage(), { http })).toMatchObject({
      kind: "sent",
    });
  });
});

describe("the connection test", () => {
  const test = async (answer: FaultyAnswer) => {
    const server = await microsoft(undefined, () => answer);
    const result = await graph.test(connection(server.baseUrl), { http });
    expect(server.sent()).toEqual([]);
    return result;
  };
  const token = (access_token: string) => json(200, { access_token, expires_in: 3_599 });

  it("tells what the token reveals of the application's permission", async () => {
    expect(await test(token(tokenFor({ roles: ["User.Read.All", "Mail.Send"] })))).toEqual({
      ok: true,
      facts: [{ label: "Permission", value: "Mail.Send" }],
    });
    for (const claims of [{}, { roles: ["Mail.Read"] }, { roles: "Mail.Send" }]) {
      graph = createMicrosoft365Adapter();
      expect(await test(token(tokenFor(claims)))).toMatchObject({
        ok: false,
        problem: expect.stringContaining("Mail.Send") as string,
      });
    }
  });

  it("does not mind a token that reveals nothing", async () => {
    expect(await test(token("opaque"))).toEqual({ ok: true });
  });

  it("says what is wrong with the app registration", async () => {
    const error_description = "AADSTS7000222: The provided client secret keys are expired.";
    expect(await test(json(401, { error: "invalid_client", error_description }))).toEqual({
      ok: false,
      problem: "The client secret has expired: create a new one in the app registration",
    });
  });
});

const description = descriptionFile("msgraph-sendmail.json");

describe.skipIf(description === null)("Microsoft Graph's metadata", () => {
  let prism: ServedDescription;
  beforeAll(async () => {
    prism = await serveDescription(description ?? "");
  });
  afterAll(() => prism.close());

  const judge = (body: unknown): Promise<number> =>
    fetch(`${prism.baseUrl}/users/shop%40example.org/sendMail`, {
      method: "POST",
      headers: { "content-type": "application/json", authorization: "Bearer x" },
      body: typeof body === "string" ? body : JSON.stringify(body),
    }).then(({ status }) => status);

  it("refuses a wrong request (the probe that shows it checks at all)", async () => {
    expect(
      await judge({ message: { body: { contentType: "markdown", content: "x" } } }),
    ).toBeGreaterThanOrEqual(400);
    expect(await judge({ message: { subject: "x", bogus: 1 } })).toBeGreaterThanOrEqual(400);
  });

  it.each<[string, Partial<OutboundMessage>]>([
    ["HTML", {}],
    ["text", { html: undefined, replyTo: undefined, senderId: "shop@example.org" }],
    [
      "headers and attachments",
      { headers: { "X-Campaign": "spring", ...UNSUBSCRIBE_HEADERS }, attachments: [PDF, PDF] },
    ],
  ])("accepts %s", async (_what, more) => {
    const server = await microsoft();
    await graph.send(connection(server.baseUrl), emailMessage(more), { http });
    expect(await judge(server.sent()[0]?.body)).toBe(202);
  });
});
