import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { assignRole, unassignRole } from "./assign-role.ts";
import { authenticateApiKey } from "./authenticate-api-key.ts";
import { createApiKey } from "./create-api-key.ts";
import { createInvitation } from "./create-invitation.ts";
import { explainAccess } from "./explain-access.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { listMemberKeys } from "./list-member-keys.ts";
import { listMembers } from "./list-members.ts";
import { removeMember } from "./remove-member.ts";
import { loadSession } from "./sessions.ts";
import { signInWithPassword } from "./sign-in.ts";
import { reactivateMember, suspendMember } from "./suspend-member.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const other = await makeTenant(database);
const password = "correct horse battery staple";
const signIn = (email: string) =>
  signInWithPassword(database.web, {
    organisation: tenant.slug,
    email,
    password,
    ip: null,
    userAgent: null,
    requestId: "test",
  });
/** Of a member's role in a place, the assignment. */
const assignmentOf = async (userId: string, role: string, unitId: string | null = null) => {
  const { assignments } = await explainAccess(tenant.as("owner"), { userId });
  return assignments.find((each) => each.role.key === role && each.unitId === unitId)?.id ?? newId();
};
const everyone = { limit: 200 } as const;

test("somebody has several roles, each in its place, and each says who gave it and when", async () => {
  const { id: userId } = await tenant.addMember("finance");
  const owner = tenant.as("owner");
  const before = Date.now();
  await assignRole(owner, { userId, role: "developer", unitId: tenant.units.alpha });
  await assignRole(owner, { userId, role: "auditor", unitId: tenant.units.alpha });
  const { assignments, permissions, partial } = await explainAccess(owner, { userId });
  expect(partial).toBe(false);
  expect(assignments).toMatchObject([
    { role: { key: "finance" }, unitId: null, grantedBy: null },
    { role: { key: "auditor" }, unitId: tenant.units.alpha, grantedBy: owner.actor.name },
    { role: { key: "developer" }, unitId: tenant.units.alpha, grantedBy: owner.actor.name },
  ]);
  expect(assignments[1]!.grantedAt.getTime()).toBeGreaterThanOrEqual(before);
  const [finance, auditor, developer] = assignments.map(({ id }) => id);
  const from = (permission: string) => permissions.find((each) => each.permission === permission)?.from;
  expect(from("costs:read")).toEqual([finance, auditor]);
  expect(from("templates:write")).toEqual([developer]);
  expect(from("members:manage")).toBeUndefined();
  await expect(
    assignRole(owner, { userId, role: "developer", unitId: tenant.units.alpha }),
  ).rejects.toMatchObject({ code: "conflict" });
});

test("nobody hands out, takes away, suspends or removes more than they may do", async () => {
  const administrator = tenant.as("administrator");
  const denied = { code: "permission_denied" };
  const { id: owner } = await tenant.addMember("owner");
  const { id: userId } = await tenant.addMember("finance");
  const assignmentId = await assignmentOf(owner, "owner");
  await expect(assignRole(administrator, { userId, role: "owner", unitId: null })).rejects.toMatchObject(
    denied,
  );
  await expect(
    assignRole(administrator, { userId, role: "developer", unitId: null }),
    "a developer sees texts and addresses, an administrator does not",
  ).rejects.toMatchObject(denied);
  await expect(unassignRole(administrator, { userId: owner, assignmentId })).rejects.toMatchObject(denied);
  await expect(removeMember(administrator, { userId: owner })).rejects.toMatchObject(denied);
  await expect(suspendMember(administrator, { userId: owner })).rejects.toMatchObject(denied);
  await suspendMember(tenant.as("owner"), { userId: owner });
  await expect(reactivateMember(administrator, { userId: owner })).rejects.toMatchObject(denied);
  await assignRole(administrator, { userId, role: "auditor", unitId: null });
});

