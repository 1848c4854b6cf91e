import "../testing/local-outbound.ts";
import { afterAll, beforeEach, expect, test } from "vitest";
import { assignRole, unassignRole } from "../access/assign-role.ts";
import { explainAccess } from "../access/explain-access.ts";
import { deleteRole } from "../access/manage-roles.ts";
import { removeMember } from "../access/remove-member.ts";
import { loadSession } from "../access/sessions.ts";
import { updateSignInPolicy } from "../access/sign-in-policy.ts";
import { createPerson, patchPersonById } from "../directory/write-people.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { testDatabase } from "../testing/database.ts";
import { forgetSuspended } from "../tenancy/suspension.ts";
import { openFakeOidc } from "../testing/fake-oidc.ts";
import { makeSsoWorld } from "../testing/sso-world.ts";
import { listProviders, removeProvider, switchProvider, updateProvider } from "./manage-providers.ts";
import { addRule, removeRule } from "./manage-rules.ts";

const database = await testDatabase();
const oidc = await openFakeOidc();
afterAll(() => oidc.close());
const open = () => makeSsoWorld(database, { oidc, provider: { admits: true } });
type World = Awaited<ReturnType<typeof open>>;
beforeEach(() => {
  oidc.state.twist = {};
});

const reasonOf = (work: Promise<unknown>) =>
  work.then(
    () => "fine",
    (error: unknown) => (error as { reason?: string }).reason ?? (error as { code: string }).code,
  );
const be = (world: World, name: string, claims: Record<string, unknown> = {}) => {
  oidc.state.person = { sub: name, email: `${name}@${world.domain}`, email_verified: true, name, ...claims };
};
const rolesOf = async (world: World, userId: string) =>
  (await explainAccess(world.owner, { userId })).assignments.map(
    ({ role, unitId, fromProvider }) =>
      `${role.key} ${unitId ?? "everywhere"}${fromProvider ? "" : " by hand"}`,
  );

test("somebody of a proven domain joins at the first sign-in where the organisation wants that, and not elsewhere", async () => {
  const closed = await makeSsoWorld(database, { oidc });
  be(closed, "ada");
  expect(await reasonOf(closed.signIn())).toBe("sso_no_member");
  const world = await open();
  be(world, "ada");
  const { signedIn } = await world.signIn();
  expect(signedIn.name).toBe("ada");
  // Without a rule a member with nothing.
  expect(await loadSession(database.web, signedIn)).toMatchObject({ roles: [], grants: [] });
  const { rows } = await database.owner.query<{ action: string; actor: string }>(
    "SELECT action, actor_name AS actor FROM audit_events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id",
    [world.tenant.tenantId, signedIn.userId],
  );
  expect(rows).toEqual([
    { action: "member.joined", actor: "Corporate" },
    { action: "member.identity_connected", actor: "Corporate" },
  ]);
});

test("who was removed does not join again, and whom the directory has deactivated stays out", async () => {
  const world = await open();
  be(world, "ada");
  const { signedIn } = await world.signIn();
  await removeMember(world.owner, { userId: signedIn.userId });
  expect(await reasonOf(world.signIn())).toBe("sso_no_member");
  const directory: Ctx = { ...world.tenant.system, actor: { type: "system", id: null, name: "Directory" } };
  const bob = await createPerson(directory, {
    schemas: ["urn:ietf:params:scim:schemas:core:2.0:User"],
    userName: `bob@${world.domain}`,
    displayName: "Bob",
  });
  be(world, "bob");
  // Without a password: this is how they sign in.
  expect((await world.signIn()).signedIn.userId).toBe(bob.id);
  await patchPersonById(directory, bob.id, {
    schemas: ["urn:ietf:params:scim:api:messages:2.0:PatchOp"],
    Operations: [{ op: "replace", path: "active", value: false }],
  });
  expect(await reasonOf(world.signIn())).toBe("sso_suspended");
});

test("roles follow the claims at each sign-in; what people and the directory gave stays", async () => {
  const world = await open();
  const { alpha } = world.tenant.units;
  const rule = { providerId: world.providerId };
  await addRule(world.owner, { ...rule, value: null, role: "auditor", unitId: null });
  await addRule(world.owner, { ...rule, value: "support", role: "developer", unitId: alpha });
  const { id } = await addRule(world.owner, { ...rule, value: "money", role: "finance", unitId: null });
  be(world, "ada", { groups: ["support", "others"] });
  const { userId } = (await world.signIn()).signedIn;
  expect(await rolesOf(world, userId)).toEqual(["auditor everywhere", `developer ${alpha}`]);
  await assignRole(world.owner, { userId, role: "developer", unitId: alpha });
  be(world, "ada", { groups: ["money"] });
  await world.signIn();
  expect(await rolesOf(world, userId)).toEqual([
    "auditor everywhere",
    "finance everywhere",
    `developer ${alpha} by hand`,
  ]);
  // Only the rule takes away what it gave.
  const { assignments } = await explainAccess(world.owner, { userId });
  const given = assignments.find(({ role }) => role.key === "finance")!;
  expect(given.grantedBy).toBe("Corporate, groups money");
  expect(await reasonOf(unassignRole(world.owner, { userId, assignmentId: given.id }))).toBe("conflict");
  await removeRule(world.owner, { id });
  expect(await rolesOf(world, userId)).toEqual(["auditor everywhere", `developer ${alpha} by hand`]);
  await updateProvider(world.owner, { ...world.settings, id: world.providerId, clientSecret: undefined });
  await removeProvider(world.owner, { id: world.providerId });
  expect(await rolesOf(world, userId)).toEqual([`developer ${alpha} by hand`]);
});

