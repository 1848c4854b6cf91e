import { beforeAll, describe, expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { TestTenant } from "../testing/factories.ts";
import { refusal } from "../testing/refusal.ts";
import { deleteMany, setAttribute, upsertBatch } from "./change-contacts.ts";
import { countGroup } from "./count-group.ts";
import { findDuplicates } from "./find-duplicates.ts";
import { getContact, listContacts } from "./list-contacts.ts";
import {
  addMembers,
  createGroup,
  getGroup,
  listGroups,
  removeMembers,
  updateGroup,
} from "./manage-groups.ts";
import { mergeContacts } from "./merge-contacts.ts";
import {
  contactBatchSchema,
  contactCreateSchema,
  contactFilterSchema,
  contactListQuerySchema,
  contactUpdateSchema,
  groupCreateSchema,
  membersSchema,
} from "./schemas.ts";
import { createContact, updateContact } from "./write-contact.ts";

/* Contacts and groups as people and systems keep them. */

const database = await testDatabase();
let tenant: TestTenant;
let owner: Ctx;
beforeAll(async () => {
  tenant = await makeTenant(database);
  owner = tenant.as("owner");
});

let numbers = 0;
const phone = () => `+49151${String(10_000_000 + numbers++)}`;
const sms = (address: string) => ({ channel: "sms" as const, address });
const create = (input: object, ctx = owner) => createContact(ctx, contactCreateSchema.parse(input));
const change = (id: string, changes: object) =>
  updateContact(owner, { id, changes: contactUpdateSchema.parse(changes) });
const list = (query: object, ctx = owner) => listContacts(ctx, contactListQuerySchema.parse(query));
const ids = (page: { data: { id: string }[] }) => page.data.map(({ id }) => id);
const group = (input: object, ctx = owner) => createGroup(ctx, groupCreateSchema.parse(input));

/** Somebody with these permissions in the whole organisation, or in one team. */
const holding = (permissions: string[], unitId: string | null = null): Ctx => ({
  ...owner,
  grants: [{ permissions: new Set(permissions), unitId, applicationId: null, environmentId: null }],
});

describe("a contact", () => {
  test("keeps what a change leaves out; null takes away, addresses change as a whole", async () => {
    const [a, b] = [phone(), phone()];
    const { id } = await create({
      externalId: newId(),
      name: "Ada",
      region: "GB",
      attributes: { plan: "gold", city: "London" },
      addresses: [sms(a), { channel: "email", address: "Ada@Example.com" }],
    });
    const changed = await change(id, {
      region: null,
      attributes: { plan: null, tier: "1" },
      addresses: [sms(b), sms(a)],
    });
    expect(changed).toMatchObject({
      name: "Ada",
      region: null,
      attributes: { city: "London", tier: "1" },
      addresses: [sms(b), sms(a)],
    });
    expect(await getContact(owner, { id })).toEqual({ ...changed, groups: [] });
  });

  test("keeps the addresses that somebody else has given it since: a change based on others is refused", async () => {
    const [a, b, c] = [phone(), phone(), phone()];
    const mail = { channel: "email", address: "Ada@Bücher.example" };
    const read = [sms(a), mail];
    const { id } = await create({ addresses: read });
    // In another order of channels, and as people write them, they are the same ones.
    await change(id, { expectedAddresses: [mail, sms(a)], addresses: [sms(b), ...read] });
    expect(await refusal(change(id, { expectedAddresses: read, addresses: [sms(c)] }))).toMatchObject({
      code: "revision_conflict",
    });
    expect(
      await refusal(change(id, { expectedAddresses: [sms(a), sms(b), mail], name: "Ada" })),
    ).toMatchObject({
      code: "revision_conflict",
    });
    const { addresses, name } = await getContact(owner, { id });
    expect(name).toBeNull();
    expect(addresses.filter(({ channel }) => channel === "sms")).toEqual([sms(b), sms(a)]);
  });

  test("has its addresses for itself: another one with one of them is refused, naming it only to those who may see it", async () => {
    const address = phone();
    const { id } = await create({ addresses: [sms(address)] });
    const refused = await refusal(create({ addresses: [sms(phone()), sms(address)] }));
    expect(refused).toMatchObject({
      code: "conflict",
      errors: [{ pointer: "/addresses/1/address", code: "taken" }],
      extra: { contactId: id },
    });
    const blind = await refusal(create({ addresses: [sms(address)] }, holding(["contacts:write"])));
    expect(blind).toMatchObject({ code: "conflict", extra: {} });
    expect(JSON.stringify(blind)).not.toContain(id);
  });

  test("needs an address or an external id, and keeps to its bounds", async () => {
    expect(await refusal(create({ name: "Nobody" }))).toMatchObject({ code: "invalid_request" });
    expect(await refusal(create({ addresses: [sms("0151 1")] }))).toMatchObject({
      errors: [{ pointer: "/addresses/0/address" }],
    });
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, index) => [`a${String(index)}`, "x"]));
    for (const input of [
      { externalId: "x", attributes: many },
      { externalId: "x", attributes: { "1x": "y" } },
      { externalId: "x", attributes: { __proto__x: "y".repeat(1_001) } },
      { externalId: "x", name: "x".repeat(201) },
      { externalId: "x\u0000" },
      { externalId: "x", timeZone: "Mars/Olympus" },
      { externalId: "x", region: "de" },
    ])
      expect(contactCreateSchema.safeParse(input).success, JSON.stringify(input).slice(0, 60)).toBe(false);
  });

  test("keeps an address or an external id: a change that takes away the last is refused at what it takes", async () => {
    const { id } = await create({ externalId: newId(), addresses: [sms(phone())] });
    await change(id, { externalId: null });
    for (const [changes, pointer] of [
      [{ addresses: [] }, "/addresses"],
      [{ addresses: [], externalId: null }, "/addresses"],
    ] as const)
      expect(await refusal(change(id, changes))).toMatchObject({
        code: "invalid_request",
        errors: [{ pointer, code: "missing_address" }],
      });
    await change(id, { addresses: [], externalId: newId() });
    expect(await refusal(change(id, { externalId: null }))).toMatchObject({
      errors: [{ pointer: "/externalId", code: "missing_address" }],
    });
  });

  test("without content:reveal has no address, attribute or address-like name to read, and none to guess piece by piece", async () => {
    const address = phone();
    const { id } = await create({
      name: "grace@example.com",
      externalId: `${newId()}@example.com`,
      attributes: { plan: "gold" },
      addresses: [sms(address)],
    });
    const masked = holding(["contacts:read"]);
    const seen = await getContact(masked, { id });
    expect(seen.attributes).toBeNull();
    expect(JSON.stringify(seen)).not.toMatch(/grace@|gold|\+49151/);
    // One team's right to see addresses is for its own messages.
    const team = holding(["contacts:read", "content:reveal"], tenant.units.beta);
    expect((await getContact(team, { id })).attributes).toBeNull();
    // One digit less may be somebody's number as well.
    for (const search of [address, address.slice(0, -1)]) {
      expect(await refusal(list({ search }, masked))).toMatchObject({ code: "permission_denied" });
    }
    for (const search of ["grace@", "grace", address.slice(0, 6)]) {
      expect(ids(await list({ search }, masked)), search).not.toContain(id);
    }
    expect(ids(await list({ search: "grace" }))).toContain(id);
    expect(ids(await list({ search: address.slice(0, -1) }))).toContain(id);
  });

  test("is out of reach of keys of other environments, and of other organisations", async () => {
    const { id } = await create({ addresses: [sms(phone())] });
    const staging: Ctx = {
      ...owner,
      grants: owner.grants.map((grant) => ({ ...grant, environmentId: tenant.environments.staging })),
    };
    expect(await refusal(getContact(staging, { id }))).toMatchObject({ code: "environment_mismatch" });
    expect(await refusal(deleteMany(staging, { contactIds: [id] }))).toMatchObject({
      code: "environment_mismatch",
    });
    const stranger = (await makeTenant(database)).as("owner");
    expect(await refusal(getContact(stranger, { id }))).toMatchObject({ code: "not_found" });
    expect(await refusal(deleteMany(stranger, { contactIds: [id] }))).toMatchObject({ code: "not_found" });
    expect(
      await refusal(setAttribute(stranger, { contactIds: [id], name: "plan", value: "x" })),
    ).toMatchObject({ code: "not_found" });
    expect((await getContact(owner, { id })).id).toBe(id);
  });

  test("leaves no name, external id, attribute or address in the audit trail", async () => {
    const address = phone();
    const { id } = await create({
      name: "Secret Name",
      externalId: "secret-external",
      attributes: { plan: "secret-plan" },
      addresses: [sms(address)],
    });
    await change(id, { name: "Secret Other", attributes: { plan: "secret-two" } });
    await deleteMany(owner, { contactIds: [id] });
    const { rows } = await database.owner.query<{ text: string }>(
      "SELECT data::text AS text FROM audit_events WHERE tenant_id = $1 AND action LIKE 'contact%'",
      [tenant.tenantId],
    );
    expect(rows.length).toBeGreaterThanOrEqual(3);
    for (const { text } of rows) {
      expect(text).not.toMatch(/secret/i);
      expect(text).not.toContain(address.slice(1));
    }
  });
});

