import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { TestTenant } from "../testing/factories.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import { acceptInvitation, readInvitation } from "./accept-invitation.ts";
import { createInvitation, renewInvitation, withdrawInvitation } from "./create-invitation.ts";
import { explainAccess } from "./explain-access.ts";
import { listInvitations } from "./list-invitations.ts";
import { createRole, deleteRole, updateRole } from "./manage-roles.ts";
import { removeMember } from "./remove-member.ts";
import { accessLimits } from "./schemas.ts";
import { loadSession } from "./sessions.ts";
import { signInWithPassword } from "./sign-in.ts";
import { suspendMember } from "./suspend-member.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const other = await makeTenant(database);
const password = "correct horse battery staple";
const address = () => `${newId()}@people.example`;
const from = { ip: null, userAgent: null, requestId: "test" };
const over = { code: "not_found" };

/** Somebody with a row: who invites answers for it when it is accepted. */
async function person(
  role: BuiltInRole,
  unitId: string | null = null,
  of: TestTenant = tenant,
): Promise<Ctx> {
  const { id, email } = await of.addMember(role, unitId === null ? {} : { unitId });
  return { ...of.as(role, unitId), actor: { type: "user", id, email, name: `The ${role}` } };
}
const owner = await person("owner");
const invite = (ctx: Ctx, fields: Partial<Parameters<typeof createInvitation>[1]> = {}) =>
  createInvitation(ctx, {
    email: address(),
    name: "Mia",
    assignments: [{ role: "developer", unitId: null }],
    ...fields,
  });
const accept = (token: string, fields: { name?: string; password?: string } = {}) =>
  acceptInvitation(database.web, { token, password, ...fields, ...from });
const signIn = (email: string, given = password, organisation = tenant.slug) =>
  signInWithPassword(database.web, { organisation, email, password: given, ...from });

test("who accepts becomes a member with the roles and a password of their own", async () => {
  const email = address();
  const { token } = await invite(owner, {
    email: email.toUpperCase(),
    assignments: [
      { role: "developer", unitId: tenant.units.alpha },
      { role: "finance", unitId: null },
    ],
  });
  expect(await readInvitation(database.web, { token, requestId: "test" })).toMatchObject({
    organisation: { slug: tenant.slug },
    email,
    name: "Mia",
    invitedBy: "The owner",
    hasAccount: false,
    roles: [
      { name: "Developer", unit: "Alpha" },
      { name: "Finance", unit: null },
    ],
  });
  expect(await accept(token, { name: "Mia Maier" })).toEqual({ organisation: tenant.slug, email });
  const session = await loadSession(database.web, await signIn(email));
  expect(session?.user.name).toBe("Mia Maier");
  expect(session?.grants.map(({ unitId }) => unitId).sort()).toEqual([tenant.units.alpha, null].sort());
  const { assignments } = await explainAccess(owner, { userId: session!.user.id });
  expect(assignments.map(({ grantedBy }) => grantedBy)).toEqual(["The owner", "The owner"]);
});

test("the token is nowhere but in the link: not in the database, the list or the audit trail", async () => {
  const { token, id } = await invite(owner);
  const { rows } = await database.owner.query<{ text: string }>(
    `SELECT string_agg(t::text, ' ') AS text FROM (
       SELECT i::text FROM invitations i UNION ALL SELECT a::text FROM audit_events a) AS all_rows(t)`,
  );
  expect(rows[0]?.text).toContain(id);
  expect(rows[0]?.text).not.toContain(token.slice(4));
  expect(rows[0]?.text).not.toContain(Buffer.from(token).toString("hex"));
  expect(JSON.stringify(await listInvitations(owner, {}))).not.toContain(token);
});

test("a link works once, also when it is used twice at the same moment", async () => {
  const email = address();
  const { token } = await invite(owner, { email });
  const outcomes = await Promise.allSettled([accept(token), accept(token), accept(token)]);
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(accept(token)).rejects.toMatchObject(over);
  await expect(readInvitation(database.web, { token, requestId: "test" })).rejects.toMatchObject(over);
  const { rows } = await database.owner.query("SELECT id FROM users WHERE email = $1", [email]);
  expect(rows).toHaveLength(1);
});

