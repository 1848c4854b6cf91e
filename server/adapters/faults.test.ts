/** What the network and a broken provider can do to a message, held against every adapter that speaks HTTP. */
import { afterEach, describe, expect, it } from "vitest";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { RETRY_AFTER_SECONDS, startFaultyServer } from "../testing/faulty-server.ts";
import type { Fault, FaultyServer } from "../testing/faulty-server.ts";
import { httpProviders } from "../testing/http-providers.ts";
import type { HttpProvider } from "../testing/http-providers.ts";
import { emailMessage } from "../testing/outbound-email.ts";
import { strictly } from "../testing/provider-contracts/contract.ts";
import { contracts } from "../testing/provider-contracts/contracts.ts";
import { TEST_AUTHORITY } from "../testing/tls-fixture.ts";
import type { AdapterName, SendOutcome } from "./adapter.ts";

type FaultName = Fault | "untrusted";

/** Where a provider legitimately differs. `requests`: how often the message may reach it; 1 without. */
const DIFFERS: Partial<
  Record<
    AdapterName,
    Partial<Record<FaultName, { outcome?: Partial<SendOutcome>; requests?: number; because: string }>>
  >
> = {
  microsoft365: {
    unauthorized: { requests: 2, because: "The token may have been revoked: it is renewed once" },
  },
};

/** What each fault means for the message, wherever a line does not say otherwise. */
const EXPECTED: Record<FaultName, Partial<SendOutcome>> = {
  refused: { kind: "not_sent", retry: "later", code: "provider_unavailable" },
  plain: { kind: "not_sent", retry: "later", code: "provider_unavailable" },
  untrusted: { kind: "not_sent", retry: "later", code: "provider_unavailable" },
  hang: { kind: "unknown", code: "provider_timeout" },
  reset: { kind: "unknown", code: "provider_connection_lost" },
  error500: { kind: "unknown", code: "provider_error", providerCode: "500" },
  garbage: { kind: "unknown", code: "provider_answer_unreadable" },
  empty: { kind: "unknown", code: "provider_answer_unreadable" },
  rate_limited: {
    kind: "not_sent",
    retry: "later",
    code: "provider_rate_limited",
    retryAfterMs: RETRY_AFTER_SECONDS * 1_000,
  },
  unauthorized: { kind: "not_sent", retry: "failover", code: "provider_credentials" },
};
const TITLES: [string, FaultName][] = [
  ["refuses the connection", "refused"],
  ["does not speak TLS", "plain"],
  ["has a certificate that nobody vouches for", "untrusted"],
  ["takes the message and falls silent", "hang"],
  ["takes the message and cuts the connection", "reset"],
  ["answers 500", "error500"],
  ["answers 200 with garbage", "garbage"],
  ["answers 200 with nothing", "empty"],
  ["answers 429 and when to come again", "rate_limited"],
  ["answers 401", "unauthorized"],
];
const WITHOUT_A_CONNECTION: FaultName[] = ["refused", "plain", "untrusted"];

const EMAIL = emailMessage();

const running: { close: () => Promise<void> }[] = [];
afterEach(async () => {
  for (const open of running.splice(0)) await open.close();
});

async function server(line: HttpProvider): Promise<FaultyServer> {
  const answer = strictly(contracts[line.adapter.name], line.answer);
  const started = await startFaultyServer({ ...line, answer });
  running.push(started);
  return started;
}

function client(trusting: boolean): OutboundClient {
  const started = createOutboundClient({
    allow: ["127.0.0.0/8"],
    userAgent: "test/1.0",
    resolver: () => Promise.resolve(["127.0.0.1"]),
    ...(trusting ? { ca: TEST_AUTHORITY } : {}),
  });
  running.unshift(started);
  return started;
}

describe.each(
  httpProviders.map((line) => ({ name: [line.adapter.label, line.of].filter(Boolean).join(" "), line })),
)("$name", ({ line }) => {
  const { adapter } = line;
  const message = { ...EMAIL, ...line.message };

  it.each(TITLES)("knows what is to be done when the provider %s", async (_title, name) => {
    const provider = await server(line);
    const connection = line.connection(provider.baseUrl);
    const http = client(true);
    const good = await adapter.send(connection, message, { http });
    expect(good).toMatchObject({ kind: "sent" });
    const before = provider.requests.length;

    await provider.setFault(name === "untrusted" ? null : name);
    // A connection that is open already would hide what happens while one is made, and only that.
    const faulty = WITHOUT_A_CONNECTION.includes(name) ? client(name !== "untrusted") : http;
    const outcome = await adapter.send(connection, message, {
      http: faulty,
      ...(name === "hang" ? { timeoutMs: 700 } : {}),
    });
    const differs = DIFFERS[adapter.name]?.[name];
    expect(outcome).toMatchObject(differs?.outcome ?? EXPECTED[name]);
    const reached = WITHOUT_A_CONNECTION.includes(name) ? 0 : 1;
    expect(provider.requests.length - before).toBe(differs?.requests ?? reached);

    if (outcome.kind !== "sent") expect(outcome.detail).toMatch(/^\S.{15,}$/);
    const said = JSON.stringify(outcome);
    for (const secret of [message.to, ...Object.values(connection.credentials as Record<string, string>)]) {
      expect(said).not.toContain(secret);
    }

    await provider.setFault(null);
    const again = await adapter.send(connection, message, { http: name === "untrusted" ? http : faulty });
    expect(again).toMatchObject({ kind: "sent" });
  });
});
