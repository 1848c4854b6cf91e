import { expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeDirectory } from "../testing/directory-world.ts";
import { mapGroup } from "./manage-mappings.ts";

/*
 * What Microsoft publishes of its provisioning service ("Develop and plan provisioning for a SCIM endpoint in Microsoft Entra ID"):
 * the requests with their capitals, texts for booleans, references that are null.
 */

const database = await testDatabase();
const { tenant, owner, scim, address, rolesOf, auditOf } = await makeDirectory(database);

const patch = (...Operations: object[]) => ({
  schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
  Operations,
});

test("Entra's cycle of a person: look up, create, look up, rename, deactivate, activate, delete", async () => {
  const userName = address("grace.hopper");
  const look = (name: string) => scim("GET", `/Users?filter=${encodeURIComponent(`userName eq "${name}"`)}`);

  const nobody = await look(newId());
  expect([nobody.status, nobody.body.totalResults, nobody.body.Resources]).toEqual([200, 0, []]);
  expect(nobody.headers.get("content-type")).toBe("application/scim+json");

  const externalId = newId();
  const created = await scim("POST", "/Users", {
    schemas: [
      "urn:ietf:params:scim:schemas:core:2.0:User",
      "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User",
    ],
    externalId,
    userName,
    active: true,
    emails: [{ primary: true, type: "work", value: userName }],
    meta: { resourceType: "User" },
    name: { formatted: "Grace Hopper", familyName: "Hopper", givenName: "Grace" },
    roles: [],
    "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User": { department: "Navy" },
  });
  expect(created.status).toBe(201);
  const id = created.body.id;
  expect(created.headers.get("location")).toBe(`http://localhost:3000/scim/v2/Users/${id}`);
  expect(created.body).toMatchObject({
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    externalId,
    userName,
    active: true,
    displayName: "Grace Hopper",
    name: { formatted: "Grace Hopper", givenName: "Grace", familyName: "Hopper" },
    emails: [{ value: userName, type: "work", primary: true }],
  });
  expect((await look(userName.toUpperCase())).body.Resources).toMatchObject([{ id }]);
  expect((await scim("GET", `/Users/${id}`)).body).toEqual(created.body);
  expect(
    (await scim("GET", `/Users?filter=${encodeURIComponent(`externalId eq "${externalId}"`)}`)).body,
  ).toMatchObject({ totalResults: 1, Resources: [{ id }] });

  const renamed = await scim(
    "PATCH",
    `/Users/${id}`,
    patch(
      { op: "Replace", path: 'emails[type eq "work"].value', value: address("grace.murray") },
      { op: "Replace", path: "name.familyName", value: "Murray" },
      { op: "Add", path: "displayName", value: "Grace Murray" },
      {
        op: "Add",
        path: "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department",
        value: "Harvard",
      },
    ),
  );
  expect(renamed.status).toBe(200);
  expect(renamed.body).toMatchObject({
    userName,
    displayName: "Grace Murray",
    name: { givenName: "Grace", familyName: "Murray" },
    emails: [{ value: address("grace.murray") }],
  });

  const off = await scim("PATCH", `/Users/${id}`, patch({ op: "Replace", path: "active", value: "False" }));
  expect([off.status, off.body.active]).toEqual([200, false]);
  const on = await scim("PATCH", `/Users/${id}`, patch({ op: "Replace", path: "active", value: "True" }));
  expect(on.body.active).toBe(true);

  expect((await scim("DELETE", `/Users/${id}`)).status).toBe(204);
  expect((await scim("GET", `/Users/${id}`)).status).toBe(404);
  const again = await scim("POST", "/Users", { userName, emails: [{ value: address("grace.murray") }] });
  expect([again.status, again.body.id]).toEqual([201, id]);
});

test("Entra's cycle of a group: look up, create, read without members, add, remove, rename, delete", async () => {
  const [one, two] = await Promise.all([
    scim("POST", "/Users", { userName: address() }),
    scim("POST", "/Users", { userName: address() }),
  ]);
  const [first, second] = [one.body.id, two.body.id];
  const found = () =>
    scim("GET", `/Groups?excludedAttributes=members&filter=${encodeURIComponent('displayName eq "Ops"')}`);
  expect((await found()).body.totalResults).toBe(0);
  const created = await scim("POST", "/Groups", {
    schemas: [
      "urn:ietf:params:scim:schemas:core:2.0:Group",
      "http://schemas.microsoft.com/2006/11/ResourceManagement/ADSCIM/2.0/Group",
    ],
    externalId: newId(),
    displayName: "Ops",
    meta: { resourceType: "Group" },
  });
  expect(created.status).toBe(201);
  const id = created.body.id;
  await mapGroup(owner, { groupId: id, role: "auditor", unitId: tenant.units.alpha });

  const add = (...ids: string[]) =>
    patch({ op: "Add", path: "members", value: ids.map((value) => ({ $ref: null, value })) });
  expect((await scim("PATCH", `/Groups/${id}`, add(first, second))).status).toBe(204);
  expect(await rolesOf(first)).toEqual([
    { role: "auditor", unitId: tenant.units.alpha, fromDirectory: true },
  ]);
  // Sent again, as Entra does after a failed answer: nothing changes.
  const events = (await auditOf(id)).length;
  expect((await scim("PATCH", `/Groups/${id}`, add(first))).status).toBe(204);
  expect(await auditOf(id)).toHaveLength(events);

  const read = await scim("GET", `/Groups/${id}?excludedAttributes=members`);
  expect(read.body).not.toHaveProperty("members");
  const all = await scim("GET", `/Groups/${id}`);
  expect(all.body.members.map(({ value }: { value: string }) => value).sort()).toEqual(
    [first, second].sort(),
  );

  const remove = patch({ op: "Remove", path: "members", value: [{ $ref: null, value: first }] });
  expect((await scim("PATCH", `/Groups/${id}`, remove)).status).toBe(204);
  expect(await rolesOf(first)).toEqual([]);
  expect(await rolesOf(second)).toHaveLength(1);
  const renamed = patch({ op: "Replace", path: "displayName", value: "Operations" });
  expect((await scim("PATCH", `/Groups/${id}`, renamed)).status).toBe(204);
  expect((await found()).body.totalResults).toBe(0);
  expect((await scim("DELETE", `/Groups/${id}`)).status).toBe(204);
  expect(await rolesOf(second)).toEqual([]);
});
