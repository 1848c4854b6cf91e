import { readFileSync } from "node:fs";
import path from "node:path";
import { Secret, TOTP } from "otpauth";
import { expect, test } from "vitest";
import { root } from "../../scripts/lib/paths.ts";
import { acceptInvitation } from "../access/accept-invitation.ts";
import { createApiKey } from "../access/create-api-key.ts";
import { makePasswordLink, setPassword } from "../access/password-links.ts";
import { getConsentPolicy } from "../consent/set-policy.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { newId } from "../kernel/ids.ts";
import { createPromotion } from "../pipelines/create-promotion.ts";
import { systemsOnly } from "../rest/contracts.ts";
import { testDatabase } from "../testing/database.ts";
import { pngOf } from "../testing/pictures.ts";
import { restClient } from "../testing/rest-client.ts";
import { becomes, makeSendingWorld, messageId, sendBody } from "../testing/sending-world.ts";
import { addContacts, addGroup } from "../testing/contacts.ts";
import { SoftwareAuthenticator } from "../testing/software-authenticator.ts";
import type { PortalContext } from "../trpc/context.ts";
import { appRouter } from "../trpc/root.ts";
import { addressToken } from "./address-token.ts";

/*
 * Every operation that changes something, read from the router and the contracts: each is done once here and has to leave an
 * event, or stands in one of the two lists below with what holds it instead.
 */

/** Changes nothing that anybody would ask for later, or is a record itself. */
const leavesNone: Record<string, string> = {
  "conversations.markRead": "What somebody has read is theirs alone.",
  "drafting.write":
    "Writes a draft, which nobody has until it is saved; what it cost is in ai_usage with who asked.",
  "imports.upload": "A piece of a file, whose import is recorded with its name and size.",
  "moderation.check": "Checks a text and stores nothing.",
  "notices.markRead": "What somebody has read is theirs alone.",
  "onboarding.dismissChecklist": "What somebody has put away is theirs alone.",
  "notifications.send": "Each request is kept with who sent it, and each message with its request.",
  "providers.readPriceList": "Reads a file that was passed along and stores nothing.",
  "sso.test": "Asks the identity provider and stores nothing.",
  sendNotifications: "Each request is kept with who sent it.",
  createNotification: "Each request is kept with who sent it.",
  explainNotification: "Says what would happen, and does nothing.",
};

/** Needs a world of its own to succeed: its own test holds that it leaves this event. */
const heldElsewhere: Record<string, [file: string, action: string]> = {
  createApiKey: ["server/access/api-keys-for-systems.test.ts", "api_key.created"],
  addSuppressions: ["server/consent/suppressions.test.ts", "suppression.added"],
  recordConsents: ["server/consent/consents.test.ts", "consent.recorded"],
  askConfirmation: ["server/conversations/confirmations.test.ts", "consent_confirmation.asked"],
  "consent.decideReview": ["server/conversations/reviews.test.ts", "consent_review.decided"],
  "deliverability.checkSender": ["server/deliverability/check-senders.test.ts", "sender_domain.checked"],
  "directory.verifyDomain": ["server/directory/tokens.test.ts", "domain.verified"],
  "imports.check": ["server/imports/import.test.ts", "import.checked"],
  "imports.start": ["server/imports/import.test.ts", "import.started"],
  "pipelines.confirm": ["server/pipelines/two-people.test.ts", "pipeline.updated"],
  replaceRoutingRules: ["server/audit/mutations.test.ts", "routing.changed"],
  "sandbox.act": ["server/sandbox/simulate-recipient.test.ts", "sandbox.recipient_simulated"],
  "templates.review": ["server/templates/provenance.test.ts", "template.version_reviewed"],
  "templates.setWhatsappApproval": [
    "server/templates/whatsapp-approvals.test.ts",
    "template.whatsapp_approval_changed",
  ],
  "templates.checkWhatsappApproval": [
    "server/templates/whatsapp-approvals.test.ts",
    "template.whatsapp_approval_changed",
  ],
};

/** Something is done, and nothing is another than it was: there is no before and after. */
const without = new Set([
  "ai_settings.updated",
  "api_key.rotated",
  "contact_group.members_added",
  "contact_group.members_removed",
  "contacts.attribute_set",
  "contacts.deleted",
  "contacts.written",
  "passkey.started",
  "provider.probed",
  "provider.tested",
  "second_factor.started",
  "session.revoked",
  "session.revoked_all",
  "shortener.tested",
  "template.tested",
  "user.password_changed",
  "webhook.replayed",
  "webhook.secret_rotated",
  "webhook.tested",
  "webhook_delivery.replayed",
]);

