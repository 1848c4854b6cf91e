import { expect, test } from "vitest";
import { assignRole, unassignRole } from "../access/assign-role.ts";
import { authenticateApiKey } from "../access/authenticate-api-key.ts";
import { createApiKey } from "../access/create-api-key.ts";
import { createInvitation } from "../access/create-invitation.ts";
import { readInvitation } from "../access/accept-invitation.ts";
import { explainAccess } from "../access/explain-access.ts";
import { createRole, deleteRole } from "../access/manage-roles.ts";
import { removeMember } from "../access/remove-member.ts";
import { loadSession } from "../access/sessions.ts";
import { reactivateMember, suspendMember } from "../access/suspend-member.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { buildChains } from "../audit/build-chains.ts";
import { testDatabase } from "../testing/database.ts";
import { makeDirectory, scimClient } from "../testing/directory-world.ts";
import { makeTenant } from "../testing/factories.ts";
import { getDependents } from "../workspace/dependents.ts";
import { createUnit } from "../workspace/create-unit.ts";
import { mapGroup, listMappedGroups, unmapGroup } from "./manage-mappings.ts";

const database = await testDatabase();
const world = await makeDirectory(database);
const { tenant, owner, scim, address, addPerson, addGroup, rolesOf, auditOf } = world;
const other = await makeDirectory(database);

const active = (id: string, value: boolean) =>
  scim("PATCH", `/Users/${id}`, { Operations: [{ op: "replace", path: "active", value }] });

test("who is deactivated is out at once: sessions, keys, invitations of theirs and to them, and their approvals", async () => {
  const { id, userName } = await addPerson();
  const group = await addGroup("Builders", [id]);
  await mapGroup(owner, { groupId: group, role: "owner", unitId: null });
  const { tenantId } = tenant;
  const sessionId = newId();
  await database.owner.query(
    `INSERT INTO sessions (tenant_id, id, user_id, expires_at, last_seen_at)
     VALUES ($1, $2, $3, now() + interval '1 day', now())`,
    [tenantId, sessionId, id],
  );
  const name = { sessionId, tenantId, userId: id };
  const them: Ctx = { ...owner, actor: { type: "user", id, name: "Ada", email: userName } };
  const { key } = await createApiKey(them, { name: "mine", environmentId: tenant.environments.sandbox });
  const invitation = await createInvitation(them, {
    email: address(),
    name: "N",
    assignments: [{ role: "auditor", unitId: null }],
  });
  const use = () => authenticateApiKey(database.web, `Bearer ${key}`, { requestId: newId() });
  const open = () => readInvitation(database.web, { token: invitation.token, requestId: newId() });
  expect(await loadSession(database.web, name)).toBeDefined();
  await use();
  await open();

  const began = performance.now();
  expect((await active(id, false)).body.active).toBe(false);
  expect(await loadSession(database.web, name)).toBeUndefined();
  await expect(use()).rejects.toMatchObject({ code: "unauthenticated" });
  await expect(open()).rejects.toMatchObject({ code: "not_found" });
  expect(performance.now() - began).toBeLessThan(5_000);
  // In the other processes nothing that is remembered is older than two seconds; what they read then says the same.
  const { rows } = await database.owner.query<{ active: boolean }>(
    "SELECT active FROM member_facts WHERE id = $1",
    [id],
  );
  expect(rows).toEqual([{ active: false }]);

  await active(id, true);
  expect(await loadSession(database.web, name)).toBeUndefined();
  await use();
  const told = (await auditOf(id)).filter(({ action }) =>
    /^member\.(de)?activated$|^member\.suspended$/.test(action),
  );
  expect(told).toMatchObject([
    {
      action: "member.suspended",
      actor: "Directory (Entra)",
      data: { sessionsEnded: 1, invitationsEnded: 1 },
    },
    { action: "member.deactivated", data: { before: { active: true }, after: { active: false } } },
    { action: "member.activated", data: { before: { active: false }, after: { active: true } } },
  ]);
});

