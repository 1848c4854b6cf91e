import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import type { ConsentPolicyOverride } from "../tenancy/schemas.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { getConsents } from "./list-consents.ts";
import { consentPolicyUpdateSchema } from "./schemas.ts";
import { mostOverrides } from "./vocabulary.ts";
import { getConsentPolicy, setConsentPolicy } from "./set-policy.ts";

const database = await testDatabase();

async function makeWorld() {
  const tenant = await makeTenant(database);
  const owner = tenant.as("owner");
  const store = (settings: unknown) =>
    database.owner.query("UPDATE tenants SET settings = $2 WHERE id = $1", [
      tenant.tenantId,
      JSON.stringify(settings),
    ]);
  const stored = async () => {
    const { rows } = await database.owner.query<{ settings: Record<string, unknown> }>(
      "SELECT settings FROM tenants WHERE id = $1",
      [tenant.tenantId],
    );
    return rows[0]?.settings;
  };
  const set = async (overrides: ConsentPolicyOverride[]) =>
    setConsentPolicy(owner, { overrides, revision: (await getConsentPolicy(owner)).revision });
  return { tenant, owner, store, stored, set };
}

const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "allowed",
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

test("a changed policy holds at once, other settings stay, and the trail has what it was before", async () => {
  const { tenant, owner, set, stored, store } = await makeWorld();
  await store({ ai: { drafting: false }, other: 1 });
  const environmentId = tenant.environments.production;
  const marketing = async () =>
    (
      await getConsents(owner, { environmentId, address: "ada@example.com", limit: 1 })
    ).standing[0]?.states.find((state) => state.class === "marketing");
  expect(await marketing()).toMatchObject({ policy: "opt_in_required", allowed: false });
  const overrides: ConsentPolicyOverride[] = [{ class: "marketing", channel: "email", policy: "opt_out" }];
  expect(await set(overrides)).toMatchObject({ overrides, problem: null });
  expect(await marketing()).toMatchObject({ policy: "opt_out", allowed: true });
  expect(await stored()).toEqual({ ai: { drafting: false }, other: 1, consentPolicies: overrides });
  // Saved as it is, nothing has changed.
  await set(overrides);
  const { rows } = await database.owner.query<{ data: unknown }>(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'consent_policy.changed'",
    [tenant.tenantId],
  );
  expect(rows.map(({ data }) => data)).toMatchObject([{ before: { overrides: [] }, after: { overrides } }]);
});

test("of two people who change the policy at the same time, the second is told", async () => {
  const { owner, set } = await makeWorld();
  const { revision } = await getConsentPolicy(owner);
  await set([{ class: "service", policy: "opt_in_required" }]);
  const late = setConsentPolicy(owner, { overrides: [], revision });
  expect(await codeOf(late)).toBe("revision_conflict");
  const { revision: read } = await getConsentPolicy(owner);
  const both = await Promise.all(
    (["opt_out", "exempt"] as const).map((policy) =>
      codeOf(setConsentPolicy(owner, { overrides: [{ class: "service", policy }], revision: read })),
    ),
  );
  expect(both.sort()).toEqual(["allowed", "revision_conflict"]);
});

test("a stored policy that cannot be read is told, is the strictest until then, and can be set anew", async () => {
  const { tenant, owner, store, stored, set } = await makeWorld();
  await store({
    consentPolicies: [{ class: "marketing", policy: "always" }],
    retention: { contentDays: 100 },
  });
  const read = await getConsentPolicy(owner);
  expect(read.problem).toBe("policy");
  expect(read.overrides).toContainEqual({ class: "service", policy: "opt_in_required" });
  expect(await set([])).toMatchObject({ overrides: [], problem: null });
  expect(await stored()).toEqual({ consentPolicies: [], retention: { contentDays: 100 } });
  const { rows } = await database.owner.query<{ data: unknown }>(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'consent_policy.changed'",
    [tenant.tenantId],
  );
  expect(rows[0]?.data).toMatchObject({ before: { overrides: null }, after: { overrides: [] } });
});

test("settings of which nothing can be read are not overwritten by a policy: the others' strictest would be lost", async () => {
  const { tenant, owner, store, stored } = await makeWorld();
  await store([7]);
  const { problem, revision } = await getConsentPolicy(owner);
  expect(problem).toBe("settings");
  expect(await codeOf(setConsentPolicy(owner, { overrides: [], revision }))).toBe("conflict");
  const client = await database.web.pool.connect();
  try {
    await client.query(`BEGIN; SELECT set_config('app.tenant', '${tenant.tenantId}', true)`);
    await expect(client.query("SELECT merge_consent_policies('[]')")).rejects.toThrow(/no object/);
    await client.query("ROLLBACK");
  } finally {
    client.release();
  }
  expect(await stored()).toEqual([7]);
});

test("an override for each place once, and at most 200", () => {
  const taken = (overrides: unknown[]) =>
    consentPolicyUpdateSchema.safeParse({ overrides, revision: "r" }).success;
  const of = (fields: object) => ({ class: "service", policy: "opt_out", ...fields });
  expect(taken([of({}), of({ channel: "sms" }), of({ region: "DE" }), of({ class: "marketing" })])).toBe(
    true,
  );
  expect(taken([of({ region: "DE" }), of({ region: "DE", policy: "exempt" })])).toBe(false);
  expect(taken([of({ region: "Germany" })])).toBe(false);
  expect(taken([of({ policy: "maybe" })])).toBe(false);
  expect(taken([of({ channell: "sms" })])).toBe(false);
  const regions = Array.from({ length: 17 * 17 }, (_, index) =>
    String.fromCharCode(65 + (index % 17), 65 + Math.floor(index / 17)),
  );
  const many = (count: number) => regions.slice(0, count).map((region) => of({ region }));
  expect(taken(many(mostOverrides))).toBe(true);
  expect(taken(many(mostOverrides + 1))).toBe(false);
});

test("who may not manage the whole organisation's settings neither reads nor changes the policy", async () => {
  const { tenant } = await makeWorld();
  const stranger = (await makeTenant(database)).as("owner");
  const before = await getConsentPolicy(stranger);
  for (const ctx of [tenant.as("developer"), tenant.as("owner", tenant.units.alpha)]) {
    expect(await codeOf(getConsentPolicy(ctx))).toBe("permission_denied");
    const change = setConsentPolicy(ctx, { overrides: [], revision: before.revision });
    expect(await codeOf(change)).toBe("permission_denied");
  }
});

test("of API keys only one of production changes the policy: it is the same in every environment", async () => {
  const { tenant, owner } = await makeWorld();
  const { production, staging } = tenant.environments;
  const keyOf = (environmentId: string): Ctx => ({
    ...owner,
    grants: owner.grants.map((grant) => ({ ...grant, environmentId })),
    actor: { type: "apiKey", id: newId(), name: "Key" },
  });
  const { revision } = await getConsentPolicy(keyOf(staging));
  const change = (ctx: Ctx) => codeOf(setConsentPolicy(ctx, { overrides: [], revision }));
  expect(await change(keyOf(staging))).toBe("environment_mismatch");
  expect(await change(keyOf(production))).toBe("allowed");
});