const database = await testDatabase();
const world = await makeSendingWorld(database, { settings: { ai: { allowWithoutAi: true } } });
const { tenant } = world;
const { environments, units } = tenant;
const sql = database.owner;
const rest = restClient(database.web);
await sql.query(
  `INSERT INTO mail_standings (tenant_id, domain_group, id, level, cause, since) VALUES ($1, 'yahoo', $2, 'held', 'complaints', now())`,
  [tenant.tenantId, newId()],
);
const identityProvider = {
  kind: "oidc",
  name: "Entra",
  issuer: "https://id.example.com",
  clientId: "client",
  scopes: "openid email",
  roleClaim: "groups",
  admits: true,
};
/** Searched for in the whole trail afterwards. */
const canary = `canary${newId().replaceAll("-", "")}`;

const authenticator = new SoftwareAuthenticator(new URL(env().publicUrl).origin);
const password = "a long enough password 1";
const changed = "another long password 2";
const member = await tenant.addMember("owner", { password });
const olga: Ctx = {
  ...tenant.as("owner"),
  actor: { type: "user", id: member.id, name: "Olga", email: member.email },
};
const session = newId();
async function addSession(id: string): Promise<string> {
  await sql.query(
    `INSERT INTO sessions (tenant_id, id, user_id, expires_at, last_seen_at) VALUES ($1, $2, $3, now() + interval '1 day', now())`,
    [tenant.tenantId, id, member.id],
  );
  return id;
}
await addSession(session);

async function call(name: string, input: unknown): Promise<{ requestId: string; data: unknown }> {
  const requestId = newId();
  const context: PortalContext = {
    requestId,
    tidings: { ...olga, requestId },
    session: {
      id: session,
      expiresAt: new Date(Date.now() + 60_000),
      lastSeenAt: new Date(),
      user: { id: member.id, name: "Olga", email: member.email },
      tenant: { id: tenant.tenantId, slug: tenant.slug, name: "T" },
      grants: olga.grants,
      roles: [],
      secondFactorMissing: false,
    },
  };
  let target: unknown = appRouter.createCaller(context);
  for (const part of name.split(".")) target = (target as Record<string, unknown>)[part];
  return { requestId, data: await (target as (input: unknown) => Promise<unknown>)(input) };
}

interface Event {
  action: string;
  data: Record<string, unknown>;
}
async function eventsOf(requestId: string): Promise<Event[]> {
  const { rows } = await sql.query<Event>("SELECT action, data FROM audit_events WHERE request_id = $1", [
    requestId,
  ]);
  return rows;
}

function expectChanges(name: string, events: readonly Event[]): void {
  for (const { action, data } of events) {
    if (without.has(action)) continue;
    expect(Object.keys(data), `${name} leaves ${action}`).toEqual(
      expect.arrayContaining([expect.stringMatching(/^(before|after)$/)]),
    );
  }
}

const idOf = (data: unknown) => (data as { id: string }).id;
const one = async (text: string, values: unknown[] = [tenant.tenantId]) =>
  (await sql.query<{ id: string }>(text, values)).rows[0]?.id ?? "";
const smtp = { provider: "smtp", settings: { host: "8.8.8.8" }, processingRegion: "EU" };
const text = { body: "Order {{ code }}", variables: [{ name: "code" }] };
const files = [
  {
    path: "receipt/sms/template.json",
    content: JSON.stringify({ notificationType: "order", notificationSubtype: "receipt" }),
  },
  { path: "receipt/sms/body.txt", content: "Paid." },
];
const production = environments.production;
const template = (name: string, region: string) => ({
  application: "shop",
  name,
  notificationType: "order",
  notificationSubtype: "receipt",
  channel: "sms",
  region,
  ...text,
});
const rule = (name: string, connectionId: string, region: string) => ({
  environmentId: production,
  name,
  application: "shop",
  region,
  tiers: [[{ connectionId, weight: 100 }]],
});
/** A promotion of a template of its own that waits for approval. */
async function requested(region: string): Promise<string> {
  const { data } = await call("templates.create", template("promoted", region));
  const { id } = await createPromotion(tenant.as("developer"), {
    application: "shop",
    to: "production",
    templates: [{ templateId: idOf(data) }],
    automatic: false,
  });
  return id;
}

