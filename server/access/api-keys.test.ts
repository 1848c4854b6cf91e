import { expect, test, vi } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { makeApiKeyToken } from "./api-key-token.ts";
import { authenticateApiKey } from "./authenticate-api-key.ts";
import { createApiKey } from "./create-api-key.ts";
import { listApiKeys } from "./list-api-keys.ts";
import { revokeApiKey } from "./revoke-api-key.ts";
import { rotateApiKey } from "./rotate-api-key.ts";
import { newId } from "../kernel/ids.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const other = await makeTenant(database);

const use = (key: string, tenantIdHeader?: string) =>
  authenticateApiKey(database.web, `Bearer ${key}`, {
    requestId: "test",
    ...(tenantIdHeader === undefined ? {} : { tenantIdHeader }),
  });
const refusal = expect.objectContaining({ code: "unauthenticated" }) as Error;
/** Another process's changes are seen here within the promised five seconds. */
const within = { timeout: 5_000, interval: 100 };

test("a key carries its tenant, environment, role and limit", async () => {
  const { id, key } = await tenant.makeKey("production", {
    role: "sender",
    applicationId: tenant.application.id,
    rateLimitPerMinute: 77,
  });
  const ctx = await use(key);
  expect(ctx.tenantId).toBe(tenant.tenantId);
  expect(ctx.actor).toEqual({ type: "apiKey", id, name: "production key" });
  expect(ctx.key).toEqual({
    id,
    name: "production key",
    tenantId: tenant.tenantId,
    environmentId: tenant.environments.production,
    environmentKind: "production",
    unitId: null,
    applicationId: tenant.application.id,
    rateLimitPerMinute: 77,
  });
  const [grant] = ctx.grants;
  expect(grant?.permissions.has("notifications:send")).toBe(true);
  expect(grant?.permissions.has("templates:write")).toBe(false);
  expect(grant?.environmentId).toBe(tenant.environments.production);
});

test("a key says in its prefix what it reaches", async () => {
  expect((await tenant.makeKey("production")).key).toMatch(/^tdg_live_[0-9A-Za-z]{71}$/);
  expect((await tenant.makeKey("staging")).key).toMatch(/^tdg_test_[0-9A-Za-z]{71}$/);
  expect((await tenant.makeKey("sandbox")).key).toMatch(/^tdg_sbx_[0-9A-Za-z]{71}$/);
});

test("the text of a key is stored nowhere", async () => {
  const { key } = await tenant.makeKey("production");
  const { rows } = await database.owner.query<{ found: string }>(
    "SELECT k::text || encode(k.hash, 'escape') AS found FROM api_keys k UNION ALL SELECT a::text FROM audit_events a",
  );
  expect(rows.length).toBeGreaterThan(1);
  for (const { found } of rows) expect(found).not.toContain(key.slice(9, -6));
});

test("every invalid key gets the same refusal", async () => {
  const { key } = await tenant.makeKey("production");
  const wrongSecret = makeApiKeyToken((await use(key)).key.id, "production").text;
  const unknown = makeApiKeyToken(newId(), "production").text;
  const flipped = key.slice(0, 40) + (key[40] === "a" ? "b" : "a") + key.slice(41);
  const refused: unknown[] = [];
  for (const text of [
    wrongSecret,
    unknown,
    flipped,
    key.slice(0, -1),
    `${key}x`,
    "",
    "tdg_live_",
    "z".repeat(5_000),
  ]) {
    refused.push(await use(text).catch((error: unknown) => error));
  }
  for (const header of [null, undefined, "", "Bearer", key, `Basic ${key}`, `Bearer ${key} ${key}`]) {
    refused.push(
      await authenticateApiKey(database.web, header, { requestId: "x" }).catch((error: unknown) => error),
    );
  }
  for (const error of refused) expect(error).toEqual(refusal);
  expect(new Set(refused.map((error) => (error as Error).message)).size).toBe(1);
});

