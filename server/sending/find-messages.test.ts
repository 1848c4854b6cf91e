import { beforeEach, describe, expect, test } from "vitest";
import { exportOperations } from "../exports/operations.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant, inTransaction } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { purgeRetention } from "../privacy/purge.ts";
import { requestErasure } from "../privacy/request-erasure.ts";
import { runErasure } from "../privacy/run-erasure.ts";
import { erasureInputSchema } from "../privacy/schemas.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { rowsRead } from "../testing/rows-read.ts";
import { makeSendingWorld, messageId } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { tryLockWords } from "./address-word-queries.ts";
import { forgetWords, indexAddresses } from "./index-addresses.ts";
import { listNotifications } from "./list-notifications.ts";
import { notificationOperations } from "./operations.ts";

const database = await testDatabase();
const sql = database.owner;
const ada = { sms: "+4915112345678", email: "anna.mueller@gmx.de" };
const minute = 60_000;

let world: SendingWorld;
let owner: Ctx;
let place: { environmentId: string; limit: number };
beforeEach(async () => {
  world = await makeSendingWorld(database);
  owner = world.tenant.as("owner");
  place = { environmentId: world.tenant.environments.production, limit: 50 };
});

const index = (options: Parameters<typeof indexAddresses>[1] = {}) =>
  indexAddresses({ db: database.worker, log: logger() }, { now: Date.now() + 2 * minute, ...options });
const send = (channel: "sms" | "email", recipient: string, of = world) =>
  of.send({ recipients: [{ channel, recipient }] });
const found = async (search: string, ctx = owner) =>
  (await notificationOperations.list.call(ctx, { ...place, search })).data.map(({ to }) => to).sort();
const words = async (tenantId = world.tenantId) => {
  const { rows } = await sql.query<{ address: string }>(
    "SELECT address FROM address_words WHERE tenant_id = $1 ORDER BY word",
    [tenantId],
  );
  return rows.map(({ address }) => address);
};

describe("a search for messages", () => {
  const forms = [
    ...["+4915112345678", "4915112345678", "0049 151 12345678", "+49 (0)151 123-456.78", "0151 12345678"],
    ...["5678", "12345678"],
  ].map((form) => [form, ada.sms]);
  const parts = ["anna.mueller@gmx.de", "mueller", "Mueller@gm", "gmx.de"].map((part) => [part, ada.email]);

  test("finds the person by each form of their address, at once and after the worker has indexed it", async () => {
    await send("sms", ada.sms);
    await send("email", ada.email);
    await send("sms", "+4915187654321");
    for (const indexed of [false, true]) {
      if (indexed) expect(await index()).toBeGreaterThanOrEqual(3);
      for (const [form = "", address] of [...forms, ...parts])
        expect(await found(form), `${form}, indexed: ${String(indexed)}`).toEqual([address]);
      for (const none of ["567", "ueller", "+4915112345679", "nobody"]) expect(await found(none)).toEqual([]);
    }
    expect(await found("+49 151 8765-4321")).toEqual(["+4915187654321"]);
    const { data } = await listNotifications(owner, { ...place, to: "0151 1234 5678" });
    expect(data.map(({ to }) => to)).toEqual([ada.sms]);
  });

  test("finds a transaction and a message as before, whatever the id looks like", async () => {
    const sent = await world.send({ transactionId: "2024-77/A" });
    for (const search of ["2024-77/A", messageId(sent), sent.requestId])
      expect(await found(search)).toEqual([ada.sms]);
    expect(await found("2024-77")).toEqual([]);
  });

  test("says what it looked for", async () => {
    const said = async (search: string, ctx = owner) =>
      (await notificationOperations.list.call(ctx, { ...place, search })).searched;
    expect(await said("949644")).toEqual({
      addresses: ["+49949644"],
      endings: ["949644"],
      word: "949644",
      id: false,
      hidden: false,
      more: false,
    });
    expect(await said("443")).toMatchObject({ addresses: [], endings: [], word: "443" });
    expect(await said("mueller@gm")).toMatchObject({ addresses: ["mueller@gm"], word: "mueller@gm" });
    expect(await said("949644", world.tenant.as("auditor"))).toMatchObject({ hidden: true, endings: [] });
  });

  test("shows the messages of 200 addresses, says that there are more, and makes no file without the others", async () => {
    for (let part = 0; part < 3; part++) {
      await world.send({
        recipients: Array.from({ length: 70 }, (_, each) => ({
          channel: "email" as const,
          recipient: `person${String(part * 70 + each)}@many.example`,
        })),
      });
    }
    await index();
    const asked = { environmentId: place.environmentId, search: "many.example" };
    const page = await notificationOperations.list.call(owner, { ...asked, limit: 200 });
    expect([page.data.length, page.searched?.more]).toEqual([200, true]);
    expect(await notificationOperations.count.call(owner, asked)).toEqual({ count: 200, more: true });
    const error = await refusal(exportOperations.request.call(owner, { kind: "messages", filter: asked }));
    expect(error).toMatchObject({ code: "invalid_request" });
    const narrower = await notificationOperations.list.call(owner, { ...place, search: "person209@many" });
    expect([narrower.data.length, narrower.searched?.more]).toEqual([1, false]);
  });

  test("reads no more of a hundred thousand words, nor of the messages, than it finds", async () => {
    const sent = messageId(await send("email", ada.email));
    await sql.query(
      `INSERT INTO notifications SELECT (jsonb_populate_record(m, jsonb_build_object('id', uuidv7(), 'recipient', 'bea' || n || '@example.com'))).*
       FROM notifications m, generate_series(1, 20000) AS n WHERE m.tenant_id = $1 AND m.id = $2`,
      [world.tenantId, sent],
    );
    while ((await index()) > 0);
    await sql.query(
      `INSERT INTO address_words SELECT $1, false, 'other' || n || '@example.com', 'other' || n || '@example.com', now()
       FROM generate_series(1, 100000) AS n`,
      [world.tenantId],
    );
    await sql.query("ANALYZE address_words");
    await sql.query("ANALYZE notifications");
    const month = new Date().toISOString().slice(0, 7).replace("-", "_");
    const read = async () => [
      await rowsRead(database, "address_words"),
      await rowsRead(database, `notifications_${month}`),
    ];
    const before = await read();
    for (const search of ["mueller@gm", "nobody", "949644"]) await found(search);
    const after = await read();
    for (const [place, count] of after.entries()) expect(count - (before[place] ?? 0)).toBeLessThan(100);
  }, 120_000);

  test("pages through one address newest first, without gaps", async () => {
    for (let each = 0; each < 5; each++) await send("sms", ada.sms);
    const ids: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await listNotifications(owner, { ...place, search: "345678", limit: 2, cursor });
      ids.push(...page.data.map(({ notificationId }) => notificationId));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(ids).toHaveLength(5);
    expect(ids).toEqual([...ids].sort().reverse());
  });
});

