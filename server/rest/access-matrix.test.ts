import { describe, expect, it } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { createRole } from "../access/manage-roles.ts";
import { revokeApiKey } from "../access/revoke-api-key.ts";
import { createGroup } from "../contacts/manage-groups.ts";
import { contactCreateSchema } from "../contacts/schemas.ts";
import { createContact } from "../contacts/write-contact.ts";
import { askConfirmation } from "../consent/ask-confirmation.ts";
import { recordSuppressions } from "../consent/suppress-address.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import type { RestContract } from "../operations/operation.ts";
import { builtInRoles, permissions } from "../operations/permissions.ts";
import type { BuiltInRole, Permission } from "../operations/permissions.ts";
import { approvePromotion } from "../pipelines/approve-promotion.ts";
import { createPromotion } from "../pipelines/create-promotion.ts";
import { requestErasure } from "../privacy/request-erasure.ts";
import { createRule } from "../routing/create-rule.ts";
import { ruleInputSchema } from "../routing/schemas.ts";
import { createTemplate } from "../templates/create-template.ts";
import { templateCreateSchema } from "../templates/schemas.ts";
import { makeAlphasThings, planted, plantRecipient, templateFiles } from "../testing/alphas-things.ts";
import { testDatabase } from "../testing/database.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import { createNotificationType } from "../workspace/create-notification-type.ts";
import { contracts } from "./contracts.ts";

/*
 * Every public operation × {another tenant, another unit, another environment, a lower role, a key that is revoked, expired,
 * broken or missing}: generated from the contracts, so an operation without a line in the table below fails the test.
 */

const database = await testDatabase();
// Without an AI service production would refuse every promotion.
const world = await makeSendingWorld(database, { settings: { ai: { allowWithoutAi: true } } });
const stranger = await makeSendingWorld(database);
const { tenant } = world;
const rest = restClient(database.web);

let spares = 0;
/** One that may be archived: for an audience that nothing else here sends to. */
async function spareTemplate(): Promise<string> {
  const letter = (number: number) => String.fromCharCode(65 + number);
  const region = `${letter(25 - Math.floor(spares / 26))}${letter(spares++ % 26)}`;
  const { id } = await createTemplate(
    tenant.system,
    templateCreateSchema.parse({
      application: "shop",
      name: "spare",
      notificationType: "order",
      notificationSubtype: "receipt",
      channel: "whatsapp",
      region,
      body: "Spare",
    }),
  );
  return id;
}

/** A promotion into production that somebody requested, and with `decided` somebody else approved. */
async function promote(automatic: boolean, decided: boolean): Promise<string> {
  const templateId = await spareTemplate();
  const { id } = await createPromotion(tenant.as("developer"), {
    application: "shop",
    to: "production",
    templates: [{ templateId }],
    automatic,
  });
  if (decided) await approvePromotion(tenant.as("release_manager"), { id });
  return id;
}

const shared = await world.addTwilio("https://8.8.8.8");
const ruleBody = (application: string) => ({
  name: "Matrix",
  application,
  tiers: [[{ connectionId: shared.id, weight: 100 }]],
});

const suppress = async () => {
  const [made] = await inTenant(tenant.system, (tx) =>
    recordSuppressions(tenant.system, tx, false, [
      { channel: "email", address: "no@example.com", reason: "manual" },
    ]),
  );
  return made!.id;
};

const newTypeName = () => `t${newId().replaceAll("-", "")}`;

