import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import { listNotifications } from "./list-notifications.ts";

const database = await testDatabase();

async function makeMessages() {
  const world = await makeSendingWorld(database);
  const recipients = ["+4915112345671", "+4915112345672"].map((recipient) => ({
    channel: "sms" as const,
    recipient,
  }));
  const first = await world.send({ transactionId: "order-1", recipients });
  const second = await world.send({ transactionId: "order-2", recipients: recipients.slice(0, 1) });
  const owner = world.tenant.as("owner");
  const found = async (filter: Omit<Parameters<typeof listNotifications>[1], "limit">) =>
    (await listNotifications(owner, { limit: 10, ...filter })).data.map((entry) => entry.notificationId);
  return { world, first, second, found };
}

describe("a search among messages", () => {
  it("finds an address, newest first, however it is typed", async () => {
    const { first, second, found } = await makeMessages();
    for (const search of ["+4915112345671", " +49 151 12345671"]) {
      expect(await found({ search })).toEqual([messageId(second), messageId(first)]);
    }
  });

  it("finds a request by its transaction id or its own id, and a message by its id", async () => {
    const { first, found } = await makeMessages();
    const both = [messageId(first, 1), messageId(first, 0)];
    expect((await found({ search: "order-1" })).sort()).toEqual([...both].sort());
    expect((await found({ search: first.requestId })).sort()).toEqual([...both].sort());
    expect(await found({ search: messageId(first, 1) })).toEqual([messageId(first, 1)]);
    expect(await found({ transactionId: "order-1", search: "+4915112345671" })).toEqual([messageId(first)]);
  });

  it("finds nothing for an unknown term, and nothing that another filter leaves out", async () => {
    const { world, found } = await makeMessages();
    expect(await found({ search: "+4915112345679" })).toEqual([]);
    expect(await found({ search: "order-1", channel: "email" })).toEqual([]);
    expect(await found({ search: "order-1", environmentId: world.tenant.environments.staging })).toEqual([]);
  });

  it("shows no other tenant's messages", async () => {
    const { first } = await makeMessages();
    const stranger = await makeSendingWorld(database);
    for (const search of ["+4915112345671", first.requestId, messageId(first)]) {
      const { data } = await listNotifications(stranger.tenant.as("owner"), { limit: 10, search });
      expect(data).toEqual([]);
    }
  });

  it("pages through what it found", async () => {
    const { world, first, second } = await makeMessages();
    const owner = world.tenant.as("owner");
    const page = await listNotifications(owner, { limit: 1, search: "+4915112345671" });
    expect(page.data.map((entry) => entry.notificationId)).toEqual([messageId(second)]);
    const next = await listNotifications(owner, {
      limit: 1,
      search: "+4915112345671",
      cursor: page.nextCursor ?? "",
    });
    expect(next.data.map((entry) => entry.notificationId)).toEqual([messageId(first)]);
    expect(next.nextCursor).toBeNull();
  });
});
