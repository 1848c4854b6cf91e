import { beforeEach, describe, expect, it } from "vitest";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { createAddressGuard } from "../kernel/outbound-address.ts";
import { testDatabase } from "../testing/database.ts";
import { codeOf } from "../testing/refusal.ts";
import { createWorld, endpointAt, keyCtx } from "../testing/webhook-world.ts";
import type { World } from "../testing/webhook-world.ts";
import { createWebhookEndpoint } from "./create-webhook-endpoint.ts";
import { deleteWebhookEndpoint } from "./delete-webhook-endpoint.ts";
import { getWebhookDelivery } from "./get-webhook-delivery.ts";
import { getWebhookEndpoint } from "./get-webhook-endpoint.ts";
import { listWebhookDeliveries } from "./list-webhook-deliveries.ts";
import { listWebhookEndpoints } from "./list-webhook-endpoints.ts";
import { webhookOperations } from "./operations.ts";
import { replayFailedWebhooks } from "./replay-failed-webhooks.ts";
import { replayWebhookDelivery } from "./replay-webhook-delivery.ts";
import { rotateWebhookSecret } from "./rotate-webhook-secret.ts";
import { webhookCreateSchema, webhookUpdateSchema } from "./schemas.ts";
import { sendTestEvent } from "./send-test-event.ts";
import { updateWebhookEndpoint } from "./update-webhook-endpoint.ts";
import { checkWebhookUrl } from "./webhook-url.ts";

const db = await testDatabase();
let world: World;

beforeEach(async () => {
  world = await createWorld(db);
});

const url = "https://127.0.0.1/hook";
const page = { limit: 50 };
const manage = ["webhooks:manage"];

