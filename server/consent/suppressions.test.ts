import fc from "fast-check";
import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { purgeSteps } from "../privacy/purge-steps.ts";
import { purgeBatch } from "../privacy/queries.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { addressToken } from "./address-token.ts";
import { addSuppressions, suppressByHand } from "./add-suppressions.ts";
import { forgetRecipients } from "./forget-recipient.ts";
import { listSuppressions } from "./list-suppressions.ts";
import { removeSuppression } from "./remove-suppression.ts";
import { standingOf } from "./standing.ts";
import { recordSuppressions } from "./suppress-address.ts";
import type { Suppress } from "./suppress-address.ts";
import { suppressionReasons } from "./vocabulary.ts";
import type { SuppressionItem } from "./schemas.ts";

const database = await testDatabase();
const ada = "ada@example.com";
const later = (seconds: number) => new Date(Date.now() + seconds * 1_000);

async function makeWorld() {
  const tenant = await makeTenant(database);
  const { tenantId, environments } = tenant;
  const owner = tenant.as("owner");
  const environmentId = environments.production;
  const add = async (suppressions: SuppressionItem[], ctx: Ctx = owner, environment = environmentId) =>
    (await addSuppressions(ctx, { environmentId: environment, suppressions })).results;
  const list = async (fields: object = {}, ctx: Ctx = owner) =>
    listSuppressions(ctx, { environmentId, limit: 50, ...fields });
  const record = (...rows: Suppress[]) =>
    inTenant(tenant.system, (tx) => recordSuppressions(tenant.system, tx, false, rows));
  const isSuppressed = async (address = ada, sandbox = false) => {
    const asked = {
      sandbox,
      channel: "email",
      addresses: [address, address] as const,
      region: null,
      class: null,
    };
    const [standing] = await standingOf(owner, [asked]);
    const { rows } = await database.owner.query<{ code: string | null }>(
      `SELECT f.code FROM send_refusal($1, $2, 'email', $3, 'DE', 'service', 'exempt') AS f`,
      [tenantId, sandbox, address],
    );
    const { rows: ofTwo } = await database.owner.query<{ code: string | null }>(
      `SELECT f.code FROM send_refusal_of($1, $2, 'email', ARRAY[$3, 'hmac:x'], 'DE', 'service', 'exempt') AS f`,
      [tenantId, sandbox, address],
    );
    const { rowCount } = await database.owner.query(
      "SELECT FROM suppressed_addresses WHERE tenant_id = $1 AND sandbox = $2 AND channel = 'email' AND address = $3",
      [tenantId, sandbox, address],
    );
    const answers = [
      standing?.suppressed,
      rows[0]?.code === "suppressed",
      ofTwo[0]?.code === "suppressed",
      rowCount === 1,
    ];
    expect(new Set(answers).size, "all who ask get one answer").toBe(1);
    return answers[0];
  };
  const keyOf = (environment: string, agent = false): Ctx => ({
    ...owner,
    grants: owner.grants.map((grant) => ({ ...grant, environmentId: environment })),
    actor: {
      type: "apiKey",
      id: newId(),
      name: "Key",
      ...(agent ? { agent: { id: newId(), hourlyCap: 1, laterStages: true, allows: () => true } } : {}),
    },
  });
  return { tenant, tenantId, environments, environmentId, owner, add, list, record, isSuppressed, keyOf };
}

const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "allowed",
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

test("each item has a result of its own: a bad one fails no other, and a repetition changes nothing", async () => {
  const { add, list } = await makeWorld();
  const first = await add([
    { channel: "email", address: "not an address" },
    { channel: "email", address: "Ada@Example.com", note: "Asked us to" },
    { channel: "email", address: ada, expiresAt: later(3_600).toISOString() },
    { channel: "sms", address: "+4915112345678", expiresAt: later(-1).toISOString() },
    { channel: "sms", address: "+4915112345678" },
  ]);
  expect(first).toMatchObject([
    { status: "rejected", id: null, reason: { code: "invalid_recipient" } },
    { status: "added", reason: null },
    { status: "added" },
    { status: "rejected", reason: { code: "invalid_end" } },
    { status: "added" },
  ]);
  // Two of one address are one, which lasts as long as either.
  expect(first[1]?.id).toBe(first[2]?.id);
  expect(await add([{ channel: "email", address: ada }])).toMatchObject([
    { status: "already_suppressed", id: first[1]?.id },
  ]);
  expect((await list()).data).toMatchObject([
    { channel: "sms", address: "+4915112345678", reason: "manual", expiresAt: null },
    { channel: "email", address: ada, note: "Asked us to", madeBy: expect.any(String) as string },
  ]);
});