test("what somebody has in one unit they give in that unit only, and what they have everywhere does not help them there", async () => {
  const { alpha, beta } = tenant.units;
  const { id: userId } = await tenant.addMember("auditor", { unitId: alpha });
  // Manages members of Alpha; reads costs everywhere, which is not to manage members everywhere.
  const manager = { ...tenant.as("administrator", alpha) };
  const mixed: Ctx = { ...manager, grants: [...manager.grants, ...tenant.as("finance").grants] };
  await assignRole(mixed, { userId, role: "finance", unitId: alpha });
  await expect(assignRole(mixed, { userId, role: "finance", unitId: beta })).rejects.toMatchObject({
    code: "permission_denied",
  });
  await expect(assignRole(mixed, { userId, role: "finance", unitId: null })).rejects.toMatchObject({
    code: "permission_denied",
  });
  // An owner of Beta who manages members of Alpha as an administrator gives no owner of Alpha.
  const owner: Ctx = { ...manager, grants: [...manager.grants, ...tenant.as("owner", beta).grants] };
  await expect(assignRole(owner, { userId, role: "owner", unitId: alpha })).rejects.toMatchObject({
    code: "permission_denied",
  });
});

test("a tenant keeps an owner, also when two of them leave at once", async () => {
  const fresh = await makeTenant(database);
  const owner = fresh.as("owner");
  const conflict = { code: "conflict" };
  await expect(removeMember(owner, { userId: fresh.owner.id })).rejects.toMatchObject(conflict);
  await expect(suspendMember(owner, { userId: fresh.owner.id })).rejects.toMatchObject(conflict);
  const role = await assignmentIn(fresh, fresh.owner.id);
  await expect(unassignRole(owner, { userId: fresh.owner.id, assignmentId: role })).rejects.toMatchObject(
    conflict,
  );
  // An owner of one team owns no organisation, nor does one who may not sign in.
  await fresh.addMember("owner", { unitId: fresh.units.alpha });
  const suspended = await fresh.addMember("owner");
  await suspendMember(owner, { userId: suspended.id });
  await expect(removeMember(owner, { userId: fresh.owner.id })).rejects.toMatchObject(conflict);
});

const assignmentIn = async (of: typeof tenant, userId: string) => {
  const { assignments } = await explainAccess(of.as("owner"), { userId });
  return assignments[0]!.id;
};

test("owners that leave at once, each in another way, leave one behind", async () => {
  for (let round = 0; round < 5; round++) {
    const fresh = await makeTenant(database);
    const owner = fresh.as("owner");
    const ids = [fresh.owner.id];
    for (let count = 0; count < 3; count++) ids.push((await fresh.addMember("owner")).id);
    const [first = "", second = "", third = "", fourth = ""] = ids;
    const [thirds, fourths] = await Promise.all([assignmentIn(fresh, third), assignmentIn(fresh, fourth)]);
    const outcomes = await Promise.allSettled([
      removeMember(owner, { userId: first }),
      suspendMember(owner, { userId: second }),
      unassignRole(owner, { userId: third, assignmentId: thirds }),
      unassignRole(owner, { userId: fourth, assignmentId: fourths }),
      removeMember(owner, { userId: second }),
    ]);
    expect(outcomes.filter(({ status }) => status === "rejected").length).toBeGreaterThanOrEqual(1);
    const { rows } = await database.owner.query(
      `SELECT 1 FROM role_assignments a JOIN roles r ON r.id = a.role_id AND r.key = 'owner'
       JOIN users u ON u.id = a.user_id AND u.disabled_at IS NULL WHERE a.tenant_id = $1 AND a.unit_id IS NULL`,
      [fresh.tenantId],
    );
    expect(rows).toHaveLength(1);
  }
});

