import { expect, test } from "vitest";
import { forgetConnections } from "../connections/load-connection.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { dismissChecklist, getChecklist } from "./get-checklist.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database);
const { tenant } = world;
const nobody = "00000000-0000-0000-0000-000000000000";
const { production, sandbox } = tenant.environments;
const owner = {
  ...tenant.as("owner"),
  actor: { type: "user", id: tenant.owner.id, name: "O", email: "o" },
} as ReturnType<typeof tenant.as>;
const done = async () =>
  ((await getChecklist(owner)).steps ?? []).filter((step) => step.done).map(({ step }) => step);

const count = (environmentId: string, status: string, connectionId: string | null) =>
  database.owner.query(
    `INSERT INTO metric_deltas (tenant_id, hour, kind, environment_id, application_id, unit_id, channel, notification_type,
       notification_subtype, country, template_id, connection_id, mail_domain, status, code, provider_code, latency, count)
     VALUES ($1, date_trunc('hour', now()), 'status', $2, $3, $4, 'email', 'order', 'order_status', 'DE', $7::uuid, coalesce($5::uuid, $7::uuid), 'other', $6, '', '', -1, 1)`,
    [tenant.tenantId, environmentId, tenant.application.id, tenant.units.alpha, connectionId, status, nobody],
  );

test("each step is read off what is there, and a simulator carries nothing to production", async () => {
  await database.owner.query("DELETE FROM template_deployments WHERE environment_id = $1", [production]);
  expect(await done()).toEqual([]);
  await count(sandbox, "accepted", null);
  expect(await done()).toEqual(["sandbox"]);

  await tenant.addSimulator();
  expect(await done()).toEqual(["sandbox"]);
  const { id } = await world.addTwilio("https://8.8.8.8");
  forgetConnections(tenant.tenantId);
  expect(await done()).toEqual(["sandbox", "provider"]);

  await database.owner.query(
    `INSERT INTO routing_rules (tenant_id, id, environment_id, tiers, updated_at)
     VALUES ($1, gen_random_uuid(), $2, $3, now())`,
    [tenant.tenantId, production, JSON.stringify([[{ connectionId: id, weight: 100 }]])],
  );
  expect(await done()).toEqual(["sandbox", "provider", "route"]);

  await world.addTemplate({
    name: "live",
    notificationType: "order",
    notificationSubtype: "receipt",
    channel: "sms",
    body: "{{ code }}",
    environments: ["production"],
  });
  expect(await done()).toEqual(["sandbox", "provider", "route", "template"]);
  await tenant.makeKey("staging");
  expect(await done()).not.toContain("key");
  await tenant.makeKey("production");
  expect(await done()).toEqual(["sandbox", "provider", "route", "template", "key"]);

  // What was only handed over by a provider that tells of delivery is not there yet.
  await count(production, "sent", id);
  expect(await done()).not.toContain("delivered");
  await count(production, "delivered", null);
  expect((await getChecklist(owner)).steps).not.toBeNull();
  const colleague = tenant.as("developer");
  await dismissChecklist(colleague);
  expect((await getChecklist(colleague)).steps).toBeNull();
  await dismissChecklist(colleague);
  expect((await getChecklist(owner)).steps).not.toBeNull();

  await count(production, "delivered", id);
  expect((await getChecklist(owner)).steps).toBeNull();
});

test("a team's member is not asked to set up the organisation", async () => {
  expect((await getChecklist(tenant.as("developer", tenant.units.beta))).steps).toBeNull();
});
