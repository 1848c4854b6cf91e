import { beforeEach, describe, expect, it } from "vitest";
import { mostAnswers, purgeAnswers } from "../access/answer-once.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import { contracts } from "./contracts.ts";
import { isIdempotent } from "./error-codes.ts";

const db = await testDatabase();
const rest = restClient(db.web);
let tenant: Awaited<ReturnType<typeof makeTenant>>;
let key: string;

beforeEach(async () => {
  tenant = await makeTenant(db);
  ({ key } = await tenant.makeKey("production", { role: "owner" }));
});

const hook = (path = "a") => ({ url: `https://93.184.216.34/${path}`, application: tenant.application.name });
const create = (name: string, json: unknown = hook(), as = key) =>
  rest.post<{ id: string; secret: string; code: string }>("/v1/webhooks", {
    key: as,
    json,
    headers: { "idempotency-key": name },
  });
const endpoints = async () =>
  (await db.owner.query("SELECT FROM webhook_endpoints WHERE tenant_id = $1", [tenant.tenantId])).rowCount;

/** POSTs that make nothing new, or whose repetition changes nothing more, by why. */
const withoutKey: Record<string, string> = {
  sendNotifications: "its transactionId does the same",
  explainNotification: "it changes nothing",
  dryRunRouting: "it changes nothing",
  testProvider: "it only tries the connection",
  testShortener: "it only tries the shortener",
  addContactGroupMembers: "who is a member stays one",
  cancelNotification: "what is canceled stays so",
  cancelBroadcast: "what is canceled stays so",
  cancelExport: "what is canceled stays so",
  cancelTemplateImport: "what is canceled stays so",
  pauseBroadcast: "what is paused stays so",
  resumeBroadcast: "what goes on goes on",
  startTemplateImport: "it starts once",
  confirmPipelineChange: "a proposal is confirmed once",
  approvePromotion: "a member approves once",
  rejectPromotion: "a promotion ends once",
  deployPromotion: "a promotion is deployed once",
  rollBackPromotion: "a promotion is rolled back once",
  replayWebhookDelivery: "the delivery keeps its webhook-id",
  replayFailedWebhooks: "the deliveries keep their webhook-id",
};

