import { expect, test } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeDirectory, scimClient } from "../testing/directory-world.ts";
import { makeTenant, roleCtx } from "../testing/factories.ts";
import { addDomain, listDomains, removeDomain, verifyDomain } from "./manage-domains.ts";
import { createToken, listTokens, revokeToken, rotateToken } from "./manage-tokens.ts";
import { directoryLimits } from "./vocabulary.ts";

const database = await testDatabase();
const { tenant, owner, address } = await makeDirectory(database);
const other = await makeTenant(database);

const status = async (token: string) => (await scimClient(database, token)("GET", "/Users?count=0")).status;

test("a token is shown once and stored as a hash; it says when it was used, and whose changes are its", async () => {
  const { id, token } = await createToken(owner, { name: "Okta" });
  const { address: shown, data } = await listTokens(owner);
  expect(shown).toBe("http://localhost:3000/scim/v2");
  expect(JSON.stringify(data)).not.toContain(token);
  expect(data.find((each) => each.id === id)).toMatchObject({ lastUsedAt: null, createdBy: "Owner" });
  const { rows } = await database.owner.query<{ found: boolean }>(
    "SELECT EXISTS (SELECT FROM scim_tokens t WHERE t::text LIKE '%' || $1 || '%') AS found",
    [token.slice(-20)],
  );
  expect(rows).toEqual([{ found: false }]);
  expect(await status(token)).toBe(200);
  await expect
    .poll(async () => (await listTokens(owner)).data.find((each) => each.id === id)?.lastUsedAt)
    .toBeInstanceOf(Date);
  const made = await scimClient(database, token)("POST", "/Users", { userName: address() });
  const { rows: told } = await database.owner.query<{ name: string }>(
    "SELECT DISTINCT actor_name AS name FROM audit_events WHERE target_id = $1",
    [made.body.id],
  );
  expect(told).toEqual([{ name: "Directory (Okta)" }]);
});

test("a token that is replaced works for a day more, a revoked one not at all; neither comes back", async () => {
  const first = await createToken(owner, { name: "Rotated" });
  const second = await rotateToken(owner, { id: first.id });
  expect([await status(first.token), await status(second.token)]).toEqual([200, 200]);
  await expect(rotateToken(owner, { id: first.id })).rejects.toMatchObject({ code: "conflict" });
  const { expiresAt } = (await listTokens(owner)).data.find(({ id }) => id === first.id) ?? {};
  const hours = ((expiresAt?.getTime() ?? 0) - Date.now()) / 3_600_000;
  expect(hours).toBeCloseTo(directoryLimits.overlapHours, 1);
  await database.owner.query("UPDATE scim_tokens SET expires_at = now() WHERE id = $1", [first.id]);
  await expect.poll(() => status(first.token), { timeout: 5_000 }).toBe(401);
  await revokeToken(owner, { id: second.id });
  expect(await status(second.token)).toBe(401);
  await expect(revokeToken(owner, { id: second.id })).rejects.toMatchObject({ code: "not_found" });
});

test("a token revoked in another process is refused within five seconds", async () => {
  const { id, token } = await createToken(owner, { name: "Elsewhere" });
  expect(await status(token)).toBe(200);
  await database.owner.query("UPDATE scim_tokens SET revoked_at = now() WHERE id = $1", [id]);
  await expect.poll(() => status(token), { timeout: 5_000, interval: 100 }).toBe(401);
});

test("only who has every permission connects a directory: administrators and teams' owners read at most", async () => {
  const { data } = await listTokens(owner);
  const id = data[0]?.id ?? "";
  for (const [ctx, code] of [
    [tenant.as("administrator"), "permission_denied"],
    [tenant.as("owner", tenant.units.alpha), "not_found"],
    [tenant.as("auditor"), "permission_denied"],
    [roleCtx(database.web, other.tenantId, "owner"), "not_found"],
  ] as const) {
    const attempts = [
      () => rotateToken(ctx, { id }),
      () => revokeToken(ctx, { id }),
      () => verifyDomain(ctx, { id: newId() }),
      () => removeDomain(ctx, { id: newId() }),
    ];
    for (const attempt of attempts) await expect(attempt()).rejects.toMatchObject({ code });
    if (code === "not_found" && ctx.tenantId !== tenant.tenantId) continue;
    await expect(createToken(ctx, { name: "x" })).rejects.toMatchObject({ code });
    await expect(addDomain(ctx, { name: "x.example" })).rejects.toMatchObject({ code });
  }
});

test("a domain counts once its record is found, for one organisation of the installation", async () => {
  const name = `d-${newId().slice(-8)}.example`;
  const { id, record } = await addDomain(owner, { name: ` ${name.toUpperCase()}` });
  expect(record.name).toBe(`_tidings.${name}`);
  await expect(addDomain(owner, { name })).rejects.toMatchObject({ code: "conflict" });
  const conflict = { code: "conflict" };
  const asked: string[] = [];
  await expect(
    verifyDomain(owner, { id }, (at) => {
      asked.push(at);
      return Promise.resolve([]);
    }),
  ).rejects.toMatchObject(conflict);
  expect(asked).toEqual([record.name]);
  await expect(
    verifyDomain(owner, { id }, () => Promise.resolve(["v=spf1 -all", `${record.text}x`])),
  ).rejects.toMatchObject(conflict);
  await expect(
    verifyDomain(owner, { id }, () => Promise.reject(new Error("ESERVFAIL"))),
  ).rejects.toMatchObject(conflict);

  const theirs = await addDomain(other.as("owner"), { name });
  expect(theirs.record.text).not.toBe(record.text);
  await verifyDomain(owner, { id }, () => Promise.resolve(["v=spf1 -all", record.text]));
  expect((await listDomains(owner)).data.find((each) => each.id === id)?.verifiedAt).toBeInstanceOf(Date);
  const { rows: told } = await database.owner.query<{ data: object }>(
    "SELECT data FROM audit_events WHERE target_id = $1 AND action = 'domain.verified'",
    [id],
  );
  expect(told).toMatchObject([{ data: { name, before: { verified: false }, after: { verified: true } } }]);
  const theirProof = () =>
    verifyDomain(other.as("owner"), { id: theirs.id }, () => Promise.resolve([theirs.record.text]));
  await expect(theirProof()).rejects.toMatchObject(conflict);
  await removeDomain(owner, { id });
  await theirProof();
  const refused = await scimClient(database, (await createToken(owner, { name: "n" })).token)(
    "POST",
    "/Users",
    {
      userName: `x@${name}`,
    },
  );
  expect(refused.status).toBe(400);
});

test("what is no domain is refused", async () => {
  for (const name of [
    "",
    "localhost",
    "a..b",
    "-a.example",
    "a.example.",
    "a b.example",
    "ä.example",
    "x@y.example",
  ]) {
    await expect(addDomain(owner, { name }), name).rejects.toThrow();
  }
});