const connection = (await world.addTwilio("https://8.8.8.8")).id;
const made: Record<string, string> = {};
const daily = { rhythm: "daily", day: null, hour: 8, timeZone: "Europe/Berlin" } as const;
const keep = (name: string) => (data: unknown) => {
  made[name] = idOf(data);
};

/** Of somebody who is invited; searched for in the whole trail, too. */
const address = `${canary}@acme.example`;
const keepLink = (data: unknown) => {
  links.push((data as { link: string }).link);
};
const links: string[] = [];
const keepToken = (data: unknown) => {
  const { id, token } = data as { id: string; token: string };
  made.scimToken = id;
  tokens.push(token);
};
const tokens: string[] = [];

const loosened = [
  { environment: "staging" },
  {
    environment: "production",
    gates: { approvals: 0, moderation: false, whatsappApproval: false, testSend: false },
  },
];

/** Two requests that an agent's key made, which wait for a person. */
const held: string[] = [];
const colleague = await tenant.addMember("developer");
const agentKey = await createApiKey(olga, {
  name: "Agent",
  environmentId: production,
  agent: { recipients: ["+49151*"], hourlyCap: 5, laterStages: true },
});
for (let i = 0; i < 2; i++) {
  const { body } = await rest.post<{ requestId: string }>("/api/app/notifications/send", {
    key: agentKey.key,
    json: sendBody(),
  });
  held.push(body.requestId);
}

/** Broadcasts: a draft that is ready, one that is sent, and one that has ended. */
const groupName = "Mutations";
await addGroup(database, tenant.tenantId, groupName, await addContacts(database, tenant.tenantId, 1));
const broadcasts: string[] = [];
for (const state of ["ready", "sending", "finished"]) {
  const { requestId } = await world.send({
    recipients: [],
    contactGroups: [{ group: groupName, channels: ["sms"] }],
  });
  await sql.query(
    `UPDATE broadcasts SET state = $2, draft = $2 = 'ready', ended_at = CASE WHEN $2 = 'finished' THEN now() END
     WHERE request_id = $1`,
    [requestId, state],
  );
  broadcasts.push(requestId);
}

const { revision: policyRevision } = await getConsentPolicy(olga);