test("an invitation to somebody who is deactivated or removed ends with it", async () => {
  for (const end of [
    (id: string) => active(id, false),
    (id: string) => scim("DELETE", `/Users/${id}`),
    (userId: string) => removeMember(owner, { userId }),
  ]) {
    const { id, userName } = await addPerson();
    // A team's manager does not see that they are a member.
    const invitation = await createInvitation(tenant.as("owner", tenant.units.beta), {
      email: userName,
      name: "N",
      assignments: [{ role: "auditor", unitId: tenant.units.beta }],
    });
    await end(id);
    await expect(
      readInvitation(database.web, { token: invitation.token, requestId: newId() }),
    ).rejects.toMatchObject({ code: "not_found" });
  }
});

test("whom a person suspended stays so whatever the directory says, and whom it deactivated nobody lets in here", async () => {
  const { id } = await addPerson();
  const state = async () => (await explainAccess(owner, { userId: id })).member;
  await suspendMember(owner, { userId: id });
  expect((await scim("GET", `/Users/${id}`)).body.active).toBe(true);
  await active(id, true);
  expect((await state()).suspendedAt).not.toBeNull();
  await active(id, false);
  await expect(reactivateMember(owner, { userId: id })).rejects.toMatchObject({ code: "conflict" });
  await active(id, true);
  expect(await state()).toMatchObject({ deactivated: false });
  expect((await state()).suspendedAt).not.toBeNull();
  await reactivateMember(owner, { userId: id });
  expect((await state()).suspendedAt).toBeNull();

  await active(id, false);
  expect(await state()).toMatchObject({ deactivated: true });
  await active(id, true);
  expect(await state()).toMatchObject({ deactivated: false, suspendedAt: null });
});

test("a body that leaves out active lets nobody in and locks nobody out", async () => {
  const { id, userName } = await addPerson({ active: false });
  expect((await scim("PUT", `/Users/${id}`, { userName, displayName: "Ada B." })).body).toMatchObject({
    active: false,
    displayName: "Ada B.",
  });
});

test("the last owner can be neither deactivated, removed nor taken out of the group that makes them one", async () => {
  const alone = await makeDirectory(database);
  const { id } = await alone.addPerson();
  const group = await alone.addGroup("Owners", [id]);
  await mapGroup(alone.owner, { groupId: group, role: "owner", unitId: null });
  // The one who set it up leaves; the directory's owner remains.
  await removeMember(
    { ...alone.owner, actor: { type: "user", id, name: "Ada", email: "" } },
    { userId: alone.tenant.owner.id },
  );
  const attempts = [
    alone.scim("PATCH", `/Users/${id}`, { Operations: [{ op: "Replace", path: "active", value: "False" }] }),
    alone.scim("DELETE", `/Users/${id}`),
    alone.scim("PATCH", `/Groups/${group}`, {
      Operations: [{ op: "Remove", path: `members[value eq "${id}"]` }],
    }),
    alone.scim("PUT", `/Groups/${group}`, { displayName: "Owners", members: [] }),
    alone.scim("DELETE", `/Groups/${group}`),
  ];
  for (const answer of await Promise.all(attempts)) {
    expect(answer.status).toBe(409);
    expect(answer.body.detail).toContain("last owner");
  }
  const [mapped] = (await listMappedGroups(alone.owner, {})).data.flatMap(({ roles }) => roles);
  await expect(unmapGroup(alone.owner, { id: mapped?.id ?? "" })).rejects.toMatchObject({ code: "conflict" });
  expect(await alone.rolesOf(id)).toEqual([{ role: "owner", unitId: null, fromDirectory: true }]);
});

