import { afterEach, describe, expect, it, vi } from "vitest";
import { closeAdapters } from "../server/adapters/adapters.ts";
import { forgetConnections } from "../server/connections/load-connection.ts";
import { logger } from "../server/kernel/log.ts";
import { addChannel } from "../server/platform/change-channels.ts";
import { assignChannel } from "../server/platform/assign-channel.ts";
import { testDatabase } from "../server/testing/database.ts";
import { startFakeSmsc } from "../server/testing/fake-smsc.ts";
import { makeSendingWorld, messageId } from "../server/testing/sending-world.ts";
import type { SendingWorld } from "../server/testing/sending-world.ts";
import { Listeners } from "./listeners.ts";

const database = await testDatabase();
const soon = { timeout: 10_000, interval: 50 };
const credentials = { systemId: "tidings", password: "secret" };
const settings = (port: number) => ({ host: "127.0.0.1", port, security: "none" });
const cleanUps: (() => unknown)[] = [];

afterEach(async () => {
  for (const cleanUp of cleanUps.splice(0).reverse()) await cleanUp();
  await closeAdapters();
  await database.owner.query("UPDATE provider_connections SET enabled = false, updated_at = now()");
});

async function start(world: SendingWorld): Promise<Listeners> {
  const listeners = new Listeners({ db: database.worker, http: world.http, log: logger() });
  listeners.start();
  cleanUps.push(() => listeners.close());
  return listeners;
}

async function smsc(options?: Parameters<typeof startFakeSmsc>[0]) {
  const server = await startFakeSmsc(options);
  cleanUps.push(server.close);
  return server;
}

const addSmpp = (world: SendingWorld, port: number, sender = "+4930123456") =>
  world.addConnection({
    adapter: "smpp",
    credentials,
    settings: settings(port),
    channels: ["sms"],
    senders: [{ channel: "sms", sender }],
  });

const inboundOf = async (world: SendingWorld) => {
  const { rows } = await database.owner.query<{ text: string }>(
    "SELECT text FROM inbound_messages WHERE tenant_id = $1 ORDER BY id",
    [world.tenantId],
  );
  return rows.map((row) => row.text);
};

describe("the worker's sessions", () => {
  it("carry messages, receipts and answers of a connection, all over one session", async () => {
    const server = await smsc({ receipts: "DELIVRD" });
    const world = await makeSendingWorld(database);
    const connectionId = await addSmpp(world, server.port);
    await world.addRule("production", [[connectionId]]);
    await start(world);
    await vi.waitFor(() => expect(server.bound()).toBe(1), soon);
    const ids = [messageId(await world.send()), messageId(await world.send())];
    await world.runJobs();
    for (const id of ids) {
      await vi.waitFor(async () => expect((await world.notification(id)).status).toBe("delivered"), soon);
    }
    expect(server.messages).toHaveLength(2);
    const answer = { source_addr: "4915112345678", source_addr_ton: 1, destination_addr: "4930123456" };
    expect(await server.deliver({ ...answer, short_message: "Thanks" })).toBe(0);
    expect(await inboundOf(world)).toEqual(["Thanks"]);
    expect(server.links.binds).toBe(1);
  });

  it("follow the configuration: new, changed and switched off", async () => {
    const [first, second] = [await smsc(), await smsc()];
    const world = await makeSendingWorld(database);
    const listeners = await start(world);
    const id = await addSmpp(world, first.port);
    await vi.waitFor(() => expect(first.bound()).toBe(1), soon);
    const change = (set: string, values: unknown[] = []) =>
      database.owner.query(
        `UPDATE provider_connections SET ${set}, updated_at = clock_timestamp() WHERE id = $1`,
        [id, ...values],
      );
    // A new name needs no new session.
    await change("name = 'Renamed'");
    await listeners.refresh();
    expect([first.links.binds, first.bound()]).toEqual([1, 1]);
    await change("settings = $2", [settings(second.port)]);
    await vi.waitFor(() => expect([first.bound(), second.bound()]).toEqual([0, 1]), soon);
    expect(first.links.unbinds).toBe(1);
    await change("enabled = false");
    await vi.waitFor(() => expect(second.bound()).toBe(0), soon);
    expect(second.links.unbinds).toBe(1);
  });

  it("end before the process does", async () => {
    const server = await smsc();
    const world = await makeSendingWorld(database);
    const listeners = await start(world);
    await addSmpp(world, server.port);
    await vi.waitFor(() => expect(server.bound()).toBe(1), soon);
    // The worker knows it too: it has acknowledged something.
    const hello = { source_addr: "4915112345678", source_addr_ton: 1, destination_addr: "4930123456" };
    expect(await server.deliver({ ...hello, short_message: "Hello" })).toBe(0);
    await listeners.close();
    expect(server.links.unbinds).toBe(1);
    await vi.waitFor(() => expect(server.bound()).toBe(0), soon);
  });
});

describe("an operator's channel", () => {
  it("has one session for all organisations that it is assigned to, and each gets only its own events", async () => {
    const server = await smsc();
    const [one, two] = [await makeSendingWorld(database), await makeSendingWorld(database)];
    const operator = { owner: database.owner, db: database.worker };
    const name = "Own SMS";
    // Created with an address that anybody may dial, since this process reads its configuration once.
    await addChannel(operator, {
      name,
      provider: "smpp",
      credentials,
      settings: { host: "8.8.8.8" },
      priceList: [],
      processingRegion: "EU",
    });
    const give = (world: SendingWorld, sender: string) =>
      assignChannel(operator, {
        channel: name,
        tenant: world.tenant.slug,
        senders: [{ channel: "sms", sender }],
        settings: {},
        priceList: [],
      });
    const given = [await give(one, "+4930000001"), await give(two, "+4930000002")];
    await database.owner.query("UPDATE platform_channels SET settings = $1, updated_at = clock_timestamp()", [
      settings(server.port),
    ]);
    const sendFrom = async (world: SendingWorld, connectionId = "") => {
      await world.addRule("production", [[connectionId]]);
      forgetConnections(world.tenantId);
      const id = messageId(await world.send());
      await world.runJobs();
      return id;
    };
    await start(one);
    await vi.waitFor(() => expect(server.bound()).toBe(1), soon);
    const ids = [await sendFrom(one, given[0]?.connectionId), await sendFrom(two, given[1]?.connectionId)];
    expect(server.messages.map((message) => message.source)).toEqual(["4930000001", "4930000002"]);
    expect(server.links.binds).toBe(1);

    expect(await server.sendReceipt("m2", "DELIVRD")).toBe(0);
    expect((await two.notification(ids[1] ?? "")).status).toBe("delivered");
    expect((await one.notification(ids[0] ?? "")).status).toBe("sent");
    expect(await server.sendReceipt("m1", "UNDELIV")).toBe(0);
    expect((await one.notification(ids[0] ?? "")).status).toBe("failed");

    const from = { source_addr: "4915112345678", source_addr_ton: 1 };
    await server.deliver({ ...from, destination_addr: "4930000002", short_message: "to two" });
    await server.deliver({ ...from, destination_addr: "4930000003", short_message: "to nobody" });
    expect([await inboundOf(one), await inboundOf(two)]).toEqual([[], ["to two"]]);

    await database.owner.query(
      "UPDATE platform_channels SET enabled = false, updated_at = clock_timestamp()",
    );
    await vi.waitFor(() => expect(server.bound()).toBe(0), soon);
  });
});