type Step = [name: string, input: () => unknown, then?: (data: unknown) => void];
/** In this order; what one makes another one uses. */
const steps: Step[] = [
  ["ai.updateSettings", () => ({ drafting: false })],
  [
    "apiKeys.create",
    () => ({
      name: "k",
      environmentId: production,
      agent: { recipients: [address], hourlyCap: 5, laterStages: true },
    }),
    keep("key"),
  ],
  ["apiKeys.update", () => ({ id: made.key, purpose: "Orders", agent: { recipients: [`a.${address}`] } })],
  ["approvals.approve", () => ({ id: held[0] })],
  ["approvals.refuse", () => ({ id: held[1], reason: "Not now" })],
  ["apiKeys.handOver", () => ({ id: made.key, to: colleague.id })],
  ["apiKeys.rotate", () => ({ id: made.key }), keep("key2")],
  ["apiKeys.revoke", () => ({ id: made.key2 })],
  [
    "broadcasts.draft",
    () => ({
      environmentId: production,
      application: "shop",
      name: "Mutations",
      notificationType: "order",
      notificationSubtype: "order_status",
      contactGroups: [{ group: groupName, channels: ["sms"] }],
      idempotencyKey: newId(),
    }),
  ],
  ["broadcasts.start", () => ({ id: broadcasts[0] })],
  ["broadcasts.pause", () => ({ id: broadcasts[1] })],
  ["broadcasts.resume", () => ({ id: broadcasts[1] })],
  ["broadcasts.changeRate", () => ({ id: broadcasts[1], ratePerSecond: 5 })],
  ["broadcasts.cancel", () => ({ id: broadcasts[1] })],
  ["broadcasts.sendAgain", () => ({ id: broadcasts[2], name: "Again", idempotencyKey: newId() })],
  ["audit.setRetention", () => ({ months: 30 })],
  [
    "consent.askConfirmation",
    () => ({
      environmentId: production,
      id: newId(),
      application: "shop",
      channel: "email",
      address: "asked@example.com",
    }),
  ],
  [
    "consent.recordByHand",
    () => ({
      environmentId: production,
      channel: "sms",
      address: "+4915199999999",
      state: "opted_out",
      region: null,
      class: null,
      reason: "By phone",
    }),
  ],
  [
    "contacts.create",
    () => ({ externalId: "audit", name: "Ada", addresses: [{ channel: "sms", address: "+4915199999998" }] }),
    keep("contact"),
  ],
  ["contacts.create", () => ({ externalId: "other" }), keep("otherContact")],
  ["contacts.update", () => ({ id: made.contact, changes: { region: "DE" } })],
  ["contacts.upsert", () => ({ contacts: [{ externalId: "third", name: "Grace" }] })],
  ["contacts.setAttribute", () => ({ contactIds: [made.contact], name: "plan", value: "gold" })],
  ["contactGroups.create", () => ({ name: "Audited" }), keep("group2")],
  ["contactGroups.update", () => ({ id: made.group2, changes: { name: "Again" } })],
  ["contactGroups.addMembers", () => ({ id: made.group2, contactIds: [made.contact] })],
  ["contactGroups.removeMembers", () => ({ id: made.group2, contactIds: [made.contact] })],
  ["contactGroups.delete", () => ({ id: made.group2 })],
  [
    "contacts.merge",
    () => ({ keepId: made.contact, otherId: made.otherContact, take: [], takeAttributes: [] }),
  ],
  ["contacts.delete", () => ({ id: made.contact })],
  ["contacts.create", () => ({ externalId: "fourth" }), keep("otherContact")],
  ["contacts.deleteMany", () => ({ contactIds: [made.otherContact] })],
  [
    "suppressions.addByHand",
    () => ({
      environmentId: production,
      channel: "sms",
      addresses: ["+4915199999998"],
      expiresAt: null,
      note: "Asked us to",
    }),
    (data) => {
      made.suppression = (data as { results: { id: string }[] }).results[0]!.id;
    },
  ],
  ["suppressions.remove", () => ({ environmentId: production, id: made.suppression })],
  ["branding.update", () => ({ accent: "#0a7f5a", senderName: "The team", support: "help@example.com" })],
  ["branding.setLogo", () => ({ picture: pngOf(32, 32).toString("base64") })],
  ["branding.removeLogo", () => undefined],
  [
    "consent.setPolicy",
    () => ({ overrides: [{ class: "service", policy: "opt_in_required" }], revision: policyRevision }),
  ],
  [
    "recipientLimits.set",
    () => ({
      quietHours: [],
      caps: [{ class: "marketing", channel: null, most: 1, hours: 24, over: "wait" }],
      revision: 0,
    }),
  ],
  ["deliverability.release", () => ({ group: "yahoo", note: "A faulty list, removed" })],
  [
    "budgets.create",
    () => ({
      ...{
        name: "All",
        applicationId: null,
        environmentId: null,
        amount: "5",
        currency: "EUR",
        thresholds: [50],
      },
    }),
    keep("budget"),
  ],
  [
    "budgets.change",
    () => ({
      ...{ id: made.budget, name: "All", applicationId: null, environmentId: null },
      ...{ amount: "6", currency: "EUR", thresholds: [50] },
    }),
  ],
  ["budgets.remove", () => ({ id: made.budget })],
  ["objectives.change", () => ({ availabilityTarget: 99.5, codesTarget: 98, codesSeconds: 12 })],
  [
    "objectives.changeStatusPage",
    () => ({ slug: `s${newId().slice(-12)}`, published: true, figures: false, automatic: false }),
  ],
  [
    "objectives.createIncident",
    () => ({ title: "Late", state: "investigating", text: "We look into it" }),
    keep("incident"),
  ],
  ["objectives.updateIncident", () => ({ id: made.incident, state: "resolved", text: "Done" })],
  ["objectives.removeIncident", () => ({ id: made.incident })],
  ["costs.setCurrency", () => ({ currency: "CHF" })],
  ["costs.setRate", () => ({ currency: "EUR", validFrom: "2026-01-01", rate: "0.95" })],
  ["costs.removeRate", () => ({ currency: "EUR", validFrom: "2026-01-01" })],
  ["links.updateShortener", () => ({ environment: production, kind: "built_in", validDays: 90 })],
  ["links.testShortener", () => ({ environment: environments.staging, url: "https://example.com" })],
  ["health.probe", () => ({ connectionId: connection })],
  [
    "members.invite",
    () => ({ email: address, name: "N", assignments: [{ role: "finance", unitId: units.alpha }] }),
    keep("invitation"),
  ],
  ["members.inviteAgain", () => ({ id: made.invitation }), keepLink],
  ["members.withdrawInvitation", () => ({ id: made.invitation })],
  ["members.assignRole", () => ({ userId: made.member, unitId: units.alpha, role: "auditor" })],
  ["members.unassignRole", () => ({ userId: made.member, assignmentId: made.assignment })],
  ["members.suspend", () => ({ userId: made.member })],
  ["members.reactivate", () => ({ userId: made.member })],
  ["members.remove", () => ({ userId: made.member })],
  [
    "roles.create",
    () => ({ name: "Support", description: "", permissions: ["reports:read"] }),
    (data) => {
      made.role = (data as { key: string }).key;
    },
  ],
  [
    "roles.update",
    () => ({ key: made.role, name: "Help", description: "", permissions: ["notifications:read"] }),
  ],
  ["roles.delete", () => ({ key: made.role })],
  ["directory.addDomain", () => ({ name: `${tenant.slug}.example` }), keep("domain")],
  ["directory.removeDomain", () => ({ id: made.domain })],
  ["directory.createToken", () => ({ name: "Entra" }), keepToken],
  ["directory.rotateToken", () => ({ id: made.scimToken }), keepToken],
  ["directory.revokeToken", () => ({ id: made.scimToken })],
  ["directory.mapGroup", () => ({ groupId: made.group, role: "auditor", unitId: null }), keep("mapping")],
  ["directory.unmapGroup", () => ({ id: made.mapping })],
  ["sso.create", () => ({ ...identityProvider, clientSecret: `${canary}-client` }), keep("identityProvider")],
  [
    "sso.update",
    () => ({ ...identityProvider, id: made.identityProvider, name: "Okta", clientSecret: `${canary}-again` }),
  ],
  ["sso.switch", () => ({ id: made.identityProvider, enabled: true })],
  [
    "sso.addRule",
    () => ({ providerId: made.identityProvider, value: "support", role: "auditor", unitId: null }),
    keep("claimRule"),
  ],
  ["sso.removeRule", () => ({ id: made.claimRule })],
  ["sso.remove", () => ({ id: made.identityProvider })],
  ["notifications.resendSeveral", () => ({ ids: [made.canceledMessage] })],
  ["notifications.cancel", () => ({ id: made.message })],
  ["notifications.cancelSeveral", () => ({ ids: [made.otherMessage] })],
  [
    "notifications.sendTest",
    () => ({ templateId: made.template, to: "+4915112345678", environment: "production" }),
  ],
  [
    "pipelines.update",
    () => ({ application: tenant.otherApplication.id, stages: [{ environment: "production" }] }),
  ],
  // Somebody else could confirm it.
  ["pipelines.update", () => ({ application: "shop", stages: loosened })],
  ["pipelines.withdraw", () => ({ application: "shop", id: made.proposal })],
  ["templates.create", () => template("one", "DE"), keep("own")],
  ["templates.update", () => ({ id: made.own, ...text, body: "Again {{ code }}" })],
  ["templates.duplicate", () => ({ id: made.own, region: "FR" })],
  ["templates.deploy", () => ({ templateId: made.own, environment: "staging", version: 1 })],
  ["templates.setKillSwitch", () => ({ id: made.own, environment: "staging", disabled: true })],
  ["templates.archive", () => ({ id: made.own })],
  ["templates.restore", () => ({ id: made.own })],
  [
    "promotions.create",
    () => ({ application: "shop", to: "production", templates: [{ templateId: made.own }] }),
  ],
  ["promotions.approve", () => ({ id: made.approved })],
  ["promotions.deploy", () => ({ id: made.approved })],
  ["promotions.rollBack", () => ({ id: made.approved, note: "Wrong price" })],
  ["promotions.reject", () => ({ id: made.rejected })],
  [
    "providers.create",
    () => ({ name: "Mail", ...smtp, credentials: { password: canary, user: "u" } }),
    keep("mail"),
  ],
  ["providers.update", () => ({ id: made.mail, changes: { name: "Post", ratePerSecond: 5 } })],
  ["providers.test", () => ({ id: made.mail })],
  [
    "providers.testUnsaved",
    () => ({
      id: made.mail,
      changes: { settings: { host: "8.8.8.8" }, credentials: { password: canary, user: "u" } },
    }),
  ],
  ["providers.delete", () => ({ id: made.mail })],
  ["privacy.prepareExport", () => ({ address: "nobody@example.com" })],
  ["privacy.erase", () => ({ addresses: ["nobody@example.com"], reference: "DSR-1" })],
  ["consent.updateReplies", () => ({ stop: { enabled: false }, start: {}, help: {} })],
  ["consent.updateWords", () => ({ stop: ["adios"], start: [], help: [] })],
  ["privacy.updateRetention", () => ({ contentDays: 100, metadataMonths: 13, webhookLogDays: 30 })],
  ["residency.update", () => ({ allowedTransferRegions: ["US"], reason: "Contract" })],
  ["routing.create", () => rule("First", connection, "DE"), keep("rule")],
  ["routing.update", () => ({ ...rule("Second", connection, "FR"), id: made.rule })],
  ["routing.create", () => rule("Third", connection, "IT"), keep("rule2")],
  ["routing.reorder", () => ({ environmentId: production, order: [made.rule2, made.rule] })],
  ["routing.delete", () => ({ environmentId: production, id: made.rule2 })],
  ["routing.revert", () => ({ environmentId: production, number: 1 })],
  ["sessions.revoke", () => ({ id: made.session })],
  ["sessions.changePassword", () => ({ current: password, next: changed })],
  [
    "secondFactor.start",
    () => ({ password: changed }),
    (data) => {
      made.secret = (data as { secret: string }).secret;
    },
  ],
  ["secondFactor.confirm", () => ({ code: TOTP.generate({ secret: Secret.fromBase32(made.secret ?? "") }) })],
  [
    "secondFactor.renewRecoveryCodes",
    () => ({
      password: changed,
      code: TOTP.generate({
        secret: Secret.fromBase32(made.secret ?? ""),
        timestamp: Date.now() + 30_000,
      }),
    }),
    (data) => {
      made.recoveryCode = (data as { recoveryCodes: string[] }).recoveryCodes[0] ?? "";
    },
  ],
  ["secondFactor.remove", () => ({ password: changed, code: made.recoveryCode })],
  [
    "passkeys.start",
    () => ({ password: changed }),
    (data) => {
      made.attestation = JSON.stringify(authenticator.create(data as never));
    },
  ],
  [
    "passkeys.add",
    () => ({ name: "Laptop", attestation: JSON.parse(made.attestation ?? "") as unknown }),
    keep("passkey"),
  ],
  ["passkeys.rename", () => ({ id: made.passkey, name: "Work laptop" })],
  ["passkeys.remove", () => ({ id: made.passkey, password: changed })],
  ["sessions.revokeAll", () => ({})],
  [
    "signInPolicy.update",
    () => ({ secondFactor: false, sessionHours: 24, idleMinutes: 60, ways: ["password"] }),
  ],
  [
    "imports.create",
    () => ({ kind: "consent", environmentId: production, fileName: "list.csv", size: 7 }),
    keep("import"),
  ],
  ["imports.cancel", () => ({ id: made.import })],
  ["reports.saveView", () => ({ page: "delivery", name: "Mine", query: "", shared: false }), keep("view")],
  ["reports.changeView", () => ({ id: made.view, name: "Ours", shared: true })],
  ["reports.schedule", () => ({ viewId: made.view, ...daily, recipients: [member.id] }), keep("schedule")],
  ["reports.changeSchedule", () => ({ id: made.schedule, ...daily, hour: 9, recipients: [member.id] })],
  ["reports.pauseSchedule", () => ({ id: made.schedule, paused: true })],
  ["reports.leaveSchedule", () => ({ id: made.schedule })],
  ["reports.removeSchedule", () => ({ id: made.schedule })],
  ["reports.removeView", () => ({ id: made.view })],
  ["exports.request", () => ({ kind: "messages", filter: {} }), keep("export")],
  ["exports.cancel", () => ({ id: made.export })],
  ["exports.remove", () => ({ id: made.export })],
  ["templateFiles.plan", () => ({ application: "shop", files }), keep("plan")],
  ["templateFiles.start", () => ({ id: made.plan })],
  ["templateFiles.cancel", () => ({ id: made.plan })],
  ["tenancy.updateOrganisation", () => ({ name: "Renamed" })],
  ["tenancy.createUnit", () => ({ slug: "new", name: "New" }), keep("unit")],
  ["tenancy.updateUnit", () => ({ id: made.unit, name: "Newer" })],
  ["tenancy.deleteUnit", () => ({ id: made.unit })],
  [
    "tenancy.createEnvironment",
    () => ({ slug: "new", name: "New", kind: "nonproduction" }),
    keep("environment"),
  ],
  ["tenancy.updateEnvironment", () => ({ id: made.environment, name: "Newer" })],
  ["tenancy.deleteEnvironment", () => ({ id: made.environment })],
  [
    "tenancy.createApplication",
    () => ({
      name: "new",
      title: "New",
      unitId: units.alpha,
      defaultRegion: "DE",
      defaultLanguage: "en",
      stages: [production],
    }),
    keep("application"),
  ],
  [
    "tenancy.updateApplication",
    () => ({ id: made.application, title: "Newer", defaultRegion: "AT", defaultLanguage: "de" }),
  ],
  ["tenancy.archiveApplication", () => ({ id: made.application, archived: true })],
  [
    "tenancy.createNotificationType",
    () => ({ type: "new", class: "service", subtypes: ["x"] }),
    keep("type"),
  ],
  ["tenancy.updateNotificationType", () => ({ id: made.type, class: "marketing", subtypes: ["x", "y"] })],
  ["tenancy.deleteNotificationType", () => ({ id: made.type })],
  [
    "webhooks.create",
    () => ({ environmentId: production, application: "shop", url: `https://8.8.8.8/${canary}`, events: [] }),
    keep("endpoint"),
  ],
  ["webhooks.update", () => ({ id: made.endpoint, changes: { description: "x" } })],
  ["webhooks.rotateSecret", () => ({ id: made.endpoint })],
  ["webhooks.test", () => ({ id: made.endpoint }), keep("delivery")],
  ["webhooks.replayDelivery", () => ({ id: made.endpoint, deliveryId: made.delivery })],
  [
    "webhooks.replayFailed",
    () => ({ id: made.endpoint, since: new Date(Date.now() - 60_000).toISOString() }),
  ],
  ["webhooks.delete", () => ({ id: made.endpoint })],
];

