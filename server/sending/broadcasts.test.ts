import { parse } from "csv-parse/sync";
import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { eraseContact } from "../testing/contacts.ts";
import { addContacts, addGroup } from "../testing/contacts.ts";
import { testDatabase } from "../testing/database.ts";
import { codeOf, refusal as refusalOf } from "../testing/refusal.ts";
import { rowsRead } from "../testing/rows-read.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import type { Db } from "../kernel/db.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { logger } from "../kernel/log.ts";
import { newId } from "../kernel/ids.ts";
import type { Permission } from "../operations/permissions.ts";
import {
  forgetFigures,
  getBroadcastPage as getCounted,
  listBroadcasts,
  previewBroadcast,
} from "./list-broadcasts.ts";
import { cancelBroadcast, pauseBroadcast, resumeBroadcast, startBroadcast } from "./manage-broadcasts.ts";
import { broadcastRules } from "./broadcast-rules.ts";
import { exportNotReached } from "./export-not-reached.ts";
import { Broadcasts } from "./run-broadcasts.ts";
import { draftForNotReached } from "./send-again.ts";
import { acceptSend } from "./accept-send.ts";

const database = await testDatabase();
const quiet = { ...logger(), warn: () => undefined } as unknown as ReturnType<typeof logger>;
const broadcasts = new Broadcasts({ db: database.worker, log: logger() });

/** Carries every broadcast on until nothing is due; what is released arrives at once, or with `null` stays as it is. */
async function run(world: SendingWorld, arrive: "delivered" | "failed" | null = "delivered"): Promise<void> {
  await onlyOf(world);
  for (let step = 0; step < 200; step++) {
    await database.owner.query(
      "UPDATE broadcasts SET wake_at = now() - interval '1 second' WHERE wake_at < now() + interval '1 hour'",
    );
    const found = await broadcasts.tick();
    if (arrive) await settle(world, arrive);
    if (found === 0 || (arrive === null && step > 20)) return;
  }
  throw new Error("it does not end");
}

/** The other tests' broadcasts rest. */
async function onlyOf(...worlds: SendingWorld[]): Promise<void> {
  await database.owner.query("UPDATE broadcasts SET wake_at = NULL WHERE tenant_id <> ALL ($1::uuid[])", [
    worlds.map(({ tenantId }) => tenantId),
  ]);
}

async function settle(world: SendingWorld, status: "delivered" | "failed"): Promise<void> {
  await database.owner.query(
    "UPDATE notifications SET status = $2, final = true, due_at = NULL WHERE tenant_id = $1 AND status = 'queued'",
    [world.tenantId, status],
  );
}

/** With figures as of now. */
function getBroadcast(ctx: Ctx, key: { id: string }) {
  forgetFigures({ tenantId: ctx.tenantId, id: key.id });
  return getCounted(ctx, key);
}

interface Message {
  channel: string;
  recipient: string;
  status: string;
  reason_code: string | null;
  variables: Record<string, string> | null;
  region: string;
  language: string;
  position: number;
}

async function messagesOf(world: SendingWorld, requestId: string): Promise<Message[]> {
  const { rows } = await database.owner.query<Message>(
    "SELECT * FROM notifications WHERE tenant_id = $1 AND request_id = $2 ORDER BY position",
    [world.tenantId, requestId],
  );
  return rows;
}

const toGroups = (...groups: string[]) => ({
  recipients: [],
  contactGroups: groups.map((group) => ({ group, channels: ["sms" as const] })),
});