describe("a search by a part of an address", () => {
  const grant = (unitId: string | null, ...permissions: string[]) => ({
    permissions: new Set(permissions),
    unitId,
    applicationId: null,
    environmentId: null,
  });
  const parts = ["5678", "0151 12345678", "4915112345678", "anna", "mueller", "gmx.de"];

  test("finds nothing for somebody who sees no addresses, and answers the same whether there is one or not", async () => {
    await send("sms", ada.sms);
    await send("email", ada.email);
    await index();
    const blind = world.tenant.as("auditor");
    expect((await notificationOperations.list.call(blind, place)).data).toHaveLength(2);
    for (const part of parts) {
      const { data, searched } = await notificationOperations.list.call(blind, { ...place, search: part });
      expect(data, part).toEqual([]);
      expect(searched, part).toEqual({
        addresses: [],
        endings: [],
        word: null,
        id: false,
        hidden: true,
        more: false,
      });
      const counted = { environmentId: place.environmentId, search: part };
      expect(await notificationOperations.count.call(blind, counted)).toEqual({ count: 0, more: false });
    }
    for (const whole of ["mueller@gm", "+49 151 12345678", ada.email])
      expect(await refusal(found(whole, blind))).toMatchObject({ code: "permission_denied" });
  });

  test("finds what is of the teams in which somebody sees addresses, and tells of no other", async () => {
    await send("sms", ada.sms);
    await send("email", ada.email);
    const member = (unitId: string | null): Ctx => ({
      ...owner,
      grants: [grant(null, "notifications:read"), grant(unitId, "content:reveal")],
    });
    const reader = (unitId: string | null): Ctx => ({
      ...owner,
      grants: [grant(unitId, "notifications:read"), grant(null, "content:reveal")],
    });
    const { alpha, beta } = world.tenant.units;
    for (const indexed of [false, true]) {
      if (indexed) await index();
      for (const part of parts) {
        expect(await found(part, member(alpha)), part).toHaveLength(1);
        expect(await found(part, reader(alpha)), part).toHaveLength(1);
        for (const other of [member(beta), reader(beta)]) {
          const page = await notificationOperations.list.call(other, { ...place, search: part });
          expect([page.data, page.searched?.more], part).toEqual([[], false]);
        }
      }
    }
  });

  test("finds nothing of another organisation", async () => {
    const other = await makeSendingWorld(database);
    await send("email", ada.email, other);
    await index();
    expect(await words(other.tenantId)).not.toEqual([]);
    for (const part of parts) expect(await found(part)).toEqual([]);
    const seen = await inTenant(owner, (tx) => tx.$queryRaw<object[]>`SELECT * FROM address_words`);
    expect(seen).toEqual([]);
  });
});

