import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { smppWorld } from "../../testing/smpp-world.ts";
import { readDelivery } from "./smpp-pdu.ts";
import { withHeader } from "./smpp-text.ts";

const world = smppWorld();
const { connection, http, message } = world;
const soon = { timeout: 10_000, interval: 20 };
const { notificationId } = message();

/** A message centre with one bound listener. */
async function bound(settings: Record<string, unknown> = {}, answer?: Parameters<typeof world.listen>[1]) {
  const smsc = await world.smsc();
  const over = connection(smsc.port, settings);
  const listener = world.listen(over, answer);
  await vi.waitFor(() => expect(smsc.bound()).toBe(1), soon);
  return { smsc, over, listener };
}

const inbound = (fields: Record<string, unknown>) => ({
  source_addr: "4915112345678",
  source_addr_ton: 1,
  destination_addr: "70700",
  data_coding: 0,
  ...fields,
});

describe("receipts", () => {
  it.each([
    ["DELIVRD", "delivered", undefined],
    ["UNDELIV", "failed", "undeliverable"],
    ["EXPIRED", "failed", "expired"],
    ["REJECTD", "failed", "provider_rejected"],
    ["DELETED", "failed", "provider_failed"],
    ["ENROUTE", "sent", undefined],
    ["ACCEPTD", "sent", undefined],
    ["UNKNOWN", undefined, undefined],
  ])("in the form of text say %s", async (state, status, code) => {
    const { smsc, listener } = await bound();
    expect(await smsc.sendReceipt("0A1F", state, { error: "027" })).toBe(0);
    expect(listener.receipts()).toHaveLength(1);
    const [receipt] = listener.receipts();
    expect(receipt?.providerMessageId).toBe("0A1F");
    expect(receipt?.status).toBe(status);
    expect(receipt?.code).toBe(code);
    expect(receipt?.providerCode).toBe(code === undefined ? undefined : "027");
  });

  it("in the form of parameters win over the text", async () => {
    const { smsc, listener } = await bound();
    await smsc.sendReceipt("other", "UNDELIV", { fields: { receipted_message_id: "77", message_state: 2 } });
    await smsc.deliver({
      source_addr: "1",
      destination_addr: "2",
      esm_class: 0,
      data_coding: 0,
      receipted_message_id: "78",
      message_state: 5,
      network_error_code: Buffer.from([3, 0, 27]),
      short_message: "",
    });
    expect(listener.receipts()).toMatchObject([
      { providerMessageId: "77", status: "delivered" },
      { providerMessageId: "78", status: "failed", providerCode: "27" },
    ]);
  });

  it.each([
    ["submit_hex", "0A1F", "2591"],
    ["submit_decimal", "0002591", "a1f"],
    ["same", "0A1F", "0A1F"],
  ])(
    "find their message although the ids are written differently: %s",
    async (receiptIds, answered, told) => {
      const { smsc, over, listener } = await bound({ receiptIds });
      smsc.setMode({ kind: "ok", id: answered });
      const outcome = await world.smpp.send(over, message(), { http });
      await smsc.sendReceipt(told, "DELIVRD");
      const [receipt] = listener.receipts();
      expect(outcome).toMatchObject({ kind: "sent", providerMessageId: receipt?.providerMessageId });
      expect(receipt).toMatchObject({ notificationId, attempt: 1 });
    },
  );

  it("name their message even when the answer to it came too late", async () => {
    const smsc = await world.smsc({ latencyMs: 200 });
    const over = connection(smsc.port);
    const listener = world.listen(over);
    await vi.waitFor(() => expect(smsc.bound()).toBe(1), soon);
    const outcome = await world.smpp.send(over, message(), { http, timeoutMs: 50 });
    expect(outcome).toMatchObject({ kind: "unknown" });
    await vi.waitFor(async () => {
      await smsc.sendReceipt("m1", "DELIVRD");
      expect(listener.receipts().at(-1)).toMatchObject({ notificationId, status: "delivered" });
    }, soon);
  });

  it("of a long message count with its last part, and a failure with any", async () => {
    const { smsc, over, listener } = await bound();
    await world.smpp.send(over, message({ text: "a".repeat(400) }), { http });
    expect(await smsc.sendReceipt("m1", "DELIVRD")).toBe(0);
    expect(listener.receipts()).toEqual([]);
    await smsc.sendReceipt("m2", "UNDELIV");
    await smsc.sendReceipt("m3", "DELIVRD");
    expect(listener.receipts()).toMatchObject([
      { notificationId, status: "failed" },
      { notificationId, status: "delivered" },
    ]);
  });

  it("are told again where a message centre has more to tell than can be stored at once", async () => {
    let release = (): void => undefined;
    const stored = new Promise<{ unmatched: number }>((resolve) => {
      release = () => resolve({ unmatched: 0 });
    });
    const { smsc } = await bound({}, () => stored);
    const told = Array.from({ length: 2_000 }, (_, index) =>
      smsc.deliver(inbound({ short_message: `Message ${String(index)}` })),
    );
    expect(await smsc.deliver(inbound({ short_message: "One too many" }))).toBe(0x64);
    release();
    expect(new Set(await Promise.all(told))).toEqual(new Set([0]));
    expect(await smsc.deliver(inbound({ short_message: "One too many" }))).toBe(0);
  });

  it("are acknowledged only when they are stored, and told again when they cannot be", async () => {
    let release = (): void => undefined;
    let away = false;
    const stored = new Promise<void>((resolve) => (release = resolve));
    const { smsc } = await bound({}, async () => {
      if (away) throw new Error("the database is away");
      await stored;
      return { unmatched: 0 };
    });
    let acknowledged: number | undefined;
    const telling = smsc.sendReceipt("1", "DELIVRD").then((status) => (acknowledged = status));
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(acknowledged).toBeUndefined();
    release();
    await telling;
    expect(acknowledged).toBe(0);
    away = true;
    expect(await smsc.sendReceipt("2", "DELIVRD")).toBe(0x64);
  });

  it("about a message that is not known yet wait a little, and are acknowledged in the end", async () => {
    let calls = 0;
    const { smsc, listener } = await bound({}, () => Promise.resolve({ unmatched: ++calls < 3 ? 1 : 0 }));
    expect(await smsc.sendReceipt("early", "DELIVRD")).toBe(0);
    expect(listener.told).toHaveLength(3);
    calls = -10;
    expect(await smsc.sendReceipt("never", "DELIVRD")).toBe(0);
    expect(listener.told).toHaveLength(7);
  });

  it("cannot be written by a person: a text that looks like one is a message", async () => {
    const { smsc, listener } = await bound();
    await smsc.deliver(inbound({ short_message: "id:m1 sub:001 dlvrd:001 stat:DELIVRD err:000 text:" }));
    expect(listener.receipts()).toEqual([]);
    expect(listener.inbound()).toMatchObject([{ from: "+4915112345678" }]);
  });
});

