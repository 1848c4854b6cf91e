import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { suppressByHand } from "./add-suppressions.ts";
import { getConsents, listConsents } from "./list-consents.ts";
import { recordConsentByHand, recordConsents } from "./record-consents.ts";
import { consentBatchSchema } from "./schemas.ts";
import { consentLimits } from "./vocabulary.ts";
import type { ConsentItem } from "./schemas.ts";

const database = await testDatabase();
const ada = "+4915112345678";

async function makeWorld() {
  const tenant = await makeTenant(database);
  const environmentId = tenant.environments.production;
  const owner = tenant.as("owner");
  const item = (id: string, fields: Partial<ConsentItem> = {}): ConsentItem => ({
    id,
    channel: "sms",
    address: ada,
    state: "opted_in",
    ...fields,
  });
  const record = async (consents: ConsentItem[], ctx: Ctx = owner, environment = environmentId) =>
    (await recordConsents(ctx, { environmentId: environment, consents })).results;
  const look = (fields: object = {}, ctx: Ctx = owner) =>
    getConsents(ctx, { environmentId, address: ada, limit: 50, ...fields });
  const stateOf = async (of: string, region: string | null = null, fields: object = {}) =>
    (await look({ channel: "sms", ...fields })).standing[0]?.states.find(
      (one) => one.class === of && one.region === region,
    );
  return { tenant, environmentId, owner, item, record, look, stateOf };
}

const codeOf = (made: Promise<unknown>) =>
  made.then(
    () => "allowed",
    (error: unknown) => (error instanceof DomainError ? error.code : error),
  );

test("each entry has a result of its own: a bad one fails no other, and a repetition is recorded once", async () => {
  const { record, item, look } = await makeWorld();
  expect(
    await record([
      item("a", { address: "+49 151" }),
      item("b"),
      item("b"),
      item("c", { channel: "email", address: "Ada@Example.com", state: "opted_out" }),
    ]),
  ).toMatchObject([
    { id: "a", status: "rejected", reason: { code: "invalid_recipient" } },
    { id: "b", status: "recorded", reason: null },
    { id: "b", status: "rejected", reason: { code: "duplicate_id" } },
    { id: "c", status: "recorded" },
  ]);
  expect(await record([item("b"), item("c"), item("d")])).toMatchObject([
    { status: "already_recorded" },
    { status: "rejected", reason: { code: "idempotency_mismatch" } },
    { status: "recorded" },
  ]);
  expect((await look()).history.data).toHaveLength(2);
  // Under another spelling it is the same address.
  expect((await look({ address: "ADA@example.com" })).standing).toMatchObject([{ channel: "email" }]);
});

test("the same entries reported twice at once are recorded once", async () => {
  const { record, item, look } = await makeWorld();
  const items = Array.from({ length: 20 }, (_, index) => item(`n${String(index)}`));
  const both = await Promise.all([record(items), record(items.toReversed())]);
  const statuses = both.flat().map(({ status }) => status);
  expect(statuses.filter((status) => status === "recorded")).toHaveLength(20);
  expect(statuses.filter((status) => status === "already_recorded")).toHaveLength(20);
  expect((await look()).history.data).toHaveLength(20);
});

test("what was said last counts, class by class and region by region, and of one moment the no", async () => {
  const { record, item, stateOf } = await makeWorld();
  const anHourAgo = Date.now() - 3_600_000;
  const at = (minute: number) => new Date(anHourAgo + minute * 60_000).toISOString();
  await record([
    item("yes", { at: at(1) }),
    item("no-marketing", { at: at(3), state: "opted_out", class: "marketing" }),
    item("older", { at: at(2), class: "marketing" }),
    item("no-fr", { at: at(4), state: "opted_out", region: "FR", class: "service" }),
  ]);
  expect(await stateOf("marketing")).toMatchObject({ state: "opted_out", allowed: false });
  expect(await stateOf("transactional")).toMatchObject({ state: "opted_in", allowed: true });
  expect(await stateOf("service")).toMatchObject({ state: "opted_in", allowed: true });
  expect(await stateOf("service", "FR")).toMatchObject({ state: "opted_out", allowed: false });
  expect(await stateOf("authentication")).toMatchObject({ policy: "exempt", allowed: true });
  await record([
    item("tie-no", { at: at(9), state: "opted_out", class: "transactional" }),
    item("tie-yes", { at: at(9), class: "transactional" }),
  ]);
  expect(await stateOf("transactional")).toMatchObject({ state: "opted_out" });
  // A clock that is fast: the entry is of now, and what comes after it counts.
  await record([item("future", { at: new Date(Date.now() + 9e9).toISOString() })]);
  await new Promise((resolve) => setTimeout(resolve, 5));
  await record([item("after", { state: "opted_out" })]);
  expect(await stateOf("marketing")).toMatchObject({ state: "opted_out" });
});

