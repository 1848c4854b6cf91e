import { expect, test } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeDirectory } from "../testing/directory-world.ts";
import { mapGroup, unmapGroup } from "./manage-mappings.ts";
import { parseFilter } from "./scim-filter.ts";

const database = await testDatabase();
const { scim, address, addPerson, addGroup } = await makeDirectory(database);
const { scim: quiet } = await makeDirectory(database);

const refusedFilters: [string, string][] = [
  ["no filter", "userName"],
  ["an unknown attribute", 'password eq "x"'],
  ["one of every object", '__proto__ eq "x"'],
  ["an unknown operator", 'userName matches "x"'],
  ["an order of texts", 'userName gt "x"'],
  ["a number for a text", "userName eq 1"],
  ["a text for a boolean", 'active eq "true"'],
  ["an unclosed bracket", '(userName eq "x"'],
  ["an unclosed text", 'userName eq "x'],
  ["line breaks in an unclosed text", `userName eq "${"\n".repeat(60)}`],
  ["a filter in a filter", 'emails[value[x eq "y"]]'],
  ["more negations than are read", "not ".repeat(200) + 'userName eq "x"'],
  ["more comparisons than are read", Array(30).fill('id eq "x"').join(" or ")],
  ["more characters than are read", `userName eq "${"x".repeat(5_000)}"`],
];

test.each(refusedFilters)("a filter with %s is refused at once and clearly", async (_what, filter) => {
  const began = performance.now();
  const answer = await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`);
  expect(performance.now() - began).toBeLessThan(500);
  expect([answer.status, answer.body.scimType]).toEqual([400, "invalidFilter"]);
  expect(answer.body).toMatchObject({
    schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
    status: "400",
  });
});

test("reading a filter takes no more time for each character the longer it is", () => {
  const longest = (text: string) => {
    const began = performance.now();
    expect(() => parseFilter(text)).toThrow();
    return performance.now() - began;
  };
  for (const part of ["(", '"', "\\", "not ", "[", "a.", "1e", 'x eq "', 'a eq "\\"', "\n", "é"]) {
    expect(longest(part.repeat(1_000).slice(0, 1_000)), part).toBeLessThan(100);
  }
});

test("brackets around a filter, however many, cost nothing and change nothing", async () => {
  const { userName } = await addPerson();
  const began = performance.now();
  const filter = `${"(".repeat(400)}userName eq "${userName}"${")".repeat(400)}`;
  expect((await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`)).body.totalResults).toBe(1);
  expect(performance.now() - began).toBeLessThan(1_000);
});

test("a filter is a value: nothing in it becomes SQL or a pattern", async () => {
  await addPerson({ displayName: "100% _real_" });
  const find = (filter: string) => scim("GET", `/Users?filter=${encodeURIComponent(filter)}`);
  for (const text of ["' OR true --", "%", "_", "$1"]) {
    const sql = await find(`externalId eq "${text}" or userName eq "${text}" or displayName eq "${text}"`);
    expect([sql.status, sql.body.totalResults], text).toEqual([200, 0]);
  }
  expect((await find('displayName co "% _REAL"')).body.totalResults).toBe(1);
  expect((await find('displayName co "%_%_%"')).body.totalResults).toBe(0);
});

test("filters find what they say, negated and joined too", async () => {
  const one = await addPerson({ displayName: "Zoe Zebra", name: { givenName: "Zoe", familyName: "Zebra" } });
  const two = await addPerson({ displayName: "Zed Zander", active: false });
  const ids = async (filter: string) =>
    (await scim("GET", `/Users?filter=${encodeURIComponent(filter)}`)).body.Resources.map(({ id }) => id);
  const both = [one.id, two.id].sort();
  expect((await ids('displayName sw "z"')).sort()).toEqual(both);
  expect(await ids('displayName sw "z" and active eq false')).toEqual([two.id]);
  expect(await ids('displayName sw "z" and not (active eq false)')).toEqual([one.id]);
  expect(await ids(`emails[type eq "work" and value eq "${one.userName}"]`)).toEqual([one.id]);
  expect(await ids(`emails[type eq "work"].value eq "${one.userName}"`)).toEqual([one.id]);
  expect(await ids(`id eq "${two.id}"`)).toEqual([two.id]);
  expect(await ids('displayName ew "zebra" and name.familyName pr')).toEqual([one.id]);
  expect(await ids('displayName sw "z" and externalId ne "x"')).toHaveLength(2);
  expect(await ids(`urn:ietf:params:scim:schemas:core:2.0:User:userName eq "${one.userName}"`)).toEqual([
    one.id,
  ]);
  const group = await addGroup("Zoo", [one.id]);
  const groups = await scim("GET", `/Groups?filter=${encodeURIComponent(`members.value eq "${one.id}"`)}`);
  expect(groups.body.Resources).toMatchObject([{ id: group }]);
});

const refusedPatches: [string, unknown][] = [
  ["no operations", { Operations: [] }],
  ["an unknown operation", { Operations: [{ op: "move", path: "active", value: true }] }],
  ["a path that is none", { Operations: [{ op: "replace", path: "name..givenName", value: "x" }] }],
  ["a path without its end", { Operations: [{ op: "replace", path: 'emails[type eq "work"', value: "x" }] }],
  ["a long path", { Operations: [{ op: "replace", path: "a".repeat(10_000), value: "x" }] }],
  ["a deep path", { Operations: [{ op: "replace", path: `emails[${"(".repeat(100)}]`, value: "x" }] }],
  ["the removal of everything", { Operations: [{ op: "remove" }] }],
  ["another kind of value", { Operations: [{ op: "replace", path: "userName", value: { a: 1 } }] }],
  ["a boolean that is none", { Operations: [{ op: "replace", path: "active", value: "perhaps" }] }],
  ["no name", { Operations: [{ op: "replace", path: "userName", value: "" }] }],
  [
    "a name with control characters",
    { Operations: [{ op: "replace", path: "displayName", value: "a\u0007b" }] },
  ],
  [
    "more operations than are read",
    { Operations: Array(101).fill({ op: "add", path: "title", value: "x" }) },
  ],
  ["a list", []],
  ["a text", '"x"'],
];