async function ownThings() {
  const alphas = await makeAlphasThings(database, world);
  return {
    ...alphas,
    spareTemplate: await spareTemplate(),
    environment: tenant.environments.production,
    erasure: (await requestErasure(tenant.system, { addresses: ["somebody@example.com"] })).id,
    contact: (await createContact(tenant.system, contactCreateSchema.parse({ externalId: newId() }))).id,
    spareContact: (await createContact(tenant.system, contactCreateSchema.parse({ externalId: newId() }))).id,
    contactGroup: (await createGroup(tenant.system, { name: newId(), description: "" })).id,
    spareGroup: (await createGroup(tenant.system, { name: newId(), description: "" })).id,
    apiKey: (
      await createApiKey(tenant.as("owner"), {
        name: "spare",
        environmentId: tenant.environments.production,
        applicationId: tenant.application.id,
      })
    ).id,
    stagedTemplate: await spareTemplate(),
    rule: (
      await createRule(tenant.system, {
        ...ruleInputSchema.parse({ ...ruleBody("shop"), channel: "whatsapp" }),
        environmentId: tenant.environments.production,
      })
    ).id,
    requested: await promote(true, false),
    refused: await promote(true, false),
    approved: await promote(false, true),
    deployed: await promote(true, true),
    suppression: await suppress(),
    notificationType: (
      await createNotificationType(tenant.system, { type: newTypeName(), class: "service", subtypes: ["x"] })
    ).id,
    confirmation: (
      await askConfirmation(tenant.as("owner"), {
        environmentId: tenant.environments.production,
        id: newId(),
        application: "shop",
        channel: "email",
        address: "asked@example.com",
        class: "marketing",
        expiresInHours: 48,
      })
    ).id,
  };
}
type Things = Awaited<ReturnType<typeof ownThings>>;
const things = await ownThings();
const unknownThings = () => Object.fromEntries(Object.keys(things).map((name) => [name, newId()])) as Things;

interface Line {
  /** Path parameters of an existing thing. */
  path?: (of: Things) => Record<string, string>;
  body?: (application: string, of: Things) => unknown;
  query?: (application: string) => string;
  /** The permission for these parameters, where it is not the contract's. */
  needs?: Permission;
  /** The thing belongs to the application in all its environments. */
  everyEnvironment?: true;
  /** The thing belongs to the whole organisation: a key of one unit or application does not reach it. */
  tenantWide?: true;
  /** About something that belongs to no team: a key of any team reaches it. */
  everyTeam?: true;
  /** The thing that is told of to every key of the organisation outside the sandbox. */
  toldToAll?: keyof Things;
  /** About what is the same in every environment: keys of production only. */
  productionOnly?: true;
  /** Keys of one application cannot do it, whatever their role. */
  notForApplications?: true;
  /** The answer to an authorised caller with these parameters, where it is not a success. */
  status?: number;
}

const notification = { path: (of: Things) => ({ id: of.notification }) };
const broadcast = { path: (of: Things) => ({ id: of.broadcast }) };
const rule = { path: (of: Things) => ({ id: of.rule }) };
const endpoint = { path: (of: Things) => ({ id: of.endpoint }) };
const template = { path: (of: Things) => ({ id: of.template }), everyEnvironment: true as const };
const plan = { path: (of: Things) => ({ id: of.plan }), everyEnvironment: true as const };
const type = {
  path: (of: Things) => ({ id: of.notificationType }),
  tenantWide: true as const,
  everyEnvironment: true as const,
};
const shortener = {
  path: (of: Things) => ({ environment: of.environment }),
  tenantWide: true as const,
};
const connection = { path: (of: Things) => ({ id: of.connection }), everyEnvironment: true as const };
const anybodys = { everyTeam: true, productionOnly: true } as const;
const contact = { path: (of: Things) => ({ id: of.contact }), ...anybodys };
const contactGroup = { path: (of: Things) => ({ id: of.contactGroup }), ...anybodys };
const delivery = { path: (of: Things) => ({ id: of.endpoint, deliveryId: of.delivery }) };
const content = {
  body: "Order {{ code }} again.",
  variables: [{ name: "code", type: "string", required: true }],
};

