/** A number and the user ids that stand for it: a no under one name of a person holds for all of them. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { InboundMessage, Receipt } from "../adapters/adapter.ts";
import { getConsents } from "../consent/list-consents.ts";
import { mostLinked, recordLinks, withLinked } from "../consent/address-links.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { recordConsents } from "../consent/record-consents.ts";
import { suppressAddress } from "../consent/suppress-address.ts";
import { recordInbound } from "../inbound/record-inbound.ts";
import { inTenant } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { addContacts, addGroup } from "../testing/contacts.ts";
import { testDatabase } from "../testing/database.ts";
import { runsOf } from "../testing/long-run.ts";
import { claimOver, makeSendingWorld, messageId, takenBy } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { DeliveryStore } from "./delivery-store.ts";
import { exportNotReached } from "./export-not-reached.ts";
import { getBroadcast } from "./list-broadcasts.ts";
import { recordReceipts } from "./record-receipts.ts";
import { refusal } from "./refusal.ts";
import { Broadcasts } from "./run-broadcasts.ts";

const database = await testDatabase();
const store = new DeliveryStore(database.worker, { delayMs: 0, maxItems: 50 });
/** `TIDINGS_LINK_RUNS=20000` for the long proof. */
const runs = runsOf("TIDINGS_LINK_RUNS", 150);

type Policy = "opt_in_required" | "opt_out" | "exempt";
type Step =
  | { kind: "link"; number: number; id: number }
  | { kind: "say"; name: number; state: "opted_in" | "opted_out"; at: number; marketing: boolean }
  | { kind: "suppress"; name: number }
  | { kind: "send"; name: number }
  | { kind: "claim"; policy: Policy };

const names = 5;
const isNumber = (name: number) => name < 2;
const name = fc.integer({ min: 0, max: names - 1 });
const step = fc.oneof<fc.Arbitrary<Step>[]>(
  fc.record({
    kind: fc.constant("link" as const),
    number: fc.integer({ min: 0, max: 1 }),
    id: fc.integer({ min: 2, max: names - 1 }),
  }),
  fc.record({
    kind: fc.constant("say" as const),
    name,
    state: fc.constantFrom("opted_in" as const, "opted_out" as const),
    at: fc.integer({ min: 0, max: 4 }),
    marketing: fc.boolean(),
  }),
  fc.record({ kind: fc.constant("send" as const), name }),
  fc.record({ kind: fc.constant("send" as const), name }),
  fc.record({
    kind: fc.constant("claim" as const),
    policy: fc.constantFrom<Policy>("opt_in_required", "opt_out", "exempt"),
  }),
  fc.record({ kind: fc.constant("suppress" as const), name }),
);

/** What the person whom a name belongs to has said, by the steps so far alone. */
class Model {
  private readonly people = Array.from({ length: names }, (_, index) => new Set([index]));
  private readonly said: Extract<Step, { kind: "say" }>[] = [];
  private readonly suppressed = new Set<number>();

  apply(done: Step): void {
    if (done.kind === "say") this.said.push(done);
    if (done.kind === "suppress") this.suppressed.add(done.name);
    if (done.kind !== "link") return;
    const all = new Set([...(this.people[done.number] ?? []), ...(this.people[done.id] ?? [])]);
    for (const one of all) this.people[one] = all;
  }

  refused(of: number, policy: Policy): string | null {
    const person = this.people[of] ?? new Set();
    const covering = this.said.filter((one) => person.has(one.name) && !one.marketing);
    const last = Math.max(...covering.map(({ at }) => at));
    const states = covering.filter(({ at }) => at === last).map(({ state }) => state);
    const consent = states.length === 0 ? null : states.includes("opted_out") ? "opted_out" : "opted_in";
    const suppressed = [...person].some((one) => this.suppressed.has(one));
    return refusal({ policy, suppressed, consent, channel: "whatsapp", class: "marketing" })?.code ?? null;
  }
}

let people = 0;
const freshNames = () => {
  const person = ++people;
  return Array.from({ length: names }, (_, index) =>
    isNumber(index)
      ? `+49152${String(1_000_000 + person).slice(1)}${String(index)}0`
      : `DE.${index === 4 ? "ENT." : ""}p${String(person)}n${String(index)}`,
  );
};

async function whatsappWorld(): Promise<{ world: SendingWorld; connectionId: string }> {
  const world = await makeSendingWorld(database);
  await world.addTemplate({
    name: "wa",
    notificationType: "order",
    notificationSubtype: "order_status",
    channel: "whatsapp",
    body: "On its way",
  });
  const { id: connectionId } = await world.addTwilio("http://127.0.0.1:9");
  return { world, connectionId };
}

