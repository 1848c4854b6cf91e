import { expect, test } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { actingFor } from "./acting-for.ts";
import { createApiKey } from "./create-api-key.ts";
import { systemCtx } from "./system-ctx.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const system = systemCtx(database.worker, tenant.tenantId, "Job");
const asKey = (actorId: string | null) =>
  actingFor(system, { actorType: "apiKey", actorId, actorName: "Assistant" });
const agentOf = ({ actor }: Ctx) => (actor.type === "apiKey" ? actor.agent : undefined);
const ada = "ada@example.com";

function makeKey(recipients?: string[]) {
  return createApiKey(tenant.as("owner"), {
    name: "Assistant",
    environmentId: tenant.environments.staging,
    role: "owner",
    ...(recipients ? { agent: { recipients, hourlyCap: 7, laterStages: true } } : {}),
  });
}

test("work that goes on for an agent's key has the agent's limits, and allows nothing when they are gone", async () => {
  const { id } = await makeKey(["*@example.com"]);
  const ctx = await asKey(id);
  expect(agentOf(ctx)).toMatchObject({ hourlyCap: 7, laterStages: true });
  expect(agentOf(ctx)?.allows(ada)).toBe(true);
  expect(agentOf(ctx)?.allows("ada@example.net")).toBe(false);
  const held = (permission: string) => ctx.grants.some(({ permissions }) => permissions.has(permission));
  expect([held("templates:write"), held("promotions:approve")]).toEqual([true, false]);

  await database.owner.query("DELETE FROM agents WHERE id = $1", [agentOf(ctx)?.id]);
  const gone = agentOf(await asKey(id));
  expect(gone).toMatchObject({ hourlyCap: 0, laterStages: false });
  expect(gone?.allows(ada)).toBe(false);
});

test("work that goes on for any other key is no agent's, and what names nobody is not taken for the system's", async () => {
  const { id } = await makeKey();
  const ctx = await asKey(id);
  expect(ctx.actor).toEqual({ type: "apiKey", id, name: "Assistant" });
  expect(ctx.grants).toHaveLength(1);
  expect((await asKey(newId())).grants).toEqual([]);
  await expect(asKey(null)).rejects.toThrow("names none");
});
