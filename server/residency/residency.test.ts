import { expect, test } from "vitest";
import { createProvider } from "../connections/create-provider.ts";
import { forgetConnections } from "../connections/load-connection.ts";
import { providerCreateSchema, providerUpdateSchema } from "../connections/schemas.ts";
import { updateProvider } from "../connections/update-provider.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { restClient } from "../testing/rest-client.ts";
import { makeSendingWorld } from "../testing/sending-world.ts";
import { getResidency } from "./get-residency.ts";
import { residencyUpdateSchema } from "./schemas.ts";
import { updateResidency } from "./update-residency.ts";

const database = await testDatabase();
const world = await makeSendingWorld(database, { settings: { other: { x: 1 } } });
const { tenant } = world;
const owner = tenant.as("owner");
const set = (allowedTransferRegions: string[], reason = "A reason", more: object = {}) =>
  updateResidency(owner, residencyUpdateSchema.parse({ allowedTransferRegions, reason, ...more }));

const trail = async () => {
  const { rows } = await database.owner.query<{ action: string; data: unknown }>(
    "SELECT action, data - '{before,after}'::text[] AS data FROM audit_events WHERE tenant_id = $1 AND action LIKE 'residency.%' ORDER BY id",
    [tenant.tenantId],
  );
  return rows;
};

test("each permission and each withdrawal is an entry of its own with its reason, and names what stops", async () => {
  expect(await getResidency(owner)).toMatchObject({
    dataRegion: { code: "EU" },
    allowedTransferRegions: [],
    uses: [],
  });
  await set(["US", "CH"], "Contract of May");
  const american = await createProvider(
    owner,
    providerCreateSchema.parse({
      name: "American",
      provider: "twilio",
      credentials: { accountSid: `AC${"a".repeat(32)}`, authToken: "token" },
      settings: { region: "us1" },
    }),
  );
  expect(american.regionAllowed).toBe(true);
  const read = await getResidency(owner);
  expect(read.allowedTransferRegions).toMatchObject([
    { code: "CH", reason: "Contract of May", by: "Owner" },
    { code: "US", name: "United States", reason: "Contract of May" },
  ]);
  expect(read.uses).toEqual([{ kind: "connection", name: "American", region: "US", allowed: true }]);

  const after = await set(["CH"], "Contract ended");
  expect(after.stopped).toEqual([{ kind: "connection", name: "American", region: "US" }]);
  expect(after.uses).toMatchObject([{ name: "American", allowed: false }]);
  // What was allowed stays configured, is not used, and cannot be switched on again.
  forgetConnections(tenant.tenantId);
  const off = await updateProvider(owner, {
    id: american.id,
    changes: providerUpdateSchema.parse({ enabled: false }),
  });
  expect(off.regionAllowed).toBe(false);
  const on = updateProvider(owner, { id: american.id, changes: { enabled: true } });
  expect((await refusal(on)).code).toBe("region_not_allowed");
  // Nothing changes, nothing is written.
  await set(["CH", "EU", "CH"], "Again");
  expect(await trail()).toEqual([
    { action: "residency.transfer_allowed", data: { region: "US", reason: "Contract of May" } },
    { action: "residency.transfer_allowed", data: { region: "CH", reason: "Contract of May" } },
    {
      action: "residency.transfer_withdrawn",
      data: { region: "US", reason: "Contract ended", stopped: [{ kind: "connection", name: "American" }] },
    },
  ]);
  const { rows } = await database.owner.query("SELECT settings FROM tenants WHERE id = $1", [
    tenant.tenantId,
  ]);
  expect(rows[0]).toEqual({ settings: { other: { x: 1 }, allowedTransferRegions: ["CH"] } });
});

test("a reason is needed, only known regions can be allowed, and no change overwrites another", async () => {
  expect(residencyUpdateSchema.safeParse({ allowedTransferRegions: ["US"], reason: " " }).success).toBe(
    false,
  );
  const unknown = await refusal(set(["CH", "MOON"]));
  expect(unknown.errors).toMatchObject([{ pointer: "/allowedTransferRegions/1", code: "unknown_region" }]);
  expect((await refusal(set(["US"], "x", { expected: ["UK"] }))).code).toBe("revision_conflict");
  // A region that was allowed before it left the list stays valid until it is withdrawn.
  await database.owner.query(
    `UPDATE tenants SET settings = settings || '{"allowedTransferRegions":["OLD-1"]}' WHERE id = $1`,
    [tenant.tenantId],
  );
  const kept = await set(["OLD-1", "UK"]);
  expect(kept.allowedTransferRegions.map(({ code }) => code)).toEqual(["OLD-1", "UK"]);
});

test("it is for those who manage the settings of the whole organisation, and for keys of production", async () => {
  expect((await refusal(getResidency(tenant.as("operator")))).code).toBe("permission_denied");
  expect((await refusal(getResidency(tenant.as("owner", tenant.units.alpha)))).code).toBe(
    "permission_denied",
  );
  const rest = restClient(database.web);
  const production = await tenant.makeKey("production", { role: "owner" });
  const staging = await tenant.makeKey("staging", { role: "owner" });
  const json = { allowedTransferRegions: ["UK"], reason: "By key" };
  expect((await rest.get("/v1/residency", { key: staging.key })).status).toBe(200);
  const refused = await rest.put("/v1/residency", { key: staging.key, json });
  expect([refused.status, (refused.body as { code: string }).code]).toEqual([403, "environment_mismatch"]);
  expect((await rest.put("/v1/residency", { key: production.key, json })).status).toBe(200);
  expect(
    (await rest.put("/v1/residency", { key: production.key, json: { ...json, reason: "" } })).status,
  ).toBe(422);
});
