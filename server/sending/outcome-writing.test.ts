import { afterAll, beforeEach, expect, it } from "vitest";
import type { Db } from "../kernel/db.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";

const database = await testDatabase();
const provider = await startFakeTwilio();
afterAll(() => provider.close());
beforeEach(() => provider.messages.splice(0));

/** The worker's database, with control over what `advance_notifications` is given for outcomes. */
function tamperedDb(tamper: (changes: string) => string, afterClaims: () => void = () => undefined): Db {
  const pool = new Proxy(database.worker.pool, {
    get(target, name, receiver) {
      if (name !== "query") return Reflect.get(target, name, receiver) as unknown;
      return async (query: { name?: string; values?: unknown[] }, ...rest: unknown[]) => {
        const changes = query.values?.[1];
        if (
          query.name === "advance_notifications" &&
          typeof changes === "string" &&
          changes.includes('"outcome"')
        ) {
          return target.query({ ...query, values: [query.values?.[0], tamper(changes)] } as never);
        }
        const result = await (target.query as (...args: unknown[]) => Promise<unknown>).call(
          target,
          query,
          ...rest,
        );
        if (typeof changes === "string" && changes.includes('"claim"')) afterClaims();
        return result;
      };
    },
  });
  return { ...database.worker, pool };
}

async function worldOver(db: Db) {
  const world = await makeSendingWorld(database, { deps: { db } });
  const twilio = await world.addTwilio(provider.baseUrl);
  await world.addRule("production", [[twilio.id]]);
  return world;
}

it("a provider's answer is written however often the database was unavailable, and nothing is sent again", async () => {
  let failures = 3;
  const world = await worldOver(
    tamperedDb((changes) => {
      if (failures-- > 0) throw new Error("timeout exceeded when trying to connect");
      return changes;
    }),
  );
  const id = messageId(await world.send());
  await world.runJobs();
  expect(failures).toBeLessThan(0);
  expect(await world.notification(id)).toMatchObject({ status: "sent", attempts: 1 });
  expect(await world.attempts(id)).toMatchObject([{ outcome: "sent" }]);
  expect(provider.messages).toHaveLength(1);
});

it("a number that the database cannot hold does not keep the outcome from being written", async () => {
  const world = await worldOver(
    tamperedDb((changes) => changes.replace(/"segments":\d+/, '"segments":99999999999')),
  );
  const id = messageId(await world.send());
  await world.runJobs();
  expect(provider.messages).toHaveLength(1);
  expect(await world.notification(id)).toMatchObject({ status: "sent", open_attempt: null });
});

it("claims whose commit was not seen are noticed at once, and their messages sent once", async () => {
  let lost = 1;
  const world = await worldOver(
    tamperedDb(
      (changes) => changes,
      () => {
        if (lost-- > 0) throw new Error("Connection terminated unexpectedly");
      },
    ),
  );
  const recipients = ["01", "02", "03", "04", "05"].map((end) => ({
    channel: "sms" as const,
    recipient: `+49151123456${end}`,
  }));
  const accepted = await world.send({ recipients });
  for (let i = 0; i < 4; i++) {
    await world.runJobs();
    await world.passTime(10_000);
  }
  expect(lost).toBeLessThan(0);
  expect(provider.messages).toHaveLength(5);
  for (const { notificationId } of accepted.notifications) {
    expect(await world.attempts(notificationId)).toMatchObject([
      { outcome: "not_sent", code: "interrupted" },
      { outcome: "sent" },
    ]);
  }
});
