/**
 * What every adapter with callbacks promises, as one table: whom it believes, what each event means, what a recipient wrote;
 * and that nothing of what comes makes it throw. What is special to a provider's signature is with its adapter.
 */
import fc from "fast-check";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { loopbackClient } from "../testing/outbound-email.ts";
import { callbackCases, NOW } from "../testing/provider-cases/cases.ts";
import { contracts } from "../testing/provider-contracts/contracts.ts";
import { officialServer } from "../testing/provider-contracts/official.ts";
import type { CallbackRequest, CallbackResult, Receipt } from "./adapter.ts";

const nothing: CallbackResult = { authentic: true, receipts: [], inbound: [] };
/** Members that a receipt has only where its row says so. */
const meanings = [
  ...(["status", "event", "permanent", "price", "segments", "category", "free"] as const),
  ...(["notificationId", "attempt"] as const),
];
const meaningOf = (receipt: Partial<Receipt>) =>
  Object.fromEntries(meanings.map((name) => [name, receipt[name]] as const));

const local = loopbackClient();
beforeAll(() => void vi.useFakeTimers({ now: NOW, toFake: ["Date"] }));
afterAll(async () => {
  vi.useRealTimers();
  await local.close();
});

/** The payload with the nth of its members, at any depth, replaced. */
function spoilt(payload: unknown, nth: number, value: unknown): unknown {
  const places: [parent: Record<string, unknown>, name: string][] = [];
  const copy: Record<string, unknown> = structuredClone({ payload });
  const collect = (parent: Record<string, unknown>): void => {
    for (const [name, member] of Object.entries(parent)) {
      places.push([parent, name]);
      if (typeof member === "object" && member !== null) collect(member as Record<string, unknown>);
    }
  };
  collect(copy);
  const [parent, name] = places[nth % places.length] ?? [copy, "payload"];
  parent[name] = value;
  return copy.payload;
}

describe.each(callbackCases.map((row) => ({ label: row.adapter.label, row })))(
  "callbacks of $label",
  ({ row }) => {
    const {
      adapter,
      connection,
      request,
      genuine,
      forgeries,
      receipts,
      messages = [],
      ignored,
      described,
    } = row;
    const contract = contracts[adapter.name] ?? { operations: [] };
    const official = officialServer(contract);
    afterAll(() => official.close());
    const parse = async (from: CallbackRequest): Promise<CallbackResult> => {
      const result = await adapter.parseCallback?.(connection, from, { http: row.http ?? local });
      if (!result) throw new Error("there are no callbacks");
      return result;
    };
    const read = async (payload: unknown) => parse(await request(payload));

    it.each(Object.entries(forgeries))("are not believed with %s", async (_what, forge) => {
      const from = await request(genuine);
      expect(await parse(from)).toMatchObject({ authentic: true });
      expect(await parse(await forge(from))).toEqual({ authentic: false });
    });

    it.each(receipts)("say what became of a message: %s", async (_what, payload, expected) => {
      const members = Object.entries<unknown>({ ...row.receipt, ...expected });
      const wanted: Partial<Receipt> = Object.fromEntries(members.filter(([, value]) => value !== undefined));
      const result = await read(payload);
      expect(result).toMatchObject({ authentic: true, receipts: [wanted], inbound: [] });
      const [receipt = {}] = result.authentic ? result.receipts : [];
      expect(meaningOf(receipt)).toEqual(meaningOf(wanted));
      expect(JSON.stringify(result)).not.toMatch(/ada@|4915112345678/);
    });

    it.runIf(messages.length > 0).each(messages)(
      "say what a recipient wrote: %s",
      async (_what, payload, expected) => {
        expect(await read(payload)).toEqual({ ...nothing, inbound: [{ ...row.inbound, ...expected }] });
      },
    );

    it.each(Object.entries(ignored))("say nothing with %s", async (_what, payload) => {
      expect(await read(payload)).toEqual(nothing);
    });

    it.runIf(row.together)("may come with others", async () => {
      const { payload, ...expected } = row.together ?? {};
      expect(await read(payload)).toMatchObject(expected);
    });

    it.runIf(row.many)("are bounded", async () => {
      const [payload, most] = row.many ?? [];
      const result = await read(payload);
      expect(result.authentic && result.receipts.length).toBe(most);
    });

    it("never make the adapter throw: any bytes, under any headers", async () => {
      await fc.assert(
        fc.asyncProperty(fc.uint8Array({ maxLength: 200 }), fc.string(), async (bytes, text) => {
          const from = await request(Buffer.from(bytes));
          const result = await parse(from);
          if (result.authentic) expect(result).toEqual(nothing);
          const headers = Object.fromEntries(Object.keys(from.headers).map((name) => [name, text]));
          if (Object.keys(headers).length > 0)
            expect(await parse({ ...from, headers })).toEqual({ authentic: false });
        }),
      );
    });

    it("never make the adapter throw: any JSON in any place", async () => {
      const payloads = [...receipts, ...messages].map(([, payload]) => payload);
      await fc.assert(
        fc.asyncProperty(
          fc.constantFrom(...payloads),
          fc.nat(200),
          fc.jsonValue(),
          async (payload, nth, value) => {
            expect(await read(spoilt(payload, nth, value))).toMatchObject({ authentic: true });
          },
        ),
      );
    });

    it.each(described)("are what the provider posts: %s", async (name, payload) => {
      expect(contract.callbacks?.[name]?.body.safeParse(payload).error?.issues ?? []).toEqual([]);
      expect((await official.judgeCallback(name, payload)) ?? 200).toBeLessThan(300);
    });
  },
);