test("a directory adds and changes people of proven domains only, and sees no other members", async () => {
  const stranger = `victim@${other.domain}`;
  for (const body of [{ userName: stranger }, { userName: "x", emails: [{ value: stranger }] }]) {
    const answer = await scim("POST", "/Users", body);
    expect([answer.status, answer.body.scimType]).toEqual([400, "invalidValue"]);
    expect(answer.body.detail).toContain(other.domain);
  }
  const { id } = await addPerson();
  const moved = await scim("PATCH", `/Users/${id}`, {
    Operations: [{ op: "replace", path: 'emails[type eq "work"].value', value: stranger }],
  });
  expect([moved.status, moved.body.scimType]).toEqual([400, "invalidValue"]);
  const guest = await tenant.addMember("auditor", { email: `guest-${newId()}@elsewhere.example` });
  expect((await scim("GET", `/Users/${guest.id}`)).status).toBe(404);
  expect((await scim("DELETE", `/Users/${guest.id}`)).status).toBe(404);
  const colleague = await tenant.addMember("auditor", { email: address() });
  expect((await scim("GET", `/Users/${colleague.id}`)).body).toMatchObject({ userName: colleague.email });
});

test("an address that is added beside the one for work leaves the account's as it is, another one for work replaces it", async () => {
  const { id, userName } = await addPerson();
  const add = async (value: object[]) => {
    const Operations = [{ op: "add", path: "emails", value }];
    const { body } = await scim("PATCH", `/Users/${id}`, { Operations });
    return (body as unknown as { emails: { value: string }[] }).emails[0]?.value;
  };
  expect(await add([{ value: address(), type: "home" }])).toBe(userName);
  const [work, primary, plain] = [address(), address(), address()];
  expect(
    await add([
      { value: address(), type: "other" },
      { value: work, type: "work" },
    ]),
  ).toBe(work);
  expect(await add([{ value: primary, type: "home", primary: true }])).toBe(primary);
  expect(await add([{ value: plain }])).toBe(plain);
});

test("what another organisation has is an unknown id, in the same bytes, and its people are in no list", async () => {
  const theirs = await other.addPerson();
  const theirGroup = await other.addGroup("Theirs", [theirs.id]);
  const { id: mine } = await addPerson();
  const group = await addGroup("Mine", [mine]);
  const body = { userName: theirs.userName, displayName: "x" };
  const operations = { Operations: [{ op: "replace", value: { active: false } }] };
  const answers = async (userId: string, groupId: string) => [
    await scim("GET", `/Users/${userId}`),
    await scim("PUT", `/Users/${userId}`, body),
    await scim("PATCH", `/Users/${userId}`, operations),
    await scim("DELETE", `/Users/${userId}`),
    await scim("GET", `/Groups/${groupId}`),
    await scim("PUT", `/Groups/${groupId}`, { displayName: "x" }),
    await scim("PATCH", `/Groups/${groupId}`, {
      Operations: [{ op: "replace", value: { displayName: "x" } }],
    }),
    await scim("DELETE", `/Groups/${groupId}`),
  ];
  const foreign = await answers(theirs.id, theirGroup);
  expect(foreign.map(({ status }) => status)).toEqual(Array(8).fill(404));
  expect(foreign.map(({ body: told }) => told)).toEqual(
    (await answers(newId(), newId())).map(({ body: told }) => told),
  );
  const join = (value: string) =>
    scim("PATCH", `/Groups/${group}`, { Operations: [{ op: "add", path: "members", value: [{ value }] }] });
  const [known, unknown] = [await join(theirs.id), await join(newId())];
  expect([known.status, known.body]).toEqual([400, unknown.body]);
  for (const path of ["/Users", "/Groups", `/Users?filter=${encodeURIComponent('userName co "@"')}`]) {
    const listed = JSON.stringify(
      (await scim("GET", `${path}${path.includes("?") ? "&" : "?"}count=100`)).body,
    );
    expect(listed).not.toContain(theirs.id);
    expect(listed).not.toContain(theirGroup);
  }
  await expect(mapGroup(owner, { groupId: theirGroup, role: "auditor", unitId: null })).rejects.toMatchObject(
    {
      code: "not_found",
    },
  );
  const { body: still } = await other.scim("GET", `/Users/${theirs.id}`);
  expect(still).toMatchObject({ active: true, userName: theirs.userName });
});

