import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { makePromotionWorld } from "../testing/promotion-world.ts";
import { restClient } from "../testing/rest-client.ts";
import type { Problem } from "../testing/rest-client.ts";
import { authenticateApiKey } from "./authenticate-api-key.ts";
import { createApiKey } from "./create-api-key.ts";
import { admitFromDirectory, changeMembers } from "./directory-access.ts";
import { findOwner, findPerson } from "./find-person.ts";
import { removeMember } from "./remove-member.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import { reactivateMember, suspendMember } from "./suspend-member.ts";
import { handOverApiKey } from "./update-api-key.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const rest = restClient(database.web);
const admin = tenant.as("owner");

async function member(): Promise<Ctx & { id: string; email: string }> {
  const { id, email } = await tenant.addMember("owner");
  return { ...tenant.as("owner"), actor: { type: "user", id, email, name: "M" }, id, email };
}
const keyOf = (maker: Ctx) =>
  createApiKey(maker, { name: "k", environmentId: tenant.environments.production, role: "owner" });
const asKey = (id: string) => ({ type: "apiKey" as const, id, name: "k" });
const ownerOf = (id: string) => findOwner(admin, asKey(id));
/** For whom the key counts where two people have to agree. */
const personOf = (id: string) => findPerson(admin, asKey(id));
const use = (key: string) => authenticateApiKey(database.web, `Bearer ${key}`, { requestId: "test" });

test("nobody approves what they asked for with keys that a key they handed over made, in whatever generation", async () => {
  const world = await makePromotionWorld(database);
  const [first = "", second = ""] = await world.addTemplates(2);
  const requester = await world.member("owner");
  const heir = await world.member("owner");
  const handed = await createApiKey(requester, {
    name: "k",
    environmentId: world.environments.production,
    role: "owner",
  });
  const { id } = await world.promote([first], {}, requester);
  await handOverApiKey(requester, { id: handed.id, to: heir.actor.id! });
  const request = { application: "shop", to: "production", templates: [{ templateId: second }] };
  const denied = { status: 403, body: { code: "permission_denied" } };

  let { key } = handed;
  let last = handed.id;
  for (let generation = 1; generation <= 3; generation++) {
    const made = await rest.post<{ id: string; key: string } & Problem>("/v1/api-keys", {
      key,
      json: { name: `generation ${String(generation)}`, role: "owner" },
    });
    expect(made.status).toBe(201);
    ({ id: last, key } = made.body);
    expect(await rest.post(`/v1/promotions/${id}/approve`, { key })).toMatchObject(denied);
    expect(await rest.post("/v1/promotions", { key, json: request })).toMatchObject(denied);
  }
  expect(await world.live("production", [first])).toEqual({});
  // Once the colleague has rotated it, it is theirs alone.
  const { key: theirs } = await rotateApiKey(heir, { id: last });
  expect(await rest.post(`/v1/promotions/${id}/approve`, { key: theirs })).toMatchObject({
    status: 200,
    body: { state: "deployed" },
  });
});

test("a key that was handed over makes nothing of one person's by rotating itself or another either", async () => {
  const maker = await member();
  const heir = await member();
  const { id, key } = await keyOf(maker);
  const other = await keyOf(maker);
  await handOverApiKey(maker, { id, to: heir.id });
  for (const rotated of [
    await rotateApiKey(await use(key), { id: other.id }),
    await rotateApiKey(await use(key), { id }),
  ]) {
    expect(await ownerOf(rotated.id)).toBe(heir.id);
    expect(await personOf(rotated.id)).toBeNull();
  }
});

test("a key that only one person has had makes keys of theirs", async () => {
  const maker = await member();
  const { key } = await keyOf(maker);
  const made = await keyOf(await use(key));
  expect(await personOf(made.id)).toBe(maker.id);
  const rotated = await rotateApiKey(await use(made.key), { id: made.id });
  expect(await personOf(rotated.id)).toBe(maker.id);
});

test("a suspended person's key that goes on as a colleague's counts for neither, before they are back and after", async () => {
  const maker = await member();
  const heir = await member();
  const { id, key } = await keyOf(maker);
  await suspendMember(admin, { userId: maker.id, handKeysTo: heir.id });
  expect(await ownerOf(id)).toBe(heir.id);
  expect(await personOf(id)).toBeNull();
  await reactivateMember(admin, { userId: maker.id });
  expect(await personOf(id)).toBeNull();
  const made = await keyOf(await use(key));
  expect(await personOf(made.id)).toBeNull();
  const { id: next } = await rotateApiKey(heir, { id });
  expect(await personOf(next)).toBe(heir.id);
});

test("a removed person's key is the colleague's who got it until they are a member again", async () => {
  const maker = await member();
  const heir = await member();
  const { id, key } = await keyOf(maker);
  await removeMember(admin, { userId: maker.id, handKeysTo: heir.id });
  const made = await keyOf(await use(key));
  expect([await personOf(id), await personOf(made.id)]).toEqual([heir.id, heir.id]);
  const back = await changeMembers(tenant.system, (tx) =>
    admitFromDirectory(tenant.system, tx, { email: maker.email, name: "Back" }),
  );
  expect(back).toBe(maker.id);
  expect([await personOf(id), await personOf(made.id)]).toEqual([null, null]);
});

test("a key that comes back, is handed on or was nobody's counts for nobody until it is rotated, whoever leaves", async () => {
  const maker = await member();
  const heir = await member();
  const third = await member();
  const returned = await keyOf(maker);
  const handedOn = await keyOf(maker);
  const nobodys = await tenant.makeKey("production", { role: "owner" });
  const madeBetween: string[] = [];
  for (const { id, key } of [returned, handedOn]) {
    await handOverApiKey(maker, { id, to: heir.id });
    // By whichever of the two: that is not known afterwards.
    madeBetween.push((await keyOf(await use(key))).id);
  }
  const [madeReturned = "", madeHandedOn = ""] = madeBetween;
  for (const id of [returned.id, madeReturned]) await handOverApiKey(heir, { id, to: maker.id });
  await handOverApiKey(maker, { id: nobodys.id, to: maker.id });
  // The colleague leaves: what they had goes on, too.
  await removeMember(admin, { userId: heir.id, handKeysTo: third.id });
  const of = {
    [maker.id]: [returned.id, madeReturned, nobodys.id],
    [third.id]: [handedOn.id, madeHandedOn],
  };
  for (const [owner, ids] of Object.entries(of)) {
    for (const id of ids) expect([await ownerOf(id), await personOf(id)]).toEqual([owner, null]);
  }
  const made = await keyOf(await use(returned.key));
  expect(await personOf(made.id)).toBeNull();
  await removeMember(admin, { userId: maker.id, handKeysTo: third.id });
  for (const id of [returned.id, handedOn.id, nobodys.id, made.id]) {
    expect([await ownerOf(id), await personOf(id)]).toEqual([third.id, null]);
    const { id: next } = await rotateApiKey(third, { id });
    expect(await personOf(next)).toBe(third.id);
  }
});