describe("a webhook endpoint", () => {
  it("is registered by a key for the key's environment and application; its secret is shown only then", async () => {
    const key = keyCtx(world, manage, {
      applicationId: world.shop.applicationId,
      environmentId: world.shop.environmentId,
      unitId: world.shop.unitId,
    });
    const created = await createWebhookEndpoint(key, webhookCreateSchema.parse({ url, description: "Shop" }));
    expect(created).toMatchObject({
      url,
      description: "Shop",
      application: "shop",
      environment: "production",
      events: [],
      enabled: true,
      retrySchedule: [0, 5, 300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
    });
    expect(created.secret).toMatch(/^whsec_/);
    const { secret, ...shown } = created;
    expect(await getWebhookEndpoint(key, created)).toEqual(shown);
    expect((await listWebhookEndpoints(key, page)).data).toEqual([shown]);
    const stored = await db.owner.query<{ secret: Buffer }>(
      "SELECT secret FROM webhook_endpoints WHERE id = $1",
      [created.id],
    );
    expect(stored.rows[0]?.secret.includes(Buffer.from(secret.slice("whsec_".length), "base64"))).toBe(false);
    const audit = await db.owner.query("SELECT data::text FROM audit_events WHERE target_id = $1", [
      created.id,
    ]);
    expect(audit.rows).toHaveLength(1);
    expect(JSON.stringify(audit.rows)).not.toContain(secret);
  });

  it("needs the application's name when the caller manages several, and an environment when the caller has none", async () => {
    const input = webhookCreateSchema.parse({ url });
    const tenantKey = keyCtx(world, manage, { environmentId: world.shop.environmentId });
    expect(await codeOf(createWebhookEndpoint(tenantKey, input))).toBe("invalid_request");
    expect(await codeOf(createWebhookEndpoint(tenantKey, { ...input, application: "nobody" }))).toBe(
      "unknown_application",
    );
    expect(await createWebhookEndpoint(tenantKey, { ...input, application: "desk" })).toMatchObject({
      application: "desk",
    });
    const unitKey = keyCtx(world, manage, {
      unitId: world.shop.unitId,
      environmentId: world.shop.environmentId,
    });
    expect(await createWebhookEndpoint(unitKey, input)).toMatchObject({ application: "shop" });
    expect(await codeOf(createWebhookEndpoint(unitKey, { ...input, application: "desk" }))).toBe(
      "unknown_application",
    );
    expect(await codeOf(createWebhookEndpoint(world.owner, { ...input, application: "shop" }))).toBe(
      "invalid_request",
    );
  });

  it("is one of fifty at most, also of those that are created at the same time", async () => {
    const first = await endpointAt(world, world.shop, url);
    await db.owner.query(
      `INSERT INTO webhook_endpoints SELECT (jsonb_populate_record(NULL::webhook_endpoints, to_jsonb(e) || jsonb_build_object(
         'id', gen_random_uuid()))).* FROM webhook_endpoints e CROSS JOIN generate_series(1, 47) WHERE e.id = $1`,
      [first.id],
    );
    const made = await Promise.all(
      Array.from({ length: 6 }, () =>
        endpointAt(world, world.shop, url).then(
          () => "created",
          (error: unknown) => (error instanceof DomainError ? error.code : error),
        ),
      ),
    );
    expect(made.toSorted()).toEqual([...Array<string>(4).fill("conflict"), "created", "created"]);
    expect(await endpointAt(world, world.desk, url)).toMatchObject({ application: "desk" });
  });

  it("does not exist for another tenant, unit, application or environment, in any operation", async () => {
    const endpoint = await endpointAt(world, world.shop, url);
    const delivery = await sendTestEvent(world.owner, endpoint);
    const other = await createWorld(db);
    const strangers = [
      other.owner,
      keyCtx(world, manage, { unitId: world.desk.unitId }),
      keyCtx(world, manage, { applicationId: world.desk.applicationId }),
      keyCtx(world, manage, { environmentId: world.shopSandbox.environmentId }),
    ];
    for (const stranger of strangers) {
      const operations = (id: string, deliveryId: string) => [
        getWebhookEndpoint(stranger, { id }),
        updateWebhookEndpoint(stranger, { id, changes: { enabled: false } }),
        deleteWebhookEndpoint(stranger, { id }),
        rotateWebhookSecret(stranger, { id }),
        sendTestEvent(stranger, { id }),
        listWebhookDeliveries(stranger, { ...page, id }),
        getWebhookDelivery(stranger, { id, deliveryId }),
        replayWebhookDelivery(stranger, { id, deliveryId }),
        replayFailedWebhooks(stranger, { id, since: "2020-01-01T00:00:00Z" }),
      ];
      const foreign = await Promise.all(operations(endpoint.id, delivery.id).map(codeOf));
      const unknown = await Promise.all(operations(newId(), newId()).map(codeOf));
      expect(foreign).toEqual(foreign.map(() => "not_found"));
      expect(foreign).toEqual(unknown);
      expect((await listWebhookEndpoints(stranger, page)).data).toEqual([]);
    }
    expect(await getWebhookEndpoint(world.owner, endpoint)).toMatchObject({ enabled: true });
  });

  it("is refused to callers without webhooks:manage, and invalid ids are not found", async () => {
    const endpoint = await endpointAt(world, world.shop, url);
    const sender = keyCtx(world, ["notifications:send"]);
    const { environmentId } = world.shop;
    for (const call of [
      () => webhookOperations.get.call(sender, endpoint),
      () => webhookOperations.list.call(sender, { ...page, environmentId }),
      () => webhookOperations.create.call(sender, { ...webhookCreateSchema.parse({ url }), environmentId }),
    ]) {
      expect(call).toThrow(expect.objectContaining({ code: "permission_denied" }));
    }
    expect(await codeOf(getWebhookEndpoint(world.owner, { id: "1' OR '1'='1" }))).toBe("not_found");
    expect(await codeOf(replayWebhookDelivery(world.owner, { id: endpoint.id, deliveryId: "x" }))).toBe(
      "not_found",
    );
  });

  it("is changed member by member, with an audit event each", async () => {
    const endpoint = await endpointAt(world, world.shop, url, { events: ["notification.failed"] });
    const change = (changes: unknown) =>
      updateWebhookEndpoint(world.owner, { id: endpoint.id, changes: webhookUpdateSchema.parse(changes) });
    expect(await change({ description: "New" })).toMatchObject({
      description: "New",
      url,
      events: ["notification.failed"],
    });
    expect(await change({ events: [], retrySchedule: [0, 60] })).toMatchObject({
      description: "New",
      events: [],
      retrySchedule: [0, 60],
    });
    expect(await change({ retrySchedule: null })).toMatchObject({ retrySchedule: endpoint.retrySchedule });
    expect(await change({ enabled: false })).toMatchObject({ enabled: false, disabledReason: "manual" });
    expect(await change({ enabled: true })).toMatchObject({
      enabled: true,
      disabledReason: null,
      disabledAt: null,
    });
    const audit = await db.owner.query<{ action: string }>(
      "SELECT action FROM audit_events WHERE target_id = $1 ORDER BY id",
      [endpoint.id],
    );
    expect(audit.rows.map(({ action }) => action)).toEqual([
      "webhook.created",
      ...Array.from({ length: 5 }, () => "webhook.updated"),
    ]);
  });

  it("accepts only known events and schedules that start at once", () => {
    const problems = [
      { events: ["notification.exploded"] },
      { retrySchedule: [] },
      { retrySchedule: [5, 10] },
      { retrySchedule: [0, -1] },
      { retrySchedule: Array.from({ length: 21 }, () => 0) },
      { url: "" },
    ];
    for (const problem of problems) {
      expect(webhookCreateSchema.safeParse({ url, ...problem }).success, JSON.stringify(problem)).toBe(false);
    }
    expect(webhookCreateSchema.parse({ url, events: ["link.clicked", "link.clicked"] }).events).toEqual([
      "link.clicked",
    ]);
  });

  it("is listed with those of its team alone where a team is chosen", async () => {
    const [own, other] = [await endpointAt(world, world.shop, url), await endpointAt(world, world.desk, url)];
    const listed = async (unitId?: string) =>
      (await listWebhookEndpoints(world.owner, { ...page, unitId })).data.map(({ id }) => id);
    expect(await listed(world.shop.unitId)).toEqual([own.id]);
    expect(await listed(world.desk.unitId)).toEqual([other.id]);
    expect(await listed()).toEqual([other.id, own.id]);
  });

  it("is listed page by page, newest first, each once", async () => {
    const made: string[] = [];
    for (let i = 0; i < 5; i++) made.unshift((await endpointAt(world, world.shop, url)).id);
    const listed: string[] = [];
    let cursor: string | undefined;
    do {
      const answer = await listWebhookEndpoints(world.owner, { limit: 2, cursor });
      listed.push(...answer.data.map(({ id }) => id));
      cursor = answer.nextCursor ?? undefined;
    } while (cursor);
    expect(listed).toEqual(made);
    expect(await codeOf(listWebhookEndpoints(world.owner, { limit: 2, cursor: "nonsense" }))).toBe(
      "invalid_cursor",
    );
  });
});

describe("the URL of an endpoint", () => {
  const names: Record<string, string[]> = {
    "public.test": ["93.184.216.34"],
    "private.test": ["10.0.0.1", "::1"],
    "mixed.test": ["10.0.0.1", "93.184.216.34"],
    "inside.test": ["10.9.0.1"],
  };
  const guard = createAddressGuard(["10.9.0.0/16"], (name) => {
    const addresses = names[name];
    return addresses ? Promise.resolve(addresses) : Promise.reject(new Error("not found"));
  });
  const check = (text: string) => checkWebhookUrl(text, guard);

  it.each([
    "https://public.test/hook",
    "https://mixed.test/",
    "https://not-yet-in-dns.test/",
    "http://inside.test/",
  ])("may be %s", async (text) => {
    expect(await check(text)).toBe(text);
  });

  it.each([
    ["http://public.test/", "invalid_request"],
    ["http://not-yet-in-dns.test/", "invalid_request"],
    ["ftp://public.test/", "invalid_request"],
    ["https://user:password@public.test/", "invalid_request"],
    ["not a url", "invalid_request"],
    ["https://private.test/", "forbidden_address"],
    ["https://127.0.0.1/", "forbidden_address"],
    ["https://[::1]:8443/", "forbidden_address"],
    ["https://0x7f000001/", "forbidden_address"],
    ["https://169.254.169.254/latest/meta-data", "forbidden_address"],
    ["http://10.0.0.1/", "forbidden_address"],
  ])("may not be %s: %s", async (text, code) => {
    expect(await codeOf(check(text))).toBe(code);
  });
});