const mutations = Object.entries(
  appRouter._def.procedures as unknown as Record<string, { _def: { type: string } }>,
)
  .filter(([, { _def }]) => _def.type === "mutation")
  .map(([name]) => name);

test("every operation that changes something is done here, or stands in a list with its reason", () => {
  const known = new Set([
    ...steps.map(([name]) => name),
    ...Object.keys(leavesNone),
    ...Object.keys(heldElsewhere),
  ]);
  expect(mutations.filter((name) => !known.has(name))).toEqual([]);
  const unknown = systemsOnly.filter(
    ({ method, operationId }) => method !== "GET" && !known.has(operationId),
  );
  expect(unknown.map(({ operationId }) => operationId)).toEqual([]);
});

for (const [name, [file, action]] of Object.entries(heldElsewhere)) {
  test(`${name} leaves ${action}: ${file} holds it`, () => {
    expect(readFileSync(path.join(root, file), "utf8")).toContain(action);
  });
}

test("each leaves an event, with what it was before and is after", async () => {
  made.template = await one("SELECT id FROM templates WHERE tenant_id = $1 AND name = 'order-sms'");
  const later = { scheduledAt: new Date(Date.now() + 3_600_000).toISOString() };
  made.message = messageId(await world.send(later));
  made.otherMessage = messageId(await world.send(later));
  made.canceledMessage = messageId(await world.send(later));
  await world.advance(made.canceledMessage, becomes("canceled"));
  made.approved = await requested("ES");
  made.rejected = await requested("PT");
  made.group = await one(
    `INSERT INTO directory_groups (tenant_id, id, name, created_at, updated_at)
     VALUES ($1, gen_random_uuid(), 'Group', now(), now()) RETURNING id`,
    [tenant.tenantId],
  );
  made.session = await addSession(newId());
  await tenant.addMember("owner");
  made.member = (await tenant.addMember("finance")).id;
  await sql.query(
    `INSERT INTO connection_health (tenant_id, connection_id, breaker, since, next_probe_at, updated_at)
     VALUES ($1, $2, 'open', now(), now() + interval '1 hour', now())`,
    [tenant.tenantId, connection],
  );
  // A service that may not be asked: nothing leaves this test.
  await sql.query(
    `INSERT INTO shorteners (tenant_id, environment_id, kind, processing_region, updated_at) VALUES ($1, $2, 'bitly', 'ZZ', now())`,
    [tenant.tenantId, environments.staging],
  );
  for (const [name, input, then] of steps) {
    if (name === "webhooks.replayDelivery") {
      await sql.query("UPDATE webhook_deliveries SET state = 'failed', attempts = 1 WHERE id = $1", [
        made.delivery,
      ]);
    }
    if (name === "pipelines.withdraw") {
      made.proposal = await one(
        "SELECT id FROM pipeline_proposals WHERE tenant_id = $1 AND application_id = $2",
        [tenant.tenantId, tenant.application.id],
      );
    }
    if (name === "members.unassignRole") {
      made.assignment = await one(
        "SELECT id FROM role_assignments WHERE tenant_id = $1 AND user_id = $2 AND unit_id IS NOT NULL",
        [tenant.tenantId, made.member],
      );
    }
    const { requestId, data } = await call(name, input()).catch((error: unknown) => {
      throw new Error(`${name} failed`, { cause: error });
    });
    then?.(data);
    const events = await eventsOf(requestId);
    expect(events.length, name).toBeGreaterThan(0);
    expectChanges(name, events);
  }
  const replaced = newId();
  const { key } = await tenant.makeKey("production", { role: "owner" });
  const current = await rest.get<{ revision: number }>("/v1/routing-rules", { key });
  const answer = await rest.put("/v1/routing-rules", {
    key,
    json: { revision: current.body.revision, rules: [] },
    headers: { "x-request-id": replaced },
  });
  expect(answer.status).toBe(200);
  expect(await eventsOf(replaced)).toMatchObject([{ action: "routing.changed" }]);
}, 120_000);

