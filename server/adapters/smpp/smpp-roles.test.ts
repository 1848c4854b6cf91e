import { describe, expect, it, vi } from "vitest";
import { smppWorld } from "../../testing/smpp-world.ts";
import { smppAdapter } from "./smpp.ts";
import { smppSettingsSchema } from "./schemas.ts";

const world = smppWorld();
const { connection, http, message } = world;
const soon = { timeout: 10_000, interval: 20 };
const { notificationId } = message();
const separate = { bindAs: "separate" };
const answer = {
  source_addr: "4915112345678",
  source_addr_ton: 1,
  destination_addr: "70700",
  data_coding: 0,
};

/** A message centre that takes no transceiver, as many older ones. */
async function withoutTransceiver() {
  const smsc = await world.smsc();
  smsc.links.takes = ["transmitter", "receiver"];
  return smsc;
}

async function boundApart(settings: Record<string, unknown> = {}) {
  const smsc = await withoutTransceiver();
  const over = connection(smsc.port, { ...separate, ...settings });
  const listener = world.listen(over);
  await vi.waitFor(() => expect(smsc.bound()).toBe(2 * over.settings.binds), soon);
  return { smsc, over, listener };
}

describe("sessions as transmitter and receiver", () => {
  it("send over the one, and get receipts and messages over the other", async () => {
    const { smsc, over, listener } = await boundApart();
    expect(await world.smpp.send(over, message({ text: "a".repeat(400) }), { http })).toEqual({
      kind: "sent",
      providerMessageId: "m3",
      final: false,
      segments: 3,
    });
    const [receiver] = smsc.sessions("receiver");
    expect(await smsc.sendReceipt("m3", "DELIVRD", receiver ? { session: receiver } : {})).toBe(0);
    expect(await smsc.deliver({ ...answer, short_message: "Thanks" }, receiver)).toBe(0);
    expect(listener.receipts()).toMatchObject([{ notificationId, attempt: 1, status: "delivered" }]);
    expect(listener.inbound()).toMatchObject([{ from: "+4915112345678", text: "Thanks" }]);
    expect([smsc.sessions("transmitter").length, smsc.sessions("receiver").length]).toEqual([1, 1]);
  });

  it("find the message of a receipt that overtakes the answer to its submission", async () => {
    const smsc = await world.smsc({ latencyMs: 150 });
    const over = connection(smsc.port, separate);
    const listener = world.listen(over, (told) =>
      Promise.resolve({ unmatched: told.receipts.every((receipt) => receipt.notificationId) ? 0 : 1 }),
    );
    await vi.waitFor(() => expect(smsc.bound()).toBe(2), soon);
    const sending = world.smpp.send(over, message(), { http });
    await vi.waitFor(() => expect(smsc.messages).toHaveLength(1), soon);
    expect(await smsc.sendReceipt("m1", "DELIVRD")).toBe(0);
    expect(await sending).toMatchObject({ kind: "sent", providerMessageId: "m1" });
    expect(listener.receipts().at(-1)).toMatchObject({ notificationId, status: "delivered" });
  });

  it("come back each on its own: what still works is not touched", async () => {
    const { smsc, over, listener } = await boundApart();
    const [transmitter] = smsc.sessions("transmitter");
    const [receiver] = smsc.sessions("receiver");
    receiver?.socket.resetAndDestroy();
    // Messages go on while the receiver is away.
    expect(await world.smpp.send(over, message(), { http })).toMatchObject({ kind: "sent" });
    await vi.waitFor(() => {
      expect(smsc.sessions("receiver")).toHaveLength(1);
      expect(smsc.sessions("receiver")).not.toContain(receiver);
    }, soon);
    expect(smsc.sessions("transmitter")).toEqual([transmitter]);
    const [second] = smsc.sessions("receiver");
    transmitter?.socket.resetAndDestroy();
    await vi.waitFor(() => {
      expect(smsc.sessions("transmitter")).toHaveLength(1);
      expect(smsc.sessions("transmitter")).not.toContain(transmitter);
    }, soon);
    expect(smsc.sessions("receiver")).toEqual([second]);
    expect(await smsc.deliver({ ...answer, short_message: "Hi" }, second)).toBe(0);
    expect(await world.smpp.send(over, message(), { http })).toMatchObject({ kind: "sent" });
    expect(listener.inbound()).toHaveLength(1);
  });

  it("are both asked whether the other side is still there", async () => {
    const smsc = await withoutTransceiver();
    const over = connection(smsc.port, separate);
    over.settings = { ...over.settings, enquireLinkSeconds: 0.1 };
    world.listen(over);
    await vi.waitFor(() => {
      expect(smsc.links.checks.transmitter).toBeGreaterThan(1);
      expect(smsc.links.checks.receiver).toBeGreaterThan(1);
    }, soon);
    // Neither answers any more: both are replaced.
    smsc.links.answersLinks = false;
    await vi.waitFor(() => expect(smsc.links.binds).toBeGreaterThanOrEqual(4), soon);
  });

  it("are as many of each kind as the connection says, and no more however much is sent", async () => {
    const { smsc, over } = await boundApart({ binds: 2, window: 3 });
    const outcomes = await Promise.all(
      Array.from({ length: 40 }, () => world.smpp.send(over, message(), { http })),
    );
    expect(outcomes.every(({ kind }) => kind === "sent")).toBe(true);
    expect([smsc.sessions("transmitter").length, smsc.sessions("receiver").length]).toEqual([2, 2]);
    expect(smsc.links.binds).toBe(4);
  });

  it("share what the account allows: a refused receiver stops no message, and is asked for again", async () => {
    const smsc = await withoutTransceiver();
    smsc.links.mostSessions = 1;
    const over = connection(smsc.port, separate);
    expect(await world.smpp.send(over, message(), { http })).toMatchObject({ kind: "sent" });
    // Without a listener there is nobody to receive for.
    expect(smsc.links.binds).toBe(1);
    world.listen(over);
    await vi.waitFor(() => expect(smsc.links.binds).toBeGreaterThan(2), soon);
    expect(smsc.bound()).toBe(1);
    expect(await world.smpp.send(over, message(), { http })).toMatchObject({ kind: "sent" });
    smsc.links.mostSessions = 2;
    await vi.waitFor(() => expect(smsc.sessions("receiver")).toHaveLength(1), soon);
  });

  it("end in order", async () => {
    const { smsc, listener } = await boundApart();
    await listener.close();
    expect(smsc.links.unbinds).toBe(2);
  });
});