test("X-Tenant-Id must name the key's own tenant", async () => {
  const { key } = await tenant.makeKey("production");
  await expect(use(key, tenant.tenantId)).resolves.toMatchObject({ tenantId: tenant.tenantId });
  await expect(use(key, tenant.tenantId.toUpperCase())).resolves.toMatchObject({ tenantId: tenant.tenantId });
  await expect(use(key, other.tenantId)).rejects.toMatchObject({ code: "tenant_mismatch", status: 403 });
  await expect(use(key, "")).rejects.toMatchObject({ code: "tenant_mismatch" });
});

test("a revoked key is refused at once here and within five seconds everywhere", async () => {
  const here = await tenant.makeKey("production");
  await use(here.key);
  await revokeApiKey(tenant.as("owner"), { id: here.id });
  await expect(use(here.key)).rejects.toEqual(refusal);

  const elsewhere = await tenant.makeKey("production");
  await use(elsewhere.key);
  await database.owner.query("UPDATE api_keys SET revoked_at = now() WHERE id = $1", [elsewhere.id]);
  await vi.waitFor(() => expect(use(elsewhere.key)).rejects.toEqual(refusal), within);
});

test("a key ends at its expiry even if it was just used", async () => {
  const { key } = await tenant.makeKey("production", { expiresAt: new Date(Date.now() + 1_000) });
  await use(key);
  await vi.waitFor(() => expect(use(key)).rejects.toEqual(refusal), within);
  await expect(tenant.makeKey("production", { expiresAt: new Date(Date.now() - 1) })).rejects.toMatchObject({
    code: "invalid_request",
  });
});

test("after a rotation both keys work, and without overlap only the new one", async () => {
  const old = await tenant.makeKey("production", { role: "developer" });
  const owner = tenant.as("owner");
  const next = await rotateApiKey(owner, { id: old.id });
  await expect(use(old.key)).resolves.toBeDefined();
  expect((await use(next.key)).grants[0]?.permissions).toEqual((await use(old.key)).grants[0]?.permissions);
  expect(next.previousExpiresAt.getTime()).toBeGreaterThan(Date.now() + 23 * 3_600_000);

  const last = await rotateApiKey(owner, { id: next.id, overlapSeconds: 0 });
  await expect(use(next.key)).rejects.toEqual(refusal);
  await expect(use(last.key)).resolves.toBeDefined();
  await expect(rotateApiKey(owner, { id: next.id })).rejects.toMatchObject({ code: "conflict" });
});

test("a rotation never makes the old key live longer", async () => {
  const soon = new Date(Date.now() + 60_000);
  const old = await tenant.makeKey("production", { expiresAt: soon });
  const next = await rotateApiKey(tenant.as("owner"), { id: old.id });
  expect(next.previousExpiresAt).toEqual(soon);
  expect(next.expiresAt).toEqual(soon);
});

test("nobody creates a key with more permissions than their own", async () => {
  const developer = tenant.as("developer");
  const wanted = { name: "k", environmentId: tenant.environments.production };
  await expect(createApiKey(developer, { ...wanted, role: "owner" })).rejects.toMatchObject({
    code: "permission_denied",
  });
  const owners = await createApiKey(tenant.as("owner"), { ...wanted, role: "owner" });
  await expect(rotateApiKey(developer, { id: owners.id })).rejects.toMatchObject({
    code: "permission_denied",
  });
  await expect(createApiKey(developer, { ...wanted, role: "developer" })).resolves.toBeDefined();
});

test("without api_keys:manage no key is created, rotated or revoked", async () => {
  const { id } = await tenant.makeKey("production");
  const finance = tenant.as("finance");
  const denied = { code: "permission_denied" };
  await expect(
    createApiKey(finance, { name: "k", environmentId: tenant.environments.production }),
  ).rejects.toMatchObject(denied);
  await expect(rotateApiKey(finance, { id })).rejects.toMatchObject(denied);
  await expect(revokeApiKey(finance, { id })).rejects.toMatchObject(denied);
});