test("whatever is recorded in whatever order, what holds is what any of it says: the latest end, a complaint before all else", async () => {
  const world = await makeWorld();
  let next = 0;
  const now = Date.now();
  const made = fc.record({
    reason: fc.constantFrom(...suppressionReasons),
    /** Hours from now; 0: without end. */
    ends: fc.constantFrom(0, -2, -1, 1, 2),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(made, { minLength: 1, maxLength: 6 }), async (history) => {
      const address = `p${String(next++)}@example.com`;
      let holds = null as { reason: string; ends: number } | null;
      for (const { reason, ends } of history) {
        const expiresAt = ends === 0 ? null : new Date(now + ends * 3_600_000);
        await world.record({ channel: "email", address, reason, expiresAt });
        if (ends < 0) {
          // What has ended already adds nothing but, to a suppression that holds, that it was a complaint.
          if (holds && reason === "complaint") holds = { ...holds, reason };
          continue;
        }
        const longer: boolean = holds === null || (holds.ends !== 0 && (ends === 0 || ends > holds.ends));
        const grave = reason === "complaint" || holds?.reason === "complaint";
        holds = {
          reason: grave ? "complaint" : longer ? reason : (holds?.reason ?? reason),
          ends: longer ? ends : (holds?.ends ?? ends),
        };
      }
      expect(await world.isSuppressed(address)).toBe(holds !== null);
      const { data } = await world.list({ address });
      expect(data.map(({ reason, expiresAt }) => ({ reason, end: expiresAt !== null }))).toEqual(
        holds ? [{ reason: holds.reason, end: holds.ends !== 0 }] : [],
      );
    }),
    { numRuns: 60 },
  );
});

test("many who suppress the same addresses at once do not block each other, and each address is suppressed once", async () => {
  const world = await makeWorld();
  const rows = Array.from({ length: 200 }, (_, index): Suppress => ({
    channel: "email",
    address: `n${String(index)}@example.com`,
    reason: "manual",
  }));
  const all = await Promise.all([
    world.record(...rows),
    world.record(...rows.toReversed()),
    world.record(...rows.map((row): Suppress => ({ ...row, reason: "complaint" }))),
  ]);
  expect(all.flat().filter(({ outcome }) => outcome === "added")).toHaveLength(200);
  const { rows: stored } = await database.owner.query(
    "SELECT reason, count(*)::int AS count FROM suppressions WHERE tenant_id = $1 GROUP BY reason",
    [world.tenantId],
  );
  expect(stored).toEqual([{ reason: "complaint", count: 200 }]);
});

test("one that ends stops nothing from then on, is made anew under another id, and is removed by the purge", async () => {
  const world = await makeWorld();
  const [made] = await world.record({
    channel: "email",
    address: ada,
    reason: "soft_bounces",
    expiresAt: later(3_600),
  });
  expect(await world.isSuppressed()).toBe(true);
  await database.owner.query(
    "UPDATE suppressions SET expires_at = now() - interval '1 second' WHERE tenant_id = $1",
    [world.tenantId],
  );
  expect(await world.isSuppressed()).toBe(false);
  expect((await world.list()).data).toEqual([]);
  expect(
    await codeOf(removeSuppression(world.owner, { environmentId: world.environmentId, id: made!.id })),
  ).toBe("not_found");
  const [again] = await world.record({ channel: "email", address: ada, reason: "hard_bounce" });
  expect(again).toMatchObject({ outcome: "added" });
  expect(again!.id).not.toBe(made!.id);
  await world.record({ channel: "email", address: "bob@example.com", reason: "hard_bounce" });
  await database.owner.query("UPDATE suppressions SET expires_at = now() WHERE tenant_id = $1 AND id = $2", [
    world.tenantId,
    again!.id,
  ]);
  const before = new Date(Date.now() + 1_000).toISOString();
  const step = purgeSteps.find(({ table }) => table === "suppressions")!;
  await purgeBatch(database.worker, { tenantId: world.tenantId, step, before, limit: 10 });
  const { rows } = await database.owner.query("SELECT address FROM suppressions WHERE tenant_id = $1", [
    world.tenantId,
  ]);
  expect(rows).toEqual([{ address: "bob@example.com" }]);
});

