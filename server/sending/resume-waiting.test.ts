import { setTimeout as pause } from "node:timers/promises";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { forgetHealth } from "../connections/connection-state.ts";
import { closeConnection } from "../health/change-health.ts";
import { logger } from "../kernel/log.ts";
import { testDatabase } from "../testing/database.ts";
import { startFakeTwilio } from "../testing/fake-twilio.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendFields } from "../testing/sending-world.ts";
import { nextSize, WaitingMessages, resumeRules } from "./resume-waiting.ts";

const database = await testDatabase();
const provider = await startFakeTwilio();
afterAll(() => provider.close());
beforeEach(async () => {
  await database.owner.query("DELETE FROM graphile_worker._private_jobs");
  await database.owner.query("DELETE FROM connection_health");
  provider.setMode({ kind: "ok" });
  provider.messages.length = 0;
});

const otp: SendFields = { notificationType: "authentication", notificationSubtype: "one_time_passcode" };
const sql = database.owner;

/** A world whose only connection is out, with messages that wait for it. */
async function worldOut() {
  const world = await makeSendingWorld(database);
  const { id } = await world.addTwilio(provider.baseUrl);
  await world.addRule("production", [[id]]);
  const send = async (count: number, fields: SendFields = {}) => {
    const accepted = await world.send({
      recipients: Array.from({ length: count }, (_, index) => ({
        channel: "sms",
        recipient: `+49151${String(10_000_000 + index)}`,
      })),
      ...fields,
    });
    return Array.from({ length: count }, (_, index) => messageId(accepted, index));
  };
  provider.setMode({ kind: "error", status: 401, code: 20003 });
  await send(1);
  await world.runJobs();
  await world.health.settled();
  provider.setMode({ kind: "ok" });
  // Put off so far that nothing comes back by itself during the test.
  await sql.query(
    "UPDATE connection_health SET next_probe_at = now() + interval '10 minutes' WHERE connection_id = $1",
    [id],
  );
  forgetHealth(world.tenantId);
  const count = async (where: string) => {
    const { rows } = await sql.query<{ count: number }>(
      `SELECT count(*)::int AS count FROM ${where} AND tenant_id = $1`,
      [world.tenantId],
    );
    return rows[0]?.count ?? 0;
  };
  return {
    ...world,
    connectionId: id,
    send,
    woken: (priority?: number) =>
      count(
        `waiting_messages WHERE woken_at IS NOT NULL${priority === undefined ? "" : ` AND priority = ${String(priority)}`}`,
      ),
    waits: () => count("waiting_messages WHERE woken_at IS NULL"),
    sent: () => count("notifications WHERE sent_at IS NOT NULL"),
    breaker: async () => {
      const { rows } = await sql.query<{ breaker: string }>(
        "SELECT breaker FROM connection_health WHERE connection_id = $1",
        [id],
      );
      return rows[0]?.breaker;
    },
    /** Its probe is due now. */
    probe: async () => {
      await sql.query(
        "UPDATE connection_health SET next_probe_at = now() - interval '1 second' WHERE connection_id = $1",
        [id],
      );
      await world.health.tick();
      forgetHealth(world.tenantId);
    },
    /** Waiting messages are checked now, by this process or another one. */
    look: async (waiting: WaitingMessages = world.waiting) => {
      await sql.query(
        "UPDATE connection_health SET wake_at = now() - interval '1 second' WHERE connection_id = $1",
        [id],
      );
      await waiting.tick();
    },
    /** The resumed messages are sent. */
    run: async () => {
      await world.runJobs();
      await world.health.settled();
      forgetHealth(world.tenantId);
    },
  };
}

