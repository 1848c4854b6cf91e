import { afterAll, beforeEach, expect, test } from "vitest";
import { DomainError } from "../kernel/errors.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { allowedRegions } from "../tenancy/residency.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { requireBudget } from "./budget.ts";
import { readAiConfig, replaceAiConfig } from "./config.ts";
import type { AiConfig } from "./config.ts";
import { getAiSettings } from "./get-ai-settings.ts";
import { getAiStatus } from "./get-ai-status.ts";
import { getAiUsage } from "./get-ai-usage.ts";
import { recordUsage } from "./record-usage.ts";
import { updateAiSettings } from "./update-ai-settings.ts";

const database = await testDatabase();
const tenant = await makeTenant(database, { settings: { allowedTransferRegions: ["CH"], other: { x: 1 } } });
const owner = tenant.as("owner");
const author = tenant.as("template_author");
const now = new Date("2027-02-10T12:00:00Z");

const config: AiConfig = {
  baseUrl: "http://127.0.0.1:9/v1",
  ownAddress: true,
  apiKey: null,
  model: "test-model",
  moderationModel: null,
  region: null,
  price: { input: 1, output: 2, currency: "EUR" },
};
beforeEach(() => replaceAiConfig(config));
afterAll(() => replaceAiConfig(undefined));

const code = (work: Promise<unknown>) =>
  work.then(
    () => "done",
    (error: unknown) => (error instanceof DomainError ? error.code : String(error)),
  );

const stored = async () => {
  const { rows } = await database.owner.query<{ settings: Record<string, unknown> }>(
    "SELECT settings FROM tenants WHERE id = $1",
    [tenant.tenantId],
  );
  return rows[0]?.settings;
};

test("a change affects only the named member, and is audited without the policy's text", async () => {
  await updateAiSettings(owner, { policy: "Never promise a refund.", monthlyTokens: 1_000 });
  await updateAiSettings(owner, { drafting: false });
  expect(await stored()).toEqual({
    allowedTransferRegions: ["CH"],
    other: { x: 1 },
    ai: { policy: "Never promise a refund.", monthlyTokens: 1_000, drafting: false },
  });
  expect(await getAiSettings(owner)).toEqual({
    enabled: true,
    drafting: false,
    policy: "Never promise a refund.",
    monthlyTokens: 1_000,
    allowWithoutAi: false,
  });
  const { rows } = await database.owner.query<{ data: unknown }>(
    "SELECT data FROM audit_events WHERE tenant_id = $1 AND action = 'ai_settings.updated' ORDER BY id",
    [tenant.tenantId],
  );
  expect(rows.map(({ data }) => data)).toEqual([
    {
      before: { monthlyTokens: null, policyCharacters: 0 },
      after: { monthlyTokens: 1_000, policyCharacters: 23 },
    },
    { before: { drafting: true }, after: { drafting: false } },
  ]);
  await updateAiSettings(owner, { policy: "", monthlyTokens: null, drafting: true });
});

test("two people who change different members at once both keep theirs", async () => {
  await Promise.all([
    updateAiSettings(owner, { allowWithoutAi: true }),
    updateAiSettings(owner, { monthlyTokens: 5 }),
  ]);
  expect(await getAiSettings(owner)).toMatchObject({ allowWithoutAi: true, monthlyTokens: 5 });
  await updateAiSettings(owner, { allowWithoutAi: false, monthlyTokens: null });
});

test("content rules that somebody else has written since they were read are not replaced", async () => {
  await updateAiSettings(owner, { policy: "No refunds.", expectedPolicy: "" });
  expect(await code(updateAiSettings(owner, { policy: "No dates.", expectedPolicy: "" }))).toBe(
    "revision_conflict",
  );
  expect(await getAiSettings(owner)).toMatchObject({ policy: "No refunds." });
  await updateAiSettings(owner, { policy: "", expectedPolicy: "No refunds." });
});

test("settings are for those who manage them; every author sees the status", async () => {
  expect(await code(getAiSettings(author))).toBe("permission_denied");
  expect(await code(updateAiSettings(author, { enabled: false }))).toBe("permission_denied");
  expect(await code(getAiUsage(author))).toBe("permission_denied");
  expect(await getAiStatus(author)).toEqual({
    configured: true,
    available: true,
    drafting: true,
    reason: null,
    model: "test-model",
    moderationModel: null,
    region: "EU",
  });
});

