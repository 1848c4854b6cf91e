import { expect, test } from "vitest";
import { createApiKey } from "../access/create-api-key.ts";
import { newId } from "../kernel/ids.ts";
import type { HttpMethod } from "../operations/operation.ts";
import { createPromotion } from "../pipelines/create-promotion.ts";
import { recordInbound } from "../inbound/record-inbound.ts";
import { testDatabase } from "../testing/database.ts";
import { injections } from "../testing/injected-instructions.ts";
import { contractFor, restClient } from "../testing/rest-client.ts";
import { claimOver, makeSendingWorld, messageId, sendBody, takenBy } from "../testing/sending-world.ts";

const database = await testDatabase();
const rest = restClient(database.web);
const caps = { staging: 25, production: 12 };
const allowed = /^(?:\+49151\d+|[^@]+@example\.com)$/;

interface Templates {
  data: { id: string; name: string }[];
  nextCursor: string | null;
}

async function makeWorld() {
  const world = await makeSendingWorld(database, { settings: { ai: { allowWithoutAi: true } } });
  const { tenant } = world;
  await tenant.addSimulator();
  const twilio = await world.addTwilio("http://127.0.0.1:9");
  const staged = await world.addTemplate({
    name: "staged",
    notificationType: "order",
    notificationSubtype: "receipt",
    channel: "email",
    region: "ZZ",
    body: "Order {{ code }}",
    environments: ["staging"],
  });
  const promotion = await createPromotion(tenant.as("developer"), {
    application: "shop",
    to: "production",
    templates: [{ templateId: staged }],
    automatic: true,
  });
  // The worst case: an agent with the role of an owner, in both stages.
  const key = async (environment: "staging" | "production") =>
    (
      await createApiKey(tenant.as("owner"), {
        name: `Agent in ${environment}`,
        environmentId: tenant.environments[environment],
        applicationId: tenant.application.id,
        role: "owner",
        rateLimitPerMinute: 1_000_000,
        agent: {
          recipients: ["+49151*", "*@example.com"],
          hourlyCap: caps[environment],
          laterStages: environment === "production",
        },
      })
    ).key;
  const keys = { staging: await key("staging"), production: await key("production") };
  return { ...world, twilio, staged, promotion, keys };
}
type World = Awaited<ReturnType<typeof makeWorld>>;

/** Does whatever stands between « and » in a text, with every key it has. Returns what it tried. */
async function obey({ keys }: World, text: string): Promise<number> {
  let tried = 0;
  for (const [, order = ""] of text.matchAll(/«([^»]+)»/g)) {
    const call = /^([A-Z]+) (\/\S+) (.*)$/s.exec(order);
    if (call) {
      const [, method = "", path = "", json = ""] = call;
      expect(contractFor(method as HttpMethod, path), order).toBeDefined();
      for (const key of Object.values(keys)) {
        tried++;
        const headers = { "content-type": "application/json" };
        await rest.call(method as HttpMethod, path, { key, raw: json, headers });
      }
      continue;
    }
    const send = /^(?:(\d+) times )?(together )?(staging|production) (sms|email) (.+)$/.exec(order);
    expect(send, order).not.toBeNull();
    const [, times = "1", together, environment = "", channel = "", addresses = ""] = send ?? [];
    const recipients = addresses.split(",").map((recipient) => ({ channel: channel as "sms", recipient }));
    const one = () => {
      tried++;
      return rest.post("/api/app/notifications/send", {
        key: keys[environment as keyof typeof keys],
        json: sendBody({ recipients }),
      });
    };
    if (together) await Promise.all(Array.from({ length: Number(times) }, one));
    else for (let i = 0; i < Number(times); i++) await one();
  }
  return tried;
}

/** What nobody but a person may have changed. */
async function untouched({ tenant }: World): Promise<string> {
  const { rows } = await database.owner.query<{ text: string }>(
    `SELECT string_agg(t, E'\\n' ORDER BY t) AS text FROM (
       SELECT 'key ' || (to_jsonb(k) - 'last_used_at' - 'last_used_from')::text FROM api_keys k WHERE tenant_id = $1
       UNION ALL SELECT 'agent ' || a::text FROM agents a WHERE tenant_id = $1
       UNION ALL SELECT 'role ' || r::text FROM roles r WHERE tenant_id = $1
       UNION ALL SELECT 'assignment ' || r::text FROM role_assignments r WHERE tenant_id = $1
       UNION ALL SELECT 'user ' || u::text FROM users u WHERE tenant_id = $1
       UNION ALL SELECT 'rule ' || r::text FROM routing_rules r WHERE tenant_id = $1
       UNION ALL SELECT 'connection ' || c::text FROM provider_connections c WHERE tenant_id = $1
       UNION ALL SELECT 'hook ' || w::text FROM webhook_endpoints w WHERE tenant_id = $1
       UNION ALL SELECT 'stage ' || s::text FROM pipeline_stages s WHERE tenant_id = $1
       UNION ALL SELECT 'proposal ' || p::text FROM pipeline_proposals p WHERE tenant_id = $1
       UNION ALL SELECT 'promotion ' || p::text FROM promotions p WHERE tenant_id = $1
       UNION ALL SELECT 'decision ' || p::text FROM promotion_decisions p WHERE tenant_id = $1
       UNION ALL SELECT 'approval ' || request_id || state FROM send_approvals a WHERE tenant_id = $1 AND state <> 'waiting'
     ) AS everything(t)`,
    [tenant.tenantId],
  );
  return rows[0]?.text ?? "";
}

