import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld, sendBody } from "../testing/sending-world.ts";
import { contracts } from "./contracts.ts";

const database = await testDatabase();
const rest = restClient(database.web);
const world = await makeSendingWorld(database);
const { tenant, tenantId } = world;
const { key } = await tenant.makeKey("production", { role: "owner" });
const { key: stagingKey } = await tenant.makeKey("staging", { role: "owner" });

async function made(path: string, json: object, of = key): Promise<{ id: string }> {
  const answer = await rest.post<{ id?: string; requestId: string }>(path, { key: of, json });
  expect(answer.status, `${path}: ${answer.text}`).toBeLessThan(300);
  return { id: answer.body.id ?? answer.body.requestId };
}

const content = {
  subject: "Hello {{ name }}",
  body: "<p>Hello {{ name }}</p>",
  metadata: { fromName: "Shop" },
  variables: [{ name: "name", example: "Ada" }],
};
const template = await made(
  "/v1/templates",
  {
    ...{ application: "shop", name: "same", channel: "email", language: "de" },
    ...{ notificationType: "order", notificationSubtype: "order_status" },
    ...content,
  },
  stagingKey,
);
const provider = await made("/v1/providers", {
  name: "Mail",
  provider: "smtp",
  settings: { host: "mail.example.com", port: 465, security: "tls" },
  senders: [{ channel: "email", sender: "shop@example.com" }],
  processingRegion: "EU",
});
const rule = {
  name: "Mail",
  channel: "email",
  tiers: [[{ connectionId: provider.id, weight: 100 }]],
};
const rules = await made("/v1/routing-rules", rule);
const webhook = await made("/v1/webhooks", { url: "https://example.com/hooks", application: "shop" });
const type = await made("/v1/notification-types", { type: "parcel", class: "service", subtypes: ["late"] });
const contact = await made("/v1/contacts", {
  name: "Ada",
  addresses: [{ channel: "sms", address: "+4915112345678" }],
});
const group = await made("/v1/contact-groups", { name: "Friends" });
const broadcast = await made("/api/app/notifications/send", {
  ...sendBody({ recipients: [] }),
  contactGroups: [{ group: "Friends", channels: ["sms"] }],
});

const limits = {
  quietHours: [
    { classes: ["marketing"], channels: [], regions: [], days: ["sun"], from: "20:00", to: "08:00" },
  ],
  caps: [],
};
const overrides = [
  { class: "marketing", channel: "email", policy: "opt_out" },
  { class: "service", policy: "opt_in_required" },
];
const policy = await rest.get<{ revision: string }>("/v1/consent-policy", { key });

