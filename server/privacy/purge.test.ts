import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { erasedText } from "../kernel/erased.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { getNotification } from "../sending/get-notification.ts";
import { listNotifications } from "../sending/list-notifications.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { purgeRetention } from "./purge.ts";
import { getRetention, previewRetention, updateRetention } from "./retention.ts";
import { retentionUpdateSchema } from "./schemas.ts";

const database = await testDatabase();
const sql = database.owner;
const day = 86_400_000;
const later = (days: number) => new Date(Date.now() + days * day);
const run = (now: Date, options: Partial<Parameters<typeof purgeRetention>[1]> = {}) =>
  purgeRetention({ db: database.worker, log: logger() }, { now, restHours: 0, restFactor: 0, ...options });

let world: SendingWorld;
beforeEach(async () => {
  world = await makeSendingWorld(database);
});
afterEach(async () => {
  await sql.query(
    `DROP TRIGGER IF EXISTS refuse ON attempts; DROP TRIGGER IF EXISTS refuse ON broadcast_recipients;
     DROP TRIGGER IF EXISTS counted ON broadcast_recipients; DROP TRIGGER IF EXISTS counted ON suppressions`,
  );
});

const count = async (table: string, where = "true", tenantId = world.tenantId) =>
  Number(
    (
      await sql.query<{ n: string }>(`SELECT count(*) AS n FROM ${table} WHERE tenant_id = $1 AND ${where}`, [
        tenantId,
      ])
    ).rows[0]?.n,
  );

async function sendMany(count: number, of = world) {
  for (let at = 0; at < count; at += 100) {
    const recipients = Array.from({ length: Math.min(100, count - at) }, (_, index) => ({
      channel: "sms" as const,
      recipient: `+49151${String(10_000_000 + at + index)}`,
      variables: { code: `secret-${String(index)}` },
    }));
    await of.send({ recipients, metadata: { customer: "Ada" } });
  }
}