const table: Record<string, Line> = {
  sendNotifications: { body: (application) => sendBody({ application }) },
  createNotification: {
    body: (application) => ({
      application,
      channel: "sms",
      to: "+4915112345678",
      template: "order-sms",
      variables: { code: "1" },
    }),
  },
  explainNotification: { body: (application) => sendBody({ application }) },
  listNotifications: {},
  getNotification: notification,
  cancelNotification: notification,
  // A message of production has no simulated recipient.
  simulateRecipient: { ...notification, body: () => ({ action: "open" }), status: 409 },
  listBroadcasts: {},
  getBroadcast: broadcast,
  pauseBroadcast: broadcast,
  resumeBroadcast: broadcast,
  changeBroadcastRate: { ...broadcast, body: () => ({ ratePerSecond: 5 }) },
  cancelBroadcast: broadcast,
  listConversations: {},
  listConversationMessages: { path: (of) => ({ id: of.conversation }) },
  recordConsents: {
    everyTeam: true,
    body: () => ({
      consents: [{ id: newId(), channel: "sms", address: "+4915199999999", state: "opted_in" }],
    }),
  },
  askConfirmation: {
    body: (application) => ({ id: newId(), application, channel: "sms", address: "+4915199999998" }),
  },
  getConfirmation: { path: (of) => ({ id: of.confirmation }) },
  getConsents: { query: () => "address=%2B4915112345678", everyTeam: true },
  listContacts: anybodys,
  getContact: contact,
  createContact: { ...anybodys, body: () => ({ externalId: newId() }) },
  updateContact: { ...contact, body: () => ({ region: "FR" }) },
  deleteContact: { ...contact, path: (of) => ({ id: of.spareContact }) },
  upsertContacts: { ...anybodys, body: () => ({ contacts: [{ externalId: newId() }] }) },
  listContactGroups: anybodys,
  getContactGroup: contactGroup,
  createContactGroup: { ...anybodys, body: () => ({ name: newId() }) },
  updateContactGroup: { ...contactGroup, body: () => ({ description: "Matrix" }) },
  deleteContactGroup: { ...contactGroup, path: (of) => ({ id: of.spareGroup }) },
  addContactGroupMembers: { ...contactGroup, body: (_application, of) => ({ contactIds: [of.contact] }) },
  removeContactGroupMembers: { ...contactGroup, body: (_application, of) => ({ contactIds: [of.contact] }) },
  listSuppressions: { query: () => "address=%2B4915112345678", everyTeam: true },
  addSuppressions: {
    everyTeam: true,
    body: () => ({ suppressions: [{ channel: "sms", address: "+4915199999999" }] }),
  },
  removeSuppression: {
    path: (of) => ({ id: of.suppression }),
    tenantWide: true,
    everyEnvironment: true,
  },
  createTemplate: {
    body: (application) => ({
      application,
      name: "matrix",
      notificationType: "order",
      notificationSubtype: "receipt",
      channel: "sms",
      ...content,
    }),
  },
  listTemplates: {},
  getTemplate: template,
  updateTemplate: { ...template, body: () => content },
  archiveTemplate: { ...template, path: (of) => ({ id: of.spareTemplate }) },
  // Not the first stage of the pipeline: by promotion only.
  deployTemplate: {
    ...template,
    body: () => ({ environment: "production" }),
    needs: "templates:write",
    status: 409,
  },
  setKillSwitch: { ...template, body: () => ({ disabled: false }), needs: "promotions:approve" },
  // Reading the template comes first.
  testTemplate: {
    ...template,
    body: () => ({ to: "+4915112345678", variables: { code: "1" } }),
    needs: "notifications:send",
  },
  exportTemplateFiles: { query: (application) => `application=${application}` },
  planTemplateImport: { body: (application) => ({ application, files: templateFiles }) },
  listTemplateImports: {},
  getTemplateImport: plan,
  // Somebody else planned it.
  startTemplateImport: { ...plan, status: 409 },
  cancelTemplateImport: plan,
  listPipelines: {},
  updatePipeline: {
    path: (of) => ({ application: of.application }),
    body: () => ({ stages: [{ environment: "staging" }, { environment: "production" }] }),
    everyEnvironment: true,
  },
  // No change waits for a second person.
  confirmPipelineChange: { path: (of) => ({ application: of.application, id: newId() }), status: 404 },
  withdrawPipelineChange: { path: (of) => ({ application: of.application, id: newId() }), status: 404 },
  createPromotion: {
    body: (application, of) => ({
      application,
      to: "production",
      templates: [{ templateId: of.stagedTemplate }],
    }),
  },
  listPromotions: {},
  getPromotion: { path: (of) => ({ id: of.requested }) },
  approvePromotion: { path: (of) => ({ id: of.requested }), body: () => ({ comment: "Good" }) },
  rejectPromotion: { path: (of) => ({ id: of.refused }), body: () => ({}) },
  deployPromotion: { path: (of) => ({ id: of.approved }) },
  rollBackPromotion: { path: (of) => ({ id: of.deployed }), body: () => ({ note: "Wrong price" }) },
  listProviders: {},
  getProvider: connection,
  createProvider: {
    body: (application) => ({
      name: `Matrix ${newId()}`,
      provider: "smtp",
      // A unit's short name is as secret as an application's.
      unit: application === "shop" ? "alpha" : application,
      settings: { host: "8.8.8.8" },
      processingRegion: "EU",
    }),
    notForApplications: true,
  },
  updateProvider: { ...connection, body: () => ({ ratePerSecond: 10 }), notForApplications: true },
  // Nobody answers there, and the test says so.
  testProvider: { ...connection, notForApplications: true },
  deleteProvider: { ...connection, notForApplications: true },
  listProviderAdapters: {},
  // The catalogue is everybody's.
  listNotificationTypes: { toldToAll: "notificationType" },
  createNotificationType: {
    body: () => ({ type: newTypeName(), class: "service", subtypes: ["x"] }),
    tenantWide: true,
  },
  updateNotificationType: { ...type, body: () => ({ class: "service", subtypes: ["x", "y"] }) },
  deleteNotificationType: type,
  getResidency: { tenantWide: true },
  updateResidency: {
    body: () => ({ allowedTransferRegions: [], reason: "Matrix" }),
    tenantWide: true,
  },
  listErasures: { tenantWide: true },
  getErasure: { path: (of) => ({ id: of.erasure }), tenantWide: true },
  eraseRecipients: { body: () => ({ addresses: ["nobody@example.com"] }), tenantWide: true },
  getRecipientLimits: { tenantWide: true },
  // Somebody was faster.
  updateRecipientLimits: {
    body: () => ({ quietHours: [], caps: [], revision: 999_999 }),
    status: 409,
    tenantWide: true,
  },
  getConsentPolicy: { tenantWide: true },
  updateConsentPolicy: {
    body: () => ({ overrides: [], revision: "another" }),
    status: 409,
    tenantWide: true,
  },
  getRetention: { tenantWide: true },
  updateRetention: {
    body: () => ({ contentDays: 90, metadataMonths: 13, webhookLogDays: 30 }),
    tenantWide: true,
  },
  listRoutingRules: {},
  createRoutingRule: { body: ruleBody },
  // Somebody was faster.
  replaceRoutingRules: {
    body: (application) => ({ revision: 999_999, rules: [ruleBody(application)] }),
    status: 409,
  },
  getRoutingRule: rule,
  updateRoutingRule: { ...rule, body: ruleBody },
  deleteRoutingRule: rule,
  listRoutingRevisions: {},
  // Revisions are numbers, and each environment has its own; routing tests check whose rules are restored.
  revertRoutingRules: { path: () => ({ number: "999999" }), body: () => ({}), status: 404 },
  dryRunRouting: {
    body: (application) => ({
      application,
      channel: "sms",
      notificationType: "order",
      notificationSubtype: "receipt",
    }),
  },
  getCostReport: {},
  getDeliveryReport: {},
  getObjectives: { tenantWide: true },
  createExport: { body: () => ({ kind: "messages" }), everyTeam: true },
  listExports: {},
  // Others' exports are nobody's; server/exports/rest.test.ts has a key's own.
  getExport: { path: () => ({ id: newId() }), status: 404 },
  downloadExport: { path: () => ({ id: newId() }), status: 404 },
  cancelExport: { path: () => ({ id: newId() }), status: 404 },
  deleteExport: { path: () => ({ id: newId() }), status: 404 },
  listShorteners: {},
  getShortener: shortener,
  updateShortener: { ...shortener, body: () => ({ kind: "built_in", validDays: 30 }) },
  // The built-in shortener has nothing to test.
  testShortener: { ...shortener, body: () => ({}), status: 409 },
  createWebhook: { body: (application) => ({ application, url: "https://8.8.8.8/more", events: [] }) },
  listWebhooks: {},
  getWebhook: endpoint,
  updateWebhook: { ...endpoint, body: () => ({ description: "changed" }) },
  rotateWebhookSecret: endpoint,
  listWebhookDeliveries: endpoint,
  getWebhookDelivery: delivery,
  replayWebhookDelivery: delivery,
  replayFailedWebhooks: { ...endpoint, body: () => ({ since: new Date(Date.now() - 60_000).toISOString() }) },
  testWebhook: endpoint,
  deleteWebhook: endpoint,
  // Addresses are suppressed for all applications, in all environments that are not sandboxes.
  listEvents: { toldToAll: "suppression" },
  listApiKeys: {},
  createApiKey: { body: (application) => ({ application, name: "matrix", role: "sender" }) },
  revokeApiKey: { path: (of) => ({ id: of.apiKey }) },
  listAuditEvents: {},
  // Of the making of the application, which belongs to no environment.
  getAuditEvent: { path: (of) => ({ id: of.event }), everyEnvironment: true },
};
const lineOf = (contract: RestContract): Line => table[contract.operationId] ?? {};