test("nobody removes or suspends themselves, and who was removed is no member", async () => {
  const member = await tenant.addMember("owner");
  const self = { ...tenant.as("owner"), actor: { type: "user", ...member, name: "M" } as const };
  await expect(removeMember(self, { userId: member.id })).rejects.toMatchObject({ code: "conflict" });
  await expect(suspendMember(self, { userId: member.id })).rejects.toMatchObject({ code: "conflict" });
  await removeMember(tenant.as("owner"), { userId: member.id });
  await expect(removeMember(tenant.as("owner"), { userId: member.id })).rejects.toMatchObject({
    code: "not_found",
  });
  for (const work of [suspendMember, reactivateMember, explainAccess, listMemberKeys]) {
    await expect(work(tenant.as("owner"), { userId: member.id })).rejects.toMatchObject({
      code: "not_found",
    });
  }
});

test("a team's manager sees and changes the team only", async () => {
  const manager = tenant.as("administrator", tenant.units.alpha);
  const mine = await tenant.addMember("finance", { unitId: tenant.units.alpha });
  const theirs = await tenant.addMember("finance", { unitId: tenant.units.beta });
  const seen = (await listMembers(manager, everyone)).data;
  expect(seen.map((member) => member.id)).toContain(mine.id);
  expect(seen.map((member) => member.id)).not.toContain(theirs.id);
  for (const member of seen) {
    for (const assignment of member.assignments) expect(assignment.unitId).toBe(tenant.units.alpha);
  }
  const missing = { code: "not_found" };
  const { alpha, beta } = tenant.units;
  // In a place that is not theirs, or to somebody who is not.
  for (const [userId, unitId] of [
    [mine.id, beta],
    [mine.id, null],
    [theirs.id, alpha],
    [theirs.id, beta],
  ] as const) {
    await expect(assignRole(manager, { userId, unitId, role: "auditor" })).rejects.toMatchObject(missing);
  }
  for (const work of [removeMember, suspendMember, reactivateMember, listMemberKeys]) {
    await expect(work(manager, { userId: mine.id })).rejects.toMatchObject(missing);
  }
  await expect(explainAccess(manager, { userId: theirs.id })).rejects.toMatchObject(missing);
  await assignRole(manager, { userId: mine.id, unitId: alpha, role: "auditor" });
  await assignRole(tenant.as("owner"), { userId: mine.id, unitId: beta, role: "developer" });
  const access = await explainAccess(manager, { userId: mine.id });
  expect(access.partial).toBe(true);
  expect(access.assignments.map((each) => each.unitId)).toEqual([alpha, alpha]);
  expect(access.permissions.map((each) => each.permission)).not.toContain("templates:write");
  await expect(
    unassignRole(manager, { userId: mine.id, assignmentId: await assignmentOf(mine.id, "developer", beta) }),
  ).rejects.toMatchObject(missing);
});

test("another tenant's people and units are unknown ones", async () => {
  const owner = tenant.as("owner");
  const missing = { code: "not_found" };
  const userId = other.owner.id;
  for (const work of [removeMember, suspendMember, reactivateMember, explainAccess, listMemberKeys]) {
    await expect(work(owner, { userId })).rejects.toMatchObject(missing);
  }
  await expect(assignRole(owner, { userId, role: "finance", unitId: null })).rejects.toMatchObject(missing);
  const { id } = await tenant.addMember("finance");
  await expect(
    assignRole(owner, { userId: id, role: "finance", unitId: other.units.alpha }),
  ).rejects.toMatchObject(missing);
});

test("without members:manage nothing is changed", async () => {
  const developer = tenant.as("developer");
  const denied = { code: "permission_denied" };
  const userId = newId();
  await expect(assignRole(developer, { userId, role: "finance", unitId: null })).rejects.toMatchObject(
    denied,
  );
  await expect(suspendMember(developer, { userId })).rejects.toMatchObject(denied);
  await expect(removeMember(developer, { userId })).rejects.toMatchObject(denied);
});

