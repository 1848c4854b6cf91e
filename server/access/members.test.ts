import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { addMember } from "./add-member.ts";
import { authenticateApiKey } from "./authenticate-api-key.ts";
import { createApiKey } from "./create-api-key.ts";
import { listMemberKeys } from "./list-member-keys.ts";
import { listMembers } from "./list-members.ts";
import { removeMember } from "./remove-member.ts";
import { setMemberRole } from "./set-member-role.ts";
import { signInWithPassword } from "./sign-in.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const other = await makeTenant(database);
const address = () => `${newId()}@acme.example`;

test("a new member signs in with the password that is shown once", async () => {
  const email = address();
  const { password } = await addMember(tenant.as("owner"), { email, name: "Mia", role: "developer" });
  const signedIn = await signInWithPassword(database.web, {
    organisation: tenant.slug,
    email,
    password: password!,
    ip: "192.0.2.9",
    userAgent: null,
    requestId: "test",
  });
  expect(signedIn).toMatchObject({ tenantId: tenant.tenantId, name: "Mia" });
  const { data } = await listMembers(tenant.as("owner"));
  expect(data.find((member) => member.email === email)?.assignments).toMatchObject([
    { role: "developer", unitId: null },
  ]);
});

test("an address is one account in an organisation: a colleague gets another role", async () => {
  const email = address();
  const owner = tenant.as("owner");
  const first = await addMember(owner, { email, name: "Mia", role: "developer", unitId: tenant.units.alpha });
  const again = await addMember(owner, { email, name: "Mia", role: "finance", unitId: tenant.units.beta });
  expect(again).toEqual({ id: first.id, password: null });
  await expect(
    addMember(owner, { email, name: "Mia", role: "auditor", unitId: tenant.units.beta }),
  ).rejects.toMatchObject({ code: "conflict" });
});

test("nobody assigns, takes away or removes more than they may do themselves", async () => {
  const administrator = tenant.as("administrator");
  await expect(
    addMember(administrator, { email: address(), name: "X", role: "owner" }),
  ).rejects.toMatchObject({ code: "permission_denied" });
  const owner = await tenant.addMember("owner");
  await expect(setMemberRole(administrator, { userId: owner.id, role: null })).rejects.toMatchObject({
    code: "permission_denied",
  });
  await expect(removeMember(administrator, { userId: owner.id })).rejects.toMatchObject({
    code: "permission_denied",
  });
  const finance = await tenant.addMember("finance");
  await expect(setMemberRole(administrator, { userId: finance.id, role: "owner" })).rejects.toMatchObject({
    code: "permission_denied",
  });
  await expect(
    setMemberRole(administrator, { userId: finance.id, role: "auditor" }),
  ).resolves.toBeUndefined();
});

test("a tenant keeps an owner, even when two of them leave at once", async () => {
  const fresh = await makeTenant(database);
  const owner = fresh.as("owner");
  const conflict = { code: "conflict" };
  await expect(removeMember(owner, { userId: fresh.owner.id })).rejects.toMatchObject(conflict);
  await expect(setMemberRole(owner, { userId: fresh.owner.id, role: "developer" })).rejects.toMatchObject(
    conflict,
  );
  const second = await fresh.addMember("owner");
  const outcomes = await Promise.allSettled([
    removeMember(owner, { userId: fresh.owner.id }),
    removeMember(owner, { userId: second.id }),
  ]);
  expect(outcomes.map((outcome) => outcome.status).sort()).toEqual(["fulfilled", "rejected"]);
});

test("nobody removes themselves; a removed member can come back as the same person", async () => {
  const member = await tenant.addMember("owner");
  const self = { ...tenant.as("owner"), actor: { type: "user", ...member, name: "M" } as const };
  await expect(removeMember(self, { userId: member.id })).rejects.toMatchObject({ code: "conflict" });
  await removeMember(tenant.as("owner"), { userId: member.id });
  await expect(removeMember(tenant.as("owner"), { userId: member.id })).rejects.toMatchObject({
    code: "not_found",
  });
  const back = await addMember(tenant.as("owner"), { email: member.email, name: "M", role: "finance" });
  expect(back.id).toBe(member.id);
});

