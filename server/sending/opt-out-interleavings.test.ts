/** A no may come at any moment of a message's life, through any door and under any name: none is sent after it. */
import fc from "fast-check";
import { expect, test } from "vitest";
import { recordLinks } from "../consent/address-links.ts";
import { recordConsent } from "../consent/record-consent.ts";
import { recordConsents } from "../consent/record-consents.ts";
import { suppressAddress } from "../consent/suppress-address.ts";
import { inTenant } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { newId } from "../kernel/ids.ts";
import { addContacts, addGroup } from "../testing/contacts.ts";
import { testDatabase } from "../testing/database.ts";
import { runsOf } from "../testing/long-run.ts";
import { claimOver, makeSendingWorld, notTakenBy } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { DeliveryStore } from "./delivery-store.ts";
import { deliveryLanes } from "./lanes.ts";
import { Broadcasts } from "./run-broadcasts.ts";

const database = await testDatabase();
/** `TIDINGS_INTERLEAVINGS=1000000` for the long proof. */
const messages = runsOf("TIDINGS_INTERLEAVINGS", 1_500);
const inRound = 500;
const roundsOfTenant = 10;
const broadcasts = new Broadcasts({ db: database.worker, log: logger() });

/** When something happens: before the message is accepted, between its steps, or (2, 4, 6) at the same time as one of its claims. */
const moments = 7;
const claims = 3;
const moment = fc.integer({ min: 0, max: moments - 1 });

interface Plan {
  /** A WhatsApp message goes to the person's number or to their user id, the others to the number by SMS. */
  by: "request" | "group" | "whatsappNumber" | "whatsappId";
  no: { at: number; door: "reported" | "word" | "suppressed"; under: "same" | "other" } | null;
  /** When it becomes known that number and user id are one person's. */
  link: number | null;
  /** What becomes of each attempt; a worker that died is found later, and its message tried again. */
  ends: ("retry" | "failover" | "crash")[];
}

const plan: fc.Arbitrary<Plan> = fc.record({
  by: fc.constantFrom("request", "group", "whatsappNumber", "whatsappId"),
  no: fc.option(
    fc.record({
      at: moment,
      door: fc.constantFrom("reported", "word", "suppressed"),
      under: fc.constantFrom("same", "other"),
    }),
    { freq: 4 },
  ),
  link: fc.option(moment),
  ends: fc.array(fc.constantFrom("retry", "failover", "crash"), { minLength: claims, maxLength: claims }),
});

interface Person extends Plan {
  channel: "sms" | "whatsapp";
  address: string;
  other: string;
  contactId?: string;
  /** Of the message, while it may be attempted. */
  id?: string;
  attempts: number;
  /** When it was begun to be recorded, and when that was certain, by the clock of this process. */
  said?: News;
  linked?: News;
}

let clock = 0;
let numbers = 0;

interface News {
  from: number;
  /** Infinity: not certain yet. */
  until: number;
}

/** Notes on people what is being recorded, and when it is certain. */
async function noted(
  people: readonly Person[],
  as: "said" | "linked",
  work: () => Promise<unknown>,
): Promise<void> {
  const news: News = { from: ++clock, until: Infinity };
  for (const person of people) person[as] = news;
  await work();
  news.until = ++clock;
}

function personOf(planned: Plan, contact: { id: string; sms: string } | undefined): Person {
  const number = contact?.sms ?? `+49160${String(10_000_000 + ++numbers)}`;
  const userId = `DE.person${String(numbers)}`;
  const isId = planned.by === "whatsappId";
  return {
    ...planned,
    channel: planned.by.startsWith("whatsapp") ? "whatsapp" : "sms",
    ...(isId ? { address: userId, other: number } : { address: number, other: userId }),
    attempts: 0,
    ...(contact && { contactId: contact.id }),
  };
}

const chunksOf = <T>(items: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, index) =>
    items.slice(index * size, (index + 1) * size),
  );

