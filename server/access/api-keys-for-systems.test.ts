import { describe, expect, it } from "vitest";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import type { Problem } from "../testing/rest-client.ts";
import { createApiKey } from "./create-api-key.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const rest = restClient(database.web);
const soon = new Date(Date.now() + 86_400_000);

async function keyWith(more: object = {}) {
  const { key } = await createApiKey(tenant.as("owner"), {
    name: "manager",
    environmentId: tenant.environments.production,
    role: "owner",
    ...more,
  });
  return key;
}
const create = (key: string, json: object, headers: Record<string, string> = {}) =>
  rest.post<{ id: string; key: string; expiresAt: string | null } & Problem>("/v1/api-keys", {
    key,
    json: { name: "made", ...json },
    headers,
  });
const listed = async (key: string, id: string) => {
  const { body } = await rest.get<{ data: Record<string, unknown>[] }>("/v1/api-keys?includeEnded=true", {
    key,
  });
  return body.data.find((each) => each.id === id);
};

describe("a key that is created with another key", () => {
  it("works in its environment, with the role that was asked for, and is listed without its text", async () => {
    const key = await keyWith();
    const made = await create(key, { role: "sender" });
    expect(made.status).toBe(201);
    expect((await rest.get("/v1/notifications", { key: made.body.key })).status).toBe(200);
    expect((await rest.get("/v1/api-keys", { key: made.body.key })).status).toBe(403);
    expect(await listed(key, made.body.id)).toMatchObject({
      name: "made",
      environment: "production",
      state: "active",
    });
    expect(JSON.stringify(await listed(key, made.body.id))).not.toContain(made.body.key);
    const { rows } = await database.owner.query<{ action: string }>(
      "SELECT action FROM audit_events WHERE tenant_id = $1 AND target_id = $2",
      [tenant.tenantId, made.body.id],
    );
    expect(rows).toEqual([{ action: "api_key.created" }]);
    expect((await rest.delete(`/v1/api-keys/${made.body.id}`, { key })).status).toBe(204);
    expect((await rest.get("/v1/notifications", { key: made.body.key })).status).toBe(401);
  });

  it("does no more than that key: neither another environment, nor more permissions", async () => {
    expect((await create(await keyWith(), { environment: "sandbox" })).body.code).toBe("permission_denied");
    expect((await create(await keyWith({ role: "developer" }), { role: "owner" })).body.code).toBe(
      "permission_denied",
    );
    const bound = await keyWith({ applicationId: tenant.application.id });
    const made = await create(bound, {});
    expect(await listed(bound, made.body.id)).toMatchObject({ application: tenant.application.name });
    expect((await create(bound, { application: tenant.otherApplication.name })).body.code).toBe(
      "unknown_application",
    );
  });

  it("has its networks, end and rate unless it asks for less", async () => {
    const from = { "x-forwarded-for": "203.0.113.9" };
    const key = await keyWith({
      allowedNetworks: ["203.0.113.0/24", "192.0.2.7"],
      expiresAt: soon,
      rateLimitPerMinute: 60,
    });
    for (const more of [
      { allowedNetworks: [] },
      { allowedNetworks: ["0.0.0.0/0"] },
      { expiresAt: new Date(soon.getTime() + 1_000).toISOString() },
      { rateLimitPerMinute: 61 },
    ]) {
      const refused = await create(key, more, from);
      expect(refused.body.code, JSON.stringify(more)).toBe("permission_denied");
      expect(refused.body.errors).toMatchObject([{ pointer: `/${Object.keys(more)[0] ?? ""}` }]);
    }
    const made = await create(key, { allowedNetworks: ["203.0.113.0/24"] }, from);
    expect(made.body.expiresAt).toBe(soon.toISOString());
    const elsewhere = { "x-forwarded-for": "192.0.2.7" };
    expect((await rest.get("/v1/notifications", { key: made.body.key, headers: elsewhere })).status).toBe(
      403,
    );
    expect((await rest.get("/v1/notifications", { key: made.body.key, headers: from })).status).toBe(200);
  });

  it("is the same one when the request is repeated under its idempotency key", async () => {
    const key = await keyWith();
    const again = { "idempotency-key": "rotation-1" };
    const first = await create(key, {}, again);
    expect((await create(key, {}, again)).body).toEqual(first.body);
  });
});