test("a rule that is removed while somebody signs in gives them nothing", async () => {
  const world = await open();
  const { id } = await addRule(world.owner, {
    providerId: world.providerId,
    value: null,
    role: "finance",
    unitId: null,
  });
  be(world, "ada");
  oidc.state.twist = { meanwhile: () => removeRule(world.owner, { id }) };
  const { userId } = (await world.signIn()).signedIn;
  expect(await rolesOf(world, userId)).toEqual([]);
});

test("a rule gives nothing that its maker does not have", async () => {
  const world = await open();
  const administrator = world.tenant.as("administrator");
  const rule = { providerId: world.providerId, value: "x", role: "owner", unitId: null };
  expect(await reasonOf(addRule(administrator, rule))).toBe("permission_denied");
  const manager = world.tenant.as("administrator", world.tenant.units.alpha);
  expect(
    await reasonOf(addRule(manager, { ...rule, role: "auditor", unitId: world.tenant.units.alpha })),
  ).toBe("not_found");
  const { id } = await addRule(world.owner, rule);
  expect(await reasonOf(removeRule(administrator, { id }))).toBe("permission_denied");
  expect(await reasonOf(deleteRole(world.owner, { key: "owner" }))).not.toBe("fine");
});

test("claims that would take the last owner's role leave it, and the owner signs in", async () => {
  const world = await open();
  await addRule(world.owner, { providerId: world.providerId, value: "owners", role: "owner", unitId: null });
  be(world, "olga", { groups: ["owners"] });
  const { userId } = (await world.signIn()).signedIn;
  await removeMember({ ...world.owner, actor: { type: "user", id: userId, name: "Olga", email: "" } }, { userId: world.tenant.owner.id }); // prettier-ignore
  be(world, "olga", { groups: [] });
  const { signedIn } = await world.signIn();
  expect(await loadSession(database.web, signedIn)).toMatchObject({ roles: ["owner"] });
});

test("groups that the provider left out are told, and take nothing away", async () => {
  const world = await open();
  await addRule(world.owner, {
    providerId: world.providerId,
    value: "support",
    role: "auditor",
    unitId: null,
  });
  be(world, "ada", { groups: ["support"] });
  const { userId } = (await world.signIn()).signedIn;
  be(world, "ada", { _claim_names: { groups: "src1" } });
  expect(await reasonOf(world.signIn())).toBe("sso_groups_missing");
  expect(await rolesOf(world, userId)).toEqual(["auditor everywhere"]);
});

test("where the organisation lets people in this way alone, passwords of members open nothing, and the last provider stays on", async () => {
  const world = await open();
  await addRule(world.owner, { providerId: world.providerId, value: null, role: "owner", unitId: null });
  be(world, "ada");
  const { signedIn } = await world.signIn();
  const ctx: Ctx = { ...world.owner, actor: { type: "user", id: signedIn.userId, name: "Ada", email: "" } };
  const policy = { secondFactor: false, sessionHours: 8, idleMinutes: 60 };
  await updateSignInPolicy(ctx, { ...policy, ways: ["identity_provider"], sessionId: signedIn.sessionId });
  expect(await loadSession(database.web, signedIn)).toMatchObject({
    secondFactorMissing: false,
    roles: ["owner"],
  });
  expect(await reasonOf(switchProvider(world.owner, { id: world.providerId, enabled: false }))).toBe(
    "conflict",
  );
  expect(await reasonOf(removeProvider(world.owner, { id: world.providerId }))).toBe("conflict");
  await updateSignInPolicy(ctx, {
    ...policy,
    ways: ["password", "identity_provider"],
    sessionId: signedIn.sessionId,
  });
  await switchProvider(world.owner, { id: world.providerId, enabled: false });
  expect((await listProviders(world.owner)).data[0]).toMatchObject({ enabled: false, people: 1 });
});

test("nobody joins an organisation that the operator has suspended", async () => {
  const world = await open();
  await database.owner.query("UPDATE tenants SET suspended_at = now() WHERE id = $1", [
    world.tenant.tenantId,
  ]);
  forgetSuspended();
  be(world, "ada");
  expect(await reasonOf(world.signIn())).toBe("organisation_suspended");
  const { rows } = await database.owner.query("SELECT 1 FROM users WHERE email = $1", [
    `ada@${world.domain}`,
  ]);
  expect(rows).toEqual([]);
});

test("where the organisation does not let people in this way, nobody joins either", async () => {
  const world = await open();
  await database.owner.query(
    `INSERT INTO sign_in_policies (tenant_id, second_factor, session_hours, idle_minutes, ways, updated_at)
     VALUES ($1, false, 8, 60, '{password}', now())`,
    [world.tenant.tenantId],
  );
  be(world, "ada");
  expect(await reasonOf(world.signIn())).toBe("sign_in_way_not_allowed");
  const { rows } = await database.owner.query("SELECT 1 FROM users WHERE email = $1", [
    `ada@${world.domain}`,
  ]);
  expect(rows).toEqual([]);
});
