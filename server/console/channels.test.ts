import { expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { addSmsChannel, makeConsole, serveChannelRequests } from "../testing/console-world.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { codeOf, refusal } from "../testing/refusal.ts";
import { carryOutChannelRequest } from "./carry-out-channel-request.ts";
import { consoleOperations } from "./operations.ts";
import { assignConsoleChannelSchema, listAssignmentsSchema, takeConsoleChannelSchema } from "./schemas.ts";

const database = await testDatabase();
const console = await makeConsole(database);
const { channels } = consoleOperations;
const secret = newId().slice(-8);
const denied = /permission denied/;

const addSms = () => addSmsChannel(database, secret);
const served = <T>(work: Promise<T>) => serveChannelRequests(database, work);
const assign = async (channel: string, tenant: string, more: object = {}) =>
  served(
    channels.assign.call(await console.ctx(), assignConsoleChannelSchema.parse({ channel, tenant, ...more })),
  );
const look = async (channelId: string, more: object = {}) =>
  channels.get.call(await console.ctx(), listAssignmentsSchema.parse({ channelId, ...more }));
const trail = async (tenantId: string) =>
  (
    await database.owner.query<{ action: string; actor_name: string; request_id: string }>(
      "SELECT action, actor_name, request_id FROM audit_events WHERE tenant_id = $1 AND action LIKE 'connection.%' ORDER BY id",
      [tenantId],
    )
  ).rows;

test("a channel is assigned, lent other senders and taken back as by the command, and stands in both logs", async () => {
  const channel = await addSms();
  const { slug, tenantId } = await makeTenant(database);
  const senders = [{ channel: "sms" as const, sender: "+4930000001" }];
  await assign(channel.name, slug, { senders, ratePerSecond: 20 });
  expect((await look(channel.id)).data).toMatchObject([
    { organisation: tenantId, slug, connection: channel.name, enabled: true, senders },
  ]);
  const connection = channel.name;
  const other = [{ channel: "sms" as const, sender: "+4930000002" }];
  await served(channels.lend.call(await console.ctx(), { tenant: slug, connection, senders: other }));
  expect((await look(channel.id)).data).toMatchObject([{ senders: other }]);
  const taken = takeConsoleChannelSchema.parse({ tenant: slug, connection });
  await served(channels.take.call(await console.ctx(), taken));
  expect((await look(channel.id)).data).toEqual([]);
  const entries = await trail(tenantId);
  expect(entries.map(({ action }) => action)).toEqual([
    "connection.given",
    "connection.lent",
    "connection.taken",
  ]);
  expect(new Set(entries.map((entry) => entry.actor_name))).toEqual(new Set(["Operator"]));
  const events = (await console.events()).filter((event) => event.organisation === tenantId);
  expect(events.map(({ action }) => action)).toEqual([
    "channel.change_requested",
    "channel.assigned",
    "channel.change_requested",
    "channel.senders_changed",
    "channel.change_requested",
    "channel.taken_back",
  ]);
  expect(events.map(({ request_id }) => request_id).filter((_, index) => index % 2 === 1)).toEqual(
    entries.map(({ request_id }) => request_id),
  );
  expect(new Set(events.map(({ operator_name }) => operator_name))).toEqual(new Set(["Ola Operator"]));
});

test("senders that somebody else has changed since they were read are not replaced", async () => {
  const channel = await addSms();
  const { slug } = await makeTenant(database);
  const read = [{ channel: "sms" as const, sender: "+4930000011" }];
  const other = [{ channel: "sms" as const, sender: "+4930000012" }];
  await assign(channel.name, slug, { senders: read });
  const lend = async (senders: { channel: "sms"; sender: string }[]) => {
    const input = { tenant: slug, connection: channel.name, senders, expected: read };
    return served(channels.lend.call(await console.ctx(), input));
  };
  expect(await codeOf(lend(other))).toBe("");
  expect(await codeOf(lend([]))).toBe("revision_conflict");
  expect((await look(channel.id)).data).toMatchObject([{ senders: other }]);
});

test("a refusal is told with its words and its field, and stands in the log", async () => {
  const channel = await addSms();
  const one = await makeTenant(database);
  const two = await makeTenant(database);
  const senders = [{ channel: "sms" as const, sender: "+4930000003" }];
  await assign(channel.name, one.slug, { senders });
  expect(await codeOf(assign(channel.name, two.slug, { senders }))).toBe("conflict");
  expect(await codeOf(assign("No such channel", two.slug))).toBe("not_found");
  expect(await codeOf(assign(channel.name, "no-such-organisation"))).toBe("not_found");
  const again = await refusal(assign(channel.name, one.slug));
  expect(again.code).toBe("conflict");
  expect(again.errors).toMatchObject([{ pointer: "/name" }]);
  expect(await trail(two.tenantId)).toEqual([]);
  const refused = await console.events("channel.change_refused");
  expect(refused.length).toBeGreaterThanOrEqual(3);
  expect(refused.at(-1)?.organisation).toBe(one.tenantId);
});

test("an organisation's settings cannot send the account's credentials to another address", async () => {
  const channel = await addSms();
  const { slug } = await makeTenant(database);
  for (const settings of [{ host: "9.9.9.9" }, { port: 2775 }]) {
    const refused = await refusal(assign(channel.name, slug, { settings }));
    expect(refused.errors).toMatchObject([{ pointer: "/settings" }]);
  }
});

test("no secret of a channel is in what the console is told or has asked for", async () => {
  const channel = await addSms();
  const { slug } = await makeTenant(database);
  await assign(channel.name, slug);
  const { rows } = await database.owner.query<{ text: string }>(
    "SELECT string_agg(r::text, '') || (SELECT string_agg(e::text, '') FROM operator_events e) AS text FROM channel_requests r",
  );
  const told = [await channels.list.call(await console.ctx(), undefined), await look(channel.id), rows];
  expect(JSON.stringify(told)).toContain(channel.name);
  for (const part of [secret, "8.8.8.8"]) expect(JSON.stringify(told)).not.toContain(part);
});

test("assignments are read page by page", async () => {
  const channel = await addSms();
  for (let i = 0; i < 3; i += 1) await assign(channel.name, (await makeTenant(database)).slug);
  const first = await look(channel.id, { limit: 2 });
  const second = await look(channel.id, { limit: 2, cursor: first.nextCursor });
  expect([...first.data, ...second.data].map(({ id }) => id)).toHaveLength(3);
  expect(second.nextCursor).toBeNull();
  expect(await codeOf(look(newId()))).toBe("not_found");
});

test("what is asked for is carried out once, by the worker's role alone, and not after a minute", async () => {
  const channel = await addSms();
  const { slug, tenantId } = await makeTenant(database);
  await assign(channel.name, slug);
  const { rows } = await database.owner.query<{ id: string }>(
    "SELECT id FROM channel_requests ORDER BY id DESC LIMIT 1",
  );
  const id = rows[0]?.id ?? "";
  await carryOutChannelRequest({ db: database.worker }, { id });
  expect(await trail(tenantId)).toHaveLength(1);
  await database.owner.query(
    "UPDATE channel_requests SET taken_at = NULL, done_at = NULL, created_at = now() - interval '61 seconds', input = jsonb_set(input, '{name}', '\"Late\"') WHERE id = $1",
    [id],
  );
  await carryOutChannelRequest({ db: database.worker }, { id });
  expect(await trail(tenantId)).toHaveLength(1);
  for (const db of [database.web, console.db]) {
    await expect(db.pool.query("SELECT * FROM take_channel_request($1)", [id])).rejects.toThrow(denied);
    await expect(db.pool.query("SELECT finish_channel_request($1, NULL)", [id])).rejects.toThrow(denied);
  }
  for (const statement of [
    "UPDATE channel_requests SET done_at = now()",
    "DELETE FROM channel_requests",
    `SELECT enqueue_jobs('[{"task": "carry_out_channel_request", "payload": {}}]')`,
    "SELECT credentials FROM platform_channels",
  ]) {
    await expect(console.db.pool.query(statement), statement).rejects.toThrow(denied);
  }
});
