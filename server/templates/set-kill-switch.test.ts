import { describe, expect, it } from "vitest";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makePromotionWorld, refusal } from "../testing/promotion-world.ts";
import { restClient } from "../testing/rest-client.ts";
import { getTemplate } from "./get-template.ts";
import { liveTemplatesByName } from "./resolve-template.ts";
import { setKillSwitch } from "./set-kill-switch.ts";

const database = await testDatabase();
const rest = restClient(database.web);

describe("the kill switch of a template", () => {
  it("takes effect in this process at once, in its own environment only, and records who, when and why", async () => {
    const world = await makePromotionWorld(database);
    const { reviewer, environments } = world;
    const [id = ""] = await world.addTemplates(1, { environments: ["staging", "production"] });
    const disabled = async (environment: "staging" | "production") =>
      (
        await liveTemplatesByName(world.tenant.worker, {
          environmentId: environments[environment],
          applicationId: world.tenant.application.id,
          name: "text-00001",
        })
      ).map((live) => live.disabled);
    expect([await disabled("production"), await disabled("staging")]).toEqual([[false], [false]]);
    const off = { id, environment: "production", disabled: true, reason: "Wrong price" };
    expect(await setKillSwitch(reviewer, off)).toMatchObject({
      templateId: id,
      environment: "production",
      version: 1,
      disabled: true,
      disabledBy: reviewer.actor.name,
      disabledReason: "Wrong price",
    });
    expect([await disabled("production"), await disabled("staging")]).toEqual([[true], [false]]);
    expect((await getTemplate(reviewer, { id })).deployments).toMatchObject([
      { environment: "staging", disabled: false, disabledAt: null, disabledReason: null },
      { environment: "production", disabled: true, disabledReason: "Wrong price" },
    ]);

    const on = { id, environment: environments.production, disabled: false };
    expect(await setKillSwitch(reviewer, on)).toMatchObject({
      disabled: false,
      disabledAt: null,
      disabledBy: null,
      disabledReason: null,
    });
    expect(await disabled("production")).toEqual([false]);
    const { rows } = await database.owner.query(
      `SELECT action, actor_id, environment_id, data FROM audit_events
       WHERE tenant_id = $1 AND target_id = $2 AND action LIKE 'template.%abled' ORDER BY id`,
      [world.tenantId, id],
    );
    expect(rows).toMatchObject([
      {
        action: "template.disabled",
        actor_id: reviewer.actor.id,
        environment_id: environments.production,
        data: { name: "text-00001", version: 1, reason: "Wrong price" },
      },
      { action: "template.enabled", actor_id: reviewer.actor.id },
    ]);
  });

  it("is for those who may approve in that environment, and exists only where the template is live", async () => {
    const world = await makePromotionWorld(database);
    const [id = ""] = await world.addTemplates(1);
    const off = { id, environment: "staging", disabled: true };
    expect((await refusal(setKillSwitch(world.author, off))).code).toBe("permission_denied");
    const colleague = await world.member("owner", world.tenant.units.beta);
    const stranger = (await makePromotionWorld(database)).reviewer;
    for (const ctx of [colleague, stranger]) {
      for (const named of [id, newId(), "x"]) {
        expect((await refusal(setKillSwitch(ctx, { ...off, id: named }))).code).toBe("not_found");
      }
    }
    for (const environment of ["production", "sandbox"]) {
      expect((await refusal(setKillSwitch(world.reviewer, { ...off, environment }))).code).toBe("conflict");
    }
    expect(await refusal(setKillSwitch(world.reviewer, { ...off, environment: "nowhere" }))).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/environment" }],
    });
  });

  it("may be set by a key in its own environment, which it need not name", async () => {
    const world = await makePromotionWorld(database);
    const [id = ""] = await world.addTemplates(1, { environments: ["staging", "production"] });
    const { key } = await world.tenant.makeKey("production", { role: "release_manager" });
    const path = `/v1/templates/${id}/kill-switch`;
    expect(await rest.put(path, { key, json: { disabled: true } })).toMatchObject({
      status: 200,
      body: { templateId: id, environment: "production", disabled: true },
    });
    expect(await rest.put(path, { key, json: { disabled: true, environment: "staging" } })).toMatchObject({
      status: 403,
      body: { code: "environment_mismatch" },
    });
    expect((await world.live("staging", [id]))[id]).toMatchObject({ disabled: false });
  });
});
