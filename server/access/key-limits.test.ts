import type { AddressInfo } from "node:net";
import { afterAll, expect, test, vi } from "vitest";
import { createFrontDoor } from "../front-door/front-door.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { parseProxyRanges } from "../kernel/client-address.ts";
import { PathTree } from "../rest/path-tree.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { archiveApplication } from "../workspace/change-application.ts";
import { authenticateApiKey } from "./authenticate-api-key.ts";
import { createApiKey } from "./create-api-key.ts";
import { findOwner, findPerson } from "./find-person.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import { createApiKeySchema } from "./schemas.ts";
import { suspendMember } from "./suspend-member.ts";
import { handOverApiKey, listKeyPeople, updateApiKey } from "./update-api-key.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const environmentId = tenant.environments.production;
const closing: (() => Promise<unknown>)[] = [];
afterAll(() => Promise.all(closing.map((close) => close())));

const use = (key: string, clientAddress: string | null) =>
  authenticateApiKey(database.web, `Bearer ${key}`, { requestId: "test", clientAddress });
const codeOf = (work: Promise<unknown>) =>
  work.then(
    () => "allowed",
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );
async function member(role: "owner" | "developer" | "finance", unitId?: string): Promise<Ctx> {
  const { id, email } = await tenant.addMember(role, unitId === undefined ? {} : { unitId });
  return {
    ...tenant.as(role, unitId ?? null),
    actor: { type: "user", id, email, name: role },
  };
}
const idOf = (ctx: Ctx) => ctx.actor.id ?? "";
const wanted = { name: "k", environmentId };
const listed = async (id: string) =>
  (await listApiKeys(tenant.as("owner"), { limit: 200, includeEnded: true })).data.find(
    (key) => key.id === id,
  );
const asKey = (id: string) => ({ type: "apiKey" as const, id, name: "k" });

test("a key that is bound to networks works from there alone, and the refusal does not name them", async () => {
  const { key } = await createApiKey(tenant.as("owner"), {
    ...wanted,
    allowedNetworks: ["203.0.113.0/24", "2001:DB8:1::/48", "198.51.100.7"],
  });
  for (const address of ["203.0.113.9", "::ffff:203.0.113.9", "2001:db8:1:2::3", "198.51.100.7"]) {
    expect(await codeOf(use(key, address)), address).toBe("allowed");
  }
  for (const address of ["203.0.114.9", "2001:db8:2::1", "198.51.100.8", "127.0.0.1", "nonsense", "", null]) {
    expect(await codeOf(use(key, address)), String(address)).toBe("address_not_allowed");
  }
  const refused = await use(key, "192.0.2.1").catch((error: unknown) => error as DomainError);
  expect(refused).toMatchObject({ status: 403 });
  expect(JSON.stringify([(refused as DomainError).message, refused])).not.toMatch(/203\.0|2001|198\.51/);
  // Who does not have the key learns nothing of it.
  expect(await codeOf(use(`${key.slice(0, -7)}${key.slice(-6)}`, "192.0.2.1"))).toBe("unauthenticated");
});

test("a header that a caller makes up does not help: what counts is who connected, or what a trusted proxy says", async () => {
  const { key } = await createApiKey(tenant.as("owner"), { ...wanted, allowedNetworks: ["203.0.113.0/24"] });
  const open = async (trusted: string[]) => {
    const tree = new PathTree();
    const handler = async (request: Request) =>
      Response.json({ answer: await codeOf(use(key, request.headers.get("x-forwarded-for"))) });
    tree.add({ path: "/v1/who", handlers: new Map([["GET", handler]]), allow: "GET" });
    const door = createFrontDoor({
      tree,
      trustedProxies: parseProxyRanges(trusted),
      portal: (_request, response) => {
        response.end();
        return Promise.resolve();
      },
    });
    closing.push(() => door.close(0));
    await new Promise<void>((resolve) => door.server.listen(0, "127.0.0.1", resolve));
    const { port } = door.server.address() as AddressInfo;
    return async (headers: Record<string, string>) =>
      (
        (await (await fetch(`http://127.0.0.1:${String(port)}/v1/who`, { headers })).json()) as {
          answer: string;
        }
      ).answer;
  };
  const direct = await open([]);
  for (const headers of [
    { "x-forwarded-for": "203.0.113.9" },
    { "x-forwarded-for": "203.0.113.9, 127.0.0.1" },
    { "x-real-ip": "203.0.113.9" },
    { forwarded: "for=203.0.113.9" },
  ] as Record<string, string>[]) {
    expect(await direct(headers)).toBe("address_not_allowed");
  }
  const behindProxy = await open(["127.0.0.1"]);
  expect(await behindProxy({ "x-forwarded-for": "203.0.113.9" })).toBe("allowed");
  expect(await behindProxy({ "x-forwarded-for": "203.0.113.9, 192.0.2.1" })).toBe("address_not_allowed");
});

