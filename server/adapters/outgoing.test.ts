/**
 * What every adapter of an HTTP provider promises about messages that go out, as one table: how each kind of content leaves,
 * what is refused before the provider sees it, what the provider's own refusals mean. Each request is one that the provider
 * would take. What the network can do to a message is in faults.test.ts, what is special to a protocol with its adapter.
 */
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { startFaultyServer } from "../testing/faulty-server.ts";
import type { FaultyAnswer, FaultyRequest, FaultyServer } from "../testing/faulty-server.ts";
import { emailMessage, loopbackClient } from "../testing/outbound-email.ts";
import { phoneMessage } from "../testing/outbound-phone.ts";
import { NOW, outgoingCases } from "../testing/provider-cases/cases.ts";
import type { Variation } from "../testing/provider-cases/outgoing.ts";
import { form, misfits, operationOf, strictly } from "../testing/provider-contracts/contract.ts";
import { contracts } from "../testing/provider-contracts/contracts.ts";
import { officialServer } from "../testing/provider-contracts/official.ts";
import type { Connection, OutboundMessage } from "./adapter.ts";

const http = loopbackClient();
beforeAll(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterAll(async () => {
  vi.useRealTimers();
  await http.close();
});

describe.each(outgoingCases.map((row) => ({ label: row.provider.adapter.label, row })))(
  "$label",
  ({ row }) => {
    const { provider, sends, refuses, errors, waits = [], uncertain = [], tests, regions } = row;
    const { adapter } = provider;
    const contract = contracts[adapter.name] ?? { operations: [] };
    const official = officialServer(contract);
    let server: FaultyServer;
    let answer: ((request: FaultyRequest) => FaultyAnswer) | FaultyAnswer;
    let connections = 0;
    beforeAll(async () => {
      server = await startFaultyServer({
        answer: (request) => (typeof answer === "function" ? answer(request) : answer),
      });
    });
    beforeEach(() => {
      answer = strictly(contract, provider.answer);
      server.requests.length = 0;
    });
    afterAll(() => Promise.all([server.close(), official.close()]));

    /** Another connection each time: what an adapter remembers of one is its own. */
    const connection = ({ settings, credentials }: Variation, baseUrl = server.baseUrl): Connection => {
      const usual = provider.connection(baseUrl);
      return {
        id: `c${++connections}`,
        credentials: { ...(usual.credentials as object), ...credentials },
        settings: { ...(usual.settings as object), ...settings },
      };
    };
    const messageOf = ({ message }: Variation): OutboundMessage => ({
      ...(adapter.channels.includes("email") ? emailMessage() : phoneMessage()),
      ...provider.message,
      ...message,
    });
    const send = (variation: Variation = {}, client: OutboundClient = http) =>
      adapter.send(connection(variation), messageOf(variation), { http: client, timeoutMs: 5_000 });
    /** Every answer but those to preliminary requests. */
    const answering = (given: FaultyAnswer) => (request: FaultyRequest) =>
      provider.isPreliminary?.(request) ? provider.answer(request) : given;

    it.each(Object.entries(sends))("sends %s, as the provider takes it", async (_what, wanted) => {
      const { path, headers, body, holds, outcome } = wanted;
      if (wanted.answer) answer = strictly(contract, answering(wanted.answer));
      expect(await send(wanted)).toMatchObject({ kind: "sent", ...outcome });
      const request = server.requests.at(-1);
      if (!request) throw new Error("nothing was sent");
      const isForm = operationOf(contract, request)?.headers["content-type"] === form;
      const sent: unknown = isForm
        ? Object.fromEntries(new URLSearchParams(request.body))
        : JSON.parse(request.body);
      if (path !== undefined) expect(request.path).toBe(path);
      if (headers) expect(request.headers).toMatchObject(headers);
      if (body !== undefined) expect(sent).toEqual(body);
      if (holds) expect(sent).toMatchObject(holds);
      if (!wanted.isNewer) expect((await official.judge(request)) ?? 200).toBeLessThan(300);
    });

    it.each(Object.entries(refuses))("refuses %s before the provider sees it", async (_what, wanted) => {
      const { retry, code } = wanted;
      expect(await send(wanted)).toMatchObject({ kind: "not_sent", retry, code });
      expect(server.requests).toEqual([]);
    });

    it.each(errors.map(([given, providerCode, retry, code]) => ({ given, providerCode, retry, code })))(
      "knows after $given.status $providerCode that nothing was sent: $code, $retry",
      async ({ given, providerCode, retry, code }) => {
        answer = answering(given);
        const outcome = await send();
        expect(outcome).toMatchObject({ kind: "not_sent", retry, code, providerCode });
        const { to } = messageOf({});
        if (given.body?.includes(to)) {
          const providerMessage = expect.stringMatching(/\[(number|address)\]/) as string;
          const hint =
            "providerMessage is what the provider wrote, through providerText, which hides the recipient";
          expect(outcome, hint).toMatchObject({ providerMessage });
        }
        expect(JSON.stringify(outcome)).not.toContain(to.replace("+", ""));
      },
    );

    it.each(waits)("waits as long as the provider asks: %j", async (given, retryAfterMs) => {
      answer = answering(given);
      expect(await send()).toMatchObject({ kind: "not_sent", retry: "later", retryAfterMs });
    });

    it.each(uncertain.map(([given, providerCode]) => ({ given, providerCode })))(
      "does not know what became of the message after $given.status $providerCode",
      async ({ given, providerCode }) => {
        answer = answering(given);
        expect(await send()).toMatchObject({ kind: "unknown", providerCode });
      },
    );

    it.each(Object.entries(tests))("is tested without sending anything: %s", async (_what, wanted) => {
      answer = wanted.answer;
      expect(await adapter.test(connection(wanted), { http })).toEqual(wanted.result);
      for (const request of server.requests) {
        const isMessage = request.method === "POST" && misfits(contract, request).length === 0;
        if (!provider.isPreliminary?.(request)) expect(isMessage).toBe(false);
      }
    });

    it("is tested with a problem when nobody answers", async () => {
      const away = connection({}, "https://127.0.0.1:1");
      expect(await adapter.test(away, { http })).toMatchObject({ ok: false });
    });

    it("does not reach into private networks", async () => {
      const guarded = createOutboundClient({
        allow: [],
        userAgent: "test/1.0",
        resolver: () => Promise.resolve(["127.0.0.1"]),
      });
      const refused = { kind: "not_sent", retry: "failover", code: "provider_blocked" };
      expect(await send({}, guarded)).toMatchObject(refused);
      expect(server.requests).toEqual([]);
      await guarded.close();
    });

    it.each(regions)("with %j is in region %s, at %s", async (settings, region, origin) => {
      const cloud = connection({ settings: { ...settings, baseUrl: undefined } });
      expect(adapter.regionOf(cloud.settings)).toBe(region);
      if (origin === undefined) return;
      const called: string[] = [];
      const request: OutboundClient["request"] = ({ method, url, headers = {}, body = "" }) => {
        called.push(new URL(url).origin);
        const { pathname, search } = new URL(url);
        const said = provider.answer({ method, path: pathname + search, headers, body: String(body) });
        return Promise.resolve({
          headers: {},
          truncated: false,
          ...said,
          body: Buffer.from(said.body ?? ""),
        });
      };
      const client = { request } as OutboundClient;
      expect(await adapter.send(cloud, messageOf({}), { http: client })).toMatchObject({ kind: "sent" });
      expect(called.at(-1)).toBe(origin);
    });
  },
);