test("an address that has an account in another organisation gets one of its own here, and the other stays as it was", async () => {
  const elsewhere = await makeTenant(database);
  const email = address();
  const theirs = await elsewhere.addMember("owner", { email });
  const mine = await scim("POST", "/Users", { userName: email, displayName: "Here" });
  expect(mine.status).toBe(201);
  expect(mine.body.id).not.toBe(theirs.id);
  await scim("DELETE", `/Users/${mine.body.id}`);
  expect((await explainAccess(elsewhere.as("owner"), { userId: theirs.id })).assignments).toHaveLength(1);
});

test("somebody who comes back has none of the groups that they were in before", async () => {
  const { id, userName } = await addPerson({ externalId: newId() });
  const group = await addGroup("Once", [id]);
  await mapGroup(owner, { groupId: group, role: "owner", unitId: null });
  await removeMember(owner, { userId: id });
  expect((await scim("GET", `/Users/${id}`)).status).toBe(404);
  const back = await scim("POST", "/Users", { userName });
  expect([back.status, back.body.id]).toEqual([201, id]);
  expect(await rolesOf(id)).toEqual([]);
  expect((await scim("GET", `/Groups/${group}`)).body.members).toEqual([]);
});

test("a group gives what it is let give: to whoever is in it, as long as they are, beside what people gave", async () => {
  const { id } = await addPerson();
  const [one, two] = [await addGroup("One", [id]), await addGroup("Two", [id])];
  await assignRole(owner, { userId: id, role: "auditor", unitId: null });
  const mapped = await mapGroup(owner, { groupId: one, role: "auditor", unitId: null });
  await mapGroup(owner, { groupId: two, role: "auditor", unitId: null });
  await expect(mapGroup(owner, { groupId: one, role: "auditor", unitId: null })).rejects.toMatchObject({
    code: "conflict",
  });
  expect(await rolesOf(id)).toMatchObject([{ fromDirectory: false }, { fromDirectory: true }]);
  await unmapGroup(owner, mapped);
  expect(await rolesOf(id)).toHaveLength(2);
  const { assignments } = await explainAccess(owner, { userId: id });
  const given = assignments.find(({ fromDirectory }) => fromDirectory);
  expect(given).toMatchObject({ grantedBy: "group One" });
  await expect(unassignRole(owner, { userId: id, assignmentId: given?.id ?? "" })).rejects.toMatchObject({
    code: "conflict",
  });
  await scim("DELETE", `/Groups/${two}`);
  expect(await rolesOf(id)).toEqual([{ role: "auditor", unitId: null, fromDirectory: false }]);
});

