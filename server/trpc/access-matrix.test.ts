import { expect, test } from "vitest";
import { acceptInvitation } from "../access/accept-invitation.ts";
import { authenticateApiKey } from "../access/authenticate-api-key.ts";
import { createApiKey } from "../access/create-api-key.ts";
import { createInvitation } from "../access/create-invitation.ts";
import { explainAccess } from "../access/explain-access.ts";
import { createRole } from "../access/manage-roles.ts";
import { loadSession, sessionCtx } from "../access/sessions.ts";
import { signInWithPassword } from "../access/sign-in.ts";
import { createGroup } from "../contacts/manage-groups.ts";
import { contactCreateSchema } from "../contacts/schemas.ts";
import { createContact } from "../contacts/write-contact.ts";
import { addDomain } from "../directory/manage-domains.ts";
import { mapGroup } from "../directory/manage-mappings.ts";
import { createToken } from "../directory/manage-tokens.ts";
import { createBudget } from "../budgets/manage-budgets.ts";
import { createIncident } from "../objectives/incidents.ts";
import { requestExport } from "../exports/request-export.ts";
import { createImport } from "../imports/create-import.ts";
import { createProvider } from "../sso/manage-providers.ts";
import { addRule } from "../sso/manage-rules.ts";
import { askConfirmation } from "../consent/ask-confirmation.ts";
import { recordSuppressions } from "../consent/suppress-address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { permissions } from "../operations/permissions.ts";
import { createPromotion } from "../pipelines/create-promotion.ts";
import { requestErasure } from "../privacy/request-erasure.ts";
import { saveView } from "../reports/saved-views.ts";
import { createSchedule } from "../reports/schedules.ts";
import { createRule } from "../routing/create-rule.ts";
import { ruleInputSchema } from "../routing/schemas.ts";
import { makeAlphasThings, planted, plantRecipient, templateFiles } from "../testing/alphas-things.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { pngOf } from "../testing/pictures.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import type { PortalContext } from "./context.ts";
import type { ProcedureMeta } from "./init.ts";
import { appRouter } from "./root.ts";

/*
 * Every procedure × {another tenant, another team, everything but the permission}: generated from the router, so a
 * procedure without a line in the table below fails the test.
 */

const database = await testDatabase();
const world = await makeSendingWorld(database);
const { tenant, addTemplate, addTwilio } = world;
const stranger = await makeTenant(database);
const { environments } = tenant;

const shared = await addTwilio("https://8.8.8.8");
const routingRule = {
  name: "Matrix",
  application: "shop",
  tiers: [[{ connectionId: shared.id, weight: 100 }]],
};

const importFile = { kind: "consent", fileName: "matrix.csv", size: 7 } as const;

/** A view of somebody's own, and its report. */
async function planned(): Promise<{ view: string; schedule: string }> {
  const owner: Ctx = { ...tenant.as("owner"), actor: { type: "user", ...tenant.owner, name: "Olga" } };
  const view = await saveView(owner, { page: "delivery", name: "Alpha", query: "", shared: false });
  const schedule = await createSchedule(owner, {
    viewId: view.id,
    rhythm: "daily",
    day: null,
    hour: 8,
    timeZone: "Europe/Berlin",
    recipients: [tenant.owner.id],
  });
  return { view: view.id, schedule: schedule.id };
}

