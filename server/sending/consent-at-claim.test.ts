import fc from "fast-check";
import { expect, test } from "vitest";
import { recordConsent } from "../consent/record-consent.ts";
import { suppressAddress } from "../consent/suppress-address.ts";
import { inTenant } from "../kernel/db.ts";
import { testDatabase } from "../testing/database.ts";
import { claimOver, makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { DeliveryStore } from "./delivery-store.ts";
import { refusal } from "./refusal.ts";

const database = await testDatabase();
const store = new DeliveryStore(database.worker, { delayMs: 0, maxItems: 50 });
const recipient = (index: number) => `+49152${String(10_000_000 + index)}`;

interface Entry {
  state: "opted_in" | "opted_out";
  /** Seconds after the first. */
  at: number;
  class: "marketing" | "transactional" | null;
  region: "DE" | "FR" | null;
}

/** What counts of a history, by its words alone: the last of those that cover the message, of the same moment the no. */
function consentIn(history: readonly Entry[]): "opted_in" | "opted_out" | null {
  const covering = history.filter(
    (entry) => (entry.class ?? "transactional") === "transactional" && (entry.region ?? "DE") === "DE",
  );
  const last = Math.max(...covering.map(({ at }) => at));
  const states = covering.filter(({ at }) => at === last).map(({ state }) => state);
  return states.length === 0 ? null : states.includes("opted_out") ? "opted_out" : "opted_in";
}

test("no attempt begins after a no that was recorded before it, whenever the message was loaded and in whatever order the news came", async () => {
  const world = await makeSendingWorld(database);
  const { tenantId } = world;
  const { system } = world.tenant;
  const { id: connectionId } = await world.addTwilio("http://127.0.0.1:9");
  const start = Date.now() - 3_600_000;
  let next = 0;
  const entry = fc.record<Entry>({
    state: fc.constantFrom("opted_in", "opted_out"),
    at: fc.integer({ min: 0, max: 3 }),
    class: fc.constantFrom("marketing", "transactional", null),
    region: fc.constantFrom("DE", "FR", null),
  });
  const policies = fc.constantFrom("opt_in_required", "opt_out", "exempt");
  await fc.assert(
    fc.asyncProperty(
      fc.array(entry, { maxLength: 5 }),
      policies,
      fc.boolean(),
      async (history, policy, suppressed) => {
        const address = recipient(next++);
        const id = messageId(await world.send({ recipients: [{ channel: "sms", recipient: address }] }));
        // Everything below happens after the worker has loaded the message.
        await store.load({ tenantId, notificationId: id });
        await inTenant(system, async (tx) => {
          const key = { sandbox: false, channel: "sms", address } as const;
          for (const { at, class: of, region, state } of history) {
            await recordConsent(system, tx, {
              ...key,
              state,
              source: "api",
              at: new Date(start + at * 1_000),
              ...(of === null ? {} : { class: of }),
              ...(region === null ? {} : { region }),
            });
          }
          if (suppressed) await suppressAddress(system, tx, { ...key, reason: "complaint" });
        });
        const answer = await store.claim({ tenantId, id, ...claimOver(connectionId), policy });
        expect(answer).toBe(
          refusal({ policy, suppressed, consent: consentIn(history), channel: "sms", class: "marketing" })
            ?.code ?? 1,
        );
        const { attempts, status } = await world.notification(id);
        expect({ attempts, status }).toEqual(
          answer === 1 ? { attempts: 1, status: "sending" } : { attempts: 0, status: "queued" },
        );
      },
    ),
    { numRuns: 60 },
  );
});

test("a no and the claims of many workers at once: each message is either claimed before it or never", async () => {
  const world = await makeSendingWorld(database);
  const { tenantId } = world;
  const { system } = world.tenant;
  const { id: connectionId } = await world.addTwilio("http://127.0.0.1:9");
  const stores = Array.from(
    { length: 3 },
    () => new DeliveryStore(database.worker, { delayMs: 0, maxItems: 5 }),
  );
  for (let round = 0; round < 10; round++) {
    const address = recipient(1_000 + round);
    const to = { recipients: [{ channel: "sms" as const, recipient: address }] };
    const ids = [];
    for (let count = 0; count < 6; count++) ids.push(messageId(await world.send(to)));
    let recorded = false;
    const no = inTenant(system, (tx) =>
      recordConsent(system, tx, {
        sandbox: false,
        channel: "sms",
        address,
        state: "opted_out",
        source: "keyword",
      }),
    ).then(() => {
      recorded = true;
    });
    const claims = ids.map(async (id, index) => {
      await new Promise((resolve) => setTimeout(resolve, Math.random() * 8));
      const after = recorded;
      const own = stores[index % stores.length];
      return { after, answer: await own?.claim({ tenantId, id, ...claimOver(connectionId) }) };
    });
    await no;
    for (const { after, answer } of await Promise.all(claims)) {
      if (after) expect(answer).toBe("consent_denied");
      else expect([1, "consent_denied"]).toContain(answer);
    }
  }
});