describe("messages that wait for a connection", () => {
  it("come back as it works again: one-time codes first, twice as many each time the previous ones have arrived", async () => {
    const world = await worldOut();
    const many = [await world.send(1_000), await world.send(1_000)].flat();
    const codes = await world.send(20, otp);
    await world.run();
    expect(await world.waits()).toBeGreaterThanOrEqual(2_020);

    await world.probe();
    await world.look();
    expect(await world.breaker()).toBe("half_open");
    expect([await world.woken(), await world.woken(-10)]).toEqual([3, 3]);
    await world.run();
    expect(await world.breaker()).toBe("closed");

    await world.look();
    expect([await world.woken(), await world.woken(-10)]).toEqual([resumeRules.first, codes.length - 3]);
    const sizes: number[] = [];
    for (let round = 0; round < 20 && (await world.waits()) > 0; round++) {
      await world.run();
      // Another process continues where this one stopped.
      await world.look(new WaitingMessages({ db: database.worker, log: logger() }));
      sizes.push(await world.woken());
    }
    await world.run();
    expect(sizes.slice(0, 4)).toEqual([100, 200, 400, 800]);
    expect(sizes.length).toBeLessThanOrEqual(6);
    expect(await world.sent()).toBeGreaterThanOrEqual(many.length + codes.length);
    // None was sent twice.
    expect(provider.messages.length).toBe(await world.sent());
  }, 120_000);

  it("come no faster while those before them are in progress, and not at all while it is out", async () => {
    const world = await worldOut();
    await world.send(400);
    await world.run();
    await world.look();
    expect(await world.woken()).toBe(0);
    await world.probe();
    await world.look();
    expect(await world.woken()).toBe(3);
    await world.run();
    expect(await world.breaker()).toBe("closed");
    await world.look();
    expect(await world.woken()).toBe(resumeRules.first);
    await world.look();
    await world.look();
    expect(await world.woken()).toBe(resumeRules.first);
  });

  it("start again with few when it goes out meanwhile", async () => {
    const world = await worldOut();
    await world.send(400);
    await world.run();
    await world.probe();
    await world.look();
    await world.run();
    await world.look();
    await world.run();
    await world.look();
    expect(await world.woken()).toBe(100);
    provider.setMode({ kind: "error", status: 401, code: 20003 });
    await world.run();
    expect(await world.breaker()).toBe("open");
    await world.look();
    provider.setMode({ kind: "ok" });
    await world.probe();
    await world.look();
    expect(await world.woken()).toBeLessThanOrEqual(3 + 100);
    await world.run();
    for (let round = 0; round < 12 && (await world.waits()) > 0; round++) {
      await world.look();
      await world.run();
    }
    expect(await world.waits()).toBe(0);
    expect(provider.messages.length).toBe(await world.sent());
  });

  it("are left alone when they wait for something else by then, such as a receipt, and deleted when they have ended", async () => {
    const world = await worldOut();
    const [receipt, ended, waits] = await world.send(3);
    await world.run();
    await sql.query("UPDATE notifications SET due_at = now() + interval '1 minute' WHERE id = $1", [receipt]);
    await sql.query("UPDATE notifications SET status = 'canceled', due_at = NULL WHERE id = $1", [ended]);
    const before = await world.waits();
    await world.look();
    expect(await world.waits()).toBe(before - 2);
    await world.probe();
    await world.look();
    await world.run();
    expect((await world.notification(waits ?? "")).status).toBe("sent");
    expect(await world.notification(receipt ?? "")).toMatchObject({ status: "queued", attempts: 0 });
  });

  it("leave within five seconds of its closing", async () => {
    const world = await worldOut();
    const [id = ""] = await world.send(1);
    await world.run();
    expect(await world.waits()).toBeGreaterThan(0);
    const waiting = new WaitingMessages({ db: database.worker, log: logger() });
    // As it is while it is out: looked at again only in ten seconds.
    await waiting.tick();
    waiting.start();
    const subject = { id: world.connectionId, tenantId: world.tenantId, unitId: null, name: "Twilio" };
    await closeConnection({ db: database.worker, now: () => new Date(), random: Math.random }, subject, [
      "open",
    ]);
    const closed = performance.now();
    const isSent = async () => (await world.notification(id)).status === "sent";
    while (!(await isSent()) && performance.now() - closed < 20_000) {
      await pause(100);
      await world.runJobs();
    }
    expect(performance.now() - closed).toBeLessThan(5_000);
    await waiting.close();
  });

  it("come back with whichever of their connections works first", async () => {
    const world = await makeSendingWorld(database);
    const other = await startFakeTwilio();
    const ids = [(await world.addTwilio(provider.baseUrl)).id, (await world.addTwilio(other.baseUrl)).id];
    await world.addRule(
      "production",
      ids.map((id) => [id]),
    );
    for (const fake of [provider, other]) fake.setMode({ kind: "error", status: 401, code: 20003 });
    const settle = async () => {
      await world.runJobs();
      await world.health.settled();
      forgetHealth(world.tenantId);
    };
    await world.send();
    await settle();
    await world.passTime(60_000);
    await settle();
    // Neither is probed soon, and the first one sooner than the other.
    for (const [index, id] of ids.entries()) {
      await sql.query(
        `UPDATE connection_health SET next_probe_at = now() + make_interval(mins => $2) WHERE connection_id = $1 AND breaker = 'open'`,
        [id, index + 4],
      );
    }
    forgetHealth(world.tenantId);
    const id = messageId(await world.send());
    await settle();
    expect((await world.notification(id)).attempts).toBe(0);
    other.setMode({ kind: "ok" });
    await sql.query(
      "UPDATE connection_health SET next_probe_at = now() - interval '1 second' WHERE connection_id = $1",
      [ids[1]],
    );
    await world.health.tick();
    forgetHealth(world.tenantId);
    await world.waiting.tick();
    await settle();
    expect(await world.notification(id)).toMatchObject({ status: "sent" });
    await other.close();
  });

  it("include the one whose own failures took it out again and again, however long its pause has become", async () => {
    const world = await worldOut();
    const { rows } = await sql.query<{ id: string }>("SELECT id FROM notifications WHERE tenant_id = $1", [
      world.tenantId,
    ]);
    const id = rows[0]?.id ?? "";
    for (let trial = 0; trial < 6; trial++) {
      provider.setMode({ kind: "ok" });
      await world.probe();
      expect(await world.breaker()).toBe("half_open");
      provider.setMode({ kind: "error", status: 401, code: 20003 });
      await world.look();
      await world.run();
      expect(await world.breaker()).toBe("open");
      expect((await world.notification(id)).attempts).toBe(trial + 2);
    }
    const pauseOf = async () => ((await world.notification(id)).due_at?.getTime() ?? 0) - Date.now();
    expect(await pauseOf()).toBeGreaterThan(60_000);
    provider.setMode({ kind: "ok" });
    await world.probe();
    await world.look();
    await world.run();
    expect((await world.notification(id)).status).toBe("sent");
    expect(provider.messages).toHaveLength(1);
  });

  it("do not include one that failed while its connection works: it keeps its pause", async () => {
    const world = await worldOut();
    provider.setMode({ kind: "ok" });
    await world.probe();
    const subject = { id: world.connectionId, tenantId: world.tenantId, unitId: null, name: "Twilio" };
    await closeConnection({ db: database.worker, now: () => new Date(), random: Math.random }, subject);
    await sql.query("DELETE FROM waiting_messages WHERE tenant_id = $1", [world.tenantId]);
    forgetHealth(world.tenantId);
    await world.waiting.note({
      tenantId: world.tenantId,
      connectionId: world.connectionId,
      notificationId: "0198c7a0-0000-7000-8000-000000000001",
      lane: "bulk",
      dueAt: new Date(),
      whileOut: true,
    });
    expect(await world.waits()).toBe(0);
  });

  it("come back though another connection's cannot be looked at", async () => {
    const [broken, other] = [await worldOut(), await worldOut()];
    for (const world of [broken, other]) {
      await world.send(3);
      await world.run();
      await world.probe();
    }
    // The broken one is looked at first.
    await sql.query(
      `UPDATE connection_health SET wake_at = now() - make_interval(secs => CASE connection_id WHEN $1 THEN 60 ELSE 1 END)`,
      [broken.connectionId],
    );
    await sql.query(
      `CREATE FUNCTION refuse_wake() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'refused'; END $$;
       CREATE TRIGGER refuse BEFORE UPDATE ON waiting_messages FOR EACH ROW
         WHEN (NEW.tenant_id = '${broken.tenantId}') EXECUTE FUNCTION refuse_wake()`,
    );
    await broken.waiting.tick();
    await sql.query("DROP TRIGGER refuse ON waiting_messages; DROP FUNCTION refuse_wake()");
    expect([await broken.woken(), await other.woken()]).toEqual([0, 3]);
  });

  it("are deleted with the connection", async () => {
    const world = await worldOut();
    await world.send(3);
    await world.run();
    expect(await world.waits()).toBeGreaterThanOrEqual(3);
    await sql.query("DELETE FROM connection_health WHERE connection_id = $1", [world.connectionId]);
    expect(await world.waits()).toBe(0);
  });
});

describe("the number of resumed messages in progress", () => {
  it("grows while they arrive, stays while they are in progress, and shrinks while they fail", () => {
    expect(nextSize(0, { arrived: 0, failed: 0, underWay: 0 })).toBe(resumeRules.first);
    expect(nextSize(100, { arrived: 60, failed: 0, underWay: 40 })).toBe(200);
    expect(nextSize(100, { arrived: 10, failed: 0, underWay: 90 })).toBe(100);
    expect(nextSize(100, { arrived: 0, failed: 0, underWay: 0 })).toBe(100);
    expect(nextSize(400, { arrived: 10, failed: 200, underWay: 0 })).toBe(200);
    expect(nextSize(60, { arrived: 0, failed: 60, underWay: 0 })).toBe(resumeRules.first);
    expect(nextSize(resumeRules.most, { arrived: 2_000, failed: 0, underWay: 0 })).toBe(resumeRules.most);
  });
});