interface Update {
  path: string;
  json: object;
  /** The same, or made from the answer to the change. */
  again?: Record<string, unknown> | ((changed: Record<string, unknown>) => object);
  key?: string;
}
/** A change, and the same again with what else may stay as it is. */
const updates: Record<string, Update> = {
  updateTemplate: {
    path: `/v1/templates/${template.id}`,
    json: { ...content, body: "<p>Goodbye {{ name }}</p>" },
    // In another order, with defaults written out, and with a note, which alone makes no version.
    again: {
      note: "Nothing new",
      channel: "email",
      variables: [{ required: true, type: "string", example: "Ada", name: "name" }],
      metadata: { fromName: "Shop" },
      body: "<p>Goodbye {{ name }}</p>",
      subject: "Hello {{ name }}",
    },
    key: stagingKey,
  },
  setKillSwitch: {
    path: `/v1/templates/${template.id}/kill-switch`,
    json: { disabled: true, reason: "A wrong price" },
    key: stagingKey,
  },
  updateProvider: {
    path: `/v1/providers/${provider.id}`,
    json: {
      name: "Our mail",
      ratePerSecond: 5,
      priceList: [{ channel: "email", amount: "0.001", currency: "EUR" }],
    },
  },
  updateRoutingRule: { path: `/v1/routing-rules/${rules.id}`, json: { ...rule, name: "All mail" } },
  replaceRoutingRules: {
    path: "/v1/routing-rules",
    json: { revision: 2, rules: [{ ...rule, id: rules.id, name: "Every mail" }] },
    again: { revision: 3, rules: [{ ...rule, id: rules.id, name: "Every mail" }] },
  },
  updateWebhook: {
    path: `/v1/webhooks/${webhook.id}`,
    json: {
      url: "https://example.com/other",
      description: "Orders",
      events: ["notification.failed"],
      enabled: false,
    },
  },
  updateContact: { path: `/v1/contacts/${contact.id}`, json: { name: "Ada Lovelace" } },
  updateContactGroup: { path: `/v1/contact-groups/${group.id}`, json: { name: "Good friends" } },
  changeBroadcastRate: { path: `/v1/broadcasts/${broadcast.id}`, json: { ratePerSecond: 7 } },
  updatePipeline: {
    path: "/v1/pipelines/shop",
    json: {
      stages: [
        { environment: "staging" },
        { environment: "production", gates: { approvals: 2, whatsappApproval: true } },
      ],
    },
  },
  updateNotificationType: {
    path: `/v1/notification-types/${type.id}`,
    json: { class: "service", subtypes: ["late", "lost"] },
  },
  updateShortener: { path: "/v1/shorteners/production", json: { kind: "built_in", validDays: 30 } },
  updateResidency: { path: "/v1/residency", json: { allowedTransferRegions: ["US"], reason: "Contract" } },
  updateRecipientLimits: {
    path: "/v1/recipient-limits",
    json: { ...limits, revision: 0 },
    again: ({ revision }) => ({ ...limits, revision }),
  },
  updateConsentPolicy: {
    path: "/v1/consent-policy",
    json: { overrides, revision: policy.body.revision },
    again: ({ revision }) => ({ overrides: overrides.toReversed(), revision }),
  },
  updateRetention: {
    path: "/v1/retention",
    json: { contentDays: 80, metadataMonths: 14, webhookLogDays: 20 },
  },
};

async function trail(): Promise<string[]> {
  const { rows } = await database.owner.query<{ action: string }>(
    "SELECT action FROM audit_events WHERE tenant_id = $1 ORDER BY id",
    [tenantId],
  );
  return rows.map(({ action }) => action);
}

describe("an update that changes nothing", () => {
  it.each(Object.entries(updates))("by %s leaves no event in the trail", async (operationId, update) => {
    const contract = contracts.find((each) => each.operationId === operationId);
    if (!contract) throw new Error(`there is no ${operationId}`);
    const call = (json: object) =>
      rest.callContract<Record<string, unknown>>(contract, update.path, { key: update.key ?? key, json });
    const before = await trail();
    const changed = await call(update.json);
    expect(changed.status, changed.text).toBe(200);
    const after = await trail();
    expect(after.length, "the change itself is in the trail").toBeGreaterThan(before.length);
    const again = typeof update.again === "function" ? update.again(changed.body) : update.again;
    const repeated = await call(again ?? update.json);
    expect(repeated.status, repeated.text).toBe(200);
    expect(await trail()).toEqual(after);
    for (const name of ["version", "latestVersion", "versions", "revision", "updatedAt"]) {
      expect(repeated.body[name], name).toEqual(changed.body[name]);
    }
  });

  it("is known of every operation that updates", () => {
    const all = contracts.filter(({ method }) => method === "PUT" || method === "PATCH");
    expect(Object.keys(updates).sort()).toEqual(all.map(({ operationId }) => operationId).sort());
  });
});

describe("a template that is saved as it is", () => {
  const put = (json: object) =>
    rest.put<{ latestVersion: number }>(`/v1/templates/${template.id}`, { key: stagingKey, json });
  it("gets a version when that makes it live again, and none a second time", async () => {
    const { latestVersion } = (await put({ ...content, body: "<p>Three</p>", variables: content.variables }))
      .body;
    const older = { environment: "staging", version: latestVersion - 1 };
    const deployed = await rest.post(`/v1/templates/${template.id}/deployments`, {
      key: stagingKey,
      json: older,
    });
    expect(deployed.status, deployed.text).toBe(201);
    for (const expected of [latestVersion + 1, latestVersion + 1]) {
      expect((await put({ ...content, body: "<p>Three</p>" })).body.latestVersion).toBe(expected);
    }
  });
});
