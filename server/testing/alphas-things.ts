import { newId } from "../kernel/ids.ts";
import { planImport } from "../template-files/plan-import.ts";
import { createWebhookEndpoint } from "../webhooks/create-webhook-endpoint.ts";
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
  const { rows: events } = await database.owner.query<{ id: string }>(
    "SELECT id FROM audit_events WHERE tenant_id = $1 AND action = 'application.created' AND target_id = $2",
    [tenantId, application.id],
  );
  return {
    application: application.id,
    notification,
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