describe("a request to contact groups", () => {
  it("is answered at once with the groups, and each of their contacts gets one message however many groups they are in", async () => {
    const world = await makeSendingWorld(database);
    const contacts = await addContacts(database, world.tenantId, 30);
    await addGroup(database, world.tenantId, "First", contacts.slice(0, 20));
    await addGroup(database, world.tenantId, "Second", contacts.slice(10));
    const accepted = await world.send({
      ...toGroups("First", "Second"),
      recipients: [{ channel: "sms", recipient: contacts[3]?.sms ?? "" }],
    });
    expect(accepted.notifications).toHaveLength(1);
    expect(accepted.groups?.map(({ name }) => name)).toEqual(["First", "Second"]);
    await run(world);
    const messages = await messagesOf(world, accepted.requestId);
    expect(messages.map(({ recipient }) => recipient).sort()).toEqual(contacts.map(({ sms }) => sms).sort());
    expect(messages.map(({ position }) => position)).toEqual([
      ...new Set(messages.map(({ position }) => position)),
    ]);
    const broadcast = await getBroadcast(world.tenant.system, { id: accepted.requestId });
    expect(broadcast).toMatchObject({
      state: "finished",
      recipients: 30,
      counts: { delivered: 30 },
      leftOut: { duplicate_recipient: 1 },
    });
  });

  it("reads a list that was made a moment ago a few times and not once for each recipient", async () => {
    const world = await makeSendingWorld(database);
    const recipients = 3_000;
    await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, recipients));
    const before = await rowsRead(database, "broadcast_recipients");
    const [first, second] = [await world.send(toGroups("All")), await world.send(toGroups("All"))];
    // The first goes when the second's list is what follows its own in the index.
    const wake = "UPDATE broadcasts SET wake_at = $2 WHERE request_id = $1";
    await database.owner.query(wake, [first.requestId, null]);
    await run(world);
    await database.owner.query(wake, [first.requestId, new Date()]);
    await run(world);
    for (const { requestId } of [first, second])
      expect(await messagesOf(world, requestId)).toHaveLength(recipients);
    expect((await rowsRead(database, "broadcast_recipients")) - before).toBeLessThan(40 * recipients);
  });

  it("gets the same answer when it is repeated, and nobody a second message", async () => {
    const world = await makeSendingWorld(database);
    await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, 3));
    const body = { transactionId: newId(), ...toGroups("All") };
    const first = await world.send(body);
    await run(world);
    const again = await world.send(body);
    expect(again).toMatchObject({
      requestId: first.requestId,
      replayed: true,
      notifications: [],
      groups: first.groups?.map(({ name, channels, contacts }) => ({ name, channels, contacts })),
    });
    await run(world);
    expect(await messagesOf(world, first.requestId)).toHaveLength(3);
  });

  it("takes variables, language and region from the contact, and keeps of the attributes what the template uses", async () => {
    const world = await makeSendingWorld(database);
    await world.addTemplate({
      name: "order-sms-fr",
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "sms",
      body: "Bonjour {{ name }}, {{ code }}",
      region: "FR",
      variables: [
        { name: "name", type: "string", required: true },
        { name: "code", type: "string", required: true },
      ],
    });
    const contacts = await addContacts(database, world.tenantId, 3, [
      { name: "Amélie", region: "FR", language: "fr", attributes: { code: "A1", secret: "not used" } },
      { attributes: { code: "B2" } },
      { region: "FR", attributes: { code: "C3" } },
    ]);
    await addGroup(database, world.tenantId, "All", contacts);
    const { requestId } = await world.send(toGroups("All"));
    await run(world);
    const messages = await messagesOf(world, requestId);
    expect(
      messages.map(({ region, variables, status, reason_code }) => ({
        region,
        variables,
        status,
        reason_code,
      })),
    ).toEqual([
      { region: "FR", variables: { name: "Amélie", code: "A1" }, status: "delivered", reason_code: null },
      { region: "DE", variables: { code: "B2" }, status: "delivered", reason_code: null },
      // What one contact lacks is no matter of the others.
      { region: "FR", variables: { code: "C3" }, status: "rejected", reason_code: "missing_variable" },
    ]);
  });

  it("refuses groups that do not exist and names each; of another organisation none does", async () => {
    const world = await makeSendingWorld(database);
    const other = await makeSendingWorld(database);
    await addGroup(database, other.tenantId, "Theirs", await addContacts(database, other.tenantId, 1));
    await addGroup(database, world.tenantId, "Ours", await addContacts(database, world.tenantId, 1));
    const refused = await refusalOf(world.send(toGroups("Ours", "Theirs", "Nobody's")));
    expect(refused.code).toBe("unknown_contact_group");
    expect(refused.errors.map(({ pointer }) => pointer)).toEqual([
      "/contactGroups/1/group",
      "/contactGroups/2/group",
    ]);
  });

  it("takes those who are in the groups when it starts, leaves out who is deleted meanwhile, and ends at its time", async () => {
    const world = await makeSendingWorld(database);
    const contacts = await addContacts(database, world.tenantId, 150);
    await addGroup(database, world.tenantId, "All", contacts);
    await onlyOf(world);
    const { requestId } = await world.send({
      ...toGroups("All"),
      expiresAt: new Date(Date.now() + 60_000).toISOString(),
    });
    await broadcasts.tick();
    await eraseContact(database, world.tenantId, contacts[0]?.id ?? "");
    await database.owner.query(
      "UPDATE broadcasts SET wake_at = now() - interval '1 second' WHERE wake_at IS NOT NULL",
    );
    await broadcasts.tick();
    expect(await messagesOf(world, requestId)).toHaveLength(99);
    await database.owner.query(
      "UPDATE broadcasts SET ends_at = now() - interval '1 second' WHERE request_id = $1",
      [requestId],
    );
    await run(world);
    expect(await getBroadcast(world.tenant.system, { id: requestId })).toMatchObject({
      state: "finished",
      recipients: 150,
      released: 150,
      counts: { delivered: 99 },
      leftOut: { contact_deleted: 1, expired: 50 },
    });
  });

  it("leaves the lane of orders from a thousand recipients on", async () => {
    const world = await makeSendingWorld(database);
    await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, 1_000));
    const { requestId } = await world.send(toGroups("All"));
    await run(world, null);
    expect(await messagesOf(world, requestId)).not.toHaveLength(0);
    const tasks = await database.owner.query<{ identifier: string }>(
      `SELECT DISTINCT t.identifier FROM graphile_worker._private_jobs j JOIN graphile_worker._private_tasks t ON t.id = j.task_id
       WHERE j.payload->>'tenantId' = $1`,
      [world.tenantId],
    );
    expect(tasks.rows.map(({ identifier }) => identifier)).toEqual(["deliver_bulk"]);
  });

  it("may be as many as the organisation has under way, and no more", async () => {
    const world = await makeSendingWorld(database);
    await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, 1));
    for (let n = 0; n < 50; n++) await world.send(toGroups("All"));
    expect(await refusalOf(world.send(toGroups("All")))).toMatchObject({ code: "rate_limited" });
    await run(world);
    await world.send(toGroups("All"));
  });
});