test.each(refusedPatches)("a patch with %s is refused and changes nothing", async (_what, body) => {
  const { id } = await addPerson();
  const { body: before } = await scim("GET", `/Users/${id}`);
  const answer = await scim("PATCH", `/Users/${id}`, body);
  expect(answer.status).toBe(400);
  expect(answer.body).toMatchObject({ status: "400", detail: expect.any(String) as string });
  expect((await scim("GET", `/Users/${id}`)).body).toEqual(before);
});

test("no path of a patch reaches what every object has", async () => {
  const { id } = await addPerson();
  for (const path of ["__proto__.polluted", "constructor.prototype.polluted", "name.__proto__"]) {
    await scim("PATCH", `/Users/${id}`, { Operations: [{ op: "add", path, value: "x" }] });
    await scim("PATCH", `/Users/${id}`, {
      Operations: [{ op: "add", value: { [path]: "x", "name.__proto__": {} } }],
    });
  }
  const raw = '{"Operations":[{"op":"add","value":{"__proto__":{"polluted":1}}}]}';
  expect((await scim("PATCH", `/Users/${id}`, raw)).status).toBe(400);
  expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
});

test("a body that is too deep, no JSON, of another type or too long is refused", async () => {
  const deep = `{"userName":${"[".repeat(40)}${"]".repeat(40)}}`;
  expect((await scim("POST", "/Users", deep)).status).toBe(400);
  expect((await scim("POST", "/Users", "{")).status).toBe(400);
  expect((await scim("POST", "/Users", "{}", { "content-type": "text/plain" })).status).toBe(415);
  expect((await scim("POST", "/Users", `{"userName":"${"x".repeat(1_100_000)}"}`)).status).toBe(413);
  expect((await scim("PUT", "/Users", {})).status).toBe(405);
  expect((await scim("GET", "/Nothing")).status).toBe(404);
});

test("a group has a bound, and a request a bound of its members", async () => {
  const group = await addGroup("Bounded");
  const ids = Array.from({ length: 5_001 }, () => ({ value: crypto.randomUUID() }));
  const tooMany = await scim("PATCH", `/Groups/${group}`, {
    Operations: [{ op: "add", path: "members", value: ids }],
  });
  expect([tooMany.status, tooMany.body.scimType]).toEqual([400, "tooMany"]);
});

test("a role for a group of thousands is given and taken in seconds", async () => {
  const big = await makeDirectory(database);
  const group = await big.addGroup("Everybody");
  await database.owner.query(
    `WITH made AS (INSERT INTO users (tenant_id, id, email, name)
                   SELECT $1, gen_random_uuid(), 'p' || n || '@' || $3, 'P' || n FROM generate_series(1, 5000) AS n RETURNING id)
     INSERT INTO directory_group_members (tenant_id, group_id, user_id) SELECT $1, $2, id FROM made`,
    [big.tenant.tenantId, group, big.domain],
  );
  const began = performance.now();
  const mapped = await mapGroup(big.owner, { groupId: group, role: "auditor", unitId: null });
  await unmapGroup(big.owner, mapped);
  expect(performance.now() - began).toBeLessThan(20_000);
  const { rows } = await database.owner.query<{ events: number }>(
    "SELECT count(*)::int AS events FROM audit_events WHERE tenant_id = $1 AND action = 'member.directory_roles_changed'",
    [big.tenant.tenantId],
  );
  expect(rows).toEqual([{ events: 10_000 }]);
  const { body } = await big.scim("GET", `/Groups/${group}`);
  expect(body.members).toHaveLength(5_000);
}, 60_000);

test("one directory's flood is turned away, and another's requests do not wait for it", async () => {
  const body = () => ({ userName: address(), displayName: "Flood" });
  const alone = performance.now();
  expect((await quiet("GET", "/Users?count=1")).status).toBe(200);
  const usual = performance.now() - alone;
  const flood = Array.from({ length: 120 }, () => scim("POST", "/Users", body()));
  const waits: number[] = [];
  for (let index = 0; index < 5; index++) {
    const began = performance.now();
    expect((await quiet("GET", "/Users?count=1")).status).toBe(200);
    waits.push(performance.now() - began);
  }
  const answers = await Promise.all(flood);
  const refused = answers.filter(({ status }) => status === 429);
  expect(refused.length).toBeGreaterThan(80);
  for (const { headers } of refused) expect(Number(headers.get("retry-after"))).toBeGreaterThan(0);
  expect(answers.filter(({ status }) => status === 201).length).toBe(120 - refused.length);
  // A turn waits for one piece of work of the other, not for all that waits.
  expect(Math.max(...waits)).toBeLessThan(usual + 1_000);
});

test("a token has a number of requests a minute", async () => {
  const { scim: busy, tokenId, tenant } = await makeDirectory(database);
  const minute = new Date(Math.floor(Date.now() / 60_000) * 60_000);
  await database.owner.query(
    "INSERT INTO rate_windows (tenant_id, api_key_id, window_start, used) VALUES ($1, $2, $3, 2000)",
    [tenant.tenantId, tokenId, minute],
  );
  expect((await busy("GET", "/Users?count=0")).status).toBe(200);
  await expect.poll(async () => (await busy("GET", "/Users?count=0")).status, { timeout: 5_000 }).toBe(429);
});