test("a change by hand says why and by whom, to the ledger, the audit trail and webhooks", async () => {
  const { tenant, environmentId, owner, look } = await makeWorld();
  const { id: endpointId } = await createWebhookEndpoint(owner, {
    url: "https://hooks.example/consent",
    environmentId,
    application: tenant.application.name,
    events: ["consent.opted_out"],
  });
  const input = { environmentId, channel: "sms" as const, address: ada, region: null, class: null };
  await recordConsentByHand(owner, { ...input, state: "opted_out", reason: "Called us on Monday" });
  await recordConsentByHand(owner, { ...input, state: "opted_in", class: "service", reason: "Wants news" });
  const { data } = (await look()).history;
  expect(data).toMatchObject([
    { source: "portal", state: "opted_in", evidence: { reason: "Wants news" } },
    { source: "portal", state: "opted_out", evidence: { recordedBy: owner.actor.name } },
  ]);
  const { rows: owed } = await database.owner.query(
    `SELECT event, payload FROM webhook_deliveries WHERE tenant_id = $1 AND endpoint_id = $2`,
    [tenant.tenantId, endpointId],
  );
  expect(owed).toMatchObject([
    { event: "consent.opted_out", payload: { address: ada, channel: "sms", source: "portal" } },
  ]);
  const { rows: audited } = await database.owner.query<{ data: object }>(
    `SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'consent.recorded'`,
    [tenant.tenantId],
  );
  expect(audited).toHaveLength(2);
  expect(JSON.stringify(audited)).not.toContain(ada.slice(1));
  expect(
    await codeOf(recordConsentByHand(owner, { ...input, address: "x", state: "opted_in", reason: "r" })),
  ).toBe("invalid_request");
});

test("a number counts as people write and paste it, when they look it up and when they record", async () => {
  const { owner, environmentId, look, stateOf } = await makeWorld();
  const written = "+49 (151) 1234-5678";
  await recordConsentByHand(owner, {
    environmentId,
    channel: "sms",
    address: written,
    state: "opted_out",
    region: null,
    class: "marketing",
    reason: "By phone",
  });
  expect(await stateOf("marketing")).toMatchObject({ state: "opted_out" });
  expect(await look({ address: written })).toMatchObject({
    address: ada,
    history: { data: [{ address: ada }] },
  });
  const { results } = await suppressByHand(owner, {
    environmentId,
    channel: "sms",
    addresses: [written, ada, "0151 12345678"],
    expiresAt: null,
    note: "Wrong number",
  });
  expect(results.map(({ status }) => status)).toEqual(["added", "added", "rejected"]);
  expect((await look()).standing.find(({ channel }) => channel === "sms")?.suppressed).toBe(true);
});

test("the sandbox has a ledger of its own; all others share one, which only production's keys write", async () => {
  const { tenant, record, item, stateOf, owner } = await makeWorld();
  const { environments } = tenant;
  const keyOf = (environmentId: string, agent = false): Ctx => ({
    ...owner,
    grants: owner.grants.map((grant) => ({ ...grant, environmentId, applicationId: tenant.application.id })),
    actor: {
      type: "apiKey",
      id: newId(),
      name: "Key",
      ...(agent ? { agent: { id: newId(), hourlyCap: 1, laterStages: true, allows: () => true } } : {}),
    },
  });
  await record([item("a")], keyOf(environments.sandbox), environments.sandbox);
  expect(await stateOf("marketing")).toMatchObject({ state: null });
  expect(await stateOf("marketing", null, { environmentId: environments.sandbox })).toMatchObject({
    state: "opted_in",
  });
  expect(await codeOf(record([item("b")], keyOf(environments.staging), environments.staging))).toBe(
    "environment_mismatch",
  );
  expect(await codeOf(record([item("b")], keyOf(environments.staging)))).toBe("not_found");
  await record([item("b")], keyOf(environments.production));
  expect(await stateOf("marketing", null, { environmentId: environments.staging })).toMatchObject({
    state: "opted_in",
  });
  // An agent takes a no, and gives no yes.
  const agent = keyOf(environments.production, true);
  expect(await codeOf(record([item("c"), item("d", { state: "opted_out" })], agent))).toBe("agent_limit");
  expect(await codeOf(record([item("d", { state: "opted_out" })], agent))).toBe("allowed");
});

