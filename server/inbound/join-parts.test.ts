import { beforeEach, describe, expect, it } from "vitest";
import type { InboundMessage } from "../adapters/adapter.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { partRules } from "./collect-parts.ts";
import { tellIncomplete } from "./join-parts.ts";
import { recordInbound } from "./record-inbound.ts";

const database = await testDatabase();
const ada = "+4915112345678";
const sender = "+4930123456";
let world: SendingWorld;
let connectionId: string;

beforeEach(async () => {
  await database.owner.query("DELETE FROM inbound_parts");
  world = await makeSendingWorld(database);
  ({ id: connectionId } = await world.addTwilio("http://127.0.0.1:9"));
});

const part = (
  number: number,
  text: string,
  { total = 3, reference = 7, from = ada }: { total?: number; reference?: number; from?: string } = {},
): InboundMessage => ({
  providerMessageId: newId(),
  channel: "sms",
  from,
  to: sender,
  text,
  part: { reference, total, number },
});

/** As one worker process would. */
const receive = (...inbound: InboundMessage[]) =>
  recordInbound({ ...world.tenant.system, db: database.worker }, { connectionId, inbound });

const texts = async (): Promise<string[]> => {
  const { rows } = await database.owner.query<{ text: string }>(
    "SELECT text FROM inbound_messages WHERE tenant_id = $1 ORDER BY id",
    [world.tenantId],
  );
  return rows.map(({ text }) => text);
};
const rows = async () =>
  (
    await database.owner.query<{ parts: Record<string, string>; joined_at: Date | null }>(
      "SELECT parts, joined_at FROM inbound_parts WHERE tenant_id = $1 ORDER BY id",
      [world.tenantId],
    )
  ).rows;
const later = (ms: number): Date => new Date(Date.now() + ms);
const tell = (after: number, record = recordInbound) =>
  tellIncomplete({ db: database.worker, log: logger() }, record, later(after));
const overdue = partRules.patienceMs + partRules.marginMs + 1_000;

describe("a message in parts", () => {
  it("is told as one, in whatever order and in however many calls the parts come", async () => {
    await receive(part(3, "C"));
    await receive(part(1, "A"));
    expect(await texts()).toEqual([]);
    await receive(part(2, "B"));
    expect(await texts()).toEqual(["ABC"]);
  });

  it("is told once when its parts reach different processes at the same moment", async () => {
    const references = Array.from({ length: 12 }, (_, index) => index);
    await Promise.all(
      references.flatMap((reference) =>
        [1, 2, 3].map((number) =>
          receive(part(number, `${String(number)} of ${String(reference)};`, { reference })),
        ),
      ),
    );
    expect((await texts()).sort()).toEqual(
      references.map((n) => `1 of ${String(n)};2 of ${String(n)};3 of ${String(n)};`).sort(),
    );
  });

  it("is told once when parts are repeated, before and after it was complete", async () => {
    await receive(part(1, "A"), part(1, "A"));
    await receive(part(1, "A"));
    await receive(part(2, "B"), part(3, "C"));
    await receive(part(2, "B"));
    await receive(part(3, "C"));
    expect(await texts()).toEqual(["ABC"]);
    await tell(overdue);
    expect(await texts()).toEqual(["ABC"]);
  });

  it("is not mixed with another sender's, another way's or another number of parts under the same reference", async () => {
    await receive(part(1, "a", { total: 2 }), part(1, "b", { total: 2, from: "+4915112345679" }));
    await receive(part(1, "c", { total: 2, reference: 0x1_0007 }), part(1, "d"));
    await receive(part(2, "a2", { total: 2 }), part(2, "b2", { total: 2, from: "+4915112345679" }));
    expect((await texts()).sort()).toEqual(["aa2", "bb2"]);
  });

  it("may use the reference of an earlier one, whether that was complete or not", async () => {
    await receive(part(1, "A", { total: 2 }), part(2, "B", { total: 2 }));
    await receive(part(1, "X", { total: 2 }));
    // The second part of that never came.
    await receive(part(1, "K", { total: 2 }), part(2, "L", { total: 2 }));
    expect(await texts()).toEqual(["AB", "KL"]);
    await tell(overdue);
    expect(await texts()).toEqual(["AB", "KL", "X[…]"]);
  });

  it("is a STOP when its parts say so together", async () => {
    await receive(part(1, "ST", { total: 2 }), part(2, "OP", { total: 2 }));
    const { rows: entries } = await database.owner.query(
      "SELECT state FROM consent_entries WHERE tenant_id = $1 AND state = 'opted_out'",
      [world.tenantId],
    );
    expect(entries.length).toBeGreaterThan(0);
  });

  it("keeps nothing of its text once it is told, and nothing at all after an hour", async () => {
    await receive(part(1, "secret one", { total: 2 }), part(2, "secret two", { total: 2 }));
    const [row] = await rows();
    expect(row?.joined_at).not.toBeNull();
    expect(JSON.stringify(row)).not.toContain("secret");
    await tell(partRules.knownMs / 2);
    expect(await rows()).toHaveLength(1);
    await tell(partRules.knownMs + 1_000);
    expect(await rows()).toEqual([]);
  });

  it("that cannot be stored keeps no other of its connection from being told", async () => {
    await receive(part(1, "bad", { total: 2 }), part(1, "good", { total: 2, reference: 8 }));
    await database.owner.query(
      "ALTER TABLE inbound_messages ADD CONSTRAINT not_bad CHECK (text NOT LIKE 'bad%') NOT VALID",
    );
    try {
      expect(await tell(overdue)).toBe(1);
      expect(await texts()).toEqual(["good[…]"]);
    } finally {
      await database.owner.query("ALTER TABLE inbound_messages DROP CONSTRAINT not_bad");
    }
    await tell(overdue);
    expect((await texts()).sort()).toEqual(["bad[…]", "good[…]"]);
  });

  it("is told again with the next repetition when it could not be stored, once", async () => {
    await receive(part(1, "A", { total: 2 }));
    await database.owner.query("ALTER TABLE inbound_messages ADD CONSTRAINT closed CHECK (false) NOT VALID");
    try {
      await expect(receive(part(2, "B", { total: 2 }))).rejects.toThrow("closed");
    } finally {
      await database.owner.query("ALTER TABLE inbound_messages DROP CONSTRAINT closed");
    }
    await receive(part(2, "B", { total: 2 }));
    await receive(part(2, "B", { total: 2 }));
    expect(await texts()).toEqual(["AB"]);
  });

  it("stays in its organisation", async () => {
    await receive(part(1, "A", { total: 2 }));
    const stranger = await makeSendingWorld(database);
    await recordInbound(
      { ...stranger.tenant.system, db: database.worker },
      { connectionId, inbound: [part(2, "B", { total: 2 })] },
    );
    expect(await texts()).toEqual([]);
  });
});