test("the sandbox has its own; real ones are added by production's keys, and removed by people of the whole organisation", async () => {
  const { add, environments, isSuppressed, keyOf, owner, environmentId, tenant } = await makeWorld();
  const item = { channel: "email" as const, address: ada };
  expect(await codeOf(add([item], keyOf(environments.staging), environments.staging))).toBe(
    "environment_mismatch",
  );
  await add([item], keyOf(environments.sandbox), environments.sandbox);
  expect([await isSuppressed(), await isSuppressed(ada, true)]).toEqual([false, true]);
  const agent = keyOf(environmentId, true);
  const [made] = await add([item], agent);
  expect(await isSuppressed()).toBe(true);
  const removal = { environmentId, id: made!.id! };
  expect(await codeOf(removeSuppression(agent, removal))).toBe("agent_limit");
  const inTeam = {
    ...owner,
    grants: owner.grants.map((grant) => ({ ...grant, unitId: tenant.units.alpha })),
  };
  expect(await codeOf(removeSuppression(inTeam, removal))).toBe("not_found");
  expect(await codeOf(removeSuppression(owner, { ...removal, environmentId: environments.sandbox }))).toBe(
    "not_found",
  );
  await removeSuppression(owner, removal);
  expect([await isSuppressed(), await isSuppressed(ada, true)]).toEqual([false, true]);
  expect(await codeOf(removeSuppression(owner, removal))).toBe("not_found");
});

test("who complained is written to again only for a reason, which the audit trail keeps, and webhooks are told", async () => {
  const { tenant, tenantId, environmentId, owner, record } = await makeWorld();
  const { id: endpointId } = await createWebhookEndpoint(owner, {
    url: "https://hooks.example/suppressions",
    environmentId,
    application: tenant.application.name,
    events: ["suppression.created", "suppression.removed"],
  });
  const notificationId = newId();
  const [made] = await record({ channel: "email", address: ada, reason: "complaint", notificationId });
  const removal = { environmentId, id: made!.id };
  expect(await codeOf(removeSuppression(owner, removal))).toBe("invalid_request");
  await removeSuppression(owner, { ...removal, reason: "It was a slip, they wrote" });
  const { rows: owed } = await database.owner.query(
    "SELECT event, payload FROM webhook_deliveries WHERE tenant_id = $1 AND endpoint_id = $2 ORDER BY event",
    [tenantId, endpointId],
  );
  expect(owed).toMatchObject([
    {
      event: "suppression.created",
      payload: { suppressionId: made!.id, address: ada, reason: "complaint", notificationId },
    },
    { event: "suppression.removed", payload: { suppressionId: made!.id, address: ada } },
  ]);
  await suppressByHand(owner, {
    environmentId,
    channel: "email",
    addresses: [ada, "bob@example.com"],
    expiresAt: null,
    note: "Left the company",
  });
  const { rows: audited } = await database.owner.query<{ action: string; data: object }>(
    "SELECT action, data FROM audit_events WHERE tenant_id = $1 AND action LIKE 'suppression.%' ORDER BY id",
    [tenantId],
  );
  expect(audited).toMatchObject([
    {
      action: "suppression.removed",
      data: { reason: "It was a slip, they wrote", before: { reason: "complaint" } },
    },
    { action: "suppression.added", data: { added: 2 } },
  ]);
  expect(JSON.stringify(audited)).not.toContain("example.com");
});