test("networks are addresses and ranges, at most fifty, and nothing else", () => {
  const parse = (allowedNetworks: string[]) => createApiKeySchema.safeParse({ ...wanted, allowedNetworks });
  for (const network of ["10.0.0.0/8", "10.1.2.3", "::1", "fd00::/8", " 10.0.0.1 "]) {
    expect(parse([network]).success, network).toBe(true);
  }
  for (const network of [
    "",
    "10.0.0.0/33",
    "10.0.0",
    "host.example",
    "::ffff:10.0.0.1",
    "fe80::1%eth0",
    "*",
  ]) {
    expect(parse([network]).success, network).toBe(false);
  }
  const many = (count: number) => Array.from({ length: count }, (_, index) => `10.0.0.${String(index)}`);
  expect(parse(many(50)).success).toBe(true);
  expect(parse(many(51)).success).toBe(false);
});

test("a change of networks counts at once here and within five seconds everywhere", async () => {
  const owner = tenant.as("owner");
  const { id, key } = await createApiKey(owner, wanted);
  await use(key, "192.0.2.1");
  await updateApiKey(owner, { id, allowedNetworks: ["203.0.113.1"] });
  expect(await codeOf(use(key, "192.0.2.1"))).toBe("address_not_allowed");
  await database.owner.query("UPDATE api_keys SET allowed_networks = '{192.0.2.1}' WHERE id = $1", [id]);
  await vi.waitFor(async () => expect(await codeOf(use(key, "192.0.2.1"))).toBe("allowed"), {
    timeout: 5_000,
    interval: 100,
  });
});

test("when and from where a key was last used is noted, for many uses with one write", async () => {
  const { id, key } = await createApiKey(tenant.as("owner"), wanted);
  const writes = async () =>
    (await database.owner.query<{ xmin: string }>("SELECT xmin FROM api_keys WHERE id = $1", [id])).rows[0]
      ?.xmin;
  const before = await writes();
  for (let i = 0; i < 50; i++) await use(key, "203.0.113.77");
  await vi.waitFor(async () => expect(await listed(id)).toMatchObject({ lastUsedFrom: "203.0.113.77" }), {
    timeout: 5_000,
    interval: 50,
  });
  const after = await writes();
  expect(after).not.toBe(before);
  for (let i = 0; i < 50; i++) await use(key, "203.0.113.78");
  await new Promise((resolve) => setTimeout(resolve, 1_500));
  expect(await writes()).toBe(after);
});