describe("lists", () => {
  test("find by what name, external id and address begin with, in any case", async () => {
    const address = "+447700900123";
    const mark = newId();
    const { id } = await create({
      name: `Zoë ${mark}`,
      externalId: `crm-${mark}`,
      addresses: [sms(address)],
    });
    for (const search of [
      `zoë ${mark.slice(0, 8)}`,
      `ZOË ${mark}`,
      `crm-${mark.slice(0, 12)}`,
      "+44 7700 900",
      address,
    ])
      expect(ids(await list({ search })), search).toEqual([id]);
    for (const search of [mark, "%", "_", `CRM-${mark}`])
      expect(ids(await list({ search })), search).not.toContain(id);
  });

  test("give every contact once, page by page, also of groups of both kinds", async () => {
    const { tenantId, ...world } = await makeTenant(database);
    const ctx = world.as("owner");
    await upsertBatch(
      ctx,
      contactBatchSchema.parse({
        contacts: Array.from({ length: 25 }, (_, index) => ({
          externalId: `n-${String(index)}`,
          region: index % 3 === 0 ? "DE" : "FR",
        })),
      }),
    );
    const all = async (query: object) => {
      const found: string[] = [];
      for (let cursor: string | undefined; ;) {
        const page = await list({ limit: 4, ...(cursor ? { cursor } : {}), ...query }, ctx);
        found.push(...ids(page));
        if (page.nextCursor === null) return found;
        cursor = page.nextCursor;
      }
    };
    const everybody = await all({});
    expect(everybody).toHaveLength(25);
    expect(everybody).toEqual([...new Set(everybody)].toSorted().toReversed());
    const listed = await group({ name: "Listed" }, ctx);
    await addMembers(ctx, { id: listed.id, ...membersSchema.parse({ contactIds: everybody.slice(3, 12) }) });
    expect(await all({ groupId: listed.id })).toEqual(everybody.slice(3, 12));
    const filtered = await group(
      { name: "Filtered", filter: { all: [{ field: "region", op: "is", value: "DE" }] } },
      ctx,
    );
    expect(await all({ groupId: filtered.id })).toHaveLength(9);
    expect((await list({ groupId: filtered.id, search: "n-" }, ctx)).data).toHaveLength(9);
  });
});

