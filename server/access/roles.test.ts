import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { permissions, permissionTexts } from "../operations/permissions.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { assignRole } from "./assign-role.ts";
import { authenticateApiKey } from "./authenticate-api-key.ts";
import { createApiKey } from "./create-api-key.ts";
import { createInvitation, withdrawInvitation } from "./create-invitation.ts";
import { listRoleHolders, listRoles } from "./list-roles.ts";
import { createRole, deleteRole, updateRole } from "./manage-roles.ts";
import { removeMember } from "./remove-member.ts";
import { accessLimits } from "./schemas.ts";
import { loadSession } from "./sessions.ts";
import { signInWithPassword } from "./sign-in.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const other = await makeTenant(database);
const owner = tenant.as("owner");
const denied = { code: "permission_denied" };
const conflict = { code: "conflict" };
let count = 0;
const fresh = () => `Role ${String(++count)}`;

test("every permission is explained, once", () => {
  expect(Object.keys(permissionTexts)).toEqual([...permissions]);
  expect(new Set(Object.values(permissionTexts).map(({ name }) => name)).size).toBe(permissions.length);
});

test("a role of one's own is made of ticked permissions, given, changed and deleted", async () => {
  const { key } = await createRole(owner, {
    name: "Support, level 2",
    description: "Looks, does not touch",
    permissions: ["reports:read", "notifications:read", "reports:read"],
  });
  expect(key).toBe("support_level_2");
  const listed = async () => (await listRoles(owner)).data.find((role) => role.key === key);
  expect(await listed()).toMatchObject({
    builtIn: false,
    description: "Looks, does not touch",
    permissions: ["notifications:read", "reports:read"],
    held: { members: 0, keys: 0, invitations: 0 },
  });
  await updateRole(owner, { key, name: "Support", description: "", permissions: ["notifications:read"] });
  expect(await listed()).toMatchObject({ name: "Support", permissions: ["notifications:read"] });
  await deleteRole(owner, { key });
  expect(await listed()).toBeUndefined();
  const { rows } = await database.owner.query<{ action: string; data: unknown }>(
    "SELECT action, data FROM audit_events WHERE tenant_id = $1 AND target_type = 'role' ORDER BY id",
    [tenant.tenantId],
  );
  expect(rows).toMatchObject([
    { action: "role.created", data: { after: { permissions: ["notifications:read", "reports:read"] } } },
    {
      action: "role.changed",
      data: {
        before: { name: "Support, level 2" },
        after: { name: "Support", permissions: ["notifications:read"] },
      },
    },
    { action: "role.deleted", data: { before: { name: "Support" } } },
  ]);
});

test("of two who change a role at the same time the later one is told, and what the first saved stays", async () => {
  const elsewhere = other.as("owner");
  const { key } = await createRole(elsewhere, { name: fresh(), permissions: ["notifications:read"] });
  const listed = async () => (await listRoles(elsewhere)).data.find((role) => role.key === key)!;
  const { revision, name } = await listed();
  const change = (permissions: ("reports:read" | "templates:read")[], basedOn: string) =>
    updateRole(elsewhere, { key, revision: basedOn, name, permissions });
  await change(["reports:read"], revision);
  await expect(change(["templates:read"], revision)).rejects.toMatchObject({ code: "revision_conflict" });
  expect((await listed()).permissions).toEqual(["reports:read"]);
  await change(["templates:read"], (await listed()).revision);
  expect((await listed()).permissions).toEqual(["templates:read"]);
  await deleteRole(elsewhere, { key });
});

test("built-in roles stay as they are, and no role takes another's name or key", async () => {
  const text = { description: "", permissions: ["reports:read"] as const };
  const wanted = { ...text, permissions: [...text.permissions] };
  await expect(updateRole(owner, { key: "finance", name: "Money", ...wanted })).rejects.toMatchObject(
    conflict,
  );
  await expect(deleteRole(owner, { key: "sender" })).rejects.toMatchObject(conflict);
  await expect(createRole(owner, { name: "OWNER", ...wanted })).rejects.toMatchObject(conflict);
  const { key } = await createRole(owner, { name: "Owner!", ...wanted });
  expect(key).not.toBe("owner");
  const [one, two] = await Promise.allSettled([
    createRole(owner, { name: "Twice", ...wanted }),
    createRole(owner, { name: "twice", ...wanted }),
  ]);
  expect([one.status, two.status].sort()).toEqual(["fulfilled", "rejected"]);
  await expect(createRole(owner, { name: " ", ...wanted })).rejects.toThrow();
  await expect(createRole(owner, { name: fresh(), description: "", permissions: [] })).rejects.toThrow();
});

test("nobody makes, widens or narrows a role beyond what they may do in the whole organisation", async () => {
  const administrator = tenant.as("administrator");
  await expect(
    createRole(administrator, { name: fresh(), permissions: ["content:reveal"] }),
  ).rejects.toMatchObject(denied);
  const { key } = await createRole(administrator, { name: fresh(), permissions: ["reports:read"] });
  const change = (ctx: Ctx, name: string, wanted: ("reports:read" | "content:reveal")[]) =>
    updateRole(ctx, { key, name, permissions: wanted });
  // Also a role that they have themselves.
  const holder: Ctx = { ...administrator };
  await expect(change(holder, fresh(), ["reports:read", "content:reveal"])).rejects.toMatchObject(denied);
  await change(owner, fresh(), ["reports:read", "content:reveal"]);
  await expect(change(administrator, fresh(), ["reports:read"])).rejects.toMatchObject(denied);
  await expect(deleteRole(administrator, { key })).rejects.toMatchObject(denied);
});