test("the list is searched by any part of name or address, filtered, and read page by page", async () => {
  const fresh = await makeTenant(database);
  const owner = fresh.as("owner");
  for (let count = 0; count < 5; count++) await fresh.addMember("finance", { email: `f_${count}@x.example` });
  const suspended = await fresh.addMember("auditor", { email: "100%@x.example" });
  await suspendMember(owner, { userId: suspended.id });
  const emails = async (input: object) =>
    (await listMembers(owner, { ...everyone, ...input })).data.map(({ email }) => email);
  expect(await emails({ search: "F_3@" })).toEqual(["f_3@x.example"]);
  expect(await emails({ search: "olga" })).toEqual([fresh.owner.email]);
  expect(await emails({ search: "%" })).toEqual(["100%@x.example"]);
  expect(await emails({ search: "\\" })).toEqual([]);
  expect(await emails({ state: "suspended" })).toEqual(["100%@x.example"]);
  expect(await emails({ state: "active", role: "auditor" })).toEqual([]);
  expect(await emails({ role: "owner" })).toEqual([fresh.owner.email]);
  const read: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listMembers(owner, { limit: 2, ...(cursor === undefined ? {} : { cursor }) });
    read.push(...page.data.map(({ id }) => id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  expect(read).toHaveLength(7);
  expect(new Set(read).size).toBe(7);
  await expect(listMembers(owner, { cursor: "nonsense" })).rejects.toMatchObject({ code: "invalid_cursor" });
});

test("who is suspended is out at once, keys too, and comes back with what they had but no session", async () => {
  const { id, email } = await tenant.addMember("administrator", { password });
  const self: Ctx = { ...tenant.as("owner"), actor: { type: "user", id, email, name: "M" } };
  const { key } = await createApiKey(self, { name: "mine", environmentId: tenant.environments.production });
  const use = () => authenticateApiKey(database.web, `Bearer ${key}`, { requestId: "test" });
  const session = await signIn(email);
  expect(await loadSession(database.web, session)).toBeDefined();
  await use();
  const { keysStopped } = await suspendMember(tenant.as("owner"), { userId: id });
  expect(keysStopped).toHaveLength(1);
  expect(await loadSession(database.web, session)).toBeUndefined();
  await expect(use()).rejects.toMatchObject({ code: "unauthenticated" });
  await expect(signIn(email)).rejects.toMatchObject({ code: "sign_in_failed" });
  await expect(
    createApiKey(self, { name: "late", environmentId: tenant.environments.production }),
  ).rejects.toMatchObject({ code: "permission_denied" });
  const states = async () =>
    (await listApiKeys(tenant.as("owner"), {})).data.filter((each) => each.id === keysStopped[0]);
  expect(await states()).toMatchObject([{ state: "paused" }]);
  await expect(suspendMember(tenant.as("owner"), { userId: id })).rejects.toMatchObject({ code: "conflict" });

  await reactivateMember(tenant.as("owner"), { userId: id });
  await use();
  expect(await loadSession(database.web, session)).toBeUndefined();
  const again = await loadSession(database.web, await signIn(email));
  expect(again?.roles).toEqual(["administrator"]);
  await expect(reactivateMember(tenant.as("owner"), { userId: id })).rejects.toMatchObject({
    code: "conflict",
  });
});

test("a suspended member's keys can go on as a colleague's, and do not come back", async () => {
  const { id, keyId, use } = await withKey();
  const heir = await tenant.addMember("administrator");
  expect(await suspendMember(tenant.as("owner"), { userId: id, handKeysTo: heir.id })).toEqual({
    keysStopped: [],
    keysHandedOver: [keyId],
  });
  await use();
  await reactivateMember(tenant.as("owner"), { userId: id });
  expect((await listMemberKeys(tenant.as("owner"), { userId: id })).data).toEqual([]);
});

/** A member with a valid key: who acts as them, the key's id, and what the key's text is answered. */
async function withKey() {
  const { id, email } = await tenant.addMember("administrator");
  const self: Ctx = { ...tenant.as("owner"), actor: { type: "user", id, email, name: "M" } };
  const { id: keyId, key } = await createApiKey(self, {
    name: "mine",
    environmentId: tenant.environments.production,
  });
  const use = () => authenticateApiKey(database.web, `Bearer ${key}`, { requestId: "test" });
  await use();
  return { id, self, keyId, use };
}
const audited = async (action: string, targetId: string) => {
  const { rows } = await database.owner.query<{ data: unknown }>(
    "SELECT data FROM audit_events WHERE action = $1 AND target_id = $2",
    [action, targetId],
  );
  return rows.map((row) => row.data);
};

test("a removed member's API keys are revoked with them, and it is said which", async () => {
  const { id, keyId, use } = await withKey();
  expect((await listMemberKeys(tenant.as("owner"), { userId: id })).data).toMatchObject([
    { id: keyId, name: "mine", environmentId: tenant.environments.production },
  ]);
  expect(await removeMember(tenant.as("owner"), { userId: id })).toEqual({
    keysStopped: [keyId],
    keysHandedOver: [],
  });
  await expect(use()).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await audited("api_key.revoked", keyId)).toMatchObject([{ name: "mine", from: id }]);
  expect(await audited("member.removed", id)).toMatchObject([{ keysStopped: [keyId] }]);
});

test("a removed member's API keys can go on as a named colleague's", async () => {
  const { id, keyId, use } = await withKey();
  const heir = await tenant.addMember("administrator");
  expect(await removeMember(tenant.as("owner"), { userId: id, handKeysTo: heir.id })).toEqual({
    keysStopped: [],
    keysHandedOver: [keyId],
  });
  await use();
  expect((await listMemberKeys(tenant.as("owner"), { userId: heir.id })).data).toMatchObject([{ id: keyId }]);
  expect(await audited("api_key.handed_over", keyId)).toMatchObject([
    { name: "mine", from: id, to: heir.id },
  ]);
});

test("keys go to members only, and not past what the remover may do", async () => {
  const { id, use } = await withKey();
  const gone = await tenant.addMember("finance");
  await removeMember(tenant.as("owner"), { userId: gone.id });
  for (const handKeysTo of [newId(), other.owner.id, gone.id, id]) {
    await expect(removeMember(tenant.as("owner"), { userId: id, handKeysTo })).rejects.toMatchObject({
      code: "invalid_request",
    });
  }
  await expect(listMemberKeys(tenant.as("developer"), { userId: id })).rejects.toMatchObject({
    code: "permission_denied",
  });
  await use();
});

test("whoever is being removed makes no key that outlives them", async () => {
  const { id, self } = await withKey();
  const make = () =>
    createApiKey(self, { name: "late", environmentId: tenant.environments.production }).catch(
      (error: unknown) => error,
    );
  await Promise.all([removeMember(tenant.as("owner"), { userId: id }), make(), make(), make()]);
  expect(await make()).toMatchObject({ code: "permission_denied" });
  const { rows } = await database.owner.query(
    "SELECT id FROM api_keys WHERE created_by_id = $1 AND revoked_at IS NULL",
    [id],
  );
  expect(rows).toEqual([]);
});

test("an invitation that waits for somebody ends when they are suspended or removed", async () => {
  for (const end of [suspendMember, removeMember]) {
    const { id, email } = await tenant.addMember("finance", { unitId: tenant.units.alpha });
    // A manager of another team does not see that they are a member.
    const { id: invitation } = await createInvitation(tenant.as("owner", tenant.units.beta), {
      email,
      name: "N",
      assignments: [{ role: "auditor", unitId: tenant.units.beta }],
    });
    await end(tenant.as("owner"), { userId: id });
    const { rows } = await database.owner.query("SELECT outcome FROM invitations WHERE id = $1", [
      invitation,
    ]);
    expect(rows).toEqual([{ outcome: "withdrawn" }]);
  }
});
