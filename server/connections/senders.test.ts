/** Owners of a connection's senders: which are allowed, and that table, list and comparison agree. */
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Channel } from "../kernel/channel.ts";
import { inTenant, queryInTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import type { SendingWorld } from "../testing/sending-world.ts";
import { createProvider } from "./create-provider.ts";
import { providerCreateSchema } from "./schemas.ts";
import type { ProviderDetail, SenderIdentity } from "./schemas.ts";
import { senderAddress } from "./sender-address.ts";
import { updateProvider } from "./update-provider.ts";

const database = await testDatabase();
const number = "+4930300001";
const sms = (sender: string, unit?: string | null): SenderIdentity => ({
  channel: "sms",
  sender,
  ...(unit === undefined ? {} : { unit }),
});

const slugs = async (world: SendingWorld) => {
  const rows = await queryInTenant<{ id: string; slug: string }>(
    world.tenant.system,
    "SELECT id, slug FROM organization_units WHERE tenant_id = $1",
    [world.tenantId],
  );
  const slug = (id: string) => rows.find((row) => row.id === id)?.slug ?? "";
  return { alpha: slug(world.tenant.units.alpha), beta: slug(world.tenant.units.beta) };
};

const add = (world: SendingWorld, senders: SenderIdentity[], unit: string | null = null) =>
  createProvider(
    world.tenant.as("owner"),
    providerCreateSchema.parse({
      name: `C ${newId().slice(-8)}`,
      provider: "twilio",
      processingRegion: "US",
      credentials: { accountSid: `AC${"1".repeat(32)}`, authToken: "2".repeat(32) },
      unit,
      senders,
    }),
  );
const world = () => makeSendingWorld(database, { settings: { allowedTransferRegions: ["US"] } });
const change = (
  of: SendingWorld,
  { id }: ProviderDetail,
  changes: Parameters<typeof updateProvider>[1]["changes"],
) => updateProvider(of.tenant.as("owner"), { id, changes });

describe("a connection's sender", () => {
  it("belongs to a unit if a tenant-wide connection says so, otherwise to the connection's unit, and can change hands", async () => {
    const one = await world();
    const { alpha, beta } = await slugs(one);
    const made = await add(one, [sms("ACME"), sms(number, alpha)]);
    expect(made.senders).toEqual([sms("ACME", null), sms(number, alpha)]);
    expect((await add(one, [sms("+4930300002")], alpha)).senders).toEqual([sms("+4930300002", alpha)]);
    const handed = await change(one, made, { senders: [sms("ACME"), sms(number, beta)] });
    expect(handed.senders).toEqual([sms("ACME", null), sms(number, beta)]);
    // What is read can be written back.
    expect((await change(one, made, { senders: handed.senders })).senders).toEqual(handed.senders);
    expect((await refusal(change(one, made, { unit: alpha }))).errors).toMatchObject([{ pointer: "/unit" }]);
    expect((await change(one, made, { unit: beta })).senders).toEqual([sms("ACME", beta), sms(number, beta)]);
    for (const [unit, of] of [
      ["nobody", null],
      [beta, alpha],
    ] as const) {
      const refused = await refusal(add(one, [sms("X1", unit)], of));
      expect(refused.errors).toMatchObject([{ pointer: "/senders/0/unit", code: "unknown_unit" }]);
    }
  });

  it("belongs to one unit if it is a number, on all connections, and the refusal names the unit", async () => {
    const one = await world();
    const { alpha, beta } = await slugs(one);
    const first = await add(one, [sms(number, alpha)]);
    const refused = await refusal(add(one, [sms(number)], beta));
    expect(refused).toMatchObject({ code: "conflict" });
    expect(refused.message).toContain(first.name);
    expect(refused.errors).toMatchObject([{ pointer: "/senders/0/sender", code: "taken" }]);
    // Two connections to one account.
    await add(one, [sms(number)], alpha);
    await add(one, [sms(number, alpha)]);
    expect((await refusal(change(one, first, { senders: [sms(number)] }))).code).toBe("conflict");
    // Nobody can answer to a name.
    await add(one, [sms("ACME", alpha)]);
    await add(one, [sms("ACME")], beta);
    const inOne = await refusal(add(one, [sms("70700", alpha), sms("70700", beta)]));
    expect(inOne.errors).toMatchObject([{ pointer: "/senders/1/unit", code: "repeated" }]);
    // Another organisation has another account.
    await add(await world(), [sms(number)]);
  });

  it("is claimed once by two concurrent requests, and by the web role only through a connection", async () => {
    const one = await world();
    const { alpha, beta } = await slugs(one);
    const both = await Promise.allSettled([add(one, [sms(number)], alpha), add(one, [sms(number)], beta)]);
    expect(both.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    for (const statement of [
      `UPDATE senders SET unit_id = NULL`,
      `DELETE FROM senders`,
      `INSERT INTO senders SELECT * FROM senders`,
    ]) {
      await expect(inTenant(one.tenant.system, (tx) => tx.$executeRawUnsafe(statement))).rejects.toThrow(
        /permission denied/,
      );
    }
    const id = await one.addConnection({
      adapter: "twilio",
      credentials: {},
      settings: {},
      channels: ["sms"],
      senders: [{ channel: "sms", sender: "+4930300009" }],
    });
    await database.owner.query("DELETE FROM provider_connections WHERE id = $1", [id]);
    expect((await database.owner.query("SELECT FROM senders WHERE connection_id = $1", [id])).rowCount).toBe(
      0,
    );
  });

  it("is compared by the database as by the service", async () => {
    const cases: [Channel, string][] = [
      ["sms", "+4930300001"],
      ["sms", "4930300001"],
      ["sms", "70700"],
      ["sms", "ACME"],
      ["sms", "Acme Shop 1"],
      ["whatsapp", "+4930300001"],
      ["whatsapp", "whatsapp:+4930300001"],
      ["email", "Shop <Shop@Example.com>"],
      ["email", '"A <b>" <c@d.example>'],
      ["email", " shop@example.com "],
      ["email", "*@Example.com"],
      ...fc
        .sample(fc.stringMatching(/^\+?[0-9A-Za-z &._-]{1,11}$/), 200)
        .map((text): ["sms", string] => ["sms", text]),
    ];
    const { rows } = await database.owner.query<{ kind: string; address: string }>(
      `SELECT sender_kind(x->>0, x->>1) AS kind, sender_address(x->>0, x->>1) AS address
       FROM jsonb_array_elements($1) WITH ORDINALITY AS e(x, n) ORDER BY n`,
      [JSON.stringify(cases)],
    );
    expect(rows).toEqual(cases.map(([channel, sender]) => senderAddress(channel, sender)));
  });
});
