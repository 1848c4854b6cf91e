import { beforeAll, describe, expect, test } from "vitest";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { TestTenant } from "../testing/factories.ts";
import { readRecipients } from "./read-groups.ts";
import { upsertContacts } from "./upsert-contacts.ts";
import type { ContactRow, RowResult } from "./upsert-contacts.ts";

/* Many contacts at once: what an import and a batch build on. */

const database = await testDatabase();
let tenant: TestTenant;
let numbers = 0;

beforeAll(async () => {
  tenant = await makeTenant(database);
});

const phone = () => `+49151${String(10_000_000 + numbers++)}`;
const sms = (address: string) => ({ channel: "sms" as const, address });
const email = (address: string) => ({ channel: "email" as const, address });
const upsert = (rows: ContactRow[]) =>
  inTenant(tenant.system, (tx) => upsertContacts(tx, tenant.system, rows));
const idOf = (result: RowResult | undefined) => (result && "contactId" in result ? result.contactId : "");
const read = async (id: string) =>
  (await inTenant(tenant.system, (tx) => readRecipients(tx, tenant.tenantId, [id])))[0];

describe("upserted contacts", () => {
  test("are created, changed and left alone; what a row leaves out stays", async () => {
    const address = phone();
    const row = { externalId: newId(), name: "Ada", region: "GB", addresses: [sms(address)] };
    const [first] = await upsert([{ ...row, attributes: { plan: "gold", city: "London" } }]);
    expect(first?.status).toBe("created");
    expect(await upsert([row])).toEqual([{ status: "unchanged", contactId: idOf(first) }]);
    expect(
      await upsert([
        {
          externalId: row.externalId,
          name: null,
          language: "en",
          attributes: { plan: null, since: "2024-01-31" },
        },
      ]),
    ).toEqual([{ status: "updated", contactId: idOf(first) }]);
    expect(await read(idOf(first))).toMatchObject({
      name: null,
      region: "GB",
      language: "en",
      attributes: { city: "London", since: "2024-01-31" },
      addresses: [sms(address)],
    });
  });

  test("are recognised by external id, else by an address in any spelling; the address of a row is written to from now on", async () => {
    const old = `${newId()}@example.com`;
    const [first] = await upsert([{ addresses: [email(old.toUpperCase())] }]);
    const externalId = newId();
    const fresh = `${newId()}@example.com`;
    expect(await upsert([{ externalId, addresses: [email(old)] }])).toEqual([
      { status: "updated", contactId: idOf(first) },
    ]);
    expect(await upsert([{ externalId, addresses: [email(fresh)] }])).toEqual([
      { status: "updated", contactId: idOf(first) },
    ]);
    expect((await read(idOf(first)))?.addresses).toEqual([email(fresh)]);
    expect(await upsert([{ addresses: [email(old)] }])).toMatchObject([{ contactId: idOf(first) }]);
  });

  test("of one call are merged in their order when they are the same", async () => {
    const [a, b] = [phone(), phone()];
    const results = await upsert([
      { name: "First", addresses: [sms(a)] },
      { name: "Second", addresses: [sms(a), sms(b)] },
      { region: "DE", addresses: [sms(b)] },
    ]);
    expect(results.map(({ status }) => status)).toEqual(["created", "updated", "updated"]);
    expect(new Set(results.map(idOf)).size).toBe(1);
    expect(await read(idOf(results[0]))).toMatchObject({ name: "Second", region: "DE", addresses: [sms(b)] });
  });

  test("have errors of their own, which keep no other from being written", async () => {
    const [a, b, c] = [phone(), phone(), phone()];
    const theirs = newId();
    await upsert([{ addresses: [sms(a)] }, { externalId: theirs, addresses: [sms(b)] }]);
    const results = await upsert([
      { addresses: [sms(a), sms(b)] },
      { externalId: theirs, addresses: [sms(a)] },
      { externalId: newId(), addresses: [sms(b)] },
      { addresses: [] },
      { addresses: [sms("0151 123")] },
      { region: "Germany", addresses: [sms(c)] },
      { timeZone: "+02:00", addresses: [sms(c)] },
      { attributes: { "no name": "x" }, addresses: [sms(c)] },
      { addresses: [sms(c)], groupIds: [newId()] },
      { addresses: Array.from({ length: 6 }, () => sms(phone())) },
      { name: "Fine", timeZone: "Europe/Berlin", addresses: [sms(c)] },
    ]);
    expect(results.map((row) => (row.status === "error" ? `${row.field}: ${row.code}` : row.status))).toEqual(
      [
        "addresses: several_contacts",
        "externalId: several_contacts",
        "externalId: other_external_id",
        ": nothing_to_recognise",
        "addresses.0.address: invalid_recipient",
        "region: invalid",
        "timeZone: invalid",
        "attributes.no name: invalid",
        "groupIds: unknown_group",
        "addresses: too_many_addresses",
        "created",
      ],
    );
  });

  test("join groups, which counts as a change once", async () => {
    const groupId = newId();
    const now = new Date();
    await inTenant(tenant.system, (tx) =>
      tx.contactGroup.create({
        data: {
          tenantId: tenant.tenantId,
          id: groupId,
          name: "Joined",
          kind: "static",
          createdAt: now,
          updatedAt: now,
        },
      }),
    );
    const row = { addresses: [sms(phone())] };
    await upsert([row]);
    expect(await upsert([{ ...row, groupIds: [groupId] }])).toMatchObject([{ status: "updated" }]);
    expect(await upsert([{ ...row, groupIds: [groupId] }])).toMatchObject([{ status: "unchanged" }]);
  });

  test("never share an address, however many write at once", async () => {
    const address = phone();
    const results = await Promise.all(
      Array.from({ length: 8 }, (_, index) => upsert([{ name: String(index), addresses: [sms(address)] }])),
    );
    expect(new Set(results.flat().map(idOf)).size).toBe(1);
    expect(results.flat().filter(({ status }) => status === "created")).toHaveLength(1);
  });

  test("of another organisation are not these", async () => {
    const other = await makeTenant(database);
    const address = phone();
    const [mine] = await upsert([{ externalId: address, addresses: [sms(address)] }]);
    const [theirs] = await inTenant(other.system, (tx) =>
      upsertContacts(tx, other.system, [{ externalId: address, addresses: [sms(address)] }]),
    );
    expect(theirs?.status).toBe("created");
    expect(idOf(theirs)).not.toBe(idOf(mine));
  });

  test("take the same few statements, whether one or a thousand", async () => {
    const rows = Array.from({ length: 1_000 }, (_, index) => ({
      externalId: newId(),
      name: `Number ${String(index)}`,
      attributes: { number: String(index) },
      addresses: [sms(phone()), email(`${newId()}@example.com`)],
    }));
    let statements = 0;
    const results = await inTenant(tenant.system, (tx) => {
      const counted = new Proxy(tx, {
        get: (target, name: keyof Tx) => {
          if (typeof name === "string" && name.startsWith("$")) statements++;
          const member = target[name] as unknown;
          return typeof member === "function" ? (member.bind(target) as unknown) : member;
        },
      });
      return upsertContacts(counted, tenant.system, rows);
    });
    expect(new Set(results.map(({ status }) => status))).toEqual(new Set(["created"]));
    expect(statements).toBeLessThanOrEqual(8);
  });
});

test("the first of many make the tables of contacts known to the planner, whose plans for empty tables read all of one for each row", async () => {
  await upsert(Array.from({ length: 200 }, () => ({ addresses: [sms(phone())] })));
  const { rows } = await database.owner.query<{ known: string }>(
    `SELECT relname AS known FROM pg_class WHERE reltuples > 0
       AND relname IN ('contacts', 'contact_addresses') ORDER BY 1`,
  );
  expect(rows.map(({ known }) => known)).toEqual(["contact_addresses", "contacts"]);
});