interface Caller {
  key?: string;
  headers?: Record<string, string>;
}

/** One call; the caller chooses the request id, so that answers can be compared byte for byte. */
async function call(contract: RestContract, caller: Caller, of: Things = things, application = "shop") {
  const line = lineOf(contract);
  const parameters = line.path?.(of) ?? {};
  const path = contract.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? "");
  const url = line.query ? `${path}?${line.query(application)}` : path;
  const answer = await rest.callContract(contract, url, {
    ...(caller.key === undefined ? {} : { key: caller.key }),
    headers: { "x-request-id": "the-matrix", ...caller.headers },
    ...(line.body ? { json: line.body(application, of) } : {}),
  });
  const headers = Object.fromEntries(answer.headers);
  // The remaining requests of the key's minute reveal nothing about the thing.
  delete headers.ratelimit;
  // Two answers may differ only in what the caller itself sent.
  const sent = Object.values(parameters);
  const hide = (text: string) =>
    sent
      .reduce((all, value) => all.replaceAll(value, "<sent>"), text)
      .replaceAll(application, "<application>");
  return { status: answer.status, headers, text: hide(answer.text), raw: answer.text };
}

const facts = ({ status, headers, text }: Awaited<ReturnType<typeof call>>) => ({ status, headers, text });

/** Everything of the tenant that a call could read or change, as one text. */
async function fingerprint(): Promise<string> {
  const tables = [
    "notifications",
    "notification_events",
    "conversations",
    "send_requests",
    "templates",
    "template_versions",
    "template_deployments",
    "pipeline_stages",
    "promotions",
    "promotion_items",
    "promotion_decisions",
    "notices",
    "webhook_endpoints",
    "webhook_deliveries",
    "feed_events",
    "routing_rules",
    "routing_revisions",
    "provider_connections",
    "shorteners",
    "consent_entries",
    "consent_confirmations",
    "consent_reviews",
    "suppressions",
    "contacts",
    "contact_addresses",
    "contact_group_members",
    "contact_groups",
    "erasures",
    "audit_events",
  ];
  const parts: string[] = [];
  for (const name of tables) {
    const { rows } = await database.owner.query<{ hash: string | null }>(
      `SELECT md5(string_agg(t::text, '|' ORDER BY t::text)) AS hash FROM ${name} t WHERE tenant_id = $1`,
      [tenant.tenantId],
    );
    parts.push(`${name} ${rows[0]?.hash ?? ""}`);
  }
  return parts.join("\n");
}