/** Everything that belongs to team Alpha: nobody else may learn of it. */
async function alphasThings() {
  const alphas = await makeAlphasThings(database, world);
  const staged = await addTemplate({
    name: "staged",
    notificationType: "order",
    notificationSubtype: "receipt",
    channel: "email",
    body: "Order {{ code }}",
    environments: ["staging"],
  });
  const promotion = await createPromotion(tenant.system, {
    application: "shop",
    to: "production",
    templates: [{ templateId: staged }],
    automatic: true,
  });
  const rule = await createRule(tenant.system, {
    ...ruleInputSchema.parse(routingRule),
    environmentId: environments.production,
  });
  const key = await tenant.makeKey("production", { applicationId: tenant.application.id });
  const agent = await createApiKey(tenant.system, {
    name: "Agent",
    environmentId: environments.production,
    applicationId: tenant.application.id,
    agent: { recipients: ["+49151*"], hourlyCap: 5, laterStages: true },
  });
  const held = await world.send(
    {},
    { ctx: await authenticateApiKey(database.web, `Bearer ${agent.key}`, { requestId: "matrix" }) },
  );
  const member = await tenant.addMember("finance", { unitId: tenant.units.alpha });
  const access = await explainAccess(tenant.as("owner"), { userId: member.id });
  const invitation = await createInvitation(tenant.as("owner"), {
    email: "invited@acme.example",
    name: "I",
    assignments: [{ role: "finance", unitId: tenant.units.alpha }],
  });
  const domain = await addDomain(tenant.as("owner"), { name: `${tenant.slug}.example` });
  const token = await createToken(tenant.as("owner"), { name: "Matrix" });
  // Named by the line of broadcasts.audience.
  await createGroup(tenant.system, { name: "Audience", description: "" });
  const group = newId();
  await database.owner.query(
    `INSERT INTO directory_groups (tenant_id, id, name, created_at, updated_at) VALUES ($1, $2, 'Matrix', now(), now())`,
    [tenant.tenantId, group],
  );
  const mapping = await mapGroup(tenant.as("owner"), {
    groupId: group,
    role: "finance",
    unitId: tenant.units.alpha,
  });
  const provider = await createProvider(tenant.as("owner"), {
    kind: "oidc",
    name: "Matrix",
    issuer: "https://id.example.com",
    clientId: "matrix",
    clientSecret: "secret",
    scopes: "openid",
    roleClaim: "groups",
    admits: false,
  });
  const claimRule = await addRule(tenant.as("owner"), {
    providerId: provider.id,
    value: "support",
    role: "finance",
    unitId: tenant.units.alpha,
  });
  const [suppressed] = await inTenant(tenant.system, (tx) =>
    recordSuppressions(tenant.system, tx, false, [
      { channel: "email", address: "no@example.com", reason: "manual" },
    ]),
  );
  return {
    ...alphas,
    identityProvider: provider.id,
    claimRule: claimRule.id,
    domain: domain.id,
    scimToken: token.id,
    group,
    mapping: mapping.id,
    unit: tenant.units.alpha,
    key: key.id,
    held: held.requestId,
    member: member.id,
    assignment: access.assignments[0]!.id,
    invitation: invitation.id,
    import: (await createImport(tenant.system, { ...importFile, environmentId: environments.production })).id,
    ...(await planned()),
    export: (await requestExport(tenant.system, { kind: "messages", filter: {} })).id,
    incident: (await createIncident(tenant.system, { title: "A", state: "investigating", text: "A" })).id,
    spareIncident: (await createIncident(tenant.system, { title: "B", state: "investigating", text: "B" }))
      .id,
    budget: (
      await createBudget(tenant.system, {
        ...{ name: "Alpha's", applicationId: tenant.application.id, environmentId: null },
        ...{ amount: "100", currency: "EUR", thresholds: [100] },
      })
    ).id,
    erasure: (await requestErasure(tenant.system, { addresses: ["somebody@example.com"] })).id,
    contact: (await createContact(tenant.system, contactCreateSchema.parse({ externalId: newId() }))).id,
    spareContact: (await createContact(tenant.system, contactCreateSchema.parse({ externalId: newId() }))).id,
    contactGroup: (await createGroup(tenant.system, { name: newId(), description: "" })).id,
    staged,
    promotion: promotion.id,
    rule: rule.id,
    suppression: suppressed!.id,
    confirmation: (
      await askConfirmation(tenant.as("owner"), {
        environmentId: environments.production,
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
type Things = Awaited<ReturnType<typeof alphasThings>>;
const things = await alphasThings();

interface Line {
  /** A valid input for these things; the environment is the caller's own tenant's. */
  input?: (of: Things, environment: string) => unknown;
  /** About the whole organisation: a role in one team does not reach it. */
  tenantWide?: true;
  /** About something that belongs to no team: a role in any team reaches it. */
  everyTeam?: true;
  /** About what one person made for themselves: nobody else reaches it, whatever their role. */
  personal?: true;
}

const content = { body: "Order {{ code }}", variables: [{ name: "code" }] };
const compose = (environmentId: string) => ({
  environmentId,
  application: "shop",
  notificationType: "order",
  notificationSubtype: "order_status",
  recipients: [{ channel: "sms", recipient: "+4915112345678" }],
  variables: { code: "1" },
});
const retention = { contentDays: 90, metadataMonths: 13, webhookLogDays: 30 };
const budgetOf = (applicationId: string) => ({
  ...{ name: "New", applicationId, environmentId: null, amount: "5", currency: "EUR", thresholds: [50] },
});
const idempotencyKey = newId();
const byId = (field: keyof Things): Line => ({ input: (of) => ({ id: of[field] }) });

const table: Record<string, Line> = {
  "ai.status": {},
  "ai.settings": { tenantWide: true },
  "ai.updateSettings": { input: () => ({ policy: "Be kind." }) },
  "ai.usage": { input: () => ({}), tenantWide: true },
  "approvals.list": { input: () => ({}) },
  "approvals.count": {},
  "approvals.get": byId("held"),
  "approvals.approve": byId("held"),
  "approvals.refuse": { input: (of) => ({ id: of.held, reason: "Matrix" }) },
  "broadcasts.list": { input: () => ({}) },
  "broadcasts.get": byId("broadcast"),
  "broadcasts.draft": {
    input: (_of, environmentId) => ({
      environmentId,
      application: "shop",
      notificationType: "order",
      notificationSubtype: "order_status",
      name: "Matrix",
      contactGroups: [{ group: "Matrix", channels: ["sms"] }],
      idempotencyKey,
    }),
  },
  "broadcasts.audience": {
    input: (_of, environmentId) => ({
      environmentId,
      application: "shop",
      notificationType: "order",
      notificationSubtype: "order_status",
      contactGroups: [{ group: "Audience", channels: ["sms"] }],
    }),
  },
  "broadcasts.groups": { input: () => ({}), everyTeam: true },
  "broadcasts.preview": byId("draft"),
  "broadcasts.start": byId("draft"),
  "broadcasts.pause": byId("broadcast"),
  "broadcasts.resume": byId("broadcast"),
  "broadcasts.changeRate": { input: (of) => ({ id: of.broadcast, ratePerSecond: 5 }) },
  "broadcasts.cancel": byId("broadcast"),
  "broadcasts.sendAgain": {
    input: (of) => ({ id: of.broadcast, name: "Again", idempotencyKey }),
  },
  "audit.list": { input: () => ({}) },
  "audit.get": byId("event"),
  "audit.choices": {},
  "audit.integrity": {},
  "audit.setRetention": { input: () => ({ months: 24 }), tenantWide: true },
  "apiKeys.list": { input: () => ({}) },
  "apiKeys.create": {
    input: (of, environmentId) => ({ name: "k", environmentId, applicationId: of.application }),
  },
  "apiKeys.update": { input: (of) => ({ id: of.key, purpose: "Matrix" }) },
  "apiKeys.people": byId("key"),
  "apiKeys.handOver": { input: (of) => ({ id: of.key, to: of.member }) },
  "apiKeys.revoke": byId("key"),
  "apiKeys.rotate": byId("key"),
  "links.shorteners": {},
  "links.updateShortener": { input: (_of, environment) => ({ environment, kind: "built_in" }) },
  "links.testShortener": { input: (_of, environment) => ({ environment }) },
  "consent.list": { input: (_of, environmentId) => ({ environmentId }), tenantWide: true },
  "consent.reviews": { input: (_of, environmentId) => ({ environmentId }), tenantWide: true },
  "consent.reviewCount": { everyTeam: true, input: (_of, environmentId) => ({ environmentId }) },
  "consent.askConfirmation": {
    input: (_of, environmentId) => ({
      environmentId,
      id: idempotencyKey,
      application: "shop",
      channel: "sms",
      address: "+4915199999998",
    }),
  },
  "consent.confirmation": {
    input: (of, environmentId) => ({ environmentId, id: of.confirmation }),
  },
  "consent.decideReview": {
    everyTeam: true,
    // None waits under this id: who may decide learns that.
    input: (_of, environmentId) => ({ environmentId, id: idempotencyKey, decision: "no_opt_out" }),
  },
  "consent.ofAddress": { input: (_of, environmentId) => ({ environmentId, address: "+4915112345678" }) },
  "consent.policy": { tenantWide: true },
  "contacts.list": { input: () => ({}), everyTeam: true },
  "contacts.get": { ...byId("contact"), everyTeam: true },
  "contacts.create": { input: () => ({ externalId: "matrix" }), everyTeam: true },
  "contacts.update": { input: (of) => ({ id: of.contact, changes: { region: "FR" } }), everyTeam: true },
  "contacts.delete": { ...byId("spareContact"), everyTeam: true },
  "contacts.upsert": { input: () => ({ contacts: [{ externalId: "matrix" }] }), everyTeam: true },
  "contacts.deleteMany": { input: (of) => ({ contactIds: [of.spareContact] }), everyTeam: true },
  "contacts.setAttribute": {
    input: (of) => ({ contactIds: [of.contact], name: "plan", value: "gold" }),
    everyTeam: true,
  },
  "contacts.merge": {
    input: (of) => ({ keepId: of.contact, otherId: of.spareContact, take: [], takeAttributes: [] }),
    everyTeam: true,
  },
  "contacts.duplicates": { input: () => ({}), everyTeam: true },
  "contactGroups.list": { input: () => ({}), everyTeam: true },
  "contactGroups.get": { ...byId("contactGroup"), everyTeam: true },
  "contactGroups.create": { input: () => ({ name: "Any" }), everyTeam: true },
  "contactGroups.update": {
    input: (of) => ({ id: of.contactGroup, changes: { description: "Matrix" } }),
    everyTeam: true,
  },
  "contactGroups.delete": { ...byId("contactGroup"), everyTeam: true },
  "contactGroups.addMembers": {
    input: (of) => ({ id: of.contactGroup, contactIds: [of.contact] }),
    everyTeam: true,
  },
  "contactGroups.removeMembers": {
    input: (of) => ({ id: of.contactGroup, contactIds: [of.contact] }),
    everyTeam: true,
  },
  "consent.setPolicy": { input: () => ({ overrides: [], revision: "matrix" }) },
  "deliverability.get": { tenantWide: true },
  "deliverability.senders": { tenantWide: true },
  "deliverability.checkSender": {
    input: (of) => ({ domain: "nobody.example", connectionId: of.connection }),
  },
  "deliverability.release": { input: () => ({ group: "yahoo", note: "Matrix" }) },
  "recipientLimits.get": { tenantWide: true },
  "recipientLimits.packs": { tenantWide: true },
  "recipientLimits.preview": {
    tenantWide: true,
    input: () => ({
      quietHours: [],
      class: "marketing",
      channel: "sms",
      recipient: "+4915112345678",
      region: "DE",
    }),
  },
  "recipientLimits.set": { input: () => ({ quietHours: [], caps: [], revision: 99 }) },
  "consent.recordByHand": {
    everyTeam: true,
    input: (_of, environmentId) => ({
      environmentId,
      channel: "sms",
      address: "+4915199999999",
      state: "opted_in",
      region: null,
      class: null,
      reason: "Matrix",
    }),
  },
  "conversations.list": { input: (_of, environmentId) => ({ environmentId }) },
  "conversations.messages": byId("conversation"),
  "conversations.markRead": byId("conversation"),
  "directory.domains": { tenantWide: true },
  "directory.addDomain": { input: () => ({ name: "matrix.example" }) },
  "directory.verifyDomain": byId("domain"),
  "directory.removeDomain": byId("domain"),
  "directory.tokens": { tenantWide: true },
  "directory.createToken": { input: () => ({ name: "Matrix" }) },
  "directory.rotateToken": byId("scimToken"),
  "directory.revokeToken": byId("scimToken"),
  "directory.groups": { input: () => ({}), tenantWide: true },
  "directory.mapGroup": {
    input: (of) => ({ groupId: of.group, role: "auditor", unitId: of.unit }),
  },
  "branding.get": { tenantWide: true },
  "branding.update": {
    input: () => ({ accent: "#0a7f5a", senderName: null, support: null }),
    tenantWide: true,
  },
  "branding.setLogo": { input: () => ({ picture: pngOf(32, 32).toString("base64") }), tenantWide: true },
  "branding.removeLogo": { tenantWide: true },
  "budgets.list": {},
  "budgets.findings": {},
  "budgets.statement": { input: () => ({ month: new Date().toISOString().slice(0, 7) }) },
  "budgets.create": { input: () => budgetOf(things.application) },
  "budgets.change": { input: (of) => ({ id: of.budget, ...budgetOf(of.application) }) },
  "budgets.remove": byId("budget"),
  "objectives.get": { tenantWide: true },
  "objectives.change": {
    input: () => ({ availabilityTarget: 99.5, codesTarget: 98, codesSeconds: 12 }),
    tenantWide: true,
  },
  "objectives.statusPage": { tenantWide: true },
  "objectives.changeStatusPage": {
    input: () => ({ slug: "alphas-status", published: true, figures: false, automatic: false }),
    tenantWide: true,
  },
  "objectives.createIncident": {
    input: () => ({ title: "Late", state: "investigating", text: "We look into it" }),
    tenantWide: true,
  },
  "objectives.updateIncident": {
    input: (of) => ({ id: of.incident, state: "monitoring", text: "Better" }),
    tenantWide: true,
  },
  "objectives.removeIncident": { input: (of) => ({ id: of.spareIncident }), tenantWide: true },
  "costs.currency": { tenantWide: true },
  "costs.setCurrency": { input: () => ({ currency: "SEK" }), tenantWide: true },
  "costs.setRate": {
    input: () => ({ currency: "NOK", validFrom: "2026-01-01", rate: "0.9" }),
    tenantWide: true,
  },
  "costs.removeRate": { input: () => ({ currency: "NOK", validFrom: "2026-01-01" }), tenantWide: true },
  "costs.priceChanges": { input: () => ({}) },
  "costs.entries": { input: () => ({ from: "2026-11-01T00:00:00Z", to: "2026-12-01T00:00:00Z" }) },
  "directory.unmapGroup": byId("mapping"),
  "drafting.write": {
    input: () => ({ application: "shop", action: "draft", channel: "sms", prompt: "Say hello" }),
  },
  "insights.costs": { input: () => ({}) },
  "insights.delivery": { input: () => ({}) },
  "insights.overview": { input: (_of, environmentId) => ({ period: "24h", environmentId }) },
  "health.now": {},
  "health.report": { input: (of) => ({ connectionId: of.connection }) },
  "health.incidents": { input: (of) => ({ connectionId: of.connection }) },
  "health.probe": { input: (of) => ({ connectionId: of.connection }) },
  "quotas.get": { tenantWide: true },
  "mailbox.list": {},
  "mailbox.read": { input: () => ({ id: "1" }) },
  "members.list": { input: () => ({}) },
  "members.access": { input: (of) => ({ userId: of.member }) },
  "members.assignRole": { input: (of) => ({ userId: of.member, unitId: of.unit, role: "auditor" }) },
  "members.unassignRole": { input: (of) => ({ userId: of.member, assignmentId: of.assignment }) },
  "members.keys": { input: (of) => ({ userId: of.member }), tenantWide: true },
  "members.suspend": { input: (of) => ({ userId: of.member }) },
  "members.reactivate": { input: (of) => ({ userId: of.member }) },
  "members.remove": { input: (of) => ({ userId: of.member }) },
  "members.invitations": { input: () => ({}) },
  "members.invite": {
    input: (of) => ({
      email: "new@acme.example",
      name: "N",
      assignments: [{ role: "finance", unitId: of.unit }],
    }),
  },
  "members.inviteAgain": byId("invitation"),
  "members.withdrawInvitation": byId("invitation"),
  "moderation.check": {
    input: () => ({ application: "shop", notificationType: "order", channel: "sms", ...content }),
  },
  "notifications.count": { input: (_of, environmentId) => ({ environmentId }) },
  "notifications.list": { input: (_of, environmentId) => ({ environmentId }) },
  "notifications.outage": { input: (_of, environmentId) => ({ environmentId }) },
  "notifications.timeline": byId("notification"),
  "notifications.cancel": byId("notification"),
  "notifications.cancelSeveral": { input: (of) => ({ ids: [of.notification] }) },
  "notifications.resendSeveral": { input: (of) => ({ ids: [of.notification] }) },
  "notifications.explain": { input: (_of, environmentId) => compose(environmentId) },
  "notifications.sendTest": {
    input: (of) => ({ templateId: of.template, to: "+4915112345678", environment: "production" }),
  },
  "notifications.send": {
    input: (_of, environmentId) => ({ ...compose(environmentId), idempotencyKey }),
  },
  "pipelines.list": {},
  "pipelines.board": { input: () => ({ application: "shop" }) },
  "pipelines.update": {
    input: (of) => ({ application: of.application, stages: [{ environment: "production" }] }),
  },
  "pipelines.confirm": { input: (of) => ({ application: of.application, id: idempotencyKey }) },
  "pipelines.withdraw": { input: (of) => ({ application: of.application, id: idempotencyKey }) },
  "promotions.list": { input: () => ({}) },
  "promotions.get": byId("promotion"),
  "promotions.create": { input: () => ({ application: "shop", to: "production" }) },
  "promotions.approve": byId("promotion"),
  "promotions.reject": byId("promotion"),
  "promotions.deploy": byId("promotion"),
  "promotions.rollBack": byId("promotion"),
  "providers.list": {},
  "roles.list": {},
  "roles.holders": { input: () => ({ key: "finance" }), tenantWide: true },
  "roles.create": { input: () => ({ name: "Matrix", permissions: ["reports:read"] }) },
  "roles.update": { input: () => ({ key: "matrix", name: "Matrix", permissions: ["reports:read"] }) },
  "roles.delete": { input: () => ({ key: "matrix" }) },
  "routing.rules": { input: (_of, environmentId) => ({ environmentId }) },
  "routing.choices": { input: (_of, environmentId) => ({ environmentId }) },
  "routing.create": { input: (_of, environmentId) => ({ environmentId, ...routingRule }) },
  "routing.update": { input: (of, environmentId) => ({ environmentId, id: of.rule, ...routingRule }) },
  "routing.delete": { input: (of, environmentId) => ({ environmentId, id: of.rule }) },
  "routing.reorder": {
    input: (of, environmentId) => ({ environmentId, order: [of.rule, of.application] }),
  },
  "routing.revisions": { input: (_of, environmentId) => ({ environmentId }) },
  "routing.revert": { input: (_of, environmentId) => ({ environmentId, number: 999_999 }) },
  "routing.dryRun": {
    input: (_of, environmentId) => ({
      environmentId,
      application: "shop",
      channel: "sms",
      notificationType: "order",
      notificationSubtype: "receipt",
    }),
  },
  "routing.matrix": { input: (_of, environmentId) => ({ environmentId }) },
  "routing.unroutable": { input: (_of, environmentId) => ({ environmentId }) },
  "providers.get": byId("connection"),
  "providers.adapters": {},
  "providers.create": {
    input: () => ({
      name: "Matrix",
      provider: "smtp",
      unit: "alpha",
      settings: { host: "8.8.8.8" },
      processingRegion: "EU",
    }),
  },
  "providers.update": { input: (of) => ({ id: of.connection, changes: { name: "Renamed" } }) },
  "providers.delete": byId("connection"),
  "providers.readPriceList": { input: () => ({ csv: "channel,amount,currency" }) },
  "providers.test": byId("connection"),
  "providers.testUnsaved": { input: (of) => ({ id: of.connection, changes: {} }) },
  "sandbox.act": { input: (of) => ({ id: of.notification, action: { action: "open" } }) },
  "suppressions.list": { input: (_of, environmentId) => ({ environmentId }), tenantWide: true },
  "suppressions.addByHand": {
    everyTeam: true,
    input: (_of, environmentId) => ({
      environmentId,
      channel: "sms",
      addresses: ["+4915199999998"],
      expiresAt: null,
      note: "Asked us to",
    }),
  },
  "suppressions.remove": {
    tenantWide: true,
    input: (of, environmentId) => ({ environmentId, id: of.suppression }),
  },
  "consent.words": { tenantWide: true },
  "consent.replies": { tenantWide: true },
  "consent.updateReplies": { input: () => ({ stop: { enabled: false }, start: {}, help: {} }) },
  "consent.updateWords": { input: () => ({ stop: ["adios"], start: [], help: [] }) },
  "privacy.retention": { tenantWide: true },
  "privacy.previewRetention": { input: () => retention, tenantWide: true },
  "privacy.find": { input: () => ({ address: "ada@example.com" }), tenantWide: true },
  "privacy.prepareExport": { input: () => ({ address: "ada@example.com" }) },
  "privacy.erasures": { input: () => ({}), tenantWide: true },
  "privacy.erasure": { ...byId("erasure"), tenantWide: true },
  "privacy.erase": { input: () => ({ addresses: ["nobody@example.com"] }) },
  "privacy.updateRetention": { input: () => retention },
  "residency.get": { tenantWide: true },
  "residency.update": { input: () => ({ allowedTransferRegions: [], reason: "Matrix" }) },
  "sso.providers": { tenantWide: true },
  "sso.create": {
    input: () => ({
      kind: "oidc",
      name: "Another",
      issuer: "https://id.example.com",
      clientId: "matrix",
      clientSecret: "secret",
      scopes: "openid",
      roleClaim: "groups",
      admits: false,
    }),
  },
  "sso.update": {
    input: (of) => ({
      id: of.identityProvider,
      kind: "oidc",
      name: "Other",
      issuer: "https://id.example.com",
      clientId: "matrix",
      scopes: "openid",
      roleClaim: "groups",
      admits: true,
    }),
  },
  "sso.test": byId("identityProvider"),
  "sso.switch": { input: (of) => ({ id: of.identityProvider, enabled: true }) },
  "sso.remove": byId("identityProvider"),
  "sso.addRule": {
    input: (of) => ({ providerId: of.identityProvider, value: null, role: "auditor", unitId: of.unit }),
  },
  "sso.removeRule": byId("claimRule"),
  "templateFiles.export": { input: () => ({ application: "shop" }) },
  "templateFiles.imports": {},
  "reports.views": { input: () => ({ page: "messages" }) },
  "reports.saveView": {
    input: () => ({ page: "messages", name: "Matrix", query: "status=failed", shared: false }),
    everyTeam: true,
  },
  "reports.changeView": { input: (of) => ({ id: of.view, name: "Mine" }), personal: true },
  "reports.removeView": { ...byId("view"), personal: true },
  "reports.schedules": {},
  "reports.schedule": {
    input: (of) => ({
      viewId: of.view,
      rhythm: "daily",
      day: null,
      hour: 8,
      timeZone: "Europe/Berlin",
      recipients: [of.member],
    }),
    personal: true,
  },
  "reports.changeSchedule": {
    input: (of) => ({
      id: of.schedule,
      rhythm: "daily",
      day: null,
      hour: 8,
      timeZone: "Europe/Berlin",
      recipients: [of.member],
    }),
    personal: true,
  },
  "reports.pauseSchedule": { input: (of) => ({ id: of.schedule, paused: true }), personal: true },
  "reports.leaveSchedule": { ...byId("schedule"), personal: true },
  "reports.removeSchedule": { ...byId("schedule"), personal: true },
  "exports.request": {
    input: (_of, environmentId) => ({ kind: "messages", filter: { environmentId } }),
    everyTeam: true,
  },
  "exports.list": { input: () => ({}) },
  "exports.get": { ...byId("export"), personal: true },
  "exports.cancel": { ...byId("export"), personal: true },
  "exports.remove": { ...byId("export"), personal: true },
  "imports.list": { input: () => ({}) },
  "imports.get": { ...byId("import"), tenantWide: true },
  "imports.create": { input: (_of, environmentId) => ({ ...importFile, environmentId }), tenantWide: true },
  "imports.upload": { input: (of) => ({ id: of.import, offset: 0, data: "YSxiCjEsMg==" }) },
  "imports.check": { input: (of) => ({ id: of.import, mapping: { columns: ["address", null] } }) },
  "imports.start": byId("import"),
  "imports.cancel": byId("import"),
  "templateFiles.get": byId("plan"),
  "templateFiles.plan": { input: () => ({ application: "shop", files: templateFiles }) },
  "templateFiles.start": byId("plan"),
  "templateFiles.cancel": byId("plan"),
  "templates.list": { input: () => ({}) },
  "templates.groups": { input: () => ({ search: "order" }) },
  "templates.coverage": {
    input: (_of, environmentId) => ({ application: "shop", name: "order-sms", environmentId }),
  },
  "templates.get": byId("template"),
  "templates.preview": {
    input: (of) => ({ templateId: of.template, id: of.template, channel: "sms", ...content }),
  },
  "templates.create": {
    input: () => ({
      application: "shop",
      name: "matrix",
      notificationType: "order",
      notificationSubtype: "receipt",
      channel: "sms",
      ...content,
    }),
  },
  "templates.update": { input: (of) => ({ id: of.template, ...content }) },
  "templates.duplicate": { input: (of) => ({ id: of.template, region: "FR" }) },
  "templates.restore": byId("template"),
  "templates.archive": byId("template"),
  "templates.deploy": { input: (of) => ({ templateId: of.template, environment: "staging" }) },
  "templates.review": { input: (of) => ({ id: of.template, version: 1 }) },
  "templates.whatsappApprovals": { input: (of) => ({ templateId: of.template }) },
  "templates.setWhatsappApproval": {
    input: (of) => ({ templateId: of.template, templateName: "HX1", status: "approved" }),
  },
  "templates.checkWhatsappApproval": {
    input: (of) => ({ templateId: of.template, templateName: "HX1" }),
  },
  "templates.setKillSwitch": {
    input: (of) => ({ id: of.template, environment: "production", disabled: true }),
  },
  "signInPolicy.get": { tenantWide: true },
  "signInPolicy.update": {
    input: () => ({ secondFactor: false, sessionHours: 24, idleMinutes: 60, ways: ["password"] }),
  },
  "tenancy.notificationTypes": {},
  "tenancy.typeManagers": {},
  "tenancy.createUnit": { input: () => ({ slug: "matrix", name: "Matrix" }) },
  "tenancy.createEnvironment": { input: () => ({ slug: "matrix", name: "Matrix", kind: "nonproduction" }) },
  "tenancy.createApplication": {
    input: (of, environmentId) => ({
      name: "matrix",
      title: "Matrix",
      unitId: of.unit,
      defaultRegion: "DE",
      defaultLanguage: "en",
      stages: [environmentId],
    }),
  },
  "tenancy.updateOrganisation": { input: () => ({ name: "Matrix" }) },
  "tenancy.dependents": { input: (of) => ({ kind: "application", id: of.application }) },
  "tenancy.updateUnit": { input: (of) => ({ id: of.unit, name: "Matrix" }) },
  "tenancy.deleteUnit": { input: (of) => ({ id: of.unit }) },
  "tenancy.updateEnvironment": { input: (_of, id) => ({ id, name: "Production" }) },
  "tenancy.deleteEnvironment": { input: (_of, id) => ({ id }) },
  "tenancy.updateApplication": {
    input: (of) => ({ id: of.application, title: "Matrix", defaultRegion: "DE", defaultLanguage: "en" }),
  },
  "tenancy.archiveApplication": { input: (of) => ({ id: of.application, archived: true }) },
  "tenancy.updateNotificationType": {
    input: (of) => ({ id: of.unit, class: "service", subtypes: ["x"] }),
  },
  "tenancy.deleteNotificationType": { input: (of) => ({ id: of.unit }) },
  "tenancy.createNotificationType": { input: () => ({ type: "matrix", class: "service", subtypes: ["x"] }) },
  "webhooks.list": { input: (_of, environmentId) => ({ environmentId }) },
  "webhooks.get": byId("endpoint"),
  "webhooks.successRates": { input: (of) => ({ ids: [of.endpoint] }) },
  "webhooks.create": {
    input: (_of, environmentId) => ({ environmentId, application: "shop", url: "https://8.8.8.8/hooks" }),
  },
  "webhooks.update": { input: (of) => ({ id: of.endpoint, changes: { description: "x" } }) },
  "webhooks.delete": byId("endpoint"),
  "webhooks.rotateSecret": byId("endpoint"),
  "webhooks.test": byId("endpoint"),
  "webhooks.deliveries": byId("endpoint"),
  "webhooks.delivery": { input: (of) => ({ id: of.endpoint, deliveryId: of.delivery }) },
  "webhooks.replayDelivery": { input: (of) => ({ id: of.endpoint, deliveryId: of.delivery }) },
  "webhooks.replayFailed": { input: (of) => ({ id: of.endpoint, since: "2027-01-01T00:00:00Z" }) },
};

const procedures = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { type: string; meta?: ProcedureMeta } }>,
);
/** About oneself: other people's things cannot be reached. Their own tests check that. */
const guarded = procedures.filter(([, { _def }]) => _def.meta?.permissions.length !== 0);

const unknownThings = Object.fromEntries(
  Object.keys(things).map((name) => [name, newId()]),
) as unknown as Things;

interface Outcome {
  code?: string;
  message?: string;
  data?: unknown;
}

async function call(ctx: Ctx, path: string, input: unknown): Promise<Outcome> {
  const { id, name, email } = ctx.actor as Extract<Ctx["actor"], { type: "user" }>;
  const context: PortalContext = {
    requestId: "matrix",
    tidings: ctx,
    session: {
      id: newId(),
      expiresAt: new Date(Date.now() + 60_000),
      lastSeenAt: new Date(),
      user: { id, name, email },
      tenant: { id: ctx.tenantId, slug: "x", name: "X" },
      grants: ctx.grants,
      roles: [],
      secondFactorMissing: false,
    },
  };
  let target: unknown = appRouter.createCaller(context);
  for (const part of path.split(".")) target = (target as Record<string, unknown>)[part];
  try {
    return { data: await (target as (input: unknown) => Promise<unknown>)(input) };
  } catch (error) {
    const cause = (error as Error).cause;
    if (!(cause instanceof DomainError)) throw error;
    return { code: cause.code, message: cause.message };
  }
}

/** Everything that belongs to Alpha, as one text; it must not change while others try. */
async function fingerprint(): Promise<string> {
  const parts: string[] = [];
  for (const [name, where] of [
    ["templates", "application_id = $2"],
    ["template_versions", "template_id IN (SELECT id FROM templates WHERE application_id = $2)"],
    ["template_deployments", "template_id IN (SELECT id FROM templates WHERE application_id = $2)"],
    ["notifications", "application_id = $2"],
    ["conversations", "application_id = $2"],
    ["send_requests", "application_id = $2"],
    ["send_approvals", "application_id = $2"],
    ["broadcasts", "application_id = $2"],
    ["agents", "true"],
    ["suppressions", "true"],
    ["pipeline_stages", "application_id = $2"],
    ["pipeline_proposals", "application_id = $2"],
    ["promotions", "application_id = $2"],
    ["promotion_items", "promotion_id IN (SELECT id FROM promotions WHERE application_id = $2)"],
    ["promotion_decisions", "promotion_id IN (SELECT id FROM promotions WHERE application_id = $2)"],
    ["routing_rules", "application_id = $2"],
    ["webhook_endpoints", "application_id = $2"],
    ["webhook_deliveries", "endpoint_id IN (SELECT id FROM webhook_endpoints WHERE application_id = $2)"],
    ["api_keys", "application_id = $2"],
    ["provider_connections", "unit_id = $3"],
    ["applications", "unit_id = $3"],
    ["role_assignments", "unit_id = $3"],
    ["users", "id IN (SELECT user_id FROM role_assignments WHERE unit_id = $3)"],
    ["invitations", "assignments->0->>'unitId' = $3::text"],
    ["roles", "true"],
    ["organization_units", "id = $3"],
    ["brandings", "true"],
    ["brand_logos", "true"],
    ["recipient_limits", "true"],
    ["mail_standings", "true"],
    ["sender_domain_checks", "connection_id = $3"],
    ["budgets", "true"],
    ["objective_settings", "true"],
    ["status_incidents", "true"],
    ["status_pages", "true"],
    ["status_updates", "true"],
    ["cost_currencies", "true"],
    ["exchange_rates", "true"],
    ["price_changes", "true"],
    ["domains", "true"],
    ["scim_tokens", "true"],
    ["directory_groups", "true"],
    ["directory_mappings", "true"],
    ["identity_providers", "true"],
    ["identity_provider_rules", "true"],
    ["contacts", "true"],
    ["contact_addresses", "true"],
    ["contact_group_members", "true"],
    ["contact_groups", "true"],
    ["export_chunks", "true"],
    ["report_schedules", "true"],
    ["imports", "true"],
    ["import_chunks", "true"],
  ] as const) {
    const { rows } = await database.owner.query<{ text: string | null }>(
      // A key's last use is noted some time after it.
      `SELECT string_agg((to_jsonb(t) - '{last_used_at,last_used_from}'::text[])::text, '|' ORDER BY t::text) AS text FROM ${name} t
       WHERE tenant_id = $1 AND ($2::uuid IS NOT NULL) AND ($3::uuid IS NOT NULL) AND ${where}`,
      [tenant.tenantId, tenant.application.id, tenant.units.alpha],
    );
    parts.push(`${name}: ${rows[0]?.text ?? ""}`);
  }
  return parts.join("\n");
}

test("the table names every procedure and nothing else", () => {
  const lines = Object.keys(table).sort();
  expect(lines, "The table above lacks the lines marked -, and the lines marked + have no procedure").toEqual(
    guarded.map(([path]) => path).sort(),
  );
});

/**
 * Somebody who was invited to Beta with every permission there, as a role of the organisation's own, and has signed in. What
 * their session says is theirs is what counts, not what a test makes up.
 */
async function invitedToBeta(): Promise<Ctx> {
  const owner = { ...tenant.as("owner"), actor: { type: "user", ...tenant.owner, name: "Olga" } as const };
  const { key } = await createRole(owner, { name: "Everything in a team", permissions: [...permissions] });
  const { token, email } = await createInvitation(owner, {
    email: "limited@people.example",
    name: "Limited",
    assignments: [
      { role: key, unitId: tenant.units.beta },
      { role: "finance", unitId: tenant.units.beta },
    ],
  });
  const from = { ip: null, userAgent: null, requestId: "matrix" };
  const password = "correct horse battery staple";
  await acceptInvitation(database.web, { token, password, ...from });
  const session = await loadSession(
    database.web,
    await signInWithPassword(database.web, { organisation: tenant.slug, email, password, ...from }),
  );
  return sessionCtx(database.web, session!, "matrix");
}

for (const [who, caller, environment] of [
  ["another tenant's owner", stranger.as("owner"), stranger.environments.production],
  ["another team's owner", tenant.as("owner", tenant.units.beta), environments.production],
  ["somebody who was invited to another team", await invitedToBeta(), environments.production],
] as const) {
  test(`${who} finds Alpha's things as unknown as ones that do not exist, and changes nothing`, async () => {
    const before = await fingerprint();
    for (const [path] of guarded) {
      const { input, everyTeam } = table[path] ?? {};
      if (everyTeam && caller.tenantId === tenant.tenantId) continue;
      const theirs = await call(caller, path, input?.(things, environment));
      const text = JSON.stringify(theirs);
      for (const [name, id] of Object.entries(things))
        expect(text, `${path} tells of a ${name}`).not.toContain(id);
      if (input && usesThings(input)) {
        const unknown = await call(caller, path, input(unknownThings, environment));
        expect(theirs, path).toEqual(unknown);
        expect(theirs.code, path).toMatch(/^(not_found|permission_denied)$/);
      }
    }
    expect(await fingerprint()).toBe(before);
    // Hundreds of calls, on a machine that does other things, too.
  }, 90_000);
}

/** Whether an input names something of Alpha's by its id. */
function usesThings(input: NonNullable<Line["input"]>): boolean {
  return JSON.stringify(input(things, "")) !== JSON.stringify(input(unknownThings, ""));
}

test("somebody of one team finds the other team in no list, and their own in theirs", async () => {
  const caller = await tenant.addMember("owner", { unitId: tenant.units.beta });
  const beta = {
    ...tenant.as("owner", tenant.units.beta),
    actor: { type: "user", ...caller, name: "B" } as const,
  };
  const mine = await call(beta, "members.list", {});
  expect(JSON.stringify(mine.data)).toContain(caller.id);
  const names = ["Alpha", "Web shop", '"shop"', "invited@acme.example", "order-sms"];
  for (const [path, { _def }] of guarded) {
    if (_def.type !== "query") continue;
    const text = JSON.stringify(
      await call(beta, path, table[path]?.input?.(unknownThings, environments.production)),
    );
    for (const name of names) expect(text, `${path} tells of ${name}`).not.toContain(name);
  }
});

test("with every permission but the required one, a procedure is refused and changes nothing", async () => {
  const before = await fingerprint();
  for (const [path, { _def }] of guarded) {
    const needed = new Set<string>(_def.meta!.permissions);
    const rest = permissions.filter((permission) => !needed.has(permission));
    const caller = {
      ...tenant.as("owner"),
      grants: [
        { permissions: new Set<string>(rest), unitId: null, applicationId: null, environmentId: null },
      ],
    };
    const outcome = await call(caller, path, table[path]?.input?.(things, environments.production));
    expect(outcome.code, path).toBe("permission_denied");
  }
  expect(await fingerprint()).toBe(before);
});

test("somebody without any role is refused everywhere", async () => {
  for (const [path] of guarded) {
    const caller = { ...tenant.as("owner"), grants: [] };
    const outcome = await call(caller, path, table[path]?.input?.(things, environments.production));
    expect(outcome.code, path).toMatch(/^(permission_denied|not_found|unknown_application)$/);
  }
});

test("authorised callers are answered: the table's inputs work", async () => {
  for (const unit of [null, tenant.units.alpha]) {
    const caller = tenant.as("owner", unit);
    for (const [path, { _def }] of guarded) {
      if (unit !== null && table[path]?.tenantWide) continue;
      if (table[path]?.personal) continue;
      // There is no mailbox outside the quickstart.
      if (_def.type !== "query" || path.startsWith("mailbox.")) continue;
      const outcome = await call(caller, path, table[path]?.input?.(things, environments.production));
      expect(outcome.code, path).toBeUndefined();
    }
  }
});

test("without content:reveal nobody sees a recipient's address or text, wherever it stands", async () => {
  await plantRecipient(database, tenant.tenantId, things);
  const all = permissions.filter((permission) => permission !== "content:reveal");
  const who = (held: readonly string[]) => ({
    ...tenant.as("owner"),
    grants: [{ permissions: new Set<string>(held), unitId: null, applicationId: null, environmentId: null }],
  });
  let shown = 0;
  for (const [path, { _def }] of guarded) {
    if (_def.type !== "query") continue;
    const input = table[path]?.input?.(things, environments.production);
    const text = JSON.stringify(await call(who(all), path, input));
    expect(text, path).not.toMatch(planted.text);
    // What somebody typed may come back.
    if (planted.address.test(JSON.stringify([input]))) continue;
    expect(text, path).not.toMatch(planted.address);
    const revealed = JSON.stringify(await call(who(permissions), path, input));
    if (planted.address.test(revealed) || planted.text.test(revealed)) shown++;
  }
  // The list and the details of messages, their timelines, conversations and webhook deliveries.
  expect(shown).toBeGreaterThanOrEqual(5);
}, 90_000);