/** A text that a recipient sent, where the agent reads it: in a conversation. */
async function receive({ tenant, twilio }: World, from: string, text: string): Promise<void> {
  await recordInbound(tenant.system, {
    connectionId: twilio.id,
    inbound: [{ providerMessageId: newId(), channel: "sms", from, to: "+4930123456", text }],
  });
}

test("an agent that obeys each of 200 injected instructions sends nothing beyond its limits", async () => {
  const world = await makeWorld();
  const { tenant, keys } = world;
  const all = injections({
    promotion: world.promotion.id,
    template: world.staged,
    connection: world.twilio.id,
  });
  expect(all).toHaveLength(200);
  expect(new Set(all.map(({ text }) => text)).size).toBeGreaterThanOrEqual(180);

  // Half of them stand in templates, half in messages of one recipient to the organisation.
  const ada = "+4915112345678";
  const first = messageId(await world.send({ recipients: [{ channel: "sms", recipient: ada }] }));
  await world.advance(first, claimOver(world.twilio.id));
  await world.advance(first, takenBy(1, { providerMessageId: `SM${newId()}` }));
  for (const [index, { text }] of all.entries()) {
    if (index % 2 === 0) {
      const region =
        String.fromCharCode(65 + (index % 26)) + String.fromCharCode(65 + Math.floor(index / 26));
      await world.addTemplate({
        name: `injected-${String(index)}`,
        notificationType: "account",
        notificationSubtype: "maintenance",
        channel: "email",
        region,
        body: text,
        variables: [],
        environments: ["staging"],
      });
    } else await receive(world, ada, text);
  }
  const before = await untouched(world);
  const { rows: earlier } = await database.owner.query<{ id: string }>(
    "SELECT id FROM notifications WHERE tenant_id = $1",
    [tenant.tenantId],
  );

  // It reads all of it over the API, and does all of it.
  const read: string[] = [];
  let cursor = "";
  do {
    const page = await rest.get<Templates>(`/v1/templates?limit=100${cursor}`, { key: keys.staging });
    for (const { id, name } of page.body.data) {
      if (!name.startsWith("injected-")) continue;
      const { body } = await rest.get<{ body: string }>(`/v1/templates/${id}`, { key: keys.staging });
      read.push(body.body);
    }
    cursor = page.body.nextCursor ? `&cursor=${page.body.nextCursor}` : "";
  } while (cursor !== "");
  const conversations = await rest.get<{ data: { id: string }[] }>("/v1/conversations", {
    key: keys.production,
  });
  for (const { id } of conversations.body.data) {
    let after = "";
    do {
      const page = await rest.get<{ data: { text: string | null }[]; nextCursor: string | null }>(
        `/v1/conversations/${id}/messages?limit=100${after}`,
        { key: keys.production },
      );
      read.push(...page.body.data.flatMap(({ text }) => (text?.includes("«") ? [text] : [])));
      after = page.body.nextCursor ? `&cursor=${page.body.nextCursor}` : "";
    } while (after !== "");
  }
  expect(read).toHaveLength(200);
  let tried = 0;
  for (const text of read) tried += await obey(world, text);
  expect(tried).toBeGreaterThan(1_000);
  await world.runJobs();

  const { rows } = await database.owner.query<{
    recipient: string;
    environment_id: string;
    status: string;
    attempts: number;
  }>(
    `SELECT recipient, environment_id, status, attempts FROM notifications
     WHERE tenant_id = $1 AND id <> ALL ($2::uuid[])`,
    [tenant.tenantId, earlier.map(({ id }) => id)],
  );
  const of = (environment: "staging" | "production") =>
    rows.filter(
      (row) => row.environment_id === tenant.environments[environment] && row.status !== "rejected",
    );
  // It did send what it may, so the limits were what held it.
  expect(of("staging")).toHaveLength(caps.staging);
  expect(of("production")).toHaveLength(caps.production);
  const beyond = rows.filter(
    (row) =>
      (row.attempts > 0 || row.status !== "rejected") &&
      (!allowed.test(row.recipient) ||
        (row.environment_id === tenant.environments.production &&
          (row.status !== "pending_approval" || row.attempts > 0))),
  );
  expect(beyond).toEqual([]);
  const { rows: attempts } = await database.owner.query<{ recipient: string; environment_id: string }>(
    `SELECT n.recipient, n.environment_id FROM attempts a JOIN notifications n ON n.tenant_id = a.tenant_id AND n.id = a.notification_id
     WHERE a.tenant_id = $1 AND n.id <> ALL ($2::uuid[])`,
    [tenant.tenantId, earlier.map(({ id }) => id)],
  );
  expect(attempts).toHaveLength(caps.staging);
  expect(attempts.every((row) => row.environment_id === tenant.environments.staging)).toBe(true);
  expect(await untouched(world)).toBe(before);
}, 120_000);