test("a draft says before it goes who would be refused, goes when a person starts it, and reaches again whom it did not", async () => {
  const world = await makeSendingWorld(database);
  const contacts = await addContacts(database, world.tenantId, 10, [{ noSms: true }]);
  await addGroup(database, world.tenantId, "All", contacts);
  await database.owner.query(
    `INSERT INTO suppressions (tenant_id, id, sandbox, channel, address, reason) VALUES ($1, $2, false, 'sms', $3, 'manual')`,
    [world.tenantId, newId(), contacts[1]?.sms],
  );
  const { system } = world.tenant;
  const { requestId: id } = await acceptSend(system, {
    order: {
      environmentId: world.tenant.environments.production,
      application: "shop",
      notification: { type: "order", subtype: "order_status" },
      recipients: [],
      contactGroups: [{ group: "All", channels: ["sms"] }],
      templateVariables: [{ code: "1" }],
      broadcast: { name: "Delay", draft: true },
    },
    source: "portal",
    transactionId: null,
    idempotency: null,
  });
  await run(world);
  expect(await messagesOf(world, id)).toEqual([]);
  expect(await getBroadcast(system, { id })).toMatchObject({
    state: "ready",
    recipients: 9,
    forecast: [{ channel: "sms", recipients: 9, consentDenied: 0, suppressed: 1, noAddress: 1 }],
    actions: { start: true, pause: false, resume: false, cancel: true, sendAgain: false },
  });
  // Somebody for whom no message can be made is told of beside the others.
  await database.owner.query(`UPDATE send_requests SET variables = '{}' WHERE id = $1`, [id]);
  expect(await previewBroadcast(system, { id })).toMatchObject({
    channels: [{ channel: "sms", sampled: 9, problems: [{ code: "missing_variable", count: 9 }] }],
  });
  await database.owner.query(`UPDATE send_requests SET variables = '{"code":"1"}' WHERE id = $1`, [id]);
  expect(await previewBroadcast(system, { id })).toMatchObject({
    channels: [
      // Nobody can be reached without a connection; who is suppressed is counted already.
      { problems: [{ code: "no_route", count: 8 }], segments: 1, template: { name: "order-sms" } },
    ],
  });
  await startBroadcast(system, { id });
  await run(world, "failed");
  expect(await getBroadcast(system, { id })).toMatchObject({
    state: "finished",
    counts: { failed: 8, rejected: 1 },
  });

  const again = await draftForNotReached(system, { id, name: "Delay, again", idempotencyKey: newId() });
  await run(world);
  expect(await getBroadcast(system, again)).toMatchObject({ state: "ready", recipients: 9 });
  await startBroadcast(system, again);
  await run(world);
  expect(await getBroadcast(system, again)).toMatchObject({ counts: { delivered: 8, rejected: 1 } });
});