test("a team manages its own keys and cannot see those of others", async () => {
  const manager = tenant.as("developer", tenant.units.alpha);
  const environmentId = tenant.environments.production;
  const own = await createApiKey(manager, {
    name: "own",
    environmentId,
    applicationId: tenant.application.id,
    role: "developer",
  });
  const theirs = await tenant.makeKey("production", { applicationId: tenant.otherApplication.id });
  const everybodys = await tenant.makeKey("production");

  const { data } = await listApiKeys(manager, { limit: 200 });
  const seen = data.map((key) => key.id);
  expect(seen).toContain(own.id);
  expect(seen).not.toContain(theirs.id);
  expect(seen).not.toContain(everybodys.id);

  const unknown = await revokeApiKey(manager, { id: newId() }).catch((error: unknown) => error);
  for (const id of [theirs.id, everybodys.id]) {
    await expect(revokeApiKey(manager, { id })).rejects.toEqual(unknown);
    await expect(rotateApiKey(manager, { id })).rejects.toEqual(unknown);
  }
  await expect(
    createApiKey(manager, { name: "k", environmentId, applicationId: tenant.otherApplication.id }),
  ).rejects.toMatchObject({ code: "not_found" });
  await expect(createApiKey(manager, { name: "k", environmentId })).rejects.toMatchObject({
    code: "permission_denied",
  });
});

test("another tenant's key, environment, unit and application are unknown", async () => {
  const owner = tenant.as("owner");
  const foreign = await other.makeKey("production");
  const missing = { code: "not_found" };
  await expect(revokeApiKey(owner, { id: foreign.id })).rejects.toMatchObject(missing);
  await expect(rotateApiKey(owner, { id: foreign.id })).rejects.toMatchObject(missing);
  const environmentId = tenant.environments.production;
  for (const input of [
    { name: "k", environmentId: other.environments.production },
    { name: "k", environmentId, unitId: other.units.alpha },
    { name: "k", environmentId, applicationId: other.application.id },
  ]) {
    await expect(createApiKey(owner, input)).rejects.toMatchObject(missing);
  }
  expect((await listApiKeys(owner, { limit: 200 })).data.map((key) => key.id)).not.toContain(foreign.id);
  await expect(use(foreign.key)).resolves.toMatchObject({ tenantId: other.tenantId });
});

test("a list of keys pages to its end, newest first, and hides what has ended unless asked", async () => {
  const fresh = await makeTenant(database);
  const owner = fresh.as("owner");
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) ids.unshift((await fresh.makeKey("sandbox")).id);
  await revokeApiKey(owner, { id: ids[2]! });
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await listApiKeys(owner, { limit: 2, includeEnded: true, ...(cursor ? { cursor } : {}) });
    seen.push(...page.data.map((key) => key.id));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen).toEqual(ids);
  const live = await listApiKeys(owner, {});
  expect(live.data.map((key) => key.id)).toEqual(ids.filter((id) => id !== ids[2]));
});

test("the use of a key is recorded beside the request", async () => {
  const { id, key } = await tenant.makeKey("production");
  await use(key);
  await vi.waitFor(async () => {
    const { data } = await listApiKeys(tenant.as("owner"), { limit: 200 });
    expect(data.find((entry) => entry.id === id)?.lastUsedAt).toBeInstanceOf(Date);
  }, within);
});

test("creating, rotating and revoking are in the audit trail", async () => {
  const owner = tenant.as("owner");
  const { id } = await createApiKey(owner, { name: "audited", environmentId: tenant.environments.sandbox });
  await rotateApiKey(owner, { id });
  await revokeApiKey(owner, { id });
  const { rows } = await database.owner.query<{ action: string; actor_id: string; environment_id: string }>(
    "SELECT action, actor_id, environment_id FROM audit_events WHERE tenant_id = $1 AND target_id = $2 ORDER BY id",
    [tenant.tenantId, id],
  );
  expect(rows.map((row) => row.action)).toEqual(["api_key.created", "api_key.rotated", "api_key.revoked"]);
  for (const row of rows) {
    expect(row).toMatchObject({ actor_id: owner.actor.id, environment_id: tenant.environments.sandbox });
  }
});