test("roles are the whole organisation's: a team's manager reads them and changes none", async () => {
  const manager = tenant.as("owner", tenant.units.alpha);
  const { key } = await createRole(owner, { name: fresh(), permissions: ["reports:read"] });
  const missing = { code: "not_found" };
  await expect(createRole(manager, { name: fresh(), permissions: ["reports:read"] })).rejects.toMatchObject(
    missing,
  );
  await expect(
    updateRole(manager, { key, name: fresh(), permissions: ["reports:read"] }),
  ).rejects.toMatchObject(missing);
  await expect(deleteRole(manager, { key })).rejects.toMatchObject(missing);
  await expect(listRoleHolders(manager, { key })).rejects.toMatchObject(missing);
  const seen = (await listRoles(manager)).data.find((role) => role.key === key);
  expect(seen?.held).toBeNull();
});

test("a role that somebody has is not deleted, and it is said who has it", async () => {
  const { key } = await createRole(owner, { name: fresh(), permissions: ["reports:read"] });
  const { id: userId } = await tenant.addMember("finance");
  await assignRole(owner, { userId, role: key, unitId: tenant.units.alpha });
  await assignRole(owner, { userId, role: key, unitId: null });
  const { id: keyId } = await createApiKey(owner, {
    name: "reader",
    environmentId: tenant.environments.production,
    role: key,
  });
  const { id: invitationId } = await createInvitation(owner, {
    email: `${newId()}@x.example`,
    name: "Nina",
    assignments: [{ role: key, unitId: null }],
  });
  await expect(deleteRole(owner, { key })).rejects.toMatchObject({
    code: "conflict",
    extra: { held: { members: 1, keys: 1, invitations: 1 } },
  });
  const { data } = await listRoleHolders(owner, { key });
  expect(data.map(({ kind, holderId }) => [kind, holderId]).sort()).toEqual(
    [
      ["member", userId],
      ["member", userId],
      ["key", keyId],
      ["invitation", invitationId],
    ].sort(),
  );
  const first = await listRoleHolders(owner, { key, limit: 3 });
  const rest = await listRoleHolders(owner, { key, limit: 3, cursor: first.nextCursor! });
  expect([...first.data, ...rest.data]).toEqual(data);
  await removeMember(owner, { userId });
  await withdrawInvitation(owner, { id: invitationId });
  await expect(deleteRole(owner, { key })).rejects.toMatchObject(conflict);
});

test("a role is not given at the moment at which it is deleted", async () => {
  for (let round = 0; round < 5; round++) {
    const { key } = await createRole(owner, { name: fresh(), permissions: ["reports:read"] });
    const { id: userId } = await tenant.addMember("finance");
    await Promise.allSettled([
      assignRole(owner, { userId, role: key, unitId: null }),
      deleteRole(owner, { key }),
      createApiKey(owner, { name: "k", environmentId: tenant.environments.production, role: key }),
    ]);
  }
  const { rows } = await database.owner.query(
    `SELECT id FROM role_assignments a WHERE NOT EXISTS (SELECT FROM roles r WHERE r.id = a.role_id)
     UNION ALL SELECT id FROM api_keys k WHERE NOT EXISTS (SELECT FROM roles r WHERE r.id = k.role_id)`,
  );
  expect(rows).toEqual([]);
});

test("a changed role counts at once in sessions that are open and for keys", async () => {
  const password = "correct horse battery staple";
  const { key } = await createRole(owner, { name: fresh(), permissions: ["reports:read", "costs:read"] });
  const { id: userId, email } = await tenant.addMember("finance", { password, unitId: tenant.units.beta });
  await assignRole(owner, { userId, role: key, unitId: null });
  const name = await signInWithPassword(database.web, {
    organisation: tenant.slug,
    email,
    password,
    ip: null,
    userAgent: null,
    requestId: "test",
  });
  const made = await createApiKey(owner, {
    name: "k",
    environmentId: tenant.environments.production,
    role: key,
  });
  const ofKey = async () =>
    (await authenticateApiKey(database.web, `Bearer ${made.key}`, { requestId: "test" })).grants[0]
      ?.permissions;
  const ofPerson = async () =>
    (await loadSession(database.web, name))?.grants.find((grant) => grant.unitId === null)?.permissions;
  expect(await ofPerson()).toContain("costs:read");
  expect(await ofKey()).toContain("costs:read");
  await updateRole(owner, { key, name: fresh(), permissions: ["reports:read"] });
  expect(await ofPerson()).toEqual(new Set(["reports:read"]));
  expect(await ofKey()).toEqual(new Set(["reports:read"]));
});

test("another organisation's roles are unknown ones", async () => {
  const { key } = await createRole(other.as("owner"), { name: fresh(), permissions: ["reports:read"] });
  const missing = { code: "not_found" };
  await expect(
    updateRole(owner, { key, name: fresh(), permissions: ["reports:read"] }),
  ).rejects.toMatchObject(missing);
  await expect(deleteRole(owner, { key })).rejects.toMatchObject(missing);
  await expect(listRoleHolders(owner, { key })).rejects.toMatchObject(missing);
});

test("an organisation has a bounded number of roles", async () => {
  const crowded = await makeTenant(database);
  await database.owner.query(
    `INSERT INTO roles (tenant_id, id, key, name, permissions)
     SELECT $1, uuidv7_new(), 'r' || n, 'R' || n, '{reports:read}' FROM generate_series(1, $2) AS n`,
    [crowded.tenantId, accessLimits.customRoles],
  );
  await expect(
    createRole(crowded.as("owner"), { name: "One more", permissions: ["reports:read"] }),
  ).rejects.toMatchObject(conflict);
});