test("a team's manager sees and changes only the team", async () => {
  const manager = tenant.as("administrator", tenant.units.alpha);
  const mine = await tenant.addMember("finance", { unitId: tenant.units.alpha });
  const theirs = await tenant.addMember("finance", { unitId: tenant.units.beta });
  const seen = (await listMembers(manager)).data;
  expect(seen.map((member) => member.id)).toContain(mine.id);
  expect(seen.map((member) => member.id)).not.toContain(theirs.id);
  for (const member of seen) {
    for (const assignment of member.assignments) expect(assignment.unitId).toBe(tenant.units.alpha);
  }
  const missing = { code: "not_found" };
  await expect(
    setMemberRole(manager, { userId: theirs.id, unitId: tenant.units.beta, role: "auditor" }),
  ).rejects.toMatchObject(missing);
  await expect(setMemberRole(manager, { userId: mine.id, role: "auditor" })).rejects.toMatchObject(missing);
  await expect(removeMember(manager, { userId: mine.id })).rejects.toMatchObject(missing);
  await setMemberRole(manager, { userId: mine.id, unitId: tenant.units.alpha, role: "auditor" });
});

test("another tenant's people and units are unknown", async () => {
  const owner = tenant.as("owner");
  const missing = { code: "not_found" };
  await expect(removeMember(owner, { userId: other.owner.id })).rejects.toMatchObject(missing);
  await expect(setMemberRole(owner, { userId: other.owner.id, role: "finance" })).rejects.toMatchObject(
    missing,
  );
  await expect(
    addMember(owner, { email: address(), name: "X", role: "finance", unitId: other.units.alpha }),
  ).rejects.toMatchObject(missing);
});

test("without members:manage nothing is changed", async () => {
  const developer = tenant.as("developer");
  const denied = { code: "permission_denied" };
  await expect(addMember(developer, { email: address(), name: "X", role: "finance" })).rejects.toMatchObject(
    denied,
  );
  await expect(setMemberRole(developer, { userId: newId(), role: null })).rejects.toMatchObject(denied);
  await expect(removeMember(developer, { userId: newId() })).rejects.toMatchObject(denied);
});

/** A member with a valid key: their ctx, the key's id, and the outcome of a request with the key. */
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

test("a removed member's API keys are revoked with them, and the answer names them", async () => {
  const { id, keyId, use } = await withKey();
  expect((await listMemberKeys(tenant.as("owner"), { userId: id })).data).toMatchObject([
    { id: keyId, name: "mine", environmentId: tenant.environments.production },
  ]);
  expect(await removeMember(tenant.as("owner"), { userId: id })).toEqual({
    keysRevoked: [keyId],
    keysHandedOver: [],
  });
  await expect(use()).rejects.toMatchObject({ code: "unauthenticated" });
  expect(await audited("api_key.revoked", keyId)).toEqual([{ name: "mine", from: id }]);
  expect(await audited("member.removed", id)).toMatchObject([{ keysRevoked: [keyId] }]);
});

test("a removed member's API keys can be handed over to a named colleague", async () => {
  const { id, keyId, use } = await withKey();
  const newOwner = await tenant.addMember("administrator");
  expect(await removeMember(tenant.as("owner"), { userId: id, handKeysTo: newOwner.id })).toEqual({
    keysRevoked: [],
    keysHandedOver: [keyId],
  });
  await use();
  expect((await listMemberKeys(tenant.as("owner"), { userId: newOwner.id })).data).toMatchObject([
    { id: keyId },
  ]);
  expect(await audited("api_key.handed_over", keyId)).toEqual([{ name: "mine", from: id, to: newOwner.id }]);
});

test("keys go only to members, and only if the remover has the keys' permissions", async () => {
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

test("somebody who is being removed cannot create a key that outlives them", async () => {
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

test("adding an address neither takes over, reads nor blocks an account of another organisation, nor reveals it", async () => {
  const email = address();
  const [mine, theirs] = [tenant.as("owner"), other.as("owner")];
  const add = (ctx: Ctx) => addMember(ctx, { email, name: "Bob", role: "developer" });
  // The squatter is first and knows a password.
  const squatted = await add(theirs);
  const added = await add(mine);
  const fresh = await addMember(mine, { email: address(), name: "Bob", role: "developer" });
  expect(Object.keys(added)).toEqual(Object.keys(fresh));
  expect(added.id).not.toBe(squatted.id);
  const signIn = (organisation: string | null, password: string | null) =>
    signInWithPassword(database.web, {
      organisation,
      email,
      password: password ?? "",
      ip: null,
      userAgent: null,
      requestId: "test",
    });
  await expect(signIn(tenant.slug, squatted.password)).rejects.toMatchObject({ code: "sign_in_failed" });
  await expect(signIn(null, squatted.password)).rejects.toMatchObject({ code: "sign_in_failed" });
  expect(await signIn(tenant.slug, added.password)).toMatchObject({
    tenantId: tenant.tenantId,
    userId: added.id,
  });
  expect(await signIn(other.slug.toUpperCase(), squatted.password)).toMatchObject({
    tenantId: other.tenantId,
  });
  await removeMember(theirs, { userId: squatted.id });
  expect(await signIn(tenant.slug, added.password)).toMatchObject({ userId: added.id });
});