test("who may not see addresses gets masked ones and no evidence; who sees one team only, no list; strangers nothing", async () => {
  const { tenant, environmentId, owner, record, item, look } = await makeWorld();
  await record([item("a", { evidence: { form: "at 203.0.113.7" } })]);
  const blind: Ctx = {
    ...owner,
    grants: [
      { permissions: new Set(["consent:read"]), unitId: null, applicationId: null, environmentId: null },
    ],
  };
  const list = (ctx: Ctx) => listConsents(ctx, { environmentId, limit: 50 });
  expect(await codeOf(look({}, blind))).toBe("permission_denied");
  const seen = JSON.stringify(await list(blind));
  expect(seen).toContain("+49•••78");
  for (const secret of [ada, "203.0.113.7"]) expect(seen).not.toContain(secret);
  expect(JSON.stringify(await list(owner))).toContain("203.0.113.7");
  const ofTeam = tenant.as("owner", tenant.units.alpha);
  expect(await codeOf(list(ofTeam))).toBe("not_found");
  expect(JSON.stringify(await look({}, ofTeam))).not.toContain(ada);
  const stranger = (await makeTenant(database)).as("owner");
  expect(await codeOf(look({}, stranger))).toBe("not_found");
  expect(await codeOf(record([item("b")], stranger))).toBe("not_found");
});

test("the list has every entry once, page by page, and its filters", async () => {
  const { environmentId, owner, record, item } = await makeWorld();
  const at = new Date(Date.now() - 1_000).toISOString();
  await record(Array.from({ length: 25 }, (_, index) => item(`i${String(index)}`, { at })));
  await record([item("no", { state: "opted_out", channel: "whatsapp" })]);
  const ids = new Set<string>();
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await listConsents(owner, { environmentId, limit: 10, cursor });
    for (const { id } of page.data) ids.add(id);
    cursor = page.nextCursor ?? undefined;
    pages++;
  } while (cursor);
  expect({ pages, entries: ids.size }).toEqual({ pages: 3, entries: 26 });
  const filtered = await listConsents(owner, { environmentId, limit: 50, channel: "whatsapp" });
  expect(filtered.data).toMatchObject([{ state: "opted_out" }]);
  expect((await listConsents(owner, { environmentId, limit: 50, source: "keyword" })).data).toEqual([]);
});

test("a request has at most 1,000 entries, and evidence and times have bounds", () => {
  const item = { id: "a", channel: "sms", address: ada, state: "opted_in" };
  const many = (count: number) => ({ consents: Array.from({ length: count }, () => item) });
  expect(consentBatchSchema.safeParse(many(consentLimits.items)).success).toBe(true);
  expect(consentBatchSchema.safeParse(many(consentLimits.items + 1)).success).toBe(false);
  expect(consentBatchSchema.safeParse(many(0)).success).toBe(false);
  const evidence = (map: object) =>
    consentBatchSchema.safeParse({ consents: [{ ...item, evidence: map }] }).success;
  const saidAt = (at: string) => consentBatchSchema.safeParse({ consents: [{ ...item, at }] }).success;
  // What the database does not take would fail the whole request.
  expect(
    ["0000-05-01T00:00:00Z", "0001-01-01T00:00:00+02:00", "9999-12-31T23:00:00-02:00"].map(saidAt),
  ).toEqual([false, false, false]);
  expect(["0001-01-01T00:00:00Z", "2026-11-27T10:00:00+02:00", "9999-12-31T23:00:00Z"].map(saidAt)).toEqual([
    true,
    true,
    true,
  ]);
  expect(evidence({ form: "x".repeat(500) })).toBe(true);
  expect(evidence({ form: "x".repeat(501) })).toBe(false);
  expect(evidence(Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${String(n)}`, "v"])))).toBe(
    false,
  );
});