describe("a session as transmitter only", () => {
  it("asks for no receipts, and its messages end as sent", async () => {
    const smsc = await withoutTransceiver();
    const over = connection(smsc.port, { bindAs: "transmitter" });
    world.listen(over);
    await vi.waitFor(() => expect(smsc.sessions("transmitter")).toHaveLength(1), soon);
    expect(await world.smpp.send(over, message(), { http })).toMatchObject({ kind: "sent", final: true });
    expect(smsc.messages).toMatchObject([{ registeredDelivery: 0 }]);
    expect(smsc.bound()).toBe(1);
    const hasReceipts = (settings: Record<string, unknown>) =>
      smppAdapter.hasReceipts("sms", smppSettingsSchema.parse({ host: "smsc.example", ...settings }));
    expect([hasReceipts({}), hasReceipts(separate), hasReceipts({ bindAs: "transmitter" })]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

describe("a session as receiver only", () => {
  it("receives, and leaves messages to other connections without dialling", async () => {
    const smsc = await withoutTransceiver();
    const over = connection(smsc.port, { bindAs: "receiver" });
    const outcome = await world.smpp.send(over, message(), { http });
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "failover", code: "provider_rejected" });
    expect(smsc.links.binds).toBe(0);
    const listener = world.listen(over);
    await vi.waitFor(() => expect(smsc.sessions("receiver")).toHaveLength(1), soon);
    expect(await smsc.deliver({ ...answer, short_message: "Hi" })).toBe(0);
    expect(listener.inbound()).toMatchObject([{ text: "Hi" }]);
  });
});

describe("a test of the connection", () => {
  it("says which setting to change when the message centre takes no transceiver", async () => {
    const smsc = await withoutTransceiver();
    expect(await world.smpp.test(connection(smsc.port), { http })).toEqual({
      ok: false,
      problem:
        "The provider takes no session as transceiver: set “Bind as” to “separate” (ESME_RINVCMDID 0x00000003)",
    });
  });

  it("binds as transmitter and as receiver one after the other, and says which of them failed", async () => {
    const smsc = await withoutTransceiver();
    smsc.links.mostSessions = 1;
    const over = connection(smsc.port, separate);
    expect(await world.smpp.test(over, { http })).toEqual({
      ok: true,
      facts: [{ label: "Message centre", value: "fake-smsc" }],
    });
    expect(smsc.links).toMatchObject({ binds: 2, unbinds: 2 });
    smsc.links.takes = ["transmitter"];
    expect(await world.smpp.test(over, { http })).toMatchObject({
      ok: false,
      problem: expect.stringMatching(/^As receiver: .*“Bind as” to “transceiver”/) as string,
    });
    expect(await world.smpp.test(connection(smsc.port, { bindAs: "transmitter" }), { http })).toMatchObject({
      ok: true,
    });
  });
});