describe("a group", () => {
  test("of listed contacts counts who joins and leaves, says whom nobody knows, and has a name of its own", async () => {
    const { id } = await group({ name: "Newsletter" });
    expect(await refusal(group({ name: "Newsletter" }))).toMatchObject({ code: "conflict" });
    const [a, b] = [await create({ externalId: newId() }), await create({ externalId: newId() })];
    const nobody = newId();
    const members = membersSchema.parse({ contactIds: [a.id, nobody], externalIds: [b.externalId, "who"] });
    expect(await addMembers(owner, { id, ...members })).toEqual({ changed: 2, unknown: [nobody, "who"] });
    expect(await addMembers(owner, { id, ...members })).toMatchObject({ changed: 0 });
    expect(await getGroup(owner, { id })).toMatchObject({ kind: "static", size: 2 });
    expect((await getContact(owner, { id: a.id })).groups).toEqual([{ id, name: "Newsletter" }]);
    expect(await removeMembers(owner, { id, ...membersSchema.parse({ contactIds: [a.id] }) })).toMatchObject({
      changed: 1,
    });
    await deleteMany(owner, { contactIds: [b.id] });
    expect(await getGroup(owner, { id })).toMatchObject({ size: 0 });
    expect(
      await refusal(
        updateGroup(owner, {
          id,
          changes: { filter: contactFilterSchema.parse({ all: [{ field: "region", op: "is_set" }] }) },
        }),
      ),
    ).toMatchObject({ code: "conflict" });
  });

  test("by filter is counted piece by piece by jobs of which only one goes on, again after a change and when the count is old", async () => {
    const world = await makeTenant(database);
    const ctx = world.as("owner");
    const key = { tenantId: world.tenantId };
    await upsertBatch(
      ctx,
      contactBatchSchema.parse({
        contacts: Array.from({ length: 30 }, (_, index) => ({
          externalId: `n-${String(index)}`,
          attributes: { age: String(index) },
        })),
      }),
    );
    const filter = (value: number) =>
      contactFilterSchema.parse({ all: [{ field: "attribute", name: "age", op: "less", value }] });
    const jobs = async (groupId: string) =>
      (
        await database.owner.query(
          `SELECT FROM graphile_worker._private_jobs WHERE payload->>'groupId' = $1`,
          [groupId],
        )
      ).rowCount;
    const { id, size } = await group({ name: "Young", filter: filter(10) }, ctx);
    expect(size).toBeNull();
    expect(await jobs(id)).toBe(1);
    // Looking on adds no job while one is under way.
    await Promise.all([getGroup(ctx, { id }), listGroups(ctx, { limit: 10 })]);
    expect(await jobs(id)).toBe(1);
    const count = () =>
      countGroup({ db: database.worker }, { ...key, groupId: id }, { atOnce: 7, sliceMs: 0 });
    await count();
    expect(await jobs(id)).toBe(2);
    await Promise.all([count(), count()]);
    for (let job = 0; job < 5; job++) await count();
    expect(await getGroup(ctx, { id })).toMatchObject({ size: 10 });
    const before = await jobs(id);
    await updateGroup(ctx, { id, changes: { filter: filter(20) } });
    for (let job = 0; job < 6; job++) await count();
    expect(await getGroup(ctx, { id })).toMatchObject({ size: 20 });
    const after = await jobs(id);
    expect(after).toBeGreaterThan(before ?? 0);
    await getGroup(ctx, { id });
    expect(await jobs(id)).toBe(after);
    await getGroup({ ...ctx, now: () => new Date(Date.now() + 11 * 60_000) }, { id });
    expect(await jobs(id)).toBe((after ?? 0) + 1);
  });

  test("by filter keeps what somebody else has made of the filter since it was read", async () => {
    const of = (value: string) => contactFilterSchema.parse({ all: [{ field: "region", op: "is", value }] });
    const { id } = await group({ name: newId(), filter: of("DE") });
    const change = (changes: Parameters<typeof updateGroup>[1]["changes"]) =>
      updateGroup(owner, { id, changes });
    await change({ filter: of("AT"), expectedFilter: of("DE") });
    expect(await refusal(change({ filter: of("FR"), expectedFilter: of("DE") }))).toMatchObject({
      code: "revision_conflict",
    });
    await change({ description: "Austria" });
    expect(await getGroup(owner, { id })).toMatchObject({ filter: of("AT"), description: "Austria" });
    // Without what was read, what is given holds.
    expect(await change({ filter: of("FR") })).toMatchObject({ filter: of("FR") });
  });

  test("by filter takes nobody in by hand", async () => {
    const { id } = await group({ name: "By filter", filter: { all: [{ field: "region", op: "is_set" }] } });
    const contact = await create({ externalId: newId() });
    expect(
      await refusal(addMembers(owner, { id, ...membersSchema.parse({ contactIds: [contact.id] }) })),
    ).toMatchObject({ code: "conflict" });
  });
});