test("so do the forms that need no session: an invitation that is accepted, a password chosen with a link", async () => {
  const place = { role: "finance", unitId: units.alpha };
  const invited = await call("members.invite", { email: address, name: "N", assignments: [place] });
  keepLink(invited.data);
  const origin = { ip: "203.0.113.9", userAgent: null };
  const accepted = newId();
  const token = links.at(-1)?.split("#")[1] ?? "";
  await acceptInvitation(database.web, { ...origin, token, password, requestId: accepted });
  const joined = await eventsOf(accepted);
  expect(joined.map(({ action }) => action).sort()).toEqual(["invitation.accepted", "member.joined"]);
  expectChanges("accepting", joined);
  const told = joined.find(({ action }) => action === "invitation.accepted")?.data;
  expect(told).toMatchObject({ address: await addressToken(olga, address) });

  const linked = { ...tenant.system, requestId: newId() };
  const link = await inTenant(linked, (tx) => makePasswordLink(linked, tx, member.id));
  links.push(`#${link.token}`);
  expectChanges("a link", await eventsOf(linked.requestId));
  const chosen = newId();
  await setPassword(database.web, { ...origin, token: link.token, password, requestId: chosen });
  expect(await eventsOf(chosen)).toMatchObject([{ action: "user.password_changed" }]);
});

test("no secret that passed through these is in the trail, nor the address of a recipient or of who is invited", async () => {
  const { rows } = await sql.query<{ action: string }>(
    "SELECT action FROM audit_events e WHERE e::text LIKE '%' || $1 || '%' OR e::text LIKE '%4915112345678%'",
    [canary],
  );
  expect(rows).toEqual([]);
  expect(links).toHaveLength(3);
  expect(tokens).toHaveLength(2);
  for (const token of [...tokens, ...links.map((link) => link.split("#")[1])]) {
    const { rows: telling } = await sql.query(
      "SELECT 1 FROM audit_events e WHERE e::text LIKE '%' || $1 || '%'",
      [token],
    );
    expect(telling).toEqual([]);
  }
  expect(sendBody().recipients[0]?.recipient).toContain("4915112345678");
});
