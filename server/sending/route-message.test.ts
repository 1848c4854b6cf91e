import { describe, expect, it } from "vitest";
import { tenantConnections } from "../connections/load-connection.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { readTenantSettings } from "../tenancy/settings.ts";
import { testDatabase } from "../testing/database.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { routeMessage } from "./route-message.ts";

const database = await testDatabase();

async function routed(
  options: { settings?: Record<string, unknown>; sandbox?: boolean } = {},
): Promise<{ candidates: string[]; excluded: Record<string, string> }> {
  const world = await makeSendingWorld(database);
  const { tenant } = world;
  const europe = await world.addTwilio("http://127.0.0.1:9", { name: "Europe" });
  const america = await world.addTwilio("http://127.0.0.1:9", { name: "America", processingRegion: "US" });
  const betas = await world.addTwilio("http://127.0.0.1:9", { name: "Beta's", unitId: tenant.units.beta });
  const simulator = await tenant.addSimulator([]);
  const environment = options.sandbox ? "sandbox" : "production";
  await world.addRule(environment, [[america.id], [betas.id], [europe.id], [simulator.id]]);
  const route = routeMessage(
    await environmentRules(tenant.system, tenant.environments[environment]),
    await tenantConnections(tenant.system),
    {
      facts: {
        region: "DE",
        applicationId: tenant.application.id,
        unitId: tenant.application.unitId,
        channel: "sms",
        notificationType: "order",
        notificationSubtype: "order_status",
      },
      sandbox: options.sandbox ?? false,
      spread: 0,
      tenant: { dataRegion: "EU", settings: readTenantSettings(options.settings) },
    },
  );
  const short = (name = "") => name.replace(/ .*/, "");
  return {
    candidates: route.candidates.map((candidate) => short(candidate.name)),
    excluded: Object.fromEntries(route.excluded.map((entry) => [short(entry.name), entry.why])),
  };
}

describe("a message's connections", () => {
  it("are in the tenant's data region and not another unit's", async () => {
    const { candidates, excluded } = await routed();
    expect(candidates).toEqual(["Europe", "Simulator"]);
    expect(excluded).toEqual({
      America: "the connection processes data in US, which the organisation does not allow",
      "Beta's": "the connection belongs to another unit",
    });
  });

  it("may be in regions that the tenant's settings allow", async () => {
    expect((await routed({ settings: { allowedTransferRegions: ["US"] } })).candidates).toEqual([
      "America",
      "Europe",
      "Simulator",
    ]);
  });

  it("stay in the data region when the settings cannot be read", async () => {
    expect((await routed({ settings: { allowedTransferRegions: "US" } })).candidates).toEqual([
      "Europe",
      "Simulator",
    ]);
  });

  it("are only the simulator in the sandbox, whatever the rules say", async () => {
    const { candidates, excluded } = await routed({ sandbox: true });
    expect(candidates).toEqual(["Simulator"]);
    expect(excluded.Europe).toBe("the sandbox reaches the simulator only");
  });

  it("change within two seconds of the rule, without a restart", async () => {
    const world = await makeSendingWorld(database);
    const environmentId = world.tenant.environments.production;
    const { id } = await world.addTwilio("http://127.0.0.1:9");
    await world.addRule("production", [[id]]);
    expect(await environmentRules(world.tenant.system, environmentId)).toHaveLength(1);
    await world.addRule("production", [[id]], { region: "DE" });
    await expect
      .poll(async () => (await environmentRules(world.tenant.system, environmentId)).length, {
        timeout: 2_000,
        interval: 50,
      })
      .toBe(2);
  });
});
