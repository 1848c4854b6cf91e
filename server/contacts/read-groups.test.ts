import { beforeAll, describe, expect, test } from "vitest";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { TestTenant } from "../testing/factories.ts";
import { listGroups } from "./manage-groups.ts";
import { findGroups, groupPage, readGroups, readRecipients } from "./read-groups.ts";

/* What sending to groups builds on. */

const database = await testDatabase();
let tenant: TestTenant;
let other: TestTenant;
const now = new Date();

beforeAll(async () => {
  tenant = await makeTenant(database);
  other = await makeTenant(database);
});

async function addContacts(of: TestTenant, regions: string[]): Promise<string[]> {
  const rows = regions.map((region) => ({
    tenantId: of.tenantId,
    id: newId(),
    region,
    attributes: {},
    createdAt: now,
    updatedAt: now,
  }));
  await inTenant(of.system, (tx) => tx.contact.createMany({ data: rows }));
  return rows.map(({ id }) => id);
}

async function addGroup(of: TestTenant, name: string, filter?: object): Promise<string> {
  const id = newId();
  await inTenant(of.system, (tx) =>
    tx.contactGroup.create({
      data: {
        tenantId: of.tenantId,
        id,
        name,
        kind: filter ? "filter" : "static",
        ...(filter ? { filter } : {}),
        createdAt: now,
        updatedAt: now,
      },
    }),
  );
  return id;
}

const join = (of: TestTenant, groupId: string, contactIds: string[]) =>
  inTenant(of.system, (tx) =>
    tx.contactGroupMember.createMany({
      data: contactIds.map((contactId) => ({ tenantId: of.tenantId, groupId, contactId, addedAt: now })),
    }),
  );

async function everyPage(groupId: string, limit: number): Promise<{ ids: string[]; pages: number }> {
  const ids: string[] = [];
  let pages = 0;
  for (let after: string | null = null; ; pages++) {
    const page = await groupPage(database.worker.pool, {
      tenantId: tenant.tenantId,
      groupId,
      after,
      limit,
    });
    ids.push(...page.contactIds);
    after = page.next;
    if (after === null) return { ids, pages: pages + 1 };
  }
}

describe("groups", () => {
  let ids: string[];
  beforeAll(async () => {
    ids = await addContacts(tenant, ["DE", "FR", "FR", "FR", "DE", "AT", "DE"]);
  });

  test("are found by name as it is written, without spaces around it, and only the tenant's own", async () => {
    const id = await addGroup(tenant, "News");
    await addGroup(other, "News");
    await addGroup(other, "Theirs");
    expect(await readGroups(tenant.system, [" News ", "news", "Theirs"])).toEqual([
      { id, name: "News", kind: "static", size: null },
    ]);
  });

  test("give every member once, page by page; what adds and removes members counts them", async () => {
    const groupId = await addGroup(tenant, "Listed");
    await join(tenant, groupId, ids.slice(1, 6));
    expect(await everyPage(groupId, 2)).toEqual({ ids: ids.slice(1, 6), pages: 3 });
    expect(await readGroups(tenant.system, ["Listed"])).toMatchObject([{ size: 5 }]);
    const [gone = ""] = await addContacts(tenant, ["DE"]);
    await join(tenant, groupId, [gone]);
    await inTenant(tenant.system, (tx) =>
      tx.contact.delete({ where: { tenantId_id: { tenantId: tenant.tenantId, id: gone } } }),
    );
    expect(await readGroups(tenant.system, ["Listed"])).toMatchObject([{ size: 5 }]);
  });

  test("by filter give who matches now; a page without a match is not the end", async () => {
    const groupId = await addGroup(tenant, "Germans", {
      all: [{ field: "region", op: "is", value: "DE" }],
    });
    const found = await everyPage(groupId, 2);
    expect(found.ids).toEqual([ids[0], ids[4], ids[6]]);
    expect(found.pages).toBe(4);
    expect(
      await groupPage(database.worker.pool, {
        tenantId: tenant.tenantId,
        groupId,
        after: ids[0] ?? null,
        limit: 2,
      }),
    ).toEqual({ contactIds: [], next: ids[2] });
  });

  test("that are gone, or another tenant's, have nobody", async () => {
    const groupId = await addGroup(other, "Away");
    for (const id of [groupId, newId()]) {
      expect(
        await groupPage(database.worker.pool, {
          tenantId: tenant.tenantId,
          groupId: id,
          after: null,
          limit: 10,
        }),
      ).toEqual({ contactIds: [], next: null });
    }
  });

  test("recipients come with the address of each channel that is written to, from a pool and within a transaction", async () => {
    const [id = "", foreign = ""] = [ids[0], (await addContacts(other, ["DE"]))[0]];
    const address = (channel: string, text: string, position: number) => ({
      tenantId: tenant.tenantId,
      contactId: id,
      channel,
      address: text,
      position,
      createdAt: now,
    });
    await inTenant(tenant.system, (tx) =>
      tx.contactAddress.createMany({
        data: [
          address("sms", "+4915112345679", 1),
          address("sms", "+4915112345678", 0),
          address("email", "ada@example.com", 3),
        ],
      }),
    );
    const expected = [
      {
        contactId: id,
        externalId: null,
        name: null,
        region: "DE",
        language: null,
        timeZone: null,
        attributes: {},
        addresses: [
          { channel: "email", address: "ada@example.com" },
          { channel: "sms", address: "+4915112345678" },
        ],
      },
    ];
    const asked = [id, foreign, newId()];
    expect(await readRecipients(database.worker.pool, tenant.tenantId, asked)).toEqual(expected);
    expect(await inTenant(tenant.system, (tx) => readRecipients(tx, tenant.tenantId, asked))).toEqual(
      expected,
    );
  });
});

test("one of many groups is found by a part of its name, whoever made it when, and none of another organisation", async () => {
  const world = await makeTenant(database);
  await addGroup(world, "Oldest of all");
  await addGroup(world, "Oldest by filter", { all: [{ field: "language", op: "is", value: "de" }] });
  await addGroup(other, "Oldest elsewhere");
  await inTenant(world.system, (tx) =>
    tx.contactGroup.createMany({
      data: Array.from({ length: 300 }, (_, index) => ({
        tenantId: world.tenantId,
        id: newId(),
        name: `Filler ${String(index).padStart(3, "0")}`,
        kind: "static",
        createdAt: now,
        updatedAt: now,
      })),
    }),
  );
  const names = (groups: readonly { name: string }[]) => groups.map(({ name }) => name);
  const first = await findGroups(world.system, {});
  expect([first.groups.length, first.more]).toEqual([50, true]);
  const found = await findGroups(world.system, { search: "OLDEST" });
  expect([names(found.groups), found.more]).toEqual([["Oldest by filter", "Oldest of all"], false]);
  const owner = world.as("owner");
  const { data } = await listGroups(owner, { search: "oldest", kind: "static", limit: 50 });
  expect(names(data)).toEqual(["Oldest of all"]);
  // What stands in a search is no pattern.
  expect(await findGroups(world.system, { search: "%" })).toEqual({ groups: [], more: false });
});
