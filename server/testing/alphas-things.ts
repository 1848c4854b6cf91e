import { newId } from "../kernel/ids.ts";
import { planImport } from "../template-files/plan-import.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
import { addContacts, addGroup } from "./contacts.ts";
import type { TestDatabase } from "./database.ts";
import { messageId } from "./sending-world.ts";
import type { SendingWorld } from "./sending-world.ts";

/** A template of application "shop", as an import takes it. */
export const templateFiles = [
  {
    path: "receipt/sms/template.json",
    content: JSON.stringify({ notificationType: "order", notificationSubtype: "receipt" }),
  },
  { path: "receipt/sms/body.txt", content: "Paid." },
];

/** What plantRecipient() has put everywhere. */
export const planted = {
  /** The address in its spellings. */
  address: /15112345678|0151 12345678/,
  text: /planted-text/,
};

/** Puts an address and a text of its recipient into every place where Alpha's things have room for them. */
export async function plantRecipient(
  { owner }: Pick<TestDatabase, "owner">,
  tenantId: string,
  things: { notification: string; conversation: string; delivery: string; connection: string },
): Promise<void> {
  const { notification, conversation, delivery, connection } = things;
  const told = "The number 0151 12345678 (+4915112345678) is unknown";
  const failure = JSON.stringify({
    code: "provider_failed",
    detail: "+4915112345678 refused",
    providerMessage: told,
  });
  await owner.query(
    `UPDATE notifications SET status = 'failed', due_at = NULL, variables = '{"code":"planted-text"}', failure = $3,
       reason_detail = 'to +4915112345678', provider_message_id = 'to-4915112345678' WHERE tenant_id = $1 AND id = $2`,
    [tenantId, notification, failure],
  );
  await owner.query(
    `INSERT INTO notification_events (tenant_id, notification_id, sequence, at, type, data) VALUES
       ($1, $2, 900, now(), 'failed', jsonb_build_object('failure', $3::jsonb)),
       ($1, $2, 901, now(), 'clicked', '{"url":"https://shop.example/?to=%2B4915112345678&x=planted-text"}')`,
    [tenantId, notification, failure],
  );
  await owner.query(
    `INSERT INTO attempts (tenant_id, notification_id, number, connection_id, provider, worker, started_at, finished_at, outcome,
       code, detail, provider_message, provider_message_id)
     VALUES ($1, $2, 1, $3, 'P', 'w', now(), now(), 'not_sent', 'x', '+4915112345678', '+49 151 12345678', 'to-4915112345678')`,
    [tenantId, notification, connection],
  );
  await owner.query(
    `INSERT INTO inbound_messages (tenant_id, id, conversation_id, connection_id, provider_message_id, text, button, at, recorded_at)
     VALUES ($1, $2, $3, $4, 'in-1', 'planted-text', '{"payload":"planted-text","text":"planted-text"}', now(), now())`,
    [tenantId, newId(), conversation, connection],
  );
  await owner.query(
    `INSERT INTO short_links (tenant_id, id, short_url, url, notification_id, created_at, expires_at)
     VALUES ($1, $2, 'https://s.example/planted-text', 'https://shop.example/?to=4915112345678', $3, now(), now() + interval '1 day')`,
    [tenantId, newId(), notification],
  );
  await owner.query(
    `INSERT INTO webhook_attempts (tenant_id, delivery_id, number, started_at, duration_ms, response_body)
     VALUES ($1, $2, 1, now(), 5, 'planted-text +4915112345678')`,
    [tenantId, delivery],
  );
  await owner.query(
    `UPDATE send_requests SET metadata = '{"customer":"+4915112345678"}' WHERE tenant_id = $1
       AND id = (SELECT request_id FROM notifications WHERE tenant_id = $1 AND id = $2)`,
    [tenantId, notification],
  );
}

/** Ids of what application "shop" of team Alpha has in production: the access matrices try who else gets at it. */
export async function makeAlphasThings(
  database: TestDatabase,
  { tenant, send, addTwilio }: Pick<SendingWorld, "tenant" | "send" | "addTwilio">,
) {
  const { tenantId, application, environments, units } = tenant;
  const connection = await addTwilio("https://8.8.8.8", { unitId: units.alpha });
  const plan = await planImport(tenant.system, { application: "shop", files: templateFiles });
  const endpoint = await createWebhookEndpoint(tenant.system, {
    environmentId: environments.production,
    application: "shop",
    url: "https://8.8.8.8/hooks",
    events: [],
  });
  const notification = messageId(await send());
  // One that may be replayed.
  const { rows } = await database.owner.query<{ delivery: string; template: string }>(
    `UPDATE webhook_deliveries SET state = 'failed' WHERE tenant_id = $1 AND endpoint_id = $2
     RETURNING id AS delivery, (SELECT id FROM templates WHERE tenant_id = $1 AND name = 'order-sms') AS template`,
    [tenantId, endpoint.id],
  );
  const conversation = newId();
  await database.owner.query(
    `INSERT INTO conversations (tenant_id, id, sandbox, channel, address, own_address, connection_id, environment_id,
       application_id, unit_id, last_inbound_at)
     VALUES ($1, $2, false, 'sms', '+4915112345678', $3, $4, $5, $6, $7, now())`,
    [
      tenantId,
      conversation,
      conversation,
      newId(),
      environments.production,
      application.id,
      application.unitId,
    ],
  );
  const group = `Group ${newId()}`;
  await addGroup(database, tenantId, group, await addContacts(database, tenantId, 1));
  const toGroup = { recipients: [], contactGroups: [{ group, channels: ["sms"] }] };
  const { requestId: broadcast } = await send(toGroup);
  const { requestId: draft } = await send(toGroup);
  await database.owner.query("UPDATE broadcasts SET draft = true, state = 'ready' WHERE request_id = $1", [
    draft,
  ]);
  const { rows: events } = await database.owner.query<{ id: string }>(
    "SELECT id FROM audit_events WHERE tenant_id = $1 AND action = 'application.created' AND target_id = $2",
    [tenantId, application.id],
  );
  return {
    application: application.id,
    notification,
    /** To a contact group of the organisation's; the draft waits for a person. */
    broadcast,
    draft,
    conversation,
    template: rows[0]!.template,
    endpoint: endpoint.id,
    plan: plan.id,
    delivery: rows[0]!.delivery,
    connection: connection.id,
    /** The making of the application, in the audit trail. */
    event: events[0]!.id,
  };
}