describe("the words of addresses", () => {
  test("of messages that were there before come with the first turn, and each message is read once", async () => {
    await send("email", ada.email);
    await send("email", ada.email);
    expect(await index()).toBeGreaterThanOrEqual(2);
    const before = await words();
    expect(before).toHaveLength(3);
    expect(await index()).toBe(0);
    await send("email", ada.email);
    expect(await index()).toBe(1);
    expect(await words()).toEqual(before);
  });

  test("leave out the last minute, in which messages with older ids may still be committed", async () => {
    await send("email", ada.email);
    expect(await index({ now: Date.now() })).toBe(0);
    expect(await words()).toEqual([]);
    expect(await found("mueller")).toEqual([ada.email]);
  });

  test("of a flood hold up no other organisation, and none of it is lost", async () => {
    const other = await makeSendingWorld(database);
    for (let each = 0; each < 30; each++) await send("email", `flood${String(each)}@example.com`);
    await send("email", ada.email, other);
    let turns = 0;
    // A turn that is over as soon as each had a portion.
    while ((await words(other.tenantId)).length === 0) {
      expect(turns++).toBeLessThan(20);
      await index({ portion: 5, turnMs: 5 });
    }
    while ((await index({ portion: 5 })) > 0);
    expect(new Set(await words()).size).toBe(30);
  });

  test("are kept until the last message has lost its address, and no longer", async () => {
    await send("email", ada.email);
    await index();
    const run = (days: number) =>
      purgeRetention(
        { db: database.worker, log: logger() },
        { now: new Date(Date.now() + days * 86_400_000), restHours: 0, restFactor: 0 },
      );
    await run(89);
    expect(await words()).toHaveLength(3);
    await run(92);
    expect(await words()).toEqual([]);
  });

  test("know the newest day on which the address was written to", async () => {
    await send("email", ada.email);
    await index();
    await sql.query("UPDATE address_words SET seen_on = '2020-01-01' WHERE tenant_id = $1", [world.tenantId]);
    await send("email", ada.email);
    await index();
    const { rows } = await sql.query(
      "SELECT DISTINCT seen_on > '2020-01-01' AS newer FROM address_words WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows).toEqual([{ newer: true }]);
  });

  test("go with a recipient who is erased, in the sandbox as well, and do not come back", async () => {
    await send("email", ada.email);
    await send("email", "bea@gmx.de");
    await index();
    await sql.query(
      "INSERT INTO address_words SELECT tenant_id, true, word, address, seen_on FROM address_words WHERE tenant_id = $1",
      [world.tenantId],
    );
    const { id } = await requestErasure(owner, erasureInputSchema.parse({ addresses: [ada.email] }));
    const state = async () =>
      (await sql.query<{ state: string }>("SELECT state FROM erasures WHERE id = $1", [id])).rows[0]?.state;
    while ((await state()) !== "done")
      await runErasure({ db: database.worker }, { tenantId: world.tenantId, erasureId: id });
    expect([...new Set(await words())]).toEqual(["bea@gmx.de"]);
    await sql.query("DELETE FROM address_word_marks WHERE tenant_id = $1", [world.tenantId]);
    await index();
    expect([...new Set(await words())]).toEqual(["bea@gmx.de"]);
    expect(await found("mueller")).toEqual([]);
  }, 120_000);

  test("that are just being written are waited for by an erasure", async () => {
    const order: string[] = [];
    let forgotten: Promise<unknown> | undefined;
    await inTransaction(database.worker.pool, "BEGIN", async (client) => {
      expect(await tryLockWords(client, world.tenantId)).toBe(true);
      forgotten = inTenant({ ...owner, db: database.worker }, (tx) =>
        forgetWords(tx, world.tenantId, [ada.email]),
      ).then(() => order.push("forgotten"));
      await client.query(
        "INSERT INTO address_words VALUES ($1, false, $2, $2, now()), ($1, false, 'gmx.de', $2, now())",
        [world.tenantId, ada.email],
      );
      await client.query("SELECT pg_sleep(0.3)");
      order.push("written");
    });
    await forgotten;
    expect(order).toEqual(["written", "forgotten"]);
    expect(await words()).toEqual([]);
  });
});