/** Whether the no holds for the message's address, when news counts from the moment that `of` reads. */
function holds({ no, said, linked, channel }: Person, isKnown: (news: News) => boolean) {
  if (!no || !said || !isKnown(said)) return false;
  return no.under === "same" || (channel === "whatsapp" && linked !== undefined && isKnown(linked));
}

/** Records what the plans have for this moment, a few people at a time. */
async function happen(world: SendingWorld, people: readonly Person[], at: number): Promise<void> {
  const { system, environments } = world.tenant;
  // Only WhatsApp knows people by another name.
  const saying = people.filter(
    ({ no, channel }) => no?.at === at && (no.under === "same" || channel === "whatsapp"),
  );
  const nameOf = ({ no, address, other }: Person) => (no?.under === "other" ? other : address);
  const reported = chunksOf(
    saying.filter(({ no }) => no?.door === "reported"),
    25,
  ).map(
    (some) => () =>
      noted(some, "said", async () => {
        const { results } = await recordConsents(system, {
          environmentId: environments.production,
          consents: some.map((person) => ({
            ...{ id: newId(), channel: person.channel, address: nameOf(person), state: "opted_out" as const },
          })),
        });
        expect(results.every(({ status }) => status === "recorded")).toBe(true);
      }),
  );
  const others = chunksOf(
    saying.filter(({ no }) => no?.door !== "reported"),
    10,
  ).map(
    (some) => () =>
      noted(some, "said", () =>
        inTenant(system, async (tx) => {
          for (const person of some) {
            const where = { sandbox: false, channel: person.channel, address: nameOf(person) };
            if (person.no?.door === "word")
              await recordConsent(system, tx, { ...where, state: "opted_out", source: "keyword" });
            else await suppressAddress(system, tx, { ...where, reason: "complaint" });
          }
        }),
      ),
  );
  const linking = chunksOf(
    people.filter(({ link, channel }) => link === at && channel === "whatsapp"),
    10,
  ).map(
    (some) => () =>
      noted(some, "linked", () =>
        recordLinks(
          system,
          some.map(({ address, other }) => ({
            sandbox: false,
            names: [address, other],
            source: "meta" as const,
          })),
        ),
      ),
  );
  await Promise.all(
    [reported, others, linking].map(async (steps) => {
      for (const step of steps) await step();
    }),
  );
}

/** Accepts one message each; those of a group as the worker does it. */
async function accept(world: SendingWorld, people: readonly Person[]): Promise<void> {
  const { tenantId } = world;
  const requests: string[] = [];
  const named = people.filter(({ contactId }) => contactId === undefined);
  if (named.length > 0) {
    const recipients = named.map(({ channel, address }) => ({ channel, recipient: address }));
    requests.push((await world.send({ recipients })).requestId);
  }
  const contacts = people.flatMap(({ contactId }) => (contactId === undefined ? [] : [{ id: contactId }]));
  if (contacts.length > 0) {
    const group = newId();
    await addGroup(database, tenantId, group, contacts);
    const sent = await world.send({ recipients: [], contactGroups: [{ group, channels: ["sms"] }] });
    requests.push(sent.requestId);
    await waitForRelease(sent.requestId);
  }
  const { rows } = await database.owner.query<{ id: string; recipient: string; refused: boolean }>(
    `SELECT id, recipient, status <> 'queued' AS refused FROM notifications WHERE tenant_id = $1 AND request_id = ANY ($2::uuid[])`,
    [tenantId, requests],
  );
  expect(rows).toHaveLength(people.length);
  const byAddress = new Map(rows.map((row) => [row.recipient, row]));
  for (const person of people) {
    const row = byAddress.get(person.address);
    const isNo = holds(person, () => true);
    expect({ person, refused: row?.refused }).toEqual({ person, refused: isNo });
    if (row && !row.refused) person.id = row.id;
  }
}

async function waitForRelease(id: string): Promise<void> {
  for (let step = 0; step < 100; step++) {
    const { rows } = await database.owner.query<{ done: boolean }>(
      `UPDATE broadcasts SET wake_at = now() - interval '1 second', "window" = 2000 WHERE request_id = $1
       RETURNING state = 'sending' AND released = total AS done`,
      [id],
    );
    if (rows[0]?.done) return;
    await broadcasts.tick();
  }
  throw new Error("the group's messages are not released");
}

