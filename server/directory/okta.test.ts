import { expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeDirectory } from "../testing/directory-world.ts";
import { mapGroup } from "./manage-mappings.ts";

/* What Okta publishes ("SCIM protocol", version 2.0): its requests for people and for groups that are pushed. */

const database = await testDatabase();
const { owner, scim, address, rolesOf } = await makeDirectory(database);

const user = (userName: string, active: boolean, more: object = {}) => ({
  schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
  userName,
  name: { givenName: "Test", familyName: "User" },
  emails: [{ primary: true, value: userName, type: "work" }],
  displayName: "Test User",
  locale: "en-US",
  externalId: "00ujl29u0le5T6Aj10h7",
  groups: [],
  password: "1mz050nq-not-kept",
  active,
  ...more,
});

test("Okta's cycle of a person: look up, create, replace, deactivate with a value, reactivate, deactivate with PUT", async () => {
  const userName = address("test.user");
  const filter = encodeURIComponent(`userName eq "${userName}"`);
  const empty = await scim("GET", `/Users?filter=${filter}&startIndex=1&count=100`);
  expect(empty.body).toMatchObject({ totalResults: 0, startIndex: 1, itemsPerPage: 0, Resources: [] });

  const created = await scim("POST", "/Users", user(userName, true));
  expect(created.status).toBe(201);
  const id = created.body.id;
  expect(JSON.stringify(created.body)).not.toContain("1mz050nq");
  expect((await scim("POST", "/Users", user(userName, true))).body).toMatchObject({
    status: "409",
    scimType: "uniqueness",
  });

  const replaced = await scim(
    "PUT",
    `/Users/${id}`,
    user(userName, true, { name: { givenName: "Another", familyName: "User" }, displayName: "Another User" }),
  );
  expect(replaced.status).toBe(200);
  expect(replaced.body).toMatchObject({ id, displayName: "Another User", name: { givenName: "Another" } });

  const set = (active: boolean) =>
    scim("PATCH", `/Users/${id}`, {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      Operations: [{ op: "replace", value: { active } }],
    });
  expect((await set(false)).body.active).toBe(false);
  expect((await set(true)).body.active).toBe(true);
  expect((await scim("PUT", `/Users/${id}`, user(userName, false))).body.active).toBe(false);
  expect((await scim("GET", `/Users/${id}`)).body.active).toBe(false);
});

test("Okta pages through all people: each once, and how many there are", async () => {
  for (let index = 0; index < 5; index++) await scim("POST", "/Users", { userName: address() });
  const { body: first } = await scim("GET", "/Users?startIndex=1&count=2");
  const total = first.totalResults;
  const seen: string[] = [];
  for (let start = 1; start <= total; start += 2) {
    const { body } = await scim("GET", `/Users?startIndex=${String(start)}&count=2`);
    expect(body.totalResults).toBe(total);
    seen.push(...body.Resources.map(({ id }: { id: string }) => id));
  }
  expect(seen).toHaveLength(total);
  expect(new Set(seen).size).toBe(total);
  expect((await scim("GET", "/Users?count=0")).body).toMatchObject({ totalResults: total, Resources: [] });
  expect((await scim("GET", `/Users?startIndex=${String(total + 1)}`)).body).toMatchObject({
    totalResults: total,
    itemsPerPage: 0,
  });
  expect((await scim("GET", "/Users?startIndex=-3&count=-1")).body).toMatchObject({
    startIndex: 1,
    itemsPerPage: 0,
  });
});

test("Okta's cycle of a pushed group: create with members, rename with a value, add, remove by filter, replace, delete", async () => {
  const people = await Promise.all([1, 2, 3].map(() => scim("POST", "/Users", { userName: address() })));
  const [a = "", b = "", c = ""] = people.map(({ body }) => body.id);
  const created = await scim("POST", "/Groups", {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:Group"],
    displayName: "Test SCIMv2",
    members: [{ value: a, display: "a@example.com" }],
  });
  expect(created.status).toBe(201);
  const id = created.body.id;
  await mapGroup(owner, { groupId: id, role: "finance", unitId: null });
  expect(await rolesOf(a)).toEqual([{ role: "finance", unitId: null, fromDirectory: true }]);
  const change = (...Operations: object[]) =>
    scim("PATCH", `/Groups/${id}`, {
      schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
      Operations,
    });

  expect((await change({ op: "replace", value: { id, displayName: "Renamed" } })).status).toBe(204);
  expect((await scim("GET", `/Groups/${id}`)).body).toMatchObject({ id, displayName: "Renamed" });
  const both = await change(
    { op: "remove", path: `members[value eq "${a}"]` },
    { op: "add", path: "members", value: [{ value: b, display: "b@example.com" }] },
  );
  expect(both.status).toBe(204);
  expect([await rolesOf(a), (await rolesOf(b)).length]).toEqual([[], 1]);
  await change({ op: "replace", path: "members", value: [{ value: c, display: "c@example.com" }] });
  expect([await rolesOf(b), (await rolesOf(c)).length]).toEqual([[], 1]);
  const put = await scim("PUT", `/Groups/${id}`, { displayName: "Renamed", members: [{ value: a }] });
  expect(put.body.members).toMatchObject([{ value: a }]);
  expect([(await rolesOf(a)).length, await rolesOf(c)]).toEqual([1, []]);
  expect((await scim("DELETE", `/Groups/${id}`)).status).toBe(204);
  expect(await rolesOf(a)).toEqual([]);
});

test("what the service says of itself is what it does", async () => {
  const { body: config } = await scim("GET", "/ServiceProviderConfig");
  expect(config).toMatchObject({
    patch: { supported: true },
    bulk: { supported: false },
    filter: { supported: true, maxResults: 100 },
    changePassword: { supported: false },
    sort: { supported: false },
    etag: { supported: false },
  });
  const { body: types } = await scim("GET", "/ResourceTypes");
  expect(types.Resources.map(({ endpoint }: { endpoint: string }) => endpoint)).toEqual([
    "/Users",
    "/Groups",
  ]);
  const { body: schemas } = await scim("GET", "/Schemas");
  for (const { id } of schemas.Resources as { id: string }[]) {
    expect((await scim("GET", `/Schemas/${id}`)).body.id).toBe(id);
  }
  expect((await scim("GET", "/Schemas/urn:nothing")).status).toBe(404);
  const known = new Set<string>(
    schemas.Resources.flatMap(({ attributes }: { attributes: { name: string }[] }) =>
      attributes.map(({ name }) => name),
    ),
  );
  const { body: made } = await scim("POST", "/Users", user(address(), true, { externalId: newId() }));
  const shown = Object.keys(made as object).filter((name) => !["schemas", "id", "meta"].includes(name));
  expect(shown.filter((name) => !known.has(name))).toEqual([]);
});
