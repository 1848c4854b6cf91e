import { describe, expect, it } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import { addContacts, addGroup } from "../testing/contacts.ts";
import { testDatabase } from "../testing/database.ts";
import { codeOf } from "../testing/refusal.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { audienceLimits, checkAudience } from "./check-audience.ts";

const database = await testDatabase();

const asking = (
  world: SendingWorld,
  groups: string[],
  more: { type?: string; channels?: ("sms" | "email")[] } = {},
) => {
  const [notificationType = "", notificationSubtype = ""] = (more.type ?? "order/order_status").split("/");
  return {
    environmentId: world.tenant.environments.production,
    application: "shop",
    ...{ notificationType, notificationSubtype },
    contactGroups: groups.map((group) => ({ group, channels: more.channels ?? ["sms" as const] })),
  };
};

async function suppress(world: SendingWorld, channel: string, address: string | undefined): Promise<void> {
  await database.owner.query(
    `INSERT INTO suppressions (tenant_id, id, sandbox, channel, address, reason) VALUES ($1, $2, false, $3, $4, 'manual')`,
    [world.tenantId, newId(), channel, address],
  );
}

describe("the audience of a broadcast that is being composed", () => {
  it("says for each channel how many get it and how many are skipped, each for its reason", async () => {
    const world = await makeSendingWorld(database);
    const contacts = await addContacts(database, world.tenantId, 10, [{ noSms: true }, { noSms: true }]);
    await addGroup(database, world.tenantId, "All", contacts);
    await suppress(world, "sms", contacts[4]?.sms);
    const { system } = world.tenant;
    expect(await checkAudience(system, asking(world, ["All"], { channels: ["sms", "email"] }))).toEqual({
      channels: [
        { channel: "sms", recipients: 8, consentDenied: 0, suppressed: 1, noAddress: 2, noTemplate: 0 },
        { channel: "email", recipients: 10, consentDenied: 0, suppressed: 0, noAddress: 0, noTemplate: 0 },
      ],
      contacts: 10,
      complete: true,
    });
    // What needs an opt-in reaches nobody who gave none; somebody who is suppressed is told as that.
    const marketing = await checkAudience(system, asking(world, ["All"], { type: "marketing/promotion" }));
    expect(marketing.channels).toMatchObject([{ recipients: 8, consentDenied: 7, suppressed: 1 }]);
  });

  it("counts somebody in several groups once", async () => {
    const world = await makeSendingWorld(database);
    const contacts = await addContacts(database, world.tenantId, 30, [{ noSms: true }]);
    await addGroup(database, world.tenantId, "First", contacts.slice(0, 20));
    await addGroup(database, world.tenantId, "Second", [...contacts.slice(0, 1), ...contacts.slice(10)]);
    const audience = await checkAudience(world.tenant.system, asking(world, ["First", "Second"]));
    expect(audience.channels).toMatchObject([{ recipients: 29, noAddress: 1 }]);
  });

  it("says for whom there is no template", async () => {
    const world = await makeSendingWorld(database);
    await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, 3));
    await database.owner.query(
      `DELETE FROM template_deployments WHERE tenant_id = $1 AND template_id IN
         (SELECT id FROM templates WHERE tenant_id = $1 AND channel = 'email')`,
      [world.tenantId],
    );
    forgetLiveTemplates();
    const { channels } = await checkAudience(
      world.tenant.system,
      asking(world, ["All"], { channels: ["sms", "email"] }),
    );
    expect(channels).toMatchObject([
      { channel: "sms", noTemplate: 0 },
      { channel: "email", recipients: 3, noTemplate: 3, consentDenied: 0 },
    ]);
  });

  it("looks at a bounded number of contacts, and then says that its figures are minima", async () => {
    const world = await makeSendingWorld(database);
    const contacts = await addContacts(database, world.tenantId, 250);
    await addGroup(database, world.tenantId, "All", contacts);
    await addGroup(database, world.tenantId, "Others", contacts.slice(0, 5));
    const { system } = world.tenant;
    const input = asking(world, ["All", "Others"]);
    const bounded = await checkAudience(system, input, { contacts: 120, page: 50, ms: 60_000 });
    expect(bounded).toMatchObject({ complete: false, contacts: 120, channels: [{ recipients: 120 }] });
    const late = await checkAudience(system, input, { ...audienceLimits, page: 50, ms: -1 });
    expect(late).toMatchObject({ complete: false, contacts: 0, channels: [{ recipients: 0 }] });
    const whole = await checkAudience(system, input);
    expect(whole).toMatchObject({ complete: true, contacts: 255, channels: [{ recipients: 250 }] });
  });

  it("is told to nobody who may not send there, and stores nothing", async () => {
    const world = await makeSendingWorld(database);
    await addGroup(database, world.tenantId, "All", await addContacts(database, world.tenantId, 3));
    const reader: Ctx = world.tenant.as("auditor");
    expect(await codeOf(checkAudience(reader, asking(world, ["All"])))).toMatch(
      /permission_denied|unknown_application/,
    );
    const other = await makeSendingWorld(database);
    expect(await codeOf(checkAudience(other.tenant.system, asking(other, ["All"])))).toBe(
      "unknown_contact_group",
    );
    await checkAudience(world.tenant.system, asking(world, ["All"]));
    const { rows } = await database.owner.query<{ requests: number }>(
      "SELECT count(*)::int AS requests FROM send_requests WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows[0]?.requests).toBe(0);
  });
});
