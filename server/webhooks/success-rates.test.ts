import { beforeEach, describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { createWorld, endpointAt, keyCtx } from "../testing/webhook-world.ts";
import type { World } from "../testing/webhook-world.ts";
import { successRateLimits } from "./vocabulary.ts";
import { webhookSuccessRates } from "./success-rates.ts";

const db = await testDatabase();
let world: World;

beforeEach(async () => {
  world = await createWorld(db);
});

const hourMs = 3_600_000;

/** Deliveries that were made some hours ago, a millisecond apart. */
async function made(endpointId: string, state: string, hoursAgo: number, count: number): Promise<void> {
  await db.owner.query(
    `INSERT INTO webhook_deliveries (tenant_id, id, endpoint_id, event, payload, at, state)
     SELECT $1, overlay(uuidv7_new()::text placing substr(lpad(to_hex($4::bigint + i), 12, '0'), 1, 8) || '-' ||
         substr(lpad(to_hex($4::bigint + i), 12, '0'), 9, 4) from 1 for 13)::uuid,
       $2, 'consent.opted_out', '{}', to_timestamp(($4::bigint + i) / 1000.0), $3
     FROM generate_series(1, $5::int) AS i`,
    [world.tenantId, endpointId, state, Date.now() - hoursAgo * hourMs, count],
  );
}

describe("the success rate of an endpoint", () => {
  it("counts what was delivered and what failed in 24 hours and 7 days, and nothing that is open or was missed", async () => {
    const endpoint = await endpointAt(world, world.shop, "https://127.0.0.1/hook");
    const other = await endpointAt(world, world.shop, "https://127.0.0.1/other");
    await made(endpoint.id, "delivered", 1, 7);
    await made(endpoint.id, "failed", 2, 2);
    await made(endpoint.id, "pending", 1, 3);
    await made(endpoint.id, "discarded", 1, 4);
    await made(endpoint.id, "failed", 30, 5);
    await made(endpoint.id, "delivered", 6 * 24, 11);
    await made(endpoint.id, "failed", 8 * 24, 100);
    await made(other.id, "failed", 1, 1);

    const { data } = await webhookSuccessRates(world.owner, { ids: [endpoint.id] });
    expect(data).toEqual([
      {
        id: endpoint.id,
        last24Hours: { delivered: 7, failed: 2, complete: true },
        last7Days: { delivered: 18, failed: 7, complete: true },
      },
    ]);
  });

  it("reads a bounded number of deliveries, the newest, and says for which period they do not suffice", async () => {
    const endpoint = await endpointAt(world, world.shop, "https://127.0.0.1/hook");
    await made(endpoint.id, "failed", 50, 100);
    await made(endpoint.id, "delivered", 40, successRateLimits.deliveries);
    expect((await webhookSuccessRates(world.owner, { ids: [endpoint.id] })).data).toMatchObject([
      {
        last24Hours: { delivered: 0, failed: 0, complete: true },
        last7Days: { delivered: successRateLimits.deliveries, failed: 0, complete: false },
      },
    ]);
    await made(endpoint.id, "failed", 3, successRateLimits.deliveries + 10);
    expect((await webhookSuccessRates(world.owner, { ids: [endpoint.id] })).data).toMatchObject([
      { last24Hours: { delivered: 0, failed: successRateLimits.deliveries, complete: false } },
    ]);
    // That one of them tells late of something older leaves as many out.
    await db.owner.query(
      `UPDATE webhook_deliveries SET at = at - interval '3 days'
       WHERE id = (SELECT id FROM webhook_deliveries WHERE endpoint_id = $1 ORDER BY id DESC LIMIT 1)`,
      [endpoint.id],
    );
    expect((await webhookSuccessRates(world.owner, { ids: [endpoint.id] })).data).toMatchObject([
      { last24Hours: { complete: false } },
    ]);
  });

  it("is told of endpoints that the caller may manage, and of no others", async () => {
    const shop = await endpointAt(world, world.shop, "https://127.0.0.1/hook");
    const desk = await endpointAt(world, world.desk, "https://127.0.0.1/desk");
    const stranger = await createWorld(db);
    const key = keyCtx(world, ["webhooks:manage"], { applicationId: world.shop.applicationId });
    const ids = [shop.id, desk.id, newId()];
    expect((await webhookSuccessRates(key, { ids })).data.map(({ id }) => id)).toEqual([shop.id]);
    await expect(webhookSuccessRates(stranger.owner, { ids })).rejects.toMatchObject({ code: "not_found" });
  });
});