describe("parts that never come", () => {
  it("are marked in a message that is told without them, after its time and not before", async () => {
    await receive(part(2, "B", { total: 4 }));
    expect(await tell(partRules.patienceMs - 1_000)).toBe(0);
    expect(await texts()).toEqual([]);
    expect(await tell(overdue)).toBe(1);
    expect(await tell(overdue)).toBe(0);
    expect(await texts()).toEqual(["[…]B[…]"]);
  });

  it("and then come late are told, too", async () => {
    await receive(part(1, "A", { total: 2 }));
    await tell(overdue);
    await receive(part(1, "A", { total: 2 }));
    await receive(part(2, "B", { total: 2 }));
    await tell(overdue);
    expect(await texts()).toEqual(["A[…]", "[…]B"]);
  });

  it("of one connection that cannot be stored delay no other's, and are given up after a day", async () => {
    await receive(part(1, "A", { total: 2 }));
    const other = await makeSendingWorld(database);
    const { id } = await other.addTwilio("http://127.0.0.1:9");
    await recordInbound(
      { ...other.tenant.system, db: database.worker },
      { connectionId: id, inbound: [part(1, "O", { total: 2 })] },
    );
    const failing: typeof recordInbound = (ctx, input) =>
      input.connectionId === connectionId ? Promise.reject(new Error("no")) : recordInbound(ctx, input);
    expect(await tell(overdue, failing)).toBe(1);
    expect(await rows()).toHaveLength(1);
    await tell(partRules.keptMs + 1_000, failing);
    expect(await rows()).toEqual([]);
  });
});

describe("a flood of parts", () => {
  it("of one sender fills no more than its bound, and each further part is told at once", async () => {
    const flood = Array.from({ length: partRules.mostOfSender + 5 }, (_, reference) =>
      part(1, `f${String(reference)}`, { reference, total: 255 }),
    );
    await receive(...flood.slice(0, 10));
    await receive(...flood.slice(10));
    expect(await rows()).toHaveLength(partRules.mostOfSender);
    expect((await texts()).sort()).toEqual([20, 21, 22, 23, 24].map((n) => `f${String(n)}[…]`));
    // Others are not affected.
    const other = "+4915112345679";
    await receive(part(1, "A", { total: 2, from: other }), part(2, "B", { total: 2, from: other }));
    expect(await texts()).toContain("AB");
  });

  it("from many senders is bounded for the connection", async () => {
    const flood = Array.from({ length: partRules.mostOfConnection + 3 }, (_, index) =>
      part(1, "f", { from: `+49151${String(20_000_000 + index)}` }),
    );
    for (let from = 0; from < flood.length; from += 200) await receive(...flood.slice(from, from + 200));
    expect(await rows()).toHaveLength(partRules.mostOfConnection);
    expect(await texts()).toHaveLength(3);
  }, 60_000);

  it("that are complete is bounded as well: the oldest are forgotten", async () => {
    await receive(part(1, "A", { total: 2 }), part(2, "B", { total: 2 }));
    await database.owner.query(
      `INSERT INTO inbound_parts (tenant_id, id, connection_id, channel, address, own_address, reference, total, parts, first_at, joined_at)
       SELECT tenant_id, gen_random_uuid(), connection_id, channel, address || i, own_address, reference, total, parts,
         first_at - interval '1 minute', joined_at - interval '1 minute'
       FROM inbound_parts, generate_series(2, $2::int) AS i WHERE tenant_id = $1`,
      [world.tenantId, partRules.mostRows],
    );
    await receive(part(1, "C", { total: 2, reference: 8 }));
    expect(await rows()).toHaveLength(partRules.mostRows);
    await receive(part(2, "D", { total: 2, reference: 8 }), part(2, "B", { total: 2 }));
    expect(await texts()).toEqual(["AB", "CD"]);
  });

  it("with more text than an SMS has is a message of its own", async () => {
    await receive(part(1, "x".repeat(partRules.longest + 1)));
    expect(await rows()).toEqual([]);
    expect(await texts()).toEqual(["x".repeat(partRules.longest + 1)]);
  });
});