test("those whom a broadcast did not reach get it with its metadata, and who may have got it does not get it again", async () => {
  const world = await makeSendingWorld(database);
  const contacts = await addContacts(database, world.tenantId, 3);
  await addGroup(database, world.tenantId, "All", contacts);
  const owner = world.tenant.as("owner");
  const { requestId: id } = await world.send({ ...toGroups("All"), metadata: { campaign: "spring" } });
  await run(world, "failed");
  const [inDoubt] = await messagesOf(world, id);
  await database.owner.query(
    "UPDATE notifications SET status = 'undetermined' WHERE tenant_id = $1 AND request_id = $2 AND position = $3",
    [world.tenantId, id, inDoubt?.position],
  );
  const again = await draftForNotReached(owner, { id, name: "Again", idempotencyKey: newId() });
  await run(world);
  await startBroadcast(owner, again);
  await run(world);
  const { rows } = await database.owner.query("SELECT metadata FROM send_requests WHERE id = $1", [again.id]);
  expect(rows).toEqual([{ metadata: { campaign: "spring" } }]);
  const repeated = await messagesOf(world, again.id);
  expect(repeated).toHaveLength(2);
  expect(repeated.map(({ recipient }) => recipient)).not.toContain(inDoubt?.recipient);
  const { file } = await exportNotReached(owner, { id });
  let text = file.first;
  for await (const piece of file.rest) text += piece;
  expect(parse(text, { columns: true, bom: true })).toHaveLength(2);
});

test("after a pause little more goes, a resumed broadcast goes on where it was, and a canceled one reaches nobody else", async () => {
  const world = await makeSendingWorld(database);
  await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, 900));
  const { system } = world.tenant;
  await onlyOf(world);
  const { requestId: id } = await world.send(toGroups("All"));
  await run(world, null);
  expect(await messagesOf(world, id)).toHaveLength(broadcastRules.window.first);
  await pauseBroadcast(system, { id });
  await run(world);
  expect(await messagesOf(world, id)).toHaveLength(broadcastRules.window.first);
  expect(await getBroadcast(system, { id })).toMatchObject({ state: "paused" });
  await resumeBroadcast(system, { id });
  await run(world, null);
  const before = (await messagesOf(world, id)).length;
  expect(before).toBeGreaterThan(broadcastRules.window.first);
  await cancelBroadcast(system, { id });
  await run(world, null);
  const after = await getBroadcast(system, { id });
  expect(after).toMatchObject({
    state: "canceled",
    counts: { delivered: broadcastRules.window.first, canceled: before - broadcastRules.window.first },
    leftOut: before < 900 ? { canceled: 900 - before } : {},
  });
  expect(await refusalOf(resumeBroadcast(system, { id }))).toMatchObject({ code: "conflict" });
});