test("nobody lets a group give, or takes from it, what they do not have there", async () => {
  const { id } = await addPerson();
  const group = await addGroup("Any", [id]);
  const denied = { code: "permission_denied" };
  const { key } = await createRole(owner, { name: "People", permissions: ["members:manage"] });
  const manager: Ctx = {
    ...tenant.as("auditor"),
    grants: [
      { permissions: new Set(["members:manage"]), unitId: null, applicationId: null, environmentId: null },
    ],
  };
  await expect(mapGroup(manager, { groupId: group, role: "owner", unitId: null })).rejects.toMatchObject(
    denied,
  );
  const mapped = await mapGroup(manager, { groupId: group, role: key, unitId: tenant.units.alpha });
  await unmapGroup(manager, mapped);
  const owned = await mapGroup(owner, { groupId: group, role: "owner", unitId: tenant.units.beta });
  await expect(unmapGroup(manager, owned)).rejects.toMatchObject(denied);
  const ofTeam = tenant.as("owner", tenant.units.alpha);
  await expect(
    mapGroup(ofTeam, { groupId: group, role: "auditor", unitId: tenant.units.alpha }),
  ).rejects.toMatchObject({ code: "not_found" });
  await expect(mapGroup(owner, { groupId: group, role: key, unitId: newId() })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a role and a team that a group gives are not deleted from under it", async () => {
  const group = await addGroup("Empty");
  const { key } = await createRole(owner, { name: "Only in a group", permissions: ["reports:read"] });
  const unit = await createUnit(owner, { slug: `u-${newId().slice(-8)}`, name: "U" });
  const mapped = await mapGroup(owner, { groupId: group, role: key, unitId: unit.id });
  await expect(deleteRole(owner, { key })).rejects.toMatchObject({
    code: "conflict",
    extra: { held: { members: 0, groups: 1 } },
  });
  expect((await getDependents(owner, { kind: "unit", id: unit.id })).data).toEqual([
    { kind: "groups", count: 1 },
  ]);
  await unmapGroup(owner, mapped);
  await deleteRole(owner, { key });
});

test(
  "each change is in the audit trail with before and after, in the name of the directory, without addresses",
  { timeout: 60_000 },
  async () => {
    const { id, userName } = await addPerson({ externalId: "e-1" });
    await scim("PATCH", `/Users/${id}`, {
      Operations: [
        { op: "replace", path: "displayName", value: "Countess" },
        { op: "replace", path: "userName", value: address("countess") },
        { op: "replace", path: "externalId", value: "e-2" },
      ],
    });
    const group = await addGroup("Audited", [id]);
    const mapped = await mapGroup(owner, { groupId: group, role: "auditor", unitId: null });
    await unmapGroup(owner, mapped);
    await scim("DELETE", `/Groups/${group}`);
    await scim("DELETE", `/Users/${id}`);
    const person = await auditOf(id);
    expect(person.map(({ action }) => action)).toEqual([
      "member.joined",
      "directory_person.created",
      "directory_person.changed",
      "member.directory_roles_changed",
      "member.directory_roles_changed",
      "member.removed",
    ]);
    expect(person[2]?.data).toMatchObject({
      before: { name: "Ada Lovelace", externalId: "e-1" },
      after: { name: "Countess", externalId: "e-2" },
    });
    expect(person[3]?.data).toEqual({
      before: { roles: [] },
      after: { roles: [{ role: "auditor", unitId: null }] },
    });
    expect(
      (await auditOf(group)).map(({ action, data }) => [action, "before" in data || "after" in data]),
    ).toEqual([
      ["directory_group.created", true],
      ["directory_group.role_given", true],
      ["directory_group.role_taken", true],
      ["directory_group.deleted", true],
    ]);
    // Those that are written many at once are signed like the others.
    await expect
      .poll(
        async () => {
          await buildChains(database.worker);
          const { rows } = await database.owner.query<{ origin: string; events: number }>(
            `SELECT l.origin, count(*)::int AS events FROM audit_events e JOIN audit_links l ON l.tenant_id = e.tenant_id AND l.event_id = e.id
         WHERE e.tenant_id = $1 AND e.target_id = $2 GROUP BY 1`,
            [tenant.tenantId, id],
          );
          return rows;
          // Test files beside this one hold transactions open.
        },
        { timeout: 30_000 },
      )
      .toEqual([{ origin: "service", events: person.length }]);
    const everything = JSON.stringify(person);
    expect(everything).not.toContain(userName);
    expect(everything).not.toContain("countess@");
  },
);

test("a change that changes nothing leaves no trace", async () => {
  const { id, userName } = await addPerson();
  const before = await auditOf(id);
  await scim("PUT", `/Users/${id}`, { userName, displayName: "Ada Lovelace", active: true });
  await scim("PATCH", `/Users/${id}`, { Operations: [{ op: "Replace", path: "title", value: "Countess" }] });
  expect(await auditOf(id)).toEqual(before);
});

test("without a token that works nothing is answered, and not which part of it was wrong", async () => {
  const wrong = world.token.slice(0, -4) + (world.token.endsWith("AAAA") ? "BBBB" : "AAAA");
  for (const token of [null, "", "x", wrong, other.token.slice(0, 40), "tdg_scim_" + "A".repeat(86)]) {
    const answer = await scimClient(database, token)("GET", "/Users");
    expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([401, 'Bearer realm="tidings"']);
    expect(answer.body.schemas).toEqual(["urn:ietf:params:scim:api:messages:2.0:Error"]);
  }
});