test("a link that was replaced, withdrawn, has expired or is none of ours opens nothing, all in the same words", async () => {
  const replaced = await invite(owner);
  const fresh = await renewInvitation(owner, { id: replaced.id });
  const withdrawn = await invite(owner);
  await withdrawInvitation(owner, { id: withdrawn.id });
  const expired = await invite(owner);
  await database.owner.query("UPDATE invitations SET expires_at = now() WHERE id = $1", [expired.id]);
  const words = new Set<string>();
  for (const token of [
    replaced.token,
    withdrawn.token,
    expired.token,
    `inv_${"A".repeat(43)}`,
    "inv_",
    "x",
  ]) {
    for (const open of [
      accept,
      (text: string) => readInvitation(database.web, { token: text, requestId: "test" }),
    ]) {
      const error: unknown = await open(token).catch((refusal: unknown) => refusal);
      expect(error).toMatchObject(over);
      words.add((error as Error).message);
    }
  }
  expect(words.size).toBe(1);
  await accept(fresh.token);
  // What has expired can be sent again.
  await accept((await renewInvitation(owner, { id: expired.id })).token);
  for (const { id } of [withdrawn, fresh]) {
    await expect(renewInvitation(owner, { id })).rejects.toMatchObject(over);
    await expect(withdrawInvitation(owner, { id })).rejects.toMatchObject(over);
  }
});

test("one whose role was deleted after it expired is not sent again: nobody could accept it", async () => {
  const { key } = await createRole(owner, { name: `Role ${newId()}`, permissions: ["reports:read"] });
  const { id } = await invite(owner, { assignments: [{ role: key, unitId: null }] });
  await database.owner.query("UPDATE invitations SET expires_at = now() WHERE id = $1", [id]);
  await deleteRole(owner, { key });
  await expect(renewInvitation(owner, { id })).rejects.toMatchObject({ code: "conflict" });
});

test("it works for seven days", async () => {
  const { expiresAt } = await invite(owner);
  expect((expiresAt.getTime() - Date.now()) / 86_400_000).toBeCloseTo(7, 2);
});