test("a canceled broadcast ends what waits for another attempt, and leaves alone what a provider may have got", async () => {
  const world = await makeSendingWorld(database);
  await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, 4));
  const { requestId: id } = await world.send(toGroups("All"));
  await run(world, null);
  // One was refused and is put off until the morning, one is in doubt, a provider is being called for one, and one was not tried yet.
  for (const [position, change] of [
    "status = 'sending', attempts = 1, due_at = now() + interval '8 hours'",
    "status = 'sending', attempts = 1, unknown_outcomes = 1, due_at = now() + interval '2 minutes'",
    "status = 'sending', attempts = 1, open_attempt = 1",
  ].entries())
    await database.owner.query(
      `UPDATE notifications SET ${change} WHERE tenant_id = $1 AND request_id = $2 AND position = $3`,
      [world.tenantId, id, position],
    );
  await cancelBroadcast(world.tenant.system, { id });
  await run(world, null);
  const now = () =>
    messagesOf(world, id).then((all) => all.map(({ status, reason_code }) => [status, reason_code]));
  const ended = ["canceled", "canceled"];
  expect(await now()).toEqual([ended, ["undetermined", "no_receipt"], ["sending", null], ended]);
  expect(await getBroadcast(world.tenant.system, { id })).toMatchObject({ state: "canceling" });
  // It failed, and would be tried again.
  await database.owner.query(
    "UPDATE notifications SET open_attempt = NULL, due_at = now() + interval '8 hours' WHERE tenant_id = $1 AND status = 'sending'",
    [world.tenantId],
  );
  await run(world, null);
  expect(await now()).toEqual([ended, ["undetermined", "no_receipt"], ended, ended]);
  expect(await getBroadcast(world.tenant.system, { id })).toMatchObject({ state: "canceled" });
});

/** A Db of which a statement now and then never comes back, as when a process is killed. */
function mortal(db: Db, dies: () => boolean): Db {
  const connect = async () => {
    const client = await db.pool.connect();
    let dead = false;
    const query = async (...args: unknown[]) => {
      if (!dead && dies()) {
        dead = true;
        // What was not committed is lost with the process.
        await client.query("ROLLBACK");
      }
      if (dead) throw new Error("killed");
      return (client.query as (...all: unknown[]) => Promise<unknown>)(...args);
    };
    return { query, release: (error?: Error) => client.release(error) };
  };
  const pool = new Proxy(db.pool, {
    get: (target, name) => {
      const value: unknown = name === "connect" ? connect : Reflect.get(target, name);
      return typeof value === "function" ? (value as (...args: unknown[]) => unknown).bind(target) : value;
    },
  });
  return { ...db, pool };
}

test("whatever is paused, resumed, slowed down or killed in between, everybody is written to once and the counts add up", async () => {
  const world = await makeSendingWorld(database);
  const { system } = world.tenant;
  const count = 700;
  const contacts = await addContacts(database, world.tenantId, count);
  await addGroup(database, world.tenantId, "All", contacts);
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom("pause", "resume", "slow", "fast", "kill"), { minLength: 20, maxLength: 20 }),
      fc.integer({ min: 1, max: 0x7fffffff }),
      async (acts, seed) => {
        let random = seed;
        const next = () => (random = (random * 48_271) % 0x7fffffff) / 0x7fffffff;
        let deadly = false;
        const processes = [1, 2].map(
          () => new Broadcasts({ db: mortal(database.worker, () => deadly && next() < 0.2), log: quiet }),
        );
        await onlyOf(world);
        const { requestId: id } = await world.send(toGroups("All"));
        for (const act of [...acts, "fast", "resume"]) {
          deadly = act === "kill";
          // It may have finished.
          if (act === "pause") await codeOf(pauseBroadcast(system, { id }));
          if (act === "resume") await codeOf(resumeBroadcast(system, { id }));
          if (act === "slow" || act === "fast") {
            await database.owner.query("UPDATE broadcasts SET rate_per_second = $2 WHERE request_id = $1", [
              id,
              act === "slow" ? 40 : null,
            ]);
          }
          await database.owner.query(
            "UPDATE broadcasts SET wake_at = now() - interval '1 second' WHERE wake_at IS NOT NULL",
          );
          await Promise.all(processes.map((each) => each.tick()));
          if (next() < 0.5) await settle(world, next() < 0.8 ? "delivered" : "failed");
        }
        await run(world);
        const messages = await messagesOf(world, id);
        expect(new Set(messages.map(({ recipient }) => recipient)).size).toBe(count);
        expect(messages).toHaveLength(count);
        expect(messages.every(({ status }) => status === "delivered" || status === "failed")).toBe(true);
        const { state, recipients, released } = await getBroadcast(system, { id });
        expect({ state, recipients, released }).toEqual({
          state: "finished",
          recipients: count,
          released: count,
        });
      },
    ),
    { numRuns: 6, endOnFailure: true },
  );
});

