import { describe, expect, it } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { forgetCatalogue, getCatalogue } from "../tenancy/catalogue.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { createTemplate } from "./create-template.ts";
import { templateCreateSchema } from "./schemas.ts";

const database = await testDatabase();

describe("a save during a change of the pipeline", () => {
  it("never goes live in a later stage, whatever this process has cached", async () => {
    const tenant = await makeTenant(database);
    // This process has just read the stages; another one then puts Production before Staging.
    await getCatalogue(tenant.system);
    await database.owner.query(
      `UPDATE pipeline_stages SET position = 1 - position + 10 WHERE tenant_id = $1 AND application_id = $2`,
      [tenant.tenantId, tenant.application.id],
    );
    await database.owner.query(
      `UPDATE pipeline_stages SET position = position - 10 WHERE tenant_id = $1 AND application_id = $2`,
      [tenant.tenantId, tenant.application.id],
    );
    const saved = createTemplate(
      tenant.as("owner"),
      templateCreateSchema.parse({
        application: "shop",
        name: "receipt",
        notificationType: "order",
        notificationSubtype: "receipt",
        channel: "sms",
        body: "Paid.",
      }),
    );
    await expect(saved).rejects.toSatisfy(
      (error) => error instanceof DomainError && error.code === "conflict",
    );
    const { rows } = await database.owner.query("SELECT FROM template_deployments WHERE tenant_id = $1", [
      tenant.tenantId,
    ]);
    expect(rows).toHaveLength(0);
  });
});

describe("an agent that writes templates", () => {
  it("puts nothing into production by itself where that is the first stage, and a person does", async () => {
    const tenant = await makeTenant(database, { settings: { ai: { allowWithoutAi: true } } });
    const template = templateCreateSchema.parse({
      application: "shop",
      name: "receipt",
      notificationType: "order",
      notificationSubtype: "receipt",
      channel: "sms",
      body: "Paid.",
    });
    const person = tenant.as("owner");
    const agent: Ctx = {
      ...person,
      actor: {
        type: "apiKey",
        id: newId(),
        name: "Assistant",
        agent: { id: newId(), hourlyCap: 10, laterStages: true, allows: () => true },
      },
    };
    const code = (made: Promise<unknown>) =>
      made.then(
        () => "allowed",
        (error: unknown) => (error instanceof DomainError ? error.code : error),
      );
    expect(await code(createTemplate(agent, template))).toBe("allowed");
    await database.owner.query(`DELETE FROM pipeline_stages WHERE tenant_id = $1 AND environment_id <> $2`, [
      tenant.tenantId,
      tenant.environments.production,
    ]);
    forgetCatalogue(tenant.tenantId);
    const other = {
      ...template,
      name: "reminder",
      notificationType: "account",
      notificationSubtype: "maintenance",
    };
    expect(await code(createTemplate(agent, other))).toBe("agent_limit");
    expect(await code(createTemplate(person, other))).toBe("allowed");
  });
});
