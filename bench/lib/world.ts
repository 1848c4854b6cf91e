import pg from "pg";
import { makeApiKeyToken } from "../../server/access/api-key-token.ts";
import { credentialsContext } from "../../server/connections/load-connection.ts";
import { newId } from "../../server/kernel/ids.ts";
import { newDataKey, sealText } from "../../server/kernel/secrets.ts";
import { builtInRoles } from "../../server/operations/permissions.ts";

/** The sender in a measurement. */
export interface World {
  tenantId: string;
  unitId: string;
  environmentId: string;
  applicationIds: string[];
  connectionId: string;
  templateIds: { order: string; promotion: string; otp: string };
  apiKey: string;
}

export const application = "webshop";
/** The Twilio account for which the emulator accepts anything. */
const account = { accountSid: `AC${"0".repeat(32)}`, authToken: "bench" };

const messageTypes = [
  {
    key: "order",
    type: "order_update",
    subtype: "shipped",
    class: "transactional",
    body: "Hello {{ name }}, your order {{ order }} is on its way.",
  },
  {
    key: "promotion",
    type: "promotion",
    subtype: "seasonal_sale",
    class: "marketing",
    body: "Hello {{ name }}, everything for your garden is cheaper until {{ order }}.",
  },
  {
    key: "otp",
    type: "sign_in",
    subtype: "one_time_code",
    class: "authentication",
    body: "{{ order }} is your code, {{ name }}.",
  },
] as const;

/** What a request says for one of the three kinds of message. */
export function messageKind(key: (typeof messageTypes)[number]["key"]) {
  const entry = messageTypes.find((candidate) => candidate.key === key);
  if (!entry) throw new Error(`no such kind of message: ${key}`);
  return { notificationType: entry.type, notificationSubtype: entry.subtype };
}

/** The emulated provider, as a connection is configured with it. */
interface BenchProvider {
  adapter: string;
  credentials: Record<string, unknown>;
  settings: Record<string, unknown>;
}

/** The emulator that speaks Twilio's contract. */
function twilioAt(baseUrl: string): BenchProvider {
  return { adapter: "twilio", credentials: account, settings: { baseUrl } };
}

/** The sandbox's own provider: answers by calling the web process back. */
export function simulator(): BenchProvider {
  return { adapter: "simulator", credentials: { signingKey: "bench-signing-key" }, settings: {} };
}

/** Gives a product database a tenant that can send SMS through the emulator. */
export async function createWorld(
  url: string,
  options: ({ providerUrl: string } | { provider: BenchProvider }) & {
    maxConcurrency?: number;
    slug?: string;
    /** Of its only environment. */
    kind?: "production" | "sandbox";
  },
): Promise<World> {
  const provider = "provider" in options ? options.provider : twilioAt(options.providerUrl);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const insert = (table: string, row: Record<string, unknown>) => {
    const names = Object.keys(row);
    return client.query(
      `INSERT INTO ${table} (${names.join(", ")}) VALUES (${names.map((_, index) => `$${index + 1}`).join(", ")})`,
      Object.values(row),
    );
  };
  try {
    const tenant_id = newId();
    const dataKey = newDataKey(tenant_id);
    const kind = options.kind ?? "production";
    const settings = { consentPolicies: [{ class: "marketing", policy: "opt_out" }] };
    await insert("tenants", {
      id: tenant_id,
      slug: options.slug ?? "bench",
      name: "Bench",
      data_key: dataKey,
      settings,
    });
    const unit_id = newId();
    await insert("organization_units", { tenant_id, id: unit_id, slug: "sales", name: "Sales" });
    const environment_id = newId();
    const environment = {
      tenant_id,
      id: environment_id,
      slug: kind,
      name: kind,
      kind,
    };
    await insert("environments", environment);
    const applicationIds: string[] = [];
    for (const name of [application, "billing", "support"]) {
      const id = newId();
      applicationIds.push(id);
      const titled = {
        tenant_id,
        id,
        unit_id,
        name,
        title: name,
        default_region: "DE",
        default_language: "en",
      };
      await insert("applications", titled);
      await insert("pipeline_stages", { tenant_id, application_id: id, position: 0, environment_id });
    }
    const templateIds: Record<string, string> = {};
    for (const kind of messageTypes) {
      const type = { tenant_id, id: newId(), type: kind.type, class: kind.class, subtypes: [kind.subtype] };
      await insert("notification_types", type);
      const template_id = newId();
      templateIds[kind.key] = template_id;
      await insert("templates", {
        tenant_id,
        id: template_id,
        application_id: applicationIds[0],
        name: kind.type,
        notification_type: kind.type,
        notification_subtype: kind.subtype,
        channel: "sms",
        latest_version: 1,
        updated_at: new Date(),
      });
      const variables = ["name", "order"].map((name) => ({ name, type: "string", required: true }));
      await insert("template_versions", {
        tenant_id,
        template_id,
        version: 1,
        body: kind.body,
        variables: JSON.stringify(variables),
        author_name: "Bench",
      });
      const deployment = { tenant_id, template_id, environment_id, version: 1, deployed_at: new Date() };
      await insert("template_deployments", deployment);
    }
    const connectionId = newId();
    await insert("provider_connections", {
      tenant_id,
      id: connectionId,
      name: "Emulated provider",
      adapter: provider.adapter,
      channels: ["sms"],
      credentials: sealText(
        tenant_id,
        dataKey,
        credentialsContext(connectionId),
        JSON.stringify(provider.credentials),
      ),
      settings: provider.settings,
      senders: JSON.stringify([{ channel: "sms", sender: "+4915700000000" }]),
      price_list: JSON.stringify([{ channel: "sms", amount: "0.075", currency: "EUR" }]),
      max_concurrency: options.maxConcurrency ?? 256,
      processing_region: "EU",
      updated_at: new Date(),
    });
    const tiers = JSON.stringify([[{ connectionId, weight: 1 }]]);
    await insert("routing_rules", { tenant_id, id: newId(), environment_id, tiers, updated_at: new Date() });
    const role_id = newId();
    const { name, permissions } = builtInRoles.sender;
    await insert("roles", { tenant_id, id: role_id, key: "sender", name, permissions, built_in: true });
    const keyId = newId();
    const token = makeApiKeyToken(keyId, kind);
    await insert("api_keys", {
      tenant_id,
      id: keyId,
      name: "Bench",
      environment_id,
      role_id,
      hash: token.hash,
      hint: token.hint,
      rate_limit_per_minute: 1_000_000_000,
    });
    return {
      tenantId: tenant_id,
      unitId: unit_id,
      environmentId: environment_id,
      applicationIds,
      connectionId,
      templateIds: templateIds as World["templateIds"],
      apiKey: token.text,
    };
  } finally {
    await client.end();
  }
}

/** The body of one send request to `count` recipients; `transactionId` may hold the load generator's placeholder. */
export function sendBody(
  kind: (typeof messageTypes)[number]["key"],
  transactionId: string,
  count: number,
  firstRecipient = 0,
): string {
  return JSON.stringify({
    transactionId,
    application,
    region: "DE",
    language: "en",
    ...messageKind(kind),
    recipients: Array.from({ length: count }, (_, index) => ({
      channel: "sms",
      recipient: phoneNumber(firstRecipient + index),
    })),
    templateVariables: [{ name: "Ada" }, { order: "4711" }],
  });
}

/** A valid German mobile number, one for each index. */
export function phoneNumber(index: number): string {
  return `+49151${String(10_000_000 + (index % 80_000_000))}`;
}