describe("messages from recipients", () => {
  it.each([
    [0, Buffer.from([0x1b, 0x65, 0x35]), "€5"],
    [1, Buffer.from("a@b"), "a@b"],
    [3, Buffer.from("Grüße", "latin1"), "Grüße"],
    [8, Buffer.from("Да", "utf16le").swap16(), "Да"],
  ])("in coding %i are read as they were written", async (coding, bytes, text) => {
    const { smsc, listener } = await bound();
    expect(await smsc.deliver(inbound({ data_coding: coding, short_message: bytes }))).toBe(0);
    expect(listener.inbound()).toMatchObject([
      {
        channel: "sms",
        from: "+4915112345678",
        to: "70700",
        text,
        providerMessageId: expect.any(String) as string,
      },
    ]);
  });

  it("may be longer than a short message, or no text at all", async () => {
    const { smsc, listener } = await bound();
    const text = "long ".repeat(100);
    await smsc.deliver(inbound({ short_message: "", message_payload: Buffer.from(text) }));
    await smsc.deliver(inbound({ data_coding: 4, short_message: Buffer.from([1, 2, 3]) }));
    expect(listener.inbound()).toMatchObject([{ text }, { text: "", kind: "binary" }]);
  });

  it("in parts are told part by part, each acknowledged when it is stored", async () => {
    const { smsc, listener } = await bound();
    const partly = { esm_class: 0x40 };
    const wide = (number: number) =>
      Buffer.concat([Buffer.from([6, 8, 4, 0x12, 0x34, 2, number]), Buffer.from("w")]);
    const sar = { sar_msg_ref_num: 0x1234, sar_total_segments: 2, sar_segment_seqnum: 2 };
    // One at a time, as a message centre with a window of one sends them.
    for (const fields of [
      { ...partly, short_message: withHeader(Buffer.from("A"), 9, 2, 1) },
      { ...partly, short_message: wide(1) },
      { short_message: "s", ...sar },
    ]) {
      expect(await smsc.deliver(inbound(fields))).toBe(0);
    }
    expect(listener.inbound()).toMatchObject([
      { text: "A", part: { reference: 9, total: 2, number: 1 } },
      { text: "w", part: { reference: 0x1_1234, total: 2, number: 1 } },
      { text: "s", part: { reference: 0x2_1234, total: 2, number: 2 } },
    ]);
  });

  it.each([
    [0, 1],
    [1, 1],
    [2, 0],
    [2, 3],
  ])("that say they are of %i parts number %i are messages of their own", async (total, number) => {
    const { smsc, listener } = await bound();
    await smsc.deliver(
      inbound({ esm_class: 0x40, short_message: withHeader(Buffer.from("A"), 9, total, number) }),
    );
    expect(listener.inbound()).toEqual([expect.not.objectContaining({ part: expect.anything() as unknown })]);
  });

  it("have the same id when they are told again, and another one when somebody writes the same again", async () => {
    let away = true;
    const { smsc, listener } = await bound({}, () =>
      away ? Promise.reject(new Error("the database is away")) : Promise.resolve({ unmatched: 0 }),
    );
    const stop = inbound({ short_message: "STOP" });
    expect(await smsc.deliver(stop)).toBe(0x64);
    away = false;
    expect(await smsc.deliver(stop)).toBe(0);
    expect(await smsc.deliver(stop)).toBe(0);
    const ids = listener.inbound().map((told) => told.providerMessageId);
    expect(ids[0]).toBe(ids[1]);
    expect(ids[2]).not.toBe(ids[1]);
  });

  it.each([
    [1, "4915112345678", "+4915112345678"],
    [0, "+4915112345678", "+4915112345678"],
    [0, "004915112345678", "+4915112345678"],
    [0, "4915112345678", "+4915112345678"],
    [2, "015112345678", "015112345678"],
    [5, "Bank", "Bank"],
    [0, "70700", "70700"],
  ])("come from a number of type %i, %s", async (ton, address, from) => {
    const { smsc, listener } = await bound();
    await smsc.deliver(inbound({ source_addr: address, source_addr_ton: ton, short_message: "Hi" }));
    expect(listener.inbound()).toMatchObject([{ from }]);
  });

  it("are told again when a session without a listener meets them", async () => {
    const smsc = await world.smsc();
    await world.smpp.send(connection(smsc.port), message(), { http });
    expect(await smsc.deliver(inbound({ short_message: "Hi" }))).toBe(0x64);
  });
});

describe("a deliver_sm that nobody can read", () => {
  it("is refused, and the session stays", async () => {
    const { smsc, listener } = await bound();
    const [session] = smsc.sessions();
    const broken = Buffer.from([0, 0, 0, 18, 0, 0, 0, 5, 0, 0, 0, 0, 0, 0, 0, 7, 0x41, 0x41]);
    const answer = new Promise((resolve) => session?.once("deliver_sm_resp", resolve));
    session?.socket.write(broken);
    expect(await answer).toMatchObject({ command_status: 1, sequence_number: 7 });
    expect(await smsc.deliver(inbound({ short_message: "Hi" }))).toBe(0);
    expect(listener.inbound()).toHaveLength(1);
  });

  it("is never more than a RangeError, whatever the bytes are", () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
        try {
          readDelivery(Buffer.from(bytes));
        } catch (error) {
          expect(error).toBeInstanceOf(RangeError);
        }
      }),
    );
  });
});