/** One attempt of each message that still waits, in random order; returns how many there were. */
async function attempt(
  { tenantId }: SendingWorld,
  store: DeliveryStore,
  connections: readonly string[],
  people: readonly Person[],
): Promise<number> {
  const waiting = people.filter(({ id }) => id !== undefined);
  await Promise.all(
    waiting.map(async (person) => {
      const id = person.id ?? "";
      const connectionId = connections[person.attempts % connections.length] ?? "";
      const from = ++clock;
      const answer = await store.claim({ tenantId, id, ...claimOver(connectionId) });
      const until = ++clock;
      if (answer !== person.attempts + 1) {
        expect(["consent_denied", "suppressed"]).toContain(answer);
        // Nobody who said nothing is refused.
        expect(holds(person, (news) => news.from < until) ? null : person).toBeNull();
        delete person.id;
        return;
      }
      // Nobody is written to who had said no by then.
      expect(holds(person, (news) => news.until < from) ? person : null).toBeNull();
      const end = person.ends[person.attempts];
      person.attempts++;
      const next = { dueAt: new Date(), task: deliveryLanes.transactional.name };
      await store.write({
        ...{ tenantId, id },
        ...notTakenBy(person.attempts, end === "crash" ? "unknown" : "not_sent", { next }),
      });
    }),
  );
  return waiting.length;
}

async function makeWorld(): Promise<{ world: SendingWorld; connections: string[] }> {
  const world = await makeSendingWorld(database);
  await world.addTemplate({
    ...{ name: "wa", channel: "whatsapp", body: "On its way" },
    ...{ notificationType: "order", notificationSubtype: "order_status" },
  });
  const connections = [];
  for (let count = 0; count < 2; count++) connections.push((await world.addTwilio("http://127.0.0.1:9")).id);
  return { world, connections };
}

test("whenever a no comes, by whatever way and under whichever name, no attempt begins after it", async ({
  annotate,
}) => {
  const store = new DeliveryStore(database.worker, { delayMs: 0, maxItems: 50 });
  let begun = 0;
  let attempted = 0;
  let refused = 0;
  const round = async ({ world, connections }: Awaited<ReturnType<typeof makeWorld>>, count: number) => {
    const plans = fc.sample(plan, { numRuns: count, seed: Math.floor(Math.random() * 2 ** 31) });
    const inGroup = plans.filter(({ by }) => by === "group").length;
    const contacts = await addContacts(database, world.tenantId, inGroup);
    const people = plans.map((each) => personOf(each, each.by === "group" ? contacts.pop() : undefined));
    await happen(world, people, 0);
    await accept(world, people);
    for (let claim = 0; claim < claims; claim++) {
      await happen(world, people, 2 * claim + 1);
      const [claimed] = await Promise.all([
        attempt(world, store, connections, people),
        happen(world, people, 2 * claim + 2),
      ]);
      attempted += claimed;
    }
    refused += people.filter(({ id }) => id === undefined).length;
  };
  const some = async () => {
    while (begun < messages) {
      const place = await makeWorld();
      for (let rounds = 0; rounds < roundsOfTenant && begun < messages; rounds++) {
        const count = Math.min(inRound, messages - begun);
        begun += count;
        await round(place, count);
      }
      await database.owner.query("UPDATE broadcasts SET wake_at = NULL WHERE tenant_id = $1", [
        place.world.tenantId,
      ]);
      await database.owner.query("DELETE FROM graphile_worker._private_jobs");
      await database.owner.query("VACUUM ANALYZE");
    }
  };
  await Promise.all([some(), some()]);
  await annotate(
    `${String(begun)} messages, ${String(attempted)} claims, ${String(refused)} messages refused`,
  );
  expect(refused).toBeGreaterThan(begun / 4);
  expect(refused).toBeLessThan(begun);
}, 14_400_000);