test("the status says why something is not available", async () => {
  replaceAiConfig(null);
  expect(await getAiStatus(author)).toMatchObject({
    configured: false,
    available: false,
    drafting: false,
    reason: expect.stringContaining("No AI service") as string,
  });
  replaceAiConfig({ ...config, region: "US" });
  expect(await getAiStatus(author)).toMatchObject({
    configured: true,
    available: false,
    reason: expect.stringContaining("US") as string,
  });
  replaceAiConfig({ ...config, region: "CH" });
  expect(await getAiStatus(author)).toMatchObject({ available: true, drafting: true });
  await updateAiSettings(owner, { drafting: false });
  expect(await getAiStatus(author)).toMatchObject({
    available: true,
    drafting: false,
    reason: expect.stringContaining("Drafting") as string,
  });
  await updateAiSettings(owner, { drafting: true, enabled: false });
  expect(await getAiStatus(author)).toMatchObject({ available: false, drafting: false });
  await updateAiSettings(owner, { enabled: true });
});

test("usage is summed by month and purpose, and compared with the budget", async () => {
  const spend = (at: string, purpose: "draft" | "moderation", tokens: number) =>
    recordUsage(
      { ...author, now: () => new Date(at) },
      { purpose, model: "m", price: config.price },
      { inputTokens: tokens, outputTokens: tokens, estimated: false },
    );
  await spend("2027-01-31T23:59:59.999Z", "draft", 1_000_000);
  await spend("2027-02-01T00:00:00Z", "draft", 100);
  await spend("2027-02-28T23:59:59.999Z", "moderation", 250_000);
  await spend("2027-03-01T00:00:00Z", "draft", 1);
  expect(await getAiUsage(owner, { month: "2027-02" })).toEqual({
    month: "2027-02",
    tokens: 500_200,
    costs: [{ currency: "EUR", amount: "0.750300" }],
    byPurpose: [
      { purpose: "moderation", calls: 1, inputTokens: 250_000, outputTokens: 250_000 },
      { purpose: "draft", calls: 1, inputTokens: 100, outputTokens: 100 },
    ],
  });
  const at = { ...author, now: () => now };
  const settings = await getAiSettings(owner);
  await requireBudget(at, settings);
  await requireBudget(at, { ...settings, monthlyTokens: 500_203 });
  const error = await requireBudget(at, { ...settings, monthlyTokens: 500_200 }).catch((e: unknown) => e);
  expect(error).toMatchObject({ code: "ai_budget_exhausted", retryAfter: (18 * 24 + 12) * 3_600 });
});

test("another organisation's usage is not counted", async () => {
  const other = await makeTenant(database);
  expect((await getAiUsage(other.as("owner"), { month: "2027-02" })).tokens).toBe(0);
});

test("settings that cannot be read switch AI off", async () => {
  await database.owner.query(`UPDATE tenants SET settings = '{"ai":{"enabled":"yes"}}' WHERE id = $1`, [
    tenant.tenantId,
  ]);
  forgetCatalogue(tenant.tenantId);
  expect(await getAiSettings(owner)).toMatchObject({ enabled: false, monthlyTokens: 0 });
});

test("the operator's variables name a service, its region and its moderation model", () => {
  const read = (ai: Partial<Parameters<typeof readAiConfig>[0]>) =>
    readAiConfig({
      baseUrl: undefined,
      apiKey: undefined,
      model: undefined,
      moderationModel: undefined,
      region: undefined,
      price: undefined,
      ...ai,
    });
  expect(read({})).toBeNull();
  expect(read({ model: "m" })).toBeNull();
  expect(read({ apiKey: "k" })).toBeNull();
  expect(read({ model: "m", apiKey: "k" })).toMatchObject({
    baseUrl: "https://api.openai.com/v1",
    ownAddress: false,
    region: "US",
    moderationModel: "omni-moderation-latest",
  });
  expect(read({ model: "m", baseUrl: "https://eu.api.openai.com/v1", apiKey: "k" })?.region).toBe("EU");
  expect(read({ model: "m", baseUrl: "http://localhost:11434/v1" })).toMatchObject({
    ownAddress: true,
    apiKey: null,
    region: null,
    moderationModel: null,
  });
  expect(read({ model: "m", baseUrl: "http://ai.local/v1", region: "CH" })?.region).toBe("CH");
});

test("data may be processed at home and where the settings allow", () => {
  expect([...allowedRegions({ dataRegion: "EU", settings: { allowedTransferRegions: [] } })]).toEqual(["EU"]);
  expect([...allowedRegions({ dataRegion: "EU", settings: { allowedTransferRegions: ["US"] } })]).toEqual([
    "EU",
    "US",
  ]);
});
