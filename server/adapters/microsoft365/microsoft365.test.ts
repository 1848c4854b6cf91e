import { afterAll, afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { startFaultyServer } from "../../testing/faulty-server.ts";
import type { FaultyAnswer, FaultyRequest, FaultyServer } from "../../testing/faulty-server.ts";
import { emailMessage, loopbackClient } from "../../testing/outbound-email.ts";
import type { Adapter, Connection } from "../adapter.ts";
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

describe("the token", () => {
  it("that comes when a message's time is up is not used for it: nobody would know whether it was taken", async () => {
    const asked: string[] = [];
    const slow = {
      ...http,
      request: async ({ url }: { url: string }) => {
        const body = url.includes("/oauth2/") ? { access_token: "token", expires_in: 3_599 } : {};
        asked.push(url.includes("/oauth2/") ? "token" : "message");
        await new Promise((resolve) => setTimeout(resolve, 300));
        return {
          status: "expires_in" in body ? 200 : 202,
          headers: {},
          truncated: false,
          body: Buffer.from(JSON.stringify(body)),
        };
      },
    };
    const send = (timeoutMs: number) =>
      graph.send(connection("https://graph.example"), emailMessage(), { http: slow, timeoutMs });
    const [patient, urgent] = await Promise.all([send(5_000), send(250)]);
    expect(patient).toMatchObject({ kind: "sent" });
    expect(urgent).toMatchObject({ kind: "not_sent", retry: "later", code: "provider_timeout" });
    expect(asked).toEqual(["token", "message"]);
  });

  it("is asked for once by all who need it at the same time, and kept", async () => {
    const server = await microsoft();
    const send = () => graph.send(connection(server.baseUrl), emailMessage(), { http });
    const outcomes = await Promise.all(Array.from({ length: 8 }, send));
    expect(outcomes.every(({ kind }) => kind === "sent")).toBe(true);
    await send();
    expect(server.asked()).toHaveLength(1);
    expect(server.sent()).toHaveLength(9);
    expect(server.asked()[0]?.path).toBe("/contoso.example/oauth2/v2.0/token");
    expect(Object.fromEntries(new URLSearchParams(server.asked()[0]?.body))).toMatchObject({
      client_id: "11111111-2222-3333-4444-555555555555",
      client_secret: SECRET,
    });
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
