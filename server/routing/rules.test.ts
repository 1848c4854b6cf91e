import { beforeAll, describe, expect, it, vi } from "vitest";
import { inTenant } from "../kernel/db.ts";
import type { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { createRule } from "./create-rule.ts";
import { deleteRule } from "./delete-rule.ts";
import { listRevisions } from "./list-revisions.ts";
import { listRules } from "./list-rules.ts";
import { environmentRules } from "./load-rules.ts";
import { reorderRules } from "./reorder-rules.ts";
import { replaceRules } from "./replace-rules.ts";
import { revertRules } from "./revert-rules.ts";
import { ruleInputSchema } from "./schemas.ts";
import type { RuleInput } from "./schemas.ts";
import { updateRule } from "./update-rule.ts";

const database = await testDatabase();
let world: SendingWorld;
let twilio: string;
let environmentId: string;
beforeAll(async () => {
  world = await makeSendingWorld(database);
  environmentId = world.tenant.environments.production;
  twilio = (await world.addTwilio("http://127.0.0.1:9", { name: "Twilio" })).id;
});

const only = (connectionId: string) => [[{ connectionId, weight: 100 }]];
function rule(fields: Partial<RuleInput> = {}): RuleInput {
  return ruleInputSchema.parse({ name: "Rule", channel: "sms", tiers: only(twilio), ...fields });
}

/** A tenant of its own, with one connection. */
async function fresh() {
  const own = await makeSendingWorld(database);
  const { id } = await own.addTwilio("http://127.0.0.1:9", { name: "Twilio" });
  const environment = own.tenant.environments.production;
  return {
    ...own,
    connection: id,
    environmentId: environment,
    add: (fields: Partial<RuleInput> = {}, ctx = own.tenant.as("owner")) =>
      createRule(ctx, { ...rule({ tiers: only(id), ...fields }), environmentId: environment }),
    revisions: async (ctx = own.tenant.as("owner")) =>
      (await listRevisions(ctx, { environmentId: environment, limit: 50 })).data,
    list: (ctx = own.tenant.as("owner")) => listRules(ctx, { environmentId: environment }),
  };
}

describe("a rule that cannot work is refused with where and why", () => {
  const cases: Record<
    string,
    { fields: () => Partial<RuleInput>; code: string; pointer: string; says: RegExp }
  > = {
    "weights that do not add up": {
      fields: () => ({ tiers: [[{ connectionId: twilio, weight: 70 }]] }),
      code: "invalid_request",
      pointer: "/tiers/0",
      says: /add up to 70, not to 100/,
    },
    "a connection that does not exist": {
      fields: () => ({ tiers: only(newId()) }),
      code: "invalid_request",
      pointer: "/tiers/0/0/connectionId",
      says: /no such connection/,
    },
    "the same connection twice": {
      fields: () => ({ tiers: [...only(twilio), ...only(twilio)] }),
      code: "invalid_request",
      pointer: "/tiers/1/0/connectionId",
      says: /once/,
    },
    "a channel that the connection does not carry": {
      fields: () => ({ channel: "email" }),
      code: "invalid_request",
      pointer: "/tiers/0/0/connectionId",
      says: /does not carry email/,
    },
    "an application that does not exist": {
      fields: () => ({ application: "nope" }),
      code: "unknown_application",
      pointer: "/application",
      says: /None of the applications/,
    },
    "a type outside the catalogue": {
      fields: () => ({ notificationType: "nope" }),
      code: "unknown_notification_type",
      pointer: "/notificationType",
      says: /Allowed: .*order/,
    },
    "a subtype of another type": {
      fields: () => ({ notificationType: "order", notificationSubtype: "promotion" }),
      code: "unknown_notification_type",
      pointer: "/notificationSubtype",
      says: /order_status, receipt/,
    },
    "a subtype without its type": {
      fields: () => ({ notificationSubtype: "receipt" }),
      code: "invalid_request",
      pointer: "/notificationType",
      says: /belongs to a type/,
    },
  };
  it.each(Object.entries(cases))("%s", async (_, { fields, code, pointer, says }) => {
    const { system } = world.tenant;
    const error = await refusal(createRule(system, { ...rule(fields()), environmentId }));
    expect(error.code).toBe(code);
    expect(error.errors[0]).toMatchObject({ pointer });
    expect(error.errors[0]?.detail).toMatch(says);
  });

  it("a connection outside the data region, until the settings allow the transfer", async () => {
    const { system } = world.tenant;
    const { id } = await world.addTwilio("http://127.0.0.1:9", { name: "America", processingRegion: "US" });
    const error = await refusal(createRule(system, { ...rule({ tiers: only(id) }), environmentId }));
    expect(error.code).toBe("region_not_allowed");
    const allowed = await makeSendingWorld(database, { settings: { allowedTransferRegions: ["US"] } });
    const there = await allowed.addTwilio("http://127.0.0.1:9", { processingRegion: "US" });
    const saved = await createRule(allowed.tenant.system, {
      ...rule({ tiers: only(there.id) }),
      environmentId: allowed.tenant.environments.production,
    });
    expect(saved.revision).toBe(1);
  });

  it("another unit's connection: named to those who see it, unknown to those who do not", async () => {
    const { tenant } = world;
    const { id } = await world.addTwilio("http://127.0.0.1:9", { name: "Beta's", unitId: tenant.units.beta });
    const forShop = { ...rule({ application: "shop", tiers: only(id) }), environmentId };
    expect((await refusal(createRule(tenant.as("owner"), forShop))).errors[0]?.code).toBe(
      "connection_of_another_unit",
    );
    const alpha = tenant.as("operator", tenant.units.alpha);
    const hidden = await refusal(createRule(alpha, forShop));
    const unknown = await refusal(createRule(alpha, { ...forShop, tiers: only(newId()) }));
    expect(hidden.errors).toEqual(unknown.errors);
    const forAll = { ...rule({ tiers: only(id) }), environmentId };
    expect((await refusal(createRule(tenant.as("owner"), forAll))).errors[0]?.code).toBe(
      "connection_of_another_unit",
    );
  });

  it("a connection that is being deleted: the rule waits, and then finds it gone", async () => {
    const own = await fresh();
    const client = await database.owner.connect();
    try {
      await client.query("BEGIN");
      await client.query("DELETE FROM provider_connections WHERE id = $1", [own.connection]);
      const refused = refusal(own.add());
      await vi.waitFor(async () => {
        const waiting = await database.owner.query(
          "SELECT FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock' AND query LIKE '%FOR KEY SHARE%'",
        );
        expect(waiting.rowCount).toBe(1);
      });
      await client.query("COMMIT");
      expect((await refused).errors).toMatchObject([{ code: "unknown_connection" }]);
    } finally {
      client.release(true);
    }
    expect((await own.list()).data).toEqual([]);
  });

  it("anything but the simulator in the sandbox", async () => {
    const { system, environments } = world.tenant;
    const input = { ...rule(), environmentId: environments.sandbox };
    expect((await refusal(createRule(system, input))).errors[0]?.code).toBe("sandbox_only");
    const simulator = await world.tenant.addSimulator([]);
    expect((await createRule(system, { ...input, tiers: only(simulator.id) })).revision).toBe(1);
  });
});

describe("who may change which rule", () => {
  it("a unit's member: rules that name an application of the unit, and no others", async () => {
    const own = await fresh();
    const { tenant } = own;
    const alpha = tenant.as("operator", tenant.units.alpha);
    const shops = await own.add({ application: "shop" }, alpha);
    expect((await refusal(own.add({}, alpha))).code).toBe("permission_denied");
    expect((await refusal(own.add({ application: "desk" }, alpha))).code).toBe("unknown_application");

    const everybodys = await own.add({ name: "Everybody's" });
    const desks = await own.add({ name: "Desk's", application: "desk" });
    expect((await own.list(alpha)).data.map(({ id, editable }) => [id, editable])).toEqual([
      [shops.id, true],
      [everybodys.id, false],
    ]);
    const at = { environmentId: own.environmentId };
    expect((await refusal(deleteRule(alpha, { ...at, id: everybodys.id }))).code).toBe("permission_denied");
    expect((await refusal(deleteRule(alpha, { ...at, id: desks.id }))).code).toBe("not_found");
    // Nor may they make one of their rules tenant-wide.
    const wider = updateRule(alpha, { ...rule({ tiers: only(own.connection) }), ...at, id: shops.id });
    expect((await refusal(wider)).code).toBe("permission_denied");
    expect((await own.list()).data).toHaveLength(3);
  });

  it("a replaced set is the member's own part of it: others' rules stay", async () => {
    const own = await fresh();
    const alpha = own.tenant.as("operator", own.tenant.units.alpha);
    await own.add({ name: "Old", application: "shop" });
    const kept = [await own.add({ name: "All" }), await own.add({ name: "Desk", application: "desk" })];
    const { revision } = await own.list(alpha);
    await replaceRules(alpha, {
      environmentId: own.environmentId,
      revision,
      rules: [rule({ name: "New", application: "shop", tiers: only(own.connection) })],
    });
    const names = (await own.list()).data.map(({ name }) => name).sort();
    expect(names).toEqual([...kept.map(({ name }) => name), "New"].sort());
  });

  it("the history shows a unit's member only their part", async () => {
    const own = await fresh();
    const alpha = own.tenant.as("operator", own.tenant.units.alpha);
    await own.add({ name: "Desk's secret", application: "desk" });
    await own.add({ name: "Shop's", application: "shop" });
    const told = await own.revisions(alpha);
    expect(JSON.stringify(told)).not.toContain("secret");
    expect(told.map(({ number, summary }) => [number, summary])).toEqual([
      [2, 'Added rule "Shop\'s"'],
      [0, "As it was before the first change"],
    ]);
    expect((await own.revisions()).map(({ number }) => number)).toEqual([2, 1, 0]);
  });
});

describe("revisions", () => {
  it("are numbered without gaps under concurrency, and keep the rules of the time", async () => {
    const own = await fresh();
    await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        own.add({ name: `Rule ${String(index)}`, priority: index + 1 }),
      ),
    );
    const revisions = await own.revisions();
    expect(revisions.map(({ number }) => number)).toEqual(
      Array.from({ length: 13 }, (_, index) => 12 - index),
    );
    expect(revisions.map(({ rules }) => rules)).toEqual(Array.from({ length: 13 }, (_, index) => 12 - index));
    expect((await own.list()).data).toHaveLength(12);
    const audit = await database.owner.query(
      "SELECT data->>'revision' AS revision FROM audit_events WHERE tenant_id = $1 AND action = 'routing.changed'",
      [own.tenantId],
    );
    expect(audit.rowCount).toBe(12);
  });

  it("refuse a change that is based on an older one, and name who was faster", async () => {
    const own = await fresh();
    const { id } = await own.add();
    const at = { environmentId: own.environmentId, id, revision: 1 };
    const input = rule({ tiers: only(own.connection) });
    const changes = await Promise.allSettled(
      ["a", "b", "c"].map((name) => updateRule(own.tenant.as("owner"), { ...input, ...at, name })),
    );
    expect(changes.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    const late = changes.find((change) => change.status === "rejected");
    const error = late?.reason as DomainError;
    expect(error.code).toBe("revision_conflict");
    expect(error.message).toContain("Owner has changed the rules meanwhile");
    expect(error.extra).toMatchObject({ revision: 2, changedBy: "Owner" });
  });

  it("describe the changes; an edit without changes creates none", async () => {
    const own = await fresh();
    const { id } = await own.add({ name: "Marketing" });
    const at = { environmentId: own.environmentId, id };
    const input = rule({ name: "Marketing", tiers: only(own.connection) });
    const owner = own.tenant.as("owner");
    await updateRule(owner, { ...input, ...at });
    await updateRule(owner, { ...input, ...at, enabled: false, note: "Campaign is over" });
    await updateRule(owner, { ...input, ...at, enabled: false, region: "DE", application: "shop" });
    await deleteRule(owner, at);
    const [deleted, changed, disabled, added] = await own.revisions();
    expect(added?.summary).toBe('Added rule "Marketing"');
    expect(disabled).toMatchObject({
      number: 2,
      summary: 'Disabled rule "Marketing"',
      note: "Campaign is over",
      by: { type: "user", name: "Owner" },
    });
    expect(changed?.differences[0]?.fields).toEqual([
      { field: "application", before: null, after: "shop" },
      { field: "region", before: null, after: "DE" },
    ]);
    expect(deleted?.differences[0]).toMatchObject({ kind: "removed" });
    expect(deleted?.differences[0]?.fields).toContainEqual({
      field: "connections",
      before: "Twilio",
      after: null,
    });
  });

  it("begin with the state before the first change, which can be restored", async () => {
    const own = await fresh();
    await own.addRule("production", [[own.connection]], { channel: "sms" });
    const before = (await own.list()).data;
    await deleteRule(own.tenant.as("owner"), { environmentId: own.environmentId, id: before[0]?.id ?? "" });
    expect((await own.list()).data).toEqual([]);
    const back = await revertRules(own.tenant.as("owner"), {
      environmentId: own.environmentId,
      number: 0,
      dropMissing: false,
    });
    // Its weight dates from before percent.
    expect(back.data.map(({ id, tiers }) => [id, tiers[0]?.[0]?.weight])).toEqual([[before[0]?.id, 100]]);
    expect(back.revision).toBe(2);
    expect((await own.revisions())[0]?.summary).toBe("Went back to revision 0");
  });

  it("are checked completely: what is gone is named even where the present rule names it as well", async () => {
    const own = await fresh();
    await own.add({ name: "Alone" });
    await inTenant(own.tenant.system, (tx) =>
      tx.providerConnection.delete({
        where: { tenantId_id: { tenantId: own.tenantId, id: own.connection } },
      }),
    );
    const owner = own.tenant.as("owner");
    const at = { environmentId: own.environmentId, number: 1 };
    expect((await refusal(revertRules(owner, { ...at, dropMissing: false }))).code).toBe("conflict");
    const back = await revertRules(owner, { ...at, dropMissing: true });
    expect(back.dropped.length).toBeGreaterThan(0);
    expect(back.data).toEqual([]);
  });

  it("are restored completely, or on request without what is gone", async () => {
    const own = await fresh();
    const { system } = own.tenant;
    const second = (await own.addTwilio("http://127.0.0.1:9", { name: "Second" })).id;
    const half = [
      { connectionId: own.connection, weight: 50 },
      { connectionId: second, weight: 50 },
    ];
    await own.add({ name: "Shared", tiers: [half] });
    await own.add({ name: "Alone", channel: null, tiers: only(second) });
    const owner = own.tenant.as("owner");
    const at = { environmentId: own.environmentId };
    await replaceRules(owner, { ...at, revision: 2, rules: [] });
    await inTenant(system, (tx) =>
      tx.providerConnection.delete({ where: { tenantId_id: { tenantId: own.tenantId, id: second } } }),
    );
    const error = await refusal(revertRules(owner, { ...at, number: 2, dropMissing: false }));
    expect(error.code).toBe("conflict");
    expect(JSON.stringify(error.extra.missing)).toContain("Second");
    expect((await own.list()).data).toEqual([]);

    const back = await revertRules(owner, { ...at, number: 2, dropMissing: true });
    expect(
      back.data.map(({ name, tiers }) => [name, tiers.map((tier) => tier.map((one) => one.weight))]),
    ).toEqual([["Shared", [[100]]]]);
    expect(back.dropped).toEqual([
      { rule: "Shared", connection: "Second", why: expect.stringContaining("no such connection") as string },
      { rule: "Alone", connection: "Second", why: expect.stringContaining("no such connection") as string },
      { rule: "Alone", connection: null, why: "none of its connections can be used" },
    ]);
  });

  it("restored by a unit's member bring back the member's rules and leave the others", async () => {
    const own = await fresh();
    const alpha = own.tenant.as("operator", own.tenant.units.alpha);
    const all = await own.add({ name: "All" });
    const shops = await own.add({ name: "Shop", application: "shop" });
    const at = { environmentId: own.environmentId };
    await deleteRule(own.tenant.as("owner"), { ...at, id: shops.id });
    await deleteRule(own.tenant.as("owner"), { ...at, id: all.id });
    const back = await revertRules(alpha, { ...at, number: 2, dropMissing: false });
    expect(back.data.map(({ name }) => name)).toEqual(["Shop"]);
    expect((await own.list()).data.map(({ name }) => name)).toEqual(["Shop"]);
  });
});