describe("the purge", () => {
  test("takes addresses and contents after their period and leaves the message, its counts and its costs", async () => {
    const id = messageId(await world.send({ metadata: { customer: "Ada" } }));
    await sql.query(
      "UPDATE notifications SET status = 'delivered', due_at = NULL, final = true WHERE id = $1",
      [id],
    );
    await sql.query(
      `INSERT INTO cost_entries (tenant_id, id, notification_id, attempt, kind, amount, currency, source, at)
       VALUES ($1, $2, $3, 1, 'message', 0.05, 'EUR', 'reported', now())`,
      [world.tenantId, newId(), id],
    );
    const counted = await count("metric_deltas");
    await run(later(89));
    expect(await count("notifications", `recipient = '+4915112345678'`)).toBe(1);
    await run(later(91));
    const { rows } = await sql.query(
      `SELECT n.recipient, r.variables, r.metadata FROM notifications n JOIN send_requests r ON r.id = n.request_id WHERE n.id = $1`,
      [id],
    );
    expect(rows).toEqual([{ recipient: erasedText, variables: { code: "[redacted]" }, metadata: {} }]);
    expect(await getNotification(world.tenant.as("owner"), { id })).toMatchObject({
      to: erasedText,
      status: "delivered",
    });
    expect(await getNotification(world.tenant.as("developer"), { id })).toMatchObject({ to: erasedText });
    expect([await count("metric_deltas"), await count("cost_entries")]).toEqual([counted, 1]);
  });

  test("takes messages after theirs, requests and their keys with them, and counts and costs stay", async () => {
    const body = { transactionId: "order-1" };
    await world.send(body);
    const counted = await count("metric_deltas");
    await run(later(13 * 28));
    expect([await count("notifications"), await count("idempotency_keys")]).toEqual([1, 1]);
    await run(later(14 * 31 + 1));
    for (const table of ["notifications", "notification_events", "send_requests", "idempotency_keys"]) {
      expect(await count(table), table).toBe(0);
    }
    expect(await count("metric_deltas")).toBe(counted);
    expect((await listNotifications(world.tenant.as("owner"), { limit: 50 })).data).toEqual([]);
  });

  test("goes on where it was interrupted, and does nothing twice", async () => {
    await sendMany(300);
    const first = await run(later(91), { batchRows: 50, runMs: 0 });
    expect(first).toMatchObject({ finished: false, removed: 0 });
    let rounds = 0;
    let removed = 0;
    while (rounds < 400) {
      const part = await run(later(91), { batchRows: 50, runMs: 40, restHours: 20 });
      removed += part.removed;
      rounds++;
      if (part.finished) break;
    }
    expect(await count("notifications", `recipient <> '${erasedText}'`)).toBe(0);
    expect(removed).toBe(300 + 3);
    expect(rounds).toBeGreaterThan(0);
    const state = await getRetention(world.tenant.as("owner"));
    expect(state.steps.find(({ id }) => id === "blank_notifications")).toMatchObject({
      removed: 300,
      problem: null,
    });
    expect((await run(later(91))).removed).toBe(0);
  });

  test("a step that fails holds up no other, says so, and is made up for by itself", async () => {
    const id = messageId(await world.send());
    await sql.query(
      `INSERT INTO attempts (tenant_id, notification_id, number, connection_id, provider, worker, started_at, detail)
       VALUES ($1, $2, 1, $3, 'P', 'w', now(), 'to +4915112345678')`,
      [world.tenantId, id, newId()],
    );
    await sql.query(
      `CREATE OR REPLACE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no'; END $$;
       CREATE TRIGGER refuse BEFORE UPDATE ON attempts FOR EACH ROW EXECUTE FUNCTION refuse_all()`,
    );
    await run(later(91));
    expect(await count("notifications", `recipient = '${erasedText}'`)).toBe(1);
    const state = async () =>
      (await getRetention(world.tenant.as("owner"))).steps.find(({ id: step }) => step === "blank_attempts");
    expect((await state())?.problem).toContain("tried again");
    await sql.query("DROP TRIGGER refuse ON attempts");
    await run(later(91));
    expect(await state()).toMatchObject({ problem: null, removed: 1 });
    expect(await count("attempts", "detail IS NULL")).toBe(1);
  });

  describe("takes as many rows in a statement as it may, however many are equally old", () => {
    /** Rows of each statement that deletes from a table. */
    async function watch(table: string): Promise<() => Promise<number[]>> {
      await sql.query(
        `CREATE TABLE IF NOT EXISTS deletions (number serial, of text, rows int);
         TRUNCATE deletions; GRANT ALL ON deletions TO tidings_worker; GRANT ALL ON SEQUENCE deletions_number_seq TO tidings_worker;
         CREATE OR REPLACE FUNCTION count_deleted() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           INSERT INTO deletions (of, rows) SELECT TG_TABLE_NAME, count(*) FROM gone; RETURN NULL; END $$;
         CREATE TRIGGER counted AFTER DELETE ON ${table} REFERENCING OLD TABLE AS gone
           FOR EACH STATEMENT EXECUTE FUNCTION count_deleted()`,
      );
      return async () =>
        (await sql.query<{ rows: number }>("SELECT rows FROM deletions ORDER BY number")).rows.map(
          ({ rows }) => rows,
        );
    }
    const sum = (numbers: number[]) => numbers.reduce((total, number) => total + number, 0);

    async function addBroadcast(recipients: number): Promise<void> {
      const requestId = newId();
      await sql.query(
        `INSERT INTO broadcasts (tenant_id, request_id, environment_id, application_id, unit_id, sandbox, name, class, groups, state,
           draft, first_position, "window", created_by_type, created_by_name, created_at)
         VALUES ($1, $2, $3, gen_random_uuid(), gen_random_uuid(), false, 'News', 'marketing', '[]', 'finished', false, 0, 100, 'user',
           'Ada', now())`,
        [world.tenantId, requestId, world.tenant.environments.production],
      );
      await sql.query(
        `INSERT INTO broadcast_recipients (tenant_id, request_id, position, contact_id, channel, state)
         SELECT $1, $2, n, gen_random_uuid(), 'sms', 'ended' FROM generate_series(1, $3::int) n`,
        [world.tenantId, requestId, recipients],
      );
    }

    test("recipients of a broadcast, and the broadcast once they are gone", async () => {
      await addBroadcast(3_000);
      await addBroadcast(7);
      const deletions = await watch("broadcast_recipients");
      await run(later(14 * 31 + 1), { batchRows: 200 });
      const rows = await deletions();
      expect([Math.max(...rows), sum(rows)]).toEqual([200, 3_007]);
      expect([await count("broadcast_recipients"), await count("broadcasts")]).toEqual([0, 0]);
    });

    test("no broadcast whose recipients could not go", async () => {
      await addBroadcast(300);
      await sql.query(
        `CREATE OR REPLACE FUNCTION refuse_all() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
           IF pg_trigger_depth() = 1 THEN RAISE EXCEPTION 'no'; END IF; RETURN OLD; END $$;
         CREATE TRIGGER refuse BEFORE DELETE ON broadcast_recipients FOR EACH ROW EXECUTE FUNCTION refuse_all()`,
      );
      await run(later(14 * 31 + 1), { batchRows: 200 });
      expect([await count("broadcast_recipients"), await count("broadcasts")]).toEqual([300, 1]);
      await sql.query("DROP TRIGGER refuse ON broadcast_recipients");
      await run(later(14 * 31 + 1), { batchRows: 200 });
      expect([await count("broadcast_recipients"), await count("broadcasts")]).toEqual([0, 0]);
    });

    test("suppressions that ended at the same moment", async () => {
      await sql.query(
        `INSERT INTO suppressions (tenant_id, id, sandbox, channel, address, reason, created_at, expires_at)
         SELECT $1, gen_random_uuid(), false, 'sms', '+4915170' || (100000 + n), 'manual', now(), now() + interval '1 hour'
         FROM generate_series(1, 1500) n`,
        [world.tenantId],
      );
      const deletions = await watch("suppressions");
      await run(later(400), { batchRows: 200 });
      const rows = await deletions();
      expect([Math.max(...rows), sum(rows), await count("suppressions")]).toEqual([200, 1_500, 0]);
    });
  });

  test("organisations take turns: one with a backlog holds up none with little", async () => {
    const small = await makeSendingWorld(database);
    await sendMany(1_000);
    await sendMany(1, small);
    // A message is blanked in the third step, so whoever comes last needs three turns of everybody.
    const order: string[] = [];
    const wait = async () => {
      const left = await count("notifications", `recipient <> '${erasedText}'`);
      const smallLeft = await count("notifications", `recipient <> '${erasedText}'`, small.tenantId);
      order.push(`${String(left > 0)} ${String(smallLeft > 0)}`);
    };
    for (let part = 0; part < 400; part++) {
      const { finished } = await run(later(91), { batchRows: 20, runMs: 30, restHours: 20 });
      await wait();
      if (finished) break;
    }
    expect(order).toContain("true false");
    expect(order).not.toContain("false true");
  });

  test("drops whole months only when no organisation keeps them", async () => {
    const month = (ago: number) => {
      const at = new Date();
      at.setUTCDate(1);
      at.setUTCMonth(at.getUTCMonth() - ago);
      return at;
    };
    const create = async (ago: number) => {
      const from = month(ago).toISOString().slice(0, 7);
      const to = month(ago - 1)
        .toISOString()
        .slice(0, 7);
      const name = `notifications_${from.replace("-", "_")}`;
      await sql.query(
        `CREATE TABLE ${name} PARTITION OF notifications FOR VALUES FROM (uuidv7_floor('${from}-01T00:00:00Z')) TO (uuidv7_floor('${to}-01T00:00:00Z'))`,
      );
      return name;
    };
    const [old, older] = [await create(15), await create(20)];
    const longer = await makeSendingWorld(database, {
      settings: { retention: { contentDays: 90, metadataMonths: 16, webhookLogDays: 30 } },
    });
    expect((await run(new Date())).dropped).toEqual([older]);
    await sql.query("UPDATE tenants SET settings = '{}' WHERE id = $1", [longer.tenantId]);
    // Somebody reads it: it stays for now, and the run ends all the same.
    const client = await sql.connect();
    await client.query(`BEGIN; SELECT FROM ${old}`);
    const blocked = await run(new Date());
    await client.query("ROLLBACK");
    client.release();
    expect(blocked).toMatchObject({ dropped: [], finished: true });
    expect((await run(new Date())).dropped).toEqual([old]);
  });
});

