import { expect, test } from "vitest";
import { DomainError } from "../kernel/errors.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { packs } from "./packs.ts";
import { previewLimits } from "./preview-limits.ts";
import { limitsUpdateSchema, quietRulesSchema } from "./schemas.ts";
import { limitBounds } from "./vocabulary.ts";
import type { Cap, QuietRule } from "./schemas.ts";
import { getLimits, setLimits } from "./set-limits.ts";
import { storedLimits } from "./stored-limits.ts";

const database = await testDatabase();

const night: QuietRule = {
  classes: ["marketing"],
  channels: ["sms"],
  regions: [],
  days: ["mon", "tue", "wed", "thu", "fri", "sat", "sun"],
  from: "20:00",
  to: "08:00",
};
const daily: Cap = { class: "marketing", channel: null, most: 1, hours: 24, over: "wait" };

const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "allowed",
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );
const audited = async (tenantId: string) => {
  const { rows } = await database.owner.query<{ data: unknown }>(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'recipient_limits.changed' ORDER BY at",
    [tenantId],
  );
  return rows.map(({ data }) => data);
};

test("what is saved holds at once, and the trail has what it was before", async () => {
  const tenant = await makeTenant(database);
  const owner = tenant.as("owner");
  expect(await getLimits(owner)).toEqual({ quietHours: [], caps: [], revision: 0, problem: false });
  const saved = await setLimits(owner, { quietHours: [night], caps: [daily], revision: 0 });
  expect(saved).toEqual({ quietHours: [night], caps: [daily], revision: 1, problem: false });
  expect((await storedLimits(owner)).caps).toEqual([daily]);
  // Saved as it is, nothing has changed.
  expect((await setLimits(owner, { quietHours: [night], caps: [daily], revision: 1 })).revision).toBe(1);
  expect(await audited(tenant.tenantId)).toMatchObject([
    { before: { quietHours: [], caps: [] }, after: { quietHours: [night], caps: [daily] } },
  ]);
});

test("of two people who change it at the same time, the second is told", async () => {
  const tenant = await makeTenant(database);
  const owner = tenant.as("owner");
  const both = await Promise.all(
    ([[night], []] as const).map((quietHours) =>
      codeOf(setLimits(owner, { quietHours: [...quietHours], caps: [daily], revision: 0 })),
    ),
  );
  expect(both.sort()).toEqual(["allowed", "revision_conflict"]);
});

test("only those who manage the settings of the whole organisation read or change it", async () => {
  const tenant = await makeTenant(database);
  const auditor = tenant.as("auditor");
  expect(await codeOf(getLimits(auditor))).toBe("permission_denied");
  expect(await codeOf(setLimits(auditor, { quietHours: [], caps: [], revision: 0 }))).toBe(
    "permission_denied",
  );
});

test("what is stored and cannot be read is told, and can be set anew", async () => {
  const tenant = await makeTenant(database);
  const owner = tenant.as("owner");
  await setLimits(owner, { quietHours: [night], caps: [], revision: 0 });
  await database.owner.query(`UPDATE recipient_limits SET caps = '[{"most":"many"}]' WHERE tenant_id = $1`, [
    tenant.tenantId,
  ]);
  const read = await getLimits(owner);
  expect(read).toEqual({ quietHours: [night], caps: [], revision: 1, problem: true });
  expect(await setLimits(owner, { quietHours: [night], caps: [], revision: 1 })).toMatchObject({
    problem: false,
    revision: 2,
  });
});

test("what is set is bounded and complete", () => {
  const taken = (quietHours: unknown[], caps: unknown[] = []) =>
    limitsUpdateSchema.safeParse({ quietHours, caps, revision: 0 }).success;
  expect(taken([night], [daily])).toBe(true);
  expect(taken([{ ...night, to: "24:00" }])).toBe(true);
  expect(taken([{ ...night, to: "20:00" }])).toBe(false);
  expect(taken([{ ...night, from: "24:00" }])).toBe(false);
  expect(taken([{ ...night, days: [] }])).toBe(false);
  // One-time codes are always sent.
  expect(taken([{ ...night, classes: ["authentication"] }])).toBe(false);
  expect(taken([], [{ ...daily, class: "authentication" }])).toBe(false);
  expect(taken(Array.from({ length: limitBounds.quietRules + 1 }, () => night))).toBe(false);
  expect(taken([], [{ ...daily, most: 0 }])).toBe(false);
  expect(taken([], [{ ...daily, hours: limitBounds.hours + 1 }])).toBe(false);
});

test("the most that can be set fits into what is stored", async () => {
  const tenant = await makeTenant(database);
  const codes = Array.from({ length: limitBounds.regions }, (_, at) =>
    String.fromCharCode(65 + Math.floor(at / 26), 65 + (at % 26)),
  );
  const rule: QuietRule = {
    ...night,
    classes: ["marketing", "service", "transactional"],
    regions: codes,
  };
  const quietHours = Array.from({ length: limitBounds.quietRules }, () => ({
    ...rule,
    channels: ["sms", "email", "whatsapp"] as QuietRule["channels"],
    pack: { id: "us-federal", version: "2026-11" },
  }));
  const caps = Array.from({ length: limitBounds.caps }, () => daily);
  expect(await codeOf(setLimits(tenant.as("owner"), { quietHours, caps, revision: 0 }))).toBe("allowed");
});

test("a pack is dated rules with sources, and nothing of it holds by itself", async () => {
  for (const pack of packs) {
    expect(quietRulesSchema.safeParse(pack.quietHours).success).toBe(true);
    expect(pack.quietHours.map((rule) => rule.pack)).toEqual(
      pack.quietHours.map(() => ({ id: pack.id, version: pack.version })),
    );
    expect(pack.sources.length).toBeGreaterThan(0);
    expect(pack.asOf).toMatch(/^\d{4}-\d\d-\d\d$/);
  }
  const tenant = await makeTenant(database);
  expect((await storedLimits(tenant.as("owner"))).quietHours).toEqual([]);
});

test("a preview says until when a message to somebody would wait, by their own zone where it is known", async () => {
  const tenant = await makeTenant(database);
  const owner = tenant.as("owner");
  const always = [{ ...night, from: "00:00", to: "23:59" }];
  const ask = (recipient: string) =>
    previewLimits(owner, { quietHours: always, class: "marketing", channel: "sms", recipient, region: "DE" });
  expect(await ask("+1 (212) 555-0100")).toMatchObject({
    zones: ["America/New_York"],
    zonesFrom: "number",
    zone: "America/New_York",
  });
  await database.owner.query(
    `WITH c AS (INSERT INTO contacts (tenant_id, id, time_zone, created_at, updated_at)
       VALUES ($1, $2, 'Asia/Tokyo', now(), now()))
     INSERT INTO contact_addresses (tenant_id, channel, address, contact_id, position, created_at)
     VALUES ($1, 'sms', '+12125550100', $2, 1, now())`,
    [tenant.tenantId, tenant.tenantId],
  );
  expect(await ask("+12125550100")).toMatchObject({ zones: ["Asia/Tokyo"], zonesFrom: "contact" });
  expect(await codeOf(ask("nobody"))).toBe("invalid_request");
});