/** Runs a check over all operations and asserts that nothing of the tenant has changed. */
async function harmless(check: (contract: RestContract) => Promise<void>): Promise<void> {
  const before = await fingerprint();
  for (const contract of contracts) await check(contract);
  expect(await fingerprint()).toBe(before);
}

const named = contracts.filter((contract) => contract.path.includes("{"));

describe("the access matrix of the public API", () => {
  it("has a line for every operation, and only for those", () => {
    const lines = Object.keys(table).sort();
    expect(
      lines,
      "The table above lacks the lines marked -, and the lines marked + have no operation",
    ).toEqual(contracts.map((contract) => contract.operationId).sort());
    for (const contract of contracts) {
      const { path } = lineOf(contract);
      expect(Object.keys(path?.(things) ?? {}), contract.operationId).toEqual(
        [...contract.path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]),
      );
      expect(lineOf(contract).body !== undefined, contract.operationId).toBe(contract.body !== undefined);
    }
  });

  for (const [who, makeKey] of Object.entries({
    "another tenant's owner": () => stranger.tenant.makeKey("production", { role: "owner" }),
    "another unit's owner": () => tenant.makeKey("production", { role: "owner", unitId: tenant.units.beta }),
    "the owner of another unit's application": () =>
      tenant.makeKey("production", { role: "owner", applicationId: tenant.otherApplication.id }),
    "the owner in another environment": () => tenant.makeKey("staging", { role: "owner" }),
    "the owner in the sandbox": () =>
      tenant.makeKey("sandbox", { role: "owner", unitId: tenant.units.alpha }),
  })) {
    it(`gives ${who} for a foreign id the answer for an unknown one, byte for byte`, async () => {
      const { key } = await makeKey();
      const elsewhere = who.includes("environment") || who.includes("sandbox");
      await harmless(async (contract) => {
        if (!named.includes(contract) || (elsewhere && lineOf(contract).everyEnvironment)) return;
        if (lineOf(contract).everyTeam && !who.includes("tenant")) {
          if (elsewhere) expect((await call(contract, { key })).status, contract.operationId).toBe(403);
          return;
        }
        const foreign = await call(contract, { key });
        expect(foreign.status, contract.operationId).toBe(404);
        expect(facts(foreign), contract.operationId).toEqual(
          facts(await call(contract, { key }, unknownThings())),
        );
      });
    });

    it(`shows ${who} nothing that is not theirs`, async () => {
      const { key } = await makeKey();
      const foreignApplication = !who.includes("environment") && !who.includes("sandbox");
      for (const contract of contracts) {
        if (named.includes(contract)) continue;
        if (contract.method !== "GET" || lineOf(contract).query) {
          if (!foreignApplication || who.includes("tenant") || lineOf(contract).everyTeam) continue;
          const foreign = await call(contract, { key });
          expect(foreign.status, contract.operationId).toBeGreaterThanOrEqual(400);
          expect(facts(foreign), contract.operationId).toEqual(
            facts(await call(contract, { key }, things, "nope")),
          );
          continue;
        }
        const answer = await call(contract, { key });
        if (lineOf(contract).everyTeam && !who.includes("tenant")) {
          expect(answer.status, contract.operationId).toBe(foreignApplication ? 200 : 403);
          continue;
        }
        if (lineOf(contract).tenantWide && (who.includes("unit") || who.includes("sandbox"))) {
          expect(answer.status, contract.operationId).toBe(403);
          continue;
        }
        expect(answer.status, contract.operationId).toBe(200);
        for (const [name, id] of Object.entries(things)) {
          // They belong to the application, its unit or the organisation in all environments.
          if (
            /template$|^plan$|^application$|^connection$|^event$|^erasure$|contact|^spareGroup$|^notificationType$/i.test(
              name,
            ) &&
            !foreignApplication
          )
            continue;
          if (name === lineOf(contract).toldToAll && !who.includes("tenant")) continue;
          // Which environments an organisation has is no secret among its units.
          if (name === "environment" && !who.includes("tenant")) continue;
          expect(answer.raw, `${contract.operationId} tells of a ${name}`).not.toContain(id);
        }
      }
    });
  }

  it("refuses every role that lacks the operation's permission, for known and unknown ids alike", async () => {
    const keys = new Map<BuiltInRole, string>();
    const before = await fingerprint();
    for (const role of Object.keys(builtInRoles) as BuiltInRole[]) {
      keys.set(role, (await tenant.makeKey("production", { role })).key);
    }
    const afterKeys = await fingerprint();
    expect(afterKeys.replace(/audit_events.*/, "")).toBe(before.replace(/audit_events.*/, ""));
    for (const contract of contracts) {
      for (const [role, key] of keys) {
        const granted: readonly string[] = builtInRoles[role].permissions;
        const { needs } = lineOf(contract);
        if (needs ? granted.includes(needs) : contract.permissions.some((each) => granted.includes(each)))
          continue;
        const what = `${contract.operationId} as ${role}`;
        const answer = await call(contract, { key });
        expect({ what, status: answer.status }).toEqual({ what, status: 403 });
        expect(answer.text, what).toContain(`"code":"permission_denied"`);
        if (!needs) expect(answer.text, what).toContain(contract.permission);
      }
    }
    expect(await fingerprint()).toBe(afterKeys);
  });

  it("refuses a key that is missing, broken, unknown, expired or revoked: all with the same answer", async () => {
    const owner = await tenant.makeKey("production", { role: "owner" });
    const revoked = await tenant.makeKey("production", { role: "owner" });
    const expired = await tenant.makeKey("production", { role: "owner" });
    await database.owner.query("UPDATE api_keys SET expires_at = now() WHERE id = $1", [expired.id]);
    expect((await call(contractOf("listWebhooks"), { key: revoked.key })).status).toBe(200);
    await revokeApiKey(tenant.as("owner"), { id: revoked.id });
    const last = owner.key.at(-1) === "A" ? "B" : "A";
    const callers: Record<string, Caller> = {
      none: {},
      revoked: { key: revoked.key },
      expired: { key: expired.key },
      broken: { key: `${owner.key.slice(0, -1)}${last}` },
      cut: { key: owner.key.slice(0, 20) },
      empty: { headers: { authorization: "Bearer" } },
      basic: { headers: { authorization: `Basic ${Buffer.from(`${owner.key}:`).toString("base64")}` } },
      twice: { headers: { authorization: `Bearer ${owner.key} ${owner.key}` } },
      none_but_tenant: { headers: { "x-tenant-id": tenant.tenantId } },
    };
    await harmless(async (contract) => {
      const answers = new Set<string>();
      for (const [name, caller] of Object.entries(callers)) {
        const answer = await call(contract, caller);
        expect(answer.status, `${contract.operationId} with ${name}`).toBe(401);
        answers.add(JSON.stringify(facts(answer)));
      }
      expect(answers, contract.operationId).toHaveLength(1);
    });
  });

  it("refuses a key under another tenant's name, everywhere", async () => {
    const { key } = await tenant.makeKey("production", { role: "owner" });
    await harmless(async (contract) => {
      const answer = await call(contract, { key, headers: { "x-tenant-id": stranger.tenantId } });
      expect(answer.status, contract.operationId).toBe(403);
      expect(answer.text, contract.operationId).toContain(`"code":"tenant_mismatch"`);
    });
  });

  it("answers authorised callers: the lines work", async () => {
    for (const scope of [{}, { unitId: tenant.units.alpha }, { applicationId: tenant.application.id }]) {
      // Created by a member: approvals need a person.
      const { key } = await createApiKey(tenant.as("owner"), {
        name: "Owner's",
        environmentId: tenant.environments.production,
        role: "owner",
        ...scope,
      });
      const own = await ownThings();
      // Deletions come last.
      for (const contract of contracts.toSorted(
        (a, b) => Number(a.method === "DELETE") - Number(b.method === "DELETE"),
      )) {
        if (lineOf(contract).notForApplications && "applicationId" in scope) {
          expect((await call(contract, { key }, own)).status, contract.operationId).toBe(403);
          continue;
        }
        // One template of a name and audience.
        if (contract.operationId === "createTemplate" && Object.keys(scope).length > 0) continue;
        const { status, tenantWide } = lineOf(contract);
        if (tenantWide && Object.keys(scope).length > 0) continue;
        const answer = await call(contract, { key }, own);
        const ok = status === undefined ? answer.status < 300 : answer.status === status;
        expect({ operation: contract.operationId, scope, ok, text: ok ? "" : answer.raw }).toEqual({
          operation: contract.operationId,
          scope,
          ok: true,
          text: "",
        });
      }
    }
  });
});