describe("the periods", () => {
  test("are changed within their limits, with an entry that says what they were", async () => {
    const owner = world.tenant.as("owner");
    const set = (fields: object) =>
      updateRetention(
        owner,
        retentionUpdateSchema.parse({ contentDays: 90, metadataMonths: 13, webhookLogDays: 30, ...fields }),
      );
    for (const wrong of [
      { contentDays: 64 },
      { metadataMonths: 61 },
      { webhookLogDays: 0 },
      { contentDays: 100, metadataMonths: 3 },
    ]) {
      expect(() =>
        retentionUpdateSchema.parse({ contentDays: 90, metadataMonths: 13, webhookLogDays: 30, ...wrong }),
      ).toThrow();
    }
    await set({});
    expect(await set({ contentDays: 120 })).toMatchObject({ contentDays: 120, metadataMonths: 13 });
    const { rows } = await sql.query(
      "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'retention.changed'",
      [world.tenantId],
    );
    expect(rows).toEqual([{ data: { before: { contentDays: 90 }, after: { contentDays: 120 } } }]);
    expect((await refusal(getRetention(world.tenant.as("owner", world.tenant.units.alpha)))).code).toBe(
      "permission_denied",
    );
    expect((await refusal(getRetention(world.tenant.as("operator")))).code).toBe("permission_denied");
  });

  test("that somebody else has changed since they were read are not overwritten by what was read", async () => {
    const owner = world.tenant.as("owner");
    const read = { contentDays: 90, metadataMonths: 13, webhookLogDays: 30 };
    const set = (fields: object) =>
      updateRetention(owner, retentionUpdateSchema.parse({ ...read, expected: read, ...fields }));
    await set({ contentDays: 120 });
    expect((await refusal(set({ webhookLogDays: 60 }))).code).toBe("revision_conflict");
    expect(await getRetention(owner)).toMatchObject({ ...read, contentDays: 120 });
    // Without what was read, what is given holds.
    expect(await set({ expected: undefined, webhookLogDays: 60 })).toMatchObject({
      ...read,
      webhookLogDays: 60,
    });
  });

  test("the preview counts what would go, up to a bound, and changes nothing", async () => {
    await sendMany(120);
    const owner = { ...world.tenant.as("owner"), now: () => later(80) };
    const due = async (contentDays: number) =>
      (await previewRetention(owner, { contentDays, metadataMonths: 13, webhookLogDays: 30 })).steps.find(
        ({ id }) => id === "blank_notifications",
      );
    expect(await due(90)).toMatchObject({ count: 0, more: false, shortened: false });
    expect(await due(70)).toMatchObject({ count: 120, more: false, shortened: true });
    expect(await count("notifications", `recipient = '${erasedText}'`)).toBe(0);
  });
});