test("without content:reveal no address is shown, nor found out letter by letter", async () => {
  const { tenant, environmentId, list, add } = await makeWorld();
  await add([
    { channel: "email", address: ada, note: "Her birthday" },
    { channel: "email", address: "adam@example.com" },
    { channel: "email", address: "bob@example.com" },
  ]);
  expect((await list({ prefix: "ADA" })).data.map(({ address }) => address)).toEqual([
    ada,
    "adam@example.com",
  ]);
  await add([
    { channel: "whatsapp", address: "US.13491208655302741918" },
    { channel: "sms", address: "+4915112345678" },
  ]);
  expect((await list({ prefix: "US.134" })).data).toHaveLength(1);
  expect((await list({ prefix: "+49 (151) 1" })).data).toHaveLength(1);
  const first = await list({ prefix: "a", limit: 1 });
  expect(first.data).toHaveLength(1);
  expect((await list({ prefix: "a", limit: 1, cursor: first.nextCursor })).data).toMatchObject([
    { address: "adam@example.com" },
  ]);
  const blind: Ctx = {
    ...tenant.as("owner"),
    grants: [
      { permissions: new Set(["consent:read"]), unitId: null, applicationId: null, environmentId: null },
    ],
  };
  const shown = JSON.stringify((await list({}, blind)).data);
  expect(shown).not.toMatch(/ada@|adam@|birthday/);
  for (const address of [ada, "nobody@example.com"]) {
    expect(await codeOf(list({ address }, blind))).toBe("permission_denied");
  }
  expect(await codeOf(list({ prefix: "a" }, blind))).toBe("permission_denied");
  const ofTeam: Ctx = {
    ...blind,
    grants: [
      {
        permissions: new Set(["consent:read", "content:reveal"]),
        unitId: tenant.units.alpha,
        applicationId: null,
        environmentId: null,
      },
    ],
  };
  expect(await codeOf(list({}, ofTeam))).toBe("permission_denied");
  expect((await list({ address: ada }, ofTeam)).data).toHaveLength(1);
  expect(environmentId).toBe(tenant.environments.production);
});

test("a page after another misses none and shows none twice, whatever was added in the same moment", async () => {
  const { list, record } = await makeWorld();
  const rows = Array.from({ length: 25 }, (_, index): Suppress => ({
    channel: "email",
    address: `m${String(index)}@example.com`,
    reason: index % 2 ? "hard_bounce" : "manual",
  }));
  await record(...rows);
  const seen: string[] = [];
  let cursor: string | undefined;
  do {
    const page = await list({ limit: 4, reason: "manual", cursor });
    seen.push(...page.data.map(({ address }) => address));
    cursor = page.nextCursor ?? undefined;
  } while (cursor);
  expect(seen.sort()).toEqual(
    rows
      .filter(({ reason }) => reason === "manual")
      .map(({ address }) => address)
      .sort(),
  );
});

test("of somebody who is erased twice the suppression holds as long as either, without its note and its message", async () => {
  const world = await makeWorld();
  const key = Buffer.alloc(32, 1);
  const forget = () =>
    inTenant(world.tenant.worker, (tx) => forgetRecipients(tx, world.tenantId, key, [ada]));
  await world.record({
    channel: "email",
    address: ada,
    reason: "soft_bounces",
    expiresAt: later(60),
    notificationId: newId(),
    note: "Ada",
  });
  await forget();
  await world.record({ channel: "email", address: ada, reason: "complaint" });
  await forget();
  const { rows } = await database.owner.query(
    "SELECT address, reason, expires_at, notification_id, note FROM suppressions WHERE tenant_id = $1",
    [world.tenantId],
  );
  expect(rows).toEqual([
    {
      address: addressToken(key, "email", ada),
      reason: "complaint",
      expires_at: null,
      notification_id: null,
      note: null,
    },
  ]);
  expect((await world.list()).data).toMatchObject([{ address: "[erased]" }]);
});
