import { describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { claimOver, makeSendingWorld, messageId, notTakenBy } from "../testing/sending-world.ts";
import { listProviders } from "./list-providers.ts";
import { connectionTenant, forgetConnections, tenantConnections } from "./load-connection.ts";
import { providerOperations } from "./operations.ts";

const database = await testDatabase();
const baseUrl = "http://127.0.0.1:9";

describe("provider connections", () => {
  it("belong to one tenant alone, for both roles", async () => {
    const [one, two] = [await makeSendingWorld(database), await makeSendingWorld(database)];
    const { id, authToken } = await one.addTwilio(baseUrl);
    for (const db of [database.web, database.worker]) {
      const own = await tenantConnections({ db, tenantId: one.tenantId });
      expect(own.get(id)?.connection.credentials).toMatchObject({ authToken });
      expect((await tenantConnections({ db, tenantId: two.tenantId })).size).toBe(0);
    }
    expect(await connectionTenant(database.web, id)).toBe(one.tenantId);
    expect(await connectionTenant(database.web, newId())).toBeNull();
    expect(await connectionTenant(database.web, "not-a-uuid")).toBeNull();
  });

  it("keep their credentials sealed in the database, and only for their own row", async () => {
    const world = await makeSendingWorld(database);
    const first = await world.addTwilio(baseUrl);
    const second = await world.addTwilio(baseUrl);
    const { rows } = await database.owner.query<{ text: string }>(
      "SELECT string_agg(c::text || encode(credentials, 'escape'), '') AS text FROM provider_connections c WHERE tenant_id = $1",
      [world.tenantId],
    );
    expect(rows[0]?.text).not.toContain(first.authToken);
    await database.owner.query(
      `UPDATE provider_connections SET credentials = (SELECT credentials FROM provider_connections WHERE id = $1), updated_at = now() + interval '1 second'
       WHERE id = $2`,
      [first.id, second.id],
    );
    forgetConnections(world.tenantId);
    const connections = await tenantConnections(world.tenant.system);
    // The row with another row's credentials cannot be used; the others can.
    expect([...connections.keys()]).toEqual([first.id]);
  });

  it("that cannot be read leave the tenant's others in service", async () => {
    const world = await makeSendingWorld(database);
    const good = await world.addTwilio(baseUrl);
    const bad = await world.addTwilio(baseUrl);
    await database.owner.query(
      `UPDATE provider_connections SET settings = '{"region":"moon"}', updated_at = now() + interval '1 second' WHERE id = $1`,
      [bad.id],
    );
    forgetConnections(world.tenantId);
    expect([...(await tenantConnections(world.tenant.system)).keys()]).toEqual([good.id]);
  });
});

it("a connection is given no more messages at once than its server takes, and those that wait for them", async () => {
  const world = await makeSendingWorld(database);
  const id = await world.addConnection({
    adapter: "smtp",
    credentials: {},
    settings: { host: "mail.example", maxConnections: 3 },
    channels: ["email"],
    senders: [{ channel: "email", sender: "shop@tidings.example" }],
  });
  const { id: other } = await world.addTwilio(baseUrl);
  const connections = await tenantConnections(world.tenant.system);
  expect(connections.get(id)?.maxConcurrency).toBe(6);
  expect(connections.get(other)?.maxConcurrency).toBe(50);
});

describe("the list of providers", () => {
  it("shows the present state of a connection: a past outage leaves no mark on it", async () => {
    const world = await makeSendingWorld(database);
    const { id: connectionId } = await world.addTwilio(baseUrl);
    const id = messageId(await world.send());
    const status = async () => (await listProviders(world.tenant.system)).data[0]?.status;
    expect(await status()).toBe("idle");
    await world.advance(id, claimOver(connectionId, newId(), "Twilio"));
    await world.advance(id, notTakenBy(1, "not_sent", { code: "provider_unavailable" }));
    expect(await status()).toBe("operational");
  });

  it("shows a unit's member shared connections and the unit's own, with the same figures for everybody, and never a secret", async () => {
    const world = await makeSendingWorld(database);
    const { tenant } = world;
    const shared = await world.addTwilio(baseUrl, { name: "Shared" });
    await world.addTwilio(baseUrl, { name: "Alpha's", unitId: tenant.units.alpha });
    await world.addTwilio(baseUrl, { name: "Beta's", unitId: tenant.units.beta });
    const id = messageId(await world.send());
    await world.advance(id, claimOver(shared.id, newId(), "Shared"));
    await world.advance(id, notTakenBy(1, "not_sent", { code: "sender_rejected" }));

    const seen = async (unitId: string | null) => {
      const { data } = await listProviders(tenant.as("developer", unitId));
      expect(JSON.stringify(data)).not.toContain(shared.authToken);
      expect(JSON.stringify(data)).not.toContain(shared.accountSid);
      return Object.fromEntries(
        data.map((provider) => [provider.name, [provider.status, provider.last24Hours.attempts]]),
      );
    };
    expect(await seen(null)).toEqual({
      Shared: ["degraded", 1],
      "Alpha's": ["idle", 0],
      "Beta's": ["idle", 0],
    });
    expect(await seen(tenant.units.alpha)).toEqual({ Shared: ["degraded", 1], "Alpha's": ["idle", 0] });
    // Whether the shared connection works is Beta's business as well, although these messages were Alpha's.
    expect(await seen(tenant.units.beta)).toEqual({ Shared: ["degraded", 1], "Beta's": ["idle", 0] });
    expect(() => providerOperations.list.call(tenant.as("finance"), undefined)).toThrow(
      expect.objectContaining({ code: "permission_denied" }),
    );
  });
});