describe("a number and the ids that stand for it", () => {
  it("in whatever order links, a no, a yes, suppressions and attempts come: nothing is sent after a no under any name of the person", async () => {
    const { world, connectionId } = await whatsappWorld();
    const { tenantId } = world;
    const { system } = world.tenant;
    const start = Date.now() - 3_600_000;
    let claims = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
        const addresses = freshNames();
        const of = (index: number) => addresses[index] ?? "";
        const model = new Model();
        const waiting: { id: string; name: number }[] = [];
        for (const done of steps) {
          const where = { sandbox: false, channel: "whatsapp" as const };
          if (done.kind === "link") {
            await recordLinks(system, [
              { sandbox: false, names: [of(done.number), of(done.id)], source: "meta" },
            ]);
          } else if (done.kind === "say") {
            await inTenant(system, (tx) =>
              recordConsent(system, tx, {
                ...where,
                address: of(done.name),
                state: done.state,
                source: "api",
                at: new Date(start + done.at * 1_000),
                ...(done.marketing ? { class: "marketing" as const } : {}),
              }),
            );
          } else if (done.kind === "suppress") {
            await inTenant(system, (tx) =>
              suppressAddress(system, tx, { ...where, address: of(done.name), reason: "complaint" }),
            );
          } else if (done.kind === "send") {
            const accepted = await world.send({
              recipients: [{ channel: "whatsapp", recipient: of(done.name) }],
            });
            const refused = accepted.notifications[0]?.reason?.code ?? null;
            expect(refused).toBe(model.refused(done.name, "opt_out"));
            if (refused === null) waiting.push({ id: messageId(accepted), name: done.name });
          } else {
            const next = waiting.shift();
            if (!next) continue;
            claims++;
            const answer = await store.claim({
              tenantId,
              id: next.id,
              ...claimOver(connectionId),
              policy: done.policy,
            });
            expect(answer).toBe(model.refused(next.name, done.policy) ?? 1);
          }
          model.apply(done);
        }
      }),
      { numRuns: runs },
    );
    expect(claims).toBeGreaterThan(runs / 10);
  }, 600_000);

  it("a link and a no at the same moment: whichever is first, the no holds for both names", async () => {
    const { world } = await whatsappWorld();
    const { system } = world.tenant;
    for (let round = 0; round < 15; round++) {
      const [number = "", , id = ""] = freshNames();
      const item = (address: string) => ({
        id: `r${String(round)}${address}`,
        channel: "whatsapp" as const,
        address,
        state: "opted_out" as const,
      });
      const environmentId = world.tenant.environments.production;
      await Promise.all([
        recordLinks(system, [{ sandbox: false, names: [number, id], source: "meta" }]),
        recordConsents(system, {
          environmentId,
          consents: [item(round % 2 === 0 ? number : id)],
        }),
      ]);
      for (const address of [number, id]) {
        const { standing } = await getConsents(system, { environmentId, address, limit: 5 });
        const states = standing.find((one) => one.channel === "whatsapp")?.states ?? [];
        const ofOrders = states.find((one) => one.class === "transactional" && one.region === null);
        expect(ofOrders, address).toMatchObject({ allowed: false });
      }
    }
  });

  it("are linked by a message and by a receipt that name both, and the history says where a no came from", async () => {
    const { world, connectionId } = await whatsappWorld();
    const { system, environments } = world.tenant;
    const [number = "", , id = "", , parent = ""] = freshNames();
    const message: InboundMessage = {
      providerMessageId: `wamid.${id}`,
      channel: "whatsapp",
      from: number,
      sameAs: [id],
      to: "+4930123456",
      text: "STOP",
    };
    await recordInbound(system, { connectionId, inbound: [message] });
    const { history } = await getConsents(system, {
      environmentId: environments.production,
      address: id,
      limit: 5,
    });
    expect(history.data[0]).toMatchObject({
      channel: "whatsapp",
      state: "opted_out",
      source: "keyword",
      evidence: { linkedFrom: number, word: expect.any(String) as string },
    });
    const [other = "", , otherId = ""] = freshNames();
    const sent = messageId(await world.send({ recipients: [{ channel: "whatsapp", recipient: other }] }));
    await world.advance(sent, claimOver(connectionId));
    await world.advance(sent, takenBy(1, { providerMessageId: "wamid.receipt" }));
    const receipt: Receipt = {
      providerMessageId: "wamid.receipt",
      status: "delivered",
      sameAs: [other, otherId, parent],
    };
    await recordReceipts(system, { connectionId, receipts: [receipt], inbound: [] });
    expect((await withLinked(system, [parent])).toSorted()).toEqual([other, otherId, parent].toSorted());
  });

  it("of many names the newest links count, so that no flood of ids grows without end", async () => {
    const { world } = await whatsappWorld();
    const { system } = world.tenant;
    const [number = ""] = freshNames();
    for (let index = 0; index < mostLinked + 8; index++) {
      await recordLinks(system, [
        { sandbox: false, names: [number, `DE.flood${String(index)}`], source: "meta" },
      ]);
    }
    const linked = await withLinked(system, [number]);
    expect(linked).toHaveLength(mostLinked);
    expect(linked).toContain(`DE.flood${String(mostLinked + 7)}`);
    expect(linked).not.toContain("DE.flood0");
  });

  it.each(["before the group is listed", "while its messages go out"])(
    "are one recipient of a group when they are linked %s",
    async (when) => {
      const { world } = await whatsappWorld();
      const { tenantId, tenant } = world;
      const [number = "", , id = ""] = freshNames();
      const [strangerNumber = "", , strangerId = ""] = freshNames();
      const contacts = await addContacts(database, tenantId, 4);
      const addresses = [number, id, strangerNumber, strangerId];
      await database.owner.query(
        `INSERT INTO contact_addresses (tenant_id, channel, address, contact_id, position, created_at)
         SELECT $1, 'whatsapp', address, contact_id, 0, now() FROM unnest($2::text[], $3::uuid[]) AS x(address, contact_id)`,
        [tenantId, addresses, contacts.map((contact) => contact.id)],
      );
      await addGroup(database, tenantId, "All", contacts);
      const link = () =>
        recordLinks(tenant.system, [{ sandbox: false, names: [number, id], source: "meta" }]);
      if (when === "before the group is listed") await link();
      const { requestId } = await world.send({
        recipients: [],
        contactGroups: [{ group: "All", channels: ["whatsapp"] }],
      });
      const broadcasts = new Broadcasts({ db: database.worker, log: logger() });
      const release = async (most: number) => {
        await database.owner.query(
          `UPDATE broadcasts SET wake_at = now() - interval '1 second', "window" = $2 WHERE request_id = $1`,
          [requestId, most],
        );
        await broadcasts.tick();
      };
      // Lists them, then lets one go.
      for (let step = 0; step < 3; step++) await release(1);
      await link();
      for (let step = 0; step < 3; step++) await release(100);
      const { rows } = await database.owner.query<{ recipient: string }>(
        "SELECT recipient FROM notifications WHERE tenant_id = $1 AND request_id = $2 ORDER BY position",
        [tenantId, requestId],
      );
      expect(rows.map(({ recipient }) => recipient)).toEqual([number, strangerNumber, strangerId]);
      const broadcast = await getBroadcast(tenant.system, { id: requestId });
      expect(broadcast).toMatchObject({ recipients: 4, leftOut: { duplicate_recipient: 1 } });
      // Who got it under the other name is not among those to send it to again.
      await database.owner.query(
        "UPDATE notifications SET status = 'delivered', final = true WHERE request_id = $1",
        [requestId],
      );
      for (let step = 0; step < 2; step++) await release(100);
      const { file } = await exportNotReached(tenant.as("owner"), { id: requestId });
      let rest = "";
      for await (const piece of file.rest) rest += piece;
      expect((file.first + rest).trim().split("\n")).toHaveLength(1);
    },
  );

  it("of one organisation mean nothing in another, nor in the sandbox", async () => {
    const [one, other] = await Promise.all([whatsappWorld(), whatsappWorld()]);
    const [number = "", , id = ""] = freshNames();
    await recordLinks(one.world.tenant.system, [{ sandbox: false, names: [number, id], source: "meta" }]);
    await inTenant(other.world.tenant.system, (tx) =>
      recordConsent(other.world.tenant.system, tx, {
        sandbox: false,
        channel: "whatsapp",
        address: number,
        state: "opted_out",
        source: "api",
      }),
    );
    await inTenant(one.world.tenant.system, (tx) =>
      recordConsent(one.world.tenant.system, tx, {
        sandbox: true,
        channel: "whatsapp",
        address: number,
        state: "opted_out",
        source: "api",
      }),
    );
    for (const { world } of [one, other]) {
      const accepted = await world.send({ recipients: [{ channel: "whatsapp", recipient: id }] });
      expect(accepted.notifications[0]?.reason ?? null).toBeNull();
    }
  });
});