describe("what is about recipients", () => {
  it("is not shown to a key without content:reveal, wherever it stands", async () => {
    const own = await ownThings();
    await plantRecipient(database, tenant.tenantId, own);
    const keyWith = async (name: string, held: Permission[]) => {
      const role = await createRole(tenant.as("owner"), { name, description: "", permissions: held });
      return createApiKey(tenant.as("owner"), {
        name,
        environmentId: tenant.environments.production,
        role: role.key,
      });
    };
    const masked = await keyWith(
      "All but that",
      permissions.filter((permission) => permission !== "content:reveal"),
    );
    const revealing = await keyWith("All", [...permissions]);
    let shown = 0;
    for (const contract of contracts.filter(({ method }) => method === "GET")) {
      const { raw } = await call(contract, { key: masked.key }, own);
      expect(raw, contract.operationId).not.toMatch(planted.text);
      expect(raw, contract.operationId).not.toMatch(planted.address);
      const open = (await call(contract, { key: revealing.key }, own)).raw;
      if (planted.address.test(open) || planted.text.test(open)) shown++;
    }
    // Messages, one message, conversations, what was said in one, a webhook delivery.
    expect(shown).toBeGreaterThanOrEqual(4);
  }, 60_000);
});

function contractOf(operationId: string): RestContract {
  const contract = contracts.find((one) => one.operationId === operationId);
  if (!contract) throw new Error(`There is no operation ${operationId}`);
  return contract;
}