describe("Idempotency-Key", () => {
  it("is declared by every POST that creates; for each other one there is a reason", () => {
    const posts = contracts.filter(({ method }) => method === "POST");
    const without = posts.filter(
      (contract) => !isIdempotent(contract) || contract.operationId === "sendNotifications",
    );
    expect(without.map(({ operationId }) => operationId).sort()).toEqual(Object.keys(withoutKey).sort());
    expect(
      posts.filter(
        ({ answer, ...contract }) => answer.status === 201 && !isIdempotent({ answer, ...contract }),
      ),
    ).toEqual([]);
    expect(contracts.filter(({ method, idempotencyKey }) => method !== "POST" && idempotencyKey)).toEqual([]);
  });

  it("gives a repetition the first answer, to the byte, and says that it is one", async () => {
    const first = await create("order-1");
    const again = await create("order-1");
    expect(first.status).toBe(201);
    expect(first.headers.get("idempotent-replayed")).toBeNull();
    expect([again.status, again.text]).toEqual([201, first.text]);
    expect(again.headers.get("idempotent-replayed")).toBe("true");
    expect(again.headers.get("location")).toBe(first.headers.get("location"));
    expect(await endpoints()).toBe(1);
    // Members in another order are the same request.
    const { url, application } = hook();
    expect((await create("order-1", { application, url })).text).toBe(first.text);
  });

  it("refuses another body, and another operation, under a key", async () => {
    await create("order-1");
    const other = await create("order-1", hook("b"));
    expect([other.status, other.body.code]).toEqual([422, "idempotency_mismatch"]);
    const elsewhere = await rest.post<{ code: string }>("/v1/contacts", {
      key,
      json: { externalId: "1" },
      headers: { "idempotency-key": "order-1" },
    });
    expect([elsewhere.status, elsewhere.body.code]).toEqual([422, "idempotency_mismatch"]);
    expect(await endpoints()).toBe(1);
  });

  it("makes one thing of many requests at once: the others get its answer, or are told to wait", async () => {
    const answers = await Promise.all(Array.from({ length: 12 }, () => create("order-1")));
    expect(await endpoints()).toBe(1);
    for (const { status, body } of answers)
      expect([201, "request_in_progress"]).toContain(status === 409 ? body.code : status);
    expect(new Set(answers.filter(({ status }) => status === 201).map(({ body }) => body.id)).size).toBe(1);
    expect((await create("order-1")).headers.get("idempotent-replayed")).toBe("true");
  });

  it("belongs to one API key: another one's secret is never answered", async () => {
    const mine = await create("order-1");
    const second = await tenant.makeKey("production", { role: "owner" });
    const theirs = await create("order-1", hook(), second.key);
    expect(theirs.status).toBe(201);
    expect(theirs.body.secret).not.toBe(mine.body.secret);
    const stranger = await makeTenant(db);
    const foreign = await stranger.makeKey("production", { role: "owner" });
    expect(
      (await create("order-1", { url: hook().url, application: stranger.application.name }, foreign.key)).body
        .id,
    ).not.toBe(mine.body.id);
  });

  it("keeps neither a secret nor what was sent in clear", async () => {
    const { body } = await create("customer ada@example.com", hook("canary-in-the-address"));
    const { rows } = await db.owner.query<{ row: string }>(
      "SELECT encode(key_hash, 'escape') || encode(request, 'escape') || encode(answer, 'escape') AS row FROM idempotent_answers WHERE tenant_id = $1",
      [tenant.tenantId],
    );
    expect(rows).toHaveLength(1);
    for (const text of [body.secret, body.id, "canary", "ada@example.com"])
      expect(rows[0]?.row).not.toContain(text);
  });

  it("is given back when the request was refused, and can then be used for the corrected one", async () => {
    const refused = await create("order-1", { ...hook(), application: "nope" });
    expect(refused.status).toBe(422);
    expect((await create("order-1")).status).toBe(201);
  });

  it("is never carried out again when nobody knows how the first request ended", async () => {
    await create("order-1");
    await db.owner.query(
      "UPDATE idempotent_answers SET answer = NULL, created_at = now() - interval '2 minutes' WHERE tenant_id = $1",
      [tenant.tenantId],
    );
    const again = await create("order-1");
    expect([again.status, again.body.code]).toEqual([409, "conflict"]);
    expect(await endpoints()).toBe(1);
  });

  it("can be used again after 24 hours, when the upkeep has deleted or not yet deleted it", async () => {
    const expire = () =>
      db.owner.query(
        "UPDATE idempotent_answers SET expires_at = now() - interval '1 second' WHERE tenant_id = $1",
        [tenant.tenantId],
      );
    const first = await create("order-1");
    await expire();
    const second = await create("order-1", hook("b"));
    expect(second.status).toBe(201);
    expect(second.body.id).not.toBe(first.body.id);
    await expire();
    await purgeAnswers(db.worker);
    const { rowCount } = await db.owner.query("SELECT FROM idempotent_answers WHERE tenant_id = $1", [
      tenant.tenantId,
    ]);
    expect(rowCount).toBe(0);
  });

  it("is bounded in length, and in number for each organisation", async () => {
    expect((await create("k".repeat(256))).status).toBe(422);
    expect((await create("k".repeat(255))).status).toBe(201);
    const full = await makeTenant(db);
    const filled = await full.makeKey("production", { role: "owner" });
    await db.owner.query(
      `INSERT INTO idempotent_answers (tenant_id, id, api_key_id, key_hash, request, created_at, expires_at)
       SELECT $1, gen_random_uuid(), $2, decode(md5(n::text), 'hex'), '', now(), now() + interval '1 day'
       FROM generate_series(1, $3::int) AS n`,
      [full.tenantId, newId(), mostAnswers],
    );
    const refused = await create(
      "one more",
      { url: hook().url, application: full.application.name },
      filled.key,
    );
    expect([refused.status, refused.body.code]).toEqual([429, "rate_limited"]);
    await db.owner.query("DELETE FROM idempotent_answers WHERE tenant_id = $1", [full.tenantId]);
  });
});