describe("merging", () => {
  test("makes one of two: chosen values, addresses and groups of both", async () => {
    const [a, b] = [phone(), phone()];
    const keep = await create({
      name: "Ada",
      attributes: { plan: "gold", city: "Rome" },
      addresses: [sms(a)],
    });
    const other = await create({
      externalId: newId(),
      name: "Ada Lovelace",
      region: "GB",
      attributes: { plan: "silver", tier: "1" },
      addresses: [sms(b)],
    });
    const { id: groupId } = await group({ name: "Merged" });
    await addMembers(owner, { id: groupId, ...membersSchema.parse({ contactIds: [keep.id, other.id] }) });
    await mergeContacts(owner, {
      keepId: keep.id,
      otherId: other.id,
      take: ["name"],
      takeAttributes: ["plan"],
    });
    expect(await getContact(owner, { id: keep.id })).toMatchObject({
      externalId: other.externalId,
      name: "Ada Lovelace",
      region: "GB",
      attributes: { plan: "silver", city: "Rome", tier: "1" },
      addresses: [sms(a), sms(b)],
      groups: [{ id: groupId }],
    });
    expect(await refusal(getContact(owner, { id: other.id }))).toMatchObject({ code: "not_found" });
    expect(await getGroup(owner, { id: groupId })).toMatchObject({ size: 1 });
  });

  test("of what does not fit into one contact changes nothing", async () => {
    const five = () => Array.from({ length: 5 }, () => sms(phone()));
    const [keep, other] = [await create({ addresses: five() }), await create({ addresses: five() })];
    const merge = (keepId: string, otherId: string) =>
      mergeContacts(owner, { keepId, otherId, take: [], takeAttributes: [] });
    expect(await refusal(merge(keep.id, other.id))).toMatchObject({ code: "conflict" });
    expect(await refusal(merge(keep.id, keep.id))).toMatchObject({ code: "invalid_request" });
    expect(await refusal(merge(keep.id, newId()))).toMatchObject({ code: "not_found" });
    expect((await getContact(owner, { id: other.id })).addresses).toHaveLength(5);
  });

  test("is proposed for contacts of the same name, page by page", async () => {
    const world = await makeTenant(database);
    const ctx = world.as("owner");
    for (const name of ["Ada", "ADA", "Bob", "ada", "Carl", "carl"])
      await create({ name, externalId: newId() }, ctx);
    const { data, nextCursor } = await findDuplicates(ctx, {});
    expect(data.map((pair) => pair.map(({ name }) => name?.toLowerCase()))).toEqual([
      ["ada", "ada"],
      ["ada", "ada"],
      ["carl", "carl"],
    ]);
    expect(nextCursor).toBeNull();
  });
});

describe("many at once", () => {
  test("an attribute is set and taken away", async () => {
    const [a, b] = [await create({ externalId: newId() }), await create({ externalId: newId() })];
    const contactIds = [a.id, b.id, newId()];
    expect(await setAttribute(owner, { contactIds, name: "plan", value: "gold" })).toEqual({ changed: 2 });
    expect(await setAttribute(owner, { contactIds, name: "plan", value: "gold" })).toEqual({ changed: 0 });
    expect((await getContact(owner, { id: b.id })).attributes).toEqual({ plan: "gold" });
    expect(await setAttribute(owner, { contactIds, name: "plan", value: null })).toEqual({ changed: 2 });
  });

  test("changes of one organisation keep no other waiting", async () => {
    const world = await makeTenant(database);
    const ctx = world.as("owner");
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const held = inTenant(owner, async (tx) => {
      await tx.$executeRaw`SELECT pg_advisory_xact_lock(hashtextextended(${`contacts ${tenant.tenantId}`}, 0))`;
      await promise;
    });
    await create({ externalId: newId() }, ctx);
    resolve(undefined);
    await held;
  });
});