test("of one organisation with many broadcasts and another with one, each has every other turn", async () => {
  const [many, one] = [await makeSendingWorld(database), await makeSendingWorld(database)];
  for (const world of [many, one]) {
    await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, 10));
  }
  for (let n = 0; n < 20; n++) await many.send(toGroups("All"));
  const { requestId } = await one.send(toGroups("All"));
  await onlyOf(many, one);
  // A tick takes one of each; the first lists the recipients, the second writes to them.
  await broadcasts.tick();
  await database.owner.query(
    "UPDATE broadcasts SET wake_at = now() - interval '1 second' WHERE wake_at IS NOT NULL",
  );
  await broadcasts.tick();
  expect(await messagesOf(one, requestId)).toHaveLength(10);
});

test("who may not read a team's messages does not see its broadcasts, and who may not send changes none", async () => {
  const world = await makeSendingWorld(database);
  await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, 1));
  const { requestId: id } = await world.send(toGroups("All"));
  const { as, units } = world.tenant;
  const stranger = as("operator", units.beta);
  expect((await listBroadcasts(stranger, { limit: 50 })).data).toEqual([]);
  expect(await refusalOf(getBroadcast(stranger, { id }))).toMatchObject({ code: "not_found" });
  expect(await refusalOf(pauseBroadcast(as("auditor"), { id }))).toMatchObject({ code: "permission_denied" });
});

test("whom an ended broadcast did not reach is a file with their addresses and why, complete and without formulas", async () => {
  const world = await makeSendingWorld(database);
  const { tenant } = world;
  const contacts = await addContacts(database, world.tenantId, 2_400, [{ name: "=1+1" }, { name: "Bob" }]);
  await addGroup(database, world.tenantId, "All", contacts);
  const { requestId } = await world.send(toGroups("All"));
  const owner = tenant.as("owner");
  const holding = (...permissions: Permission[]): Ctx => ({
    ...owner,
    grants: [{ permissions: new Set(permissions), unitId: null, applicationId: null, environmentId: null }],
  });
  const read = async (ctx: Ctx = owner) => {
    const { name, file } = await exportNotReached(ctx, { id: requestId });
    let text = file.first;
    for await (const piece of file.rest) text += piece;
    return { name, rows: parse<Record<string, string>>(text, { columns: true, bom: true }) };
  };
  expect(await codeOf(read())).toBe("conflict");
  await onlyOf(world);
  while ((await getBroadcast(owner, { id: requestId })).state === "listing") {
    await database.owner.query(
      "UPDATE broadcasts SET wake_at = now() - interval '1 second' WHERE request_id = $1",
      [requestId],
    );
    await broadcasts.tick();
  }
  await eraseContact(database, world.tenantId, contacts.at(-1)?.id ?? "");
  await run(world, "failed");
  const { name, rows } = await read();
  expect(name).toMatch(/^not-reached-\d{4}-\d\d-\d\d\.csv$/);
  expect(rows).toHaveLength(contacts.length);
  expect(rows.find((row) => row.sms === `'${contacts[0]?.sms ?? ""}`)).toMatchObject({
    name: "'=1+1",
    status: "failed",
  });
  expect(rows.filter(({ status }) => status === "left_out")).toEqual([
    expect.objectContaining({ sms: "", code: "contact_deleted", reason: "Contact was deleted" }),
  ]);
  const masked = await read(holding("notifications:read", "contacts:read"));
  expect(masked.rows[0]).toMatchObject({ name: "" });
  expect(masked.rows.map(({ sms }) => sms)).not.toContain(rows[0]?.sms);
  expect(await codeOf(read(holding("notifications:read")))).toBe("permission_denied");
  expect(await codeOf(read((await makeSendingWorld(database)).tenant.as("owner")))).toBe("not_found");
});