test("nobody invites with more than they may do, in the unit or in the whole organisation", async () => {
  const denied = { code: "permission_denied" };
  const administrator = await person("administrator");
  await expect(
    invite(administrator, { assignments: [{ role: "owner", unitId: null }] }),
  ).rejects.toMatchObject(denied);
  await expect(
    invite(administrator, {
      assignments: [
        { role: "finance", unitId: null },
        { role: "developer", unitId: tenant.units.alpha },
      ],
    }),
  ).rejects.toMatchObject(denied);
  const manager = await person("owner", tenant.units.alpha);
  await invite(manager, { assignments: [{ role: "owner", unitId: tenant.units.alpha }] });
  for (const unitId of [null, tenant.units.beta]) {
    await expect(invite(manager, { assignments: [{ role: "finance", unitId }] })).rejects.toMatchObject(over);
  }
  await expect(invite(await person("developer"))).rejects.toMatchObject(denied);
  await expect(invite(owner, { assignments: [{ role: "nonsense", unitId: null }] })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

test("an invitation gives nothing that who sent it lost or that was added to the role since", async () => {
  const administrator = await person("administrator");
  const { key } = await createRole(owner, { name: `Role ${newId()}`, permissions: ["reports:read"] });
  const widened = await invite(administrator, { assignments: [{ role: key, unitId: null }] });
  await updateRole(owner, { key, name: `Role ${newId()}`, permissions: ["reports:read", "content:reveal"] });
  await expect(accept(widened.token)).rejects.toMatchObject(over);

  const demoted = await invite(administrator, { assignments: [{ role: "finance", unitId: null }] });
  await database.owner.query("DELETE FROM role_assignments WHERE user_id = $1", [administrator.actor.id]);
  await expect(accept(demoted.token)).rejects.toMatchObject(over);
  // Somebody who has all of it can answer for it.
  const again = await renewInvitation(owner, { id: demoted.id });
  await accept(again.token);
});

test("the invitations of somebody who is removed or suspended end", async () => {
  for (const end of [removeMember, suspendMember]) {
    const administrator = await person("administrator");
    const { token } = await invite(administrator, { assignments: [{ role: "finance", unitId: null }] });
    await end(tenant.as("owner"), { userId: administrator.actor.id! });
    await expect(accept(token)).rejects.toMatchObject(over);
    await expect(invite(administrator)).rejects.toMatchObject({ code: "permission_denied" });
  }
});

test("having a link neither opens nor changes the account of a member: their password is asked for", async () => {
  const { id, email } = await tenant.addMember("finance", { unitId: tenant.units.beta, password });
  // To a manager of Alpha a member of Beta is a stranger, and is invited like one.
  const manager = await person("owner", tenant.units.alpha);
  const { token } = await invite(manager, {
    email,
    assignments: [{ role: "auditor", unitId: tenant.units.alpha }],
  });
  expect(await readInvitation(database.web, { token, requestId: "test" })).toMatchObject({
    hasAccount: true,
  });
  await expect(accept(token, { password: "a password of the inviter's" })).rejects.toMatchObject({
    code: "sign_in_failed",
  });
  await accept(token, { name: "Somebody Else" });
  const session = await loadSession(database.web, await signIn(email));
  expect(session?.user).toMatchObject({ id, name: "Finance" });
  expect(session?.grants.map(({ unitId }) => unitId).sort()).toEqual(
    [tenant.units.alpha, tenant.units.beta].sort(),
  );
});

test("a suspended member does not come back through an invitation; a removed one comes back as the same person", async () => {
  const manager = await person("owner", tenant.units.alpha);
  const assignments = [{ role: "finance", unitId: tenant.units.alpha }];
  const suspended = await tenant.addMember("finance", { unitId: tenant.units.beta, password });
  await suspendMember(owner, { userId: suspended.id });
  const first = await invite(manager, { email: suspended.email, assignments });
  await expect(accept(first.token)).rejects.toMatchObject({ code: "sign_in_failed" });

  const removed = await tenant.addMember("owner", { password });
  await removeMember(owner, { userId: removed.id });
  const { token } = await invite(manager, { email: removed.email, assignments });
  expect(await readInvitation(database.web, { token, requestId: "test" })).toMatchObject({
    hasAccount: false,
  });
  const next = "another horse battery staple";
  await accept(token, { password: next });
  await expect(signIn(removed.email)).rejects.toMatchObject({ code: "sign_in_failed" });
  const session = await loadSession(database.web, await signIn(removed.email, next));
  expect(session).toMatchObject({ user: { id: removed.id }, roles: ["finance"] });
});

test("whether an address has an account in another organisation changes nothing, here or there", async () => {
  const email = address();
  const theirs = await person("owner", null, other);
  const squatted = await createInvitation(theirs, {
    email,
    name: "Bob",
    assignments: [{ role: "developer", unitId: null }],
  });
  await accept(squatted.token, { password: "the squatter's password" });
  const { token } = await invite(owner, { email, name: "Bob" });
  const stranger = await invite(owner, { name: "Bob" });
  const facts = async (text: string) => {
    const read = await readInvitation(database.web, { token: text, requestId: "test" });
    return { ...read, email: "", expiresAt: 0 };
  };
  expect(await facts(token)).toEqual(await facts(stranger.token));
  await accept(token);
  await expect(signIn(email, "the squatter's password")).rejects.toMatchObject({ code: "sign_in_failed" });
  await expect(signIn(email, password, other.slug)).rejects.toMatchObject({ code: "sign_in_failed" });
  expect(await signIn(email)).toMatchObject({ tenantId: tenant.tenantId });
  expect(await signIn(email, "the squatter's password", other.slug)).toMatchObject({
    tenantId: other.tenantId,
  });
});

test("members and invitations that one sees are pointed out; others' are not", async () => {
  const { email } = await tenant.addMember("finance", { unitId: tenant.units.beta });
  await expect(invite(owner, { email })).rejects.toMatchObject({
    code: "conflict",
    errors: [{ pointer: "/email" }],
  });
  const invited = address();
  await invite(owner, { email: invited });
  await expect(invite(owner, { email: invited })).rejects.toMatchObject({ code: "conflict" });
  const manager = await person("owner", tenant.units.alpha);
  const assignments = [{ role: "finance", unitId: tenant.units.alpha }];
  for (const each of [email, invited]) await invite(manager, { email: each, assignments });
});

test("a team's manager sees and ends the team's invitations only", async () => {
  const { alpha, beta } = tenant.units;
  const manager = await person("owner", alpha);
  const mine = await invite(owner, { assignments: [{ role: "finance", unitId: alpha }] });
  const hidden = [
    await invite(owner, { assignments: [{ role: "finance", unitId: beta }] }),
    await invite(owner, { assignments: [{ role: "finance", unitId: null }] }),
    await invite(owner, {
      assignments: [
        { role: "finance", unitId: alpha },
        { role: "finance", unitId: beta },
      ],
    }),
  ];
  const seen = (await listInvitations(manager, { limit: 200 })).data.map(({ id }) => id);
  expect(seen).toContain(mine.id);
  for (const { id } of hidden) {
    expect(seen).not.toContain(id);
    await expect(withdrawInvitation(manager, { id })).rejects.toMatchObject(over);
    await expect(renewInvitation(manager, { id })).rejects.toMatchObject(over);
  }
  await withdrawInvitation(manager, { id: mine.id });
  const theirs = await createInvitation(await person("owner", null, other), {
    email: address(),
    name: "X",
    assignments: [{ role: "finance", unitId: null }],
  });
  await expect(withdrawInvitation(owner, { id: theirs.id })).rejects.toMatchObject(over);
});

test("links an hour are limited for each organisation, and one's flood leaves the others alone", async () => {
  const crowded = await makeTenant(database);
  const flooder = await person("owner", null, crowded);
  const flood = (n: number) =>
    database.owner.query(
      `INSERT INTO invitations (tenant_id, id, email, name, assignments, invited_by_name, linked_at, expires_at, created_at)
       SELECT $1, uuidv7_new(), n || '@x.example', 'X', '[]', 'X', now(), now() + interval '7 days', now()
       FROM generate_series(1, $2::int) AS n`,
      [crowded.tenantId, n],
    );
  await flood(accessLimits.linksPerHour - 1);
  const wanted = () => ({
    email: address(),
    name: "X",
    assignments: [{ role: "finance", unitId: null }],
  });
  const outcomes = await Promise.allSettled([1, 2, 3].map(() => createInvitation(flooder, wanted())));
  expect(outcomes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  await expect(createInvitation(flooder, wanted())).rejects.toMatchObject({
    code: "rate_limited",
    retryAfter: 600,
  });
  const { data } = await listInvitations(flooder, { limit: 1 });
  await expect(renewInvitation(flooder, { id: data[0]!.id })).rejects.toMatchObject({ code: "rate_limited" });
  await invite(owner);
  const sum = await database.owner.query(
    "UPDATE invitations SET linked_at = now() - interval '2 hours' WHERE tenant_id = $1",
    [crowded.tenantId],
  );
  expect(sum.rowCount).toBe(accessLimits.linksPerHour);
  await createInvitation(flooder, wanted());
  await flood(accessLimits.openInvitations);
  await database.owner.query(
    "UPDATE invitations SET linked_at = now() - interval '2 hours' WHERE tenant_id = $1",
    [crowded.tenantId],
  );
  await expect(createInvitation(flooder, wanted())).rejects.toMatchObject({ code: "conflict" });
});

test("a month after it ended an invitation is deleted, with its address", async () => {
  const { id } = await invite(owner);
  await database.owner.query("UPDATE invitations SET expires_at = now() - interval '31 days' WHERE id = $1", [
    id,
  ]);
  await invite(owner);
  const { rows } = await database.owner.query("SELECT id FROM invitations WHERE id = $1", [id]);
  expect(rows).toEqual([]);
});

test("a new password has twelve characters at least", async () => {
  const { token } = await invite(owner);
  await expect(accept(token, { password: "short" })).rejects.toMatchObject({ code: "invalid_request" });
  await accept(token);
});