describe("an order", () => {
  it("becomes priorities, only among equally specific rules", async () => {
    const own = await fresh();
    const owner = own.tenant.as("owner");
    const at = { environmentId: own.environmentId };
    const ids = [];
    for (const region of ["DE", "FR", "IT"]) {
      ids.push((await own.add({ name: region, channel: null, region })).id);
    }
    const [de, fr, it] = ids as [string, string, string];
    const order = [it, de, fr];
    const { data } = await reorderRules(owner, { ...at, order });
    expect(data.map(({ id }) => id)).toEqual(order);
    const specific = await own.add({ region: "DE" });
    const error = await refusal(reorderRules(owner, { ...at, order: [de, specific.id] }));
    expect(error.errors[0]?.code).toBe("unequal_specificity");
  });
});

describe("a change", () => {
  it("takes effect at once in its own process and within two seconds in another", async () => {
    const own = await fresh();
    await own.addRule("production", [[own.connection]]);
    // Another process has another copy of the module and other caches; copies in one process share theirs.
    vi.resetModules();
    const caches = Symbol.for("tidings.caches");
    const ownCaches = Reflect.get(globalThis, caches) as unknown;
    Reflect.deleteProperty(globalThis, caches);
    const elsewhere = (await import("./load-rules.ts")).environmentRules;
    expect(elsewhere).not.toBe(environmentRules);
    expect(Reflect.get(globalThis, caches)).not.toBe(ownCaches);
    const { system } = own.tenant;
    const here = () => environmentRules(system, own.environmentId);
    const there = () => elsewhere(system, own.environmentId);
    expect([(await here()).length, (await there()).length]).toEqual([1, 1]);
    await own.add({ region: "DE" });
    expect(await here()).toHaveLength(2);
    await expect.poll(async () => (await there()).length, { timeout: 2_000, interval: 50 }).toBe(2);
  });
});