test("a rotation keeps purpose, networks and an agent's limits, and takes the end that was asked for", async () => {
  const owner = await member("owner");
  const { id } = await createApiKey(owner, {
    ...wanted,
    purpose: "Orders",
    allowedNetworks: ["203.0.113.0/24"],
    expiresAt: new Date(Date.now() + 86_400_000),
    agent: { recipients: ["*@example.com"], hourlyCap: 5 },
  });
  const expiresAt = new Date(Date.now() + 90 * 86_400_000);
  const next = await rotateApiKey(owner, { id, expiresAt });
  expect(await listed(next.id)).toMatchObject({
    purpose: "Orders",
    allowedNetworks: ["203.0.113.0/24"],
    agent: { recipients: ["*@example.com"], hourlyCap: 5, laterStages: false },
    owner: { id: idOf(owner) },
    expiresAt,
  });
  await expect(rotateApiKey(owner, { id: next.id, expiresAt: new Date(0) })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

test("no key is made or rotated for an archived application", async () => {
  const fresh = await makeTenant(database);
  const owner = fresh.as("owner");
  const { id } = await fresh.makeKey("production", { applicationId: fresh.application.id });
  await archiveApplication(owner, { id: fresh.application.id, archived: true });
  const conflict = { code: "conflict" };
  await expect(
    createApiKey(owner, {
      name: "k",
      environmentId: fresh.environments.production,
      applicationId: fresh.application.id,
    }),
  ).rejects.toMatchObject(conflict);
  await expect(rotateApiKey(owner, { id })).rejects.toMatchObject(conflict);
});

test("a key is handed over to somebody who manages keys there, stops with them, and names neither of the two where two have to agree", async () => {
  const maker = await member("owner");
  const heir = await member("developer", tenant.units.alpha);
  const stranger = await member("developer", tenant.units.beta);
  const finance = await member("finance");
  const { id, key } = await createApiKey(maker, {
    ...wanted,
    role: "developer",
    applicationId: tenant.application.id,
  });
  const people = (await listKeyPeople(maker, { id })).data.map((person) => person.id);
  expect(people).toContain(idOf(heir));
  expect(people).not.toContain(idOf(stranger));
  for (const to of [idOf(stranger), idOf(finance), newId()]) {
    await expect(handOverApiKey(maker, { id, to })).rejects.toMatchObject({ code: "invalid_request" });
  }
  expect(await findPerson(maker, asKey(id))).toBe(idOf(maker));
  await handOverApiKey(maker, { id, to: idOf(heir) });
  expect(await listed(id)).toMatchObject({ owner: { id: idOf(heir) } });
  expect(await findOwner(maker, asKey(id))).toBe(idOf(heir));
  expect(await findPerson(maker, asKey(id))).toBeNull();
  // A rotation ends that: whoever rotates has the text alone.
  const next = await rotateApiKey(heir, { id, overlapSeconds: 3_600 });
  expect(await findPerson(maker, asKey(next.id))).toBe(idOf(heir));
  await suspendMember(maker, { userId: idOf(heir) });
  expect(await codeOf(use(key, null))).toBe("unauthenticated");
});

test("nobody changes or hands over a key that can do more than they may, nor an agent's limits", async () => {
  const owner = await member("owner");
  const developer = await member("developer");
  const { id } = await createApiKey(owner, {
    ...wanted,
    role: "owner",
    agent: { recipients: ["*@example.com"], hourlyCap: 5 },
  });
  const denied = { code: "permission_denied" };
  await expect(
    updateApiKey(developer, { id, agent: { recipients: ["*@evil.example"] } }),
  ).rejects.toMatchObject(denied);
  await expect(updateApiKey(developer, { id, allowedNetworks: [] })).rejects.toMatchObject(denied);
  await expect(handOverApiKey(developer, { id, to: idOf(developer) })).rejects.toMatchObject(denied);
  const other = await createApiKey(owner, wanted);
  await expect(updateApiKey(owner, { id: other.id, agent: { hourlyCap: 1 } })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

test("a key of an agent has nothing that approves, manages or changes its limits, whatever its role", async () => {
  const { key } = await createApiKey(tenant.as("owner"), {
    ...wanted,
    role: "owner",
    agent: { recipients: ["*@example.com"], hourlyCap: 5 },
  });
  const ctx = await use(key, null);
  expect(ctx.grants).toHaveLength(1);
  expect([...ctx.grants[0]!.permissions].filter((name) => /:(?:manage|approve)$/.test(name))).toEqual([]);
  expect(ctx.grants[0]!.permissions.has("notifications:send")).toBe(true);
  const denied = { code: "permission_denied" };
  await expect(createApiKey(ctx, wanted)).rejects.toMatchObject(denied);
  await expect(updateApiKey(ctx, { id: ctx.key.id, agent: { hourlyCap: 100 } })).rejects.toMatchObject(
    denied,
  );
  await expect(rotateApiKey(ctx, { id: ctx.key.id })).rejects.toMatchObject(denied);
});

test("of two who change a key or its agent at the same time the later one is told, and a state tells no hidden address", async () => {
  const owner = await member("owner");
  const administrator = tenant.as("administrator");
  const { id } = await createApiKey(owner, {
    ...wanted,
    agent: { recipients: ["ada@example.com"], hourlyCap: 5 },
  });
  const seenBy = async (ctx: Ctx) =>
    (await listApiKeys(ctx, { limit: 200 })).data.find((key) => key.id === id)!;
  const [full, masked] = [await seenBy(owner), await seenBy(administrator)];
  expect([full.agent?.masked, masked.agent?.masked]).toEqual([false, true]);
  // Otherwise who does not see an address could try which one makes it.
  expect(full.revision).not.toBe(masked.revision);
  await updateApiKey(owner, { id, revision: full.revision, agent: { hourlyCap: 6 } });
  const late = updateApiKey(owner, { id, revision: full.revision, agent: { recipients: ["*@example.org"] } });
  await expect(late).rejects.toMatchObject({ code: "revision_conflict" });
  const { revision } = await seenBy(owner);
  await updateApiKey(owner, { id, revision, agent: { recipients: ["*@example.com"] } });
  expect((await seenBy(owner)).agent).toMatchObject({ recipients: ["*@example.com"], hourlyCap: 6 });
});

test("the audit trail and who may not see addresses find them masked", async () => {
  const owner = await member("owner");
  const { id } = await createApiKey(owner, {
    ...wanted,
    agent: { recipients: ["Ada@Example.com", "+49 151 1234567", "*@example.com", "+49151*"], hourlyCap: 5 },
  });
  expect((await listed(id))?.agent?.recipients).toEqual([
    "ada@example.com",
    "+491511234567",
    "*@example.com",
    "+49151*",
  ]);
  const { data } = await listApiKeys(tenant.as("administrator"), { limit: 200 });
  const masked = data.find((key) => key.id === id)?.agent?.recipients;
  expect(masked).toEqual(["a•••@example.com", "+49•••67", "*@example.com", "+49151*"]);
  await updateApiKey(owner, { id, agent: { recipients: ["bob@example.com"], laterStages: true } });
  const { rows } = await database.owner.query<{ action: string; data: unknown }>(
    "SELECT action, data FROM audit_events WHERE target_id = $1 ORDER BY id",
    [id],
  );
  expect(rows.map(({ action }) => action)).toEqual(["api_key.created", "api_key.updated"]);
  expect(rows[1]?.data).toMatchObject({
    before: { agent: { laterStages: false } },
    after: { agent: { laterStages: true, recipients: ["b•••@example.com"] } },
  });
  expect(JSON.stringify(rows)).not.toMatch(/ada@|bob@|491511234567/);
});
