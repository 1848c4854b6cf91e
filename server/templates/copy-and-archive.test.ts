import { describe, expect, it } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { TestTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import { refusal } from "../testing/refusal.ts";
import { archiveTemplate } from "./archive-template.ts";
import { createTemplate } from "./create-template.ts";
import { duplicateTemplate } from "./duplicate-template.ts";
import { getTemplate } from "./get-template.ts";
import { templateGroupQuerySchema } from "./library-schemas.ts";
import { listTemplateGroups } from "./list-template-groups.ts";
import { listTemplates } from "./list-templates.ts";
import { restoreTemplate } from "./restore-template.ts";
import {
  templateCreateSchema,
  templateDuplicateSchema,
  templateListQuerySchema,
  templateUpdateSchema,
} from "./schemas.ts";
import type { Template } from "./schemas.ts";
import { updateTemplate } from "./update-template.ts";

const database = await testDatabase();
const rest = restClient(database.web);

let made = 0;
const create = (ctx: Ctx, more: Record<string, unknown> = {}) =>
  createTemplate(
    ctx,
    templateCreateSchema.parse({
      application: "shop",
      name: `name-${String(made++)}`,
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "sms",
      body: "Your order is on its way.",
      ...more,
    }),
  );
const update = (ctx: Ctx, id: string, body: string) =>
  updateTemplate(ctx, { ...templateUpdateSchema.parse({ body }), id });
const names = async (ctx: Ctx, query: Record<string, unknown>) =>
  (await listTemplateGroups(ctx, templateGroupQuerySchema.parse(query))).data.map((group) => group.name);
const duplicate = (ctx: Ctx, input: Record<string, unknown>) =>
  duplicateTemplate(ctx, templateDuplicateSchema.parse(input));

/** Puts a version into an environment as a promotion would. */
async function deploy(template: Template, environmentId: string, version: number, disabled = false) {
  await database.owner.query(
    `INSERT INTO template_deployments (tenant_id, template_id, environment_id, version, disabled, deployed_at)
     SELECT tenant_id, id, $2, $3, $4, now() FROM templates WHERE id = $1
     ON CONFLICT (tenant_id, template_id, environment_id) DO UPDATE SET version = $3, disabled = $4`,
    [template.id, environmentId, version, disabled],
  );
}

async function openPromotion(tenant: TestTenant, template: Template): Promise<string> {
  const id = newId();
  const { staging, production } = tenant.environments;
  await database.owner.query(
    `INSERT INTO promotions (tenant_id, id, application_id, unit_id, from_environment_id, to_environment_id, state, gates,
       requested_by_type, requested_by_name, requested_at) VALUES ($1, $2, $3, $4, $5, $6, 'pending', '{}', 'system', 'Test', now())`,
    [tenant.tenantId, id, tenant.application.id, tenant.units.alpha, staging, production],
  );
  await database.owner.query(
    "INSERT INTO promotion_items (tenant_id, promotion_id, template_id, to_environment_id, version) VALUES ($1, $2, $3, $4, 1)",
    [tenant.tenantId, id, template.id, production],
  );
  return id;
}

describe("a copy", () => {
  it("keeps the content, for an audience of its own, and is moderated", async () => {
    const tenant = await makeTenant(database);
    const source = await create(tenant.system, {
      name: "status",
      language: "en",
      body: "Hi {{ who }}",
      variables: [{ name: "who", example: "Ada", maxLength: 20 }],
      metadata: { senderId: "ACME" },
    });
    await update(tenant.system, source.id, "Later");
    const copy = await duplicate(tenant.system, { id: source.id, version: 1, language: "de", region: "DE" });
    expect(copy).toMatchObject({
      name: "status",
      language: "de",
      region: "DE",
      version: 1,
      body: "Hi {{ who }}",
      variables: source.variables,
      metadata: { senderId: "ACME" },
      note: "Copied from version 1 of status",
      moderation: { checkedBy: ["deterministic"] },
    });
    expect((await refusal(duplicate(tenant.system, { id: source.id }))).code).toBe("template_exists");
    expect((await refusal(duplicate(tenant.system, { id: source.id, version: 9 }))).code).toBe("not_found");
    // Texts from before a check existed cannot bypass it.
    await database.owner.query(
      "INSERT INTO template_versions (tenant_id, template_id, version, body, author_name) VALUES ($1, $2, 3, 'Card 4111 1111 1111 1111', 'x')",
      [tenant.tenantId, source.id],
    );
    const blocked = refusal(duplicate(tenant.system, { id: source.id, version: 3, region: "FR" }));
    expect((await blocked).code).toBe("moderation_blocked");
  });

  it("for another channel has a text that the channel can carry", async () => {
    const tenant = await makeTenant(database);
    const mail = await create(tenant.system, {
      name: "status",
      channel: "email",
      subject: "Hi",
      body: "<p>Hello &amp; thanks, {{ who }}</p><p>Bye</p>",
      variables: [{ name: "who", example: "Ada" }],
      metadata: { fromName: "Acme" },
    });
    expect(await duplicate(tenant.system, { id: mail.id, channel: "sms" })).toMatchObject({
      channel: "sms",
      subject: null,
      body: "Hello & thanks, {{ who }}\n\nBye",
      metadata: {},
      variables: mail.variables,
    });
    const text = await create(tenant.system, {
      name: "status",
      channel: "whatsapp",
      body: "1 < 2 {% if who == 'a' %}& so{% endif %}\n\nBye",
      variables: [{ name: "who", example: "Ada" }],
    });
    await archiveTemplate(tenant.system, { id: mail.id });
    expect((await refusal(duplicate(tenant.system, { id: text.id, channel: "email" }))).code).toBe(
      "invalid_template",
    );
    expect(await duplicate(tenant.system, { id: text.id, channel: "email", subject: "News" })).toMatchObject({
      subject: "News",
      body: "<p>1 &lt; 2 {% if who == 'a' %}&amp; so{% endif %}</p>\n<p>Bye</p>",
    });
  });
});

describe("an archived template", () => {
  it("leaves the lists, is listed on request, and can be restored exactly as it was", async () => {
    const tenant = await makeTenant(database);
    const template = await create(tenant.system, { name: "old" });
    await deploy(template, tenant.environments.production, 1, true);
    const { deployments } = await getTemplate(tenant.system, { id: template.id });
    await archiveTemplate(tenant.system, { id: template.id });
    const { key } = await tenant.makeKey("staging", { role: "developer" });
    const listed = async (archived: boolean) => [
      await names(tenant.system, { archived }),
      (await listTemplates(tenant.system, templateListQuerySchema.parse({ archived: String(archived) }))).data
        .length,
      (await rest.get<{ data: unknown[] }>(`/v1/templates?archived=${String(archived)}&search=OLD`, { key }))
        .body.data.length,
    ];
    expect(await listed(false)).toEqual([[], 0, 0]);
    expect(await listed(true)).toEqual([["old"], 1, 1]);
    const restored = await restoreTemplate(tenant.system, { id: template.id });
    expect(restored).toMatchObject({ archivedAt: null, deployments });
    expect(await restoreTemplate(tenant.system, { id: template.id })).toMatchObject({ archivedAt: null });
    expect(await listed(true)).toEqual([[], 0, 0]);
    const { rows } = await database.owner.query(
      "SELECT action FROM audit_events WHERE tenant_id = $1 AND action LIKE 'template.%' ORDER BY id",
      [tenant.tenantId],
    );
    expect(rows.map((row: { action: string }) => row.action)).toEqual([
      "template.created",
      "template.archived",
      "template.restored",
    ]);
  });

  it("stays archived when its audience or its name is taken by now", async () => {
    const tenant = await makeTenant(database);
    const template = await create(tenant.system, { name: "old" });
    await archiveTemplate(tenant.system, { id: template.id });
    const next = await create(tenant.system, { name: "new" });
    expect(await refusal(restoreTemplate(tenant.system, { id: template.id }))).toMatchObject({
      code: "template_exists",
      extra: { existing: { id: next.id, name: "new" } },
    });
    await archiveTemplate(tenant.system, { id: next.id });
    await create(tenant.system, { name: "old", notificationSubtype: "receipt" });
    expect(await refusal(restoreTemplate(tenant.system, { id: template.id }))).toMatchObject({
      code: "template_exists",
      errors: [{ pointer: "/name" }],
    });
    expect((await getTemplate(tenant.system, { id: template.id })).archivedAt).not.toBeNull();
  });

  it("is restored once when two for the same audience are restored at the same time", async () => {
    const tenant = await makeTenant(database);
    const ids: string[] = [];
    for (const name of ["a", "b"]) {
      const { id } = await create(tenant.system, { name });
      await archiveTemplate(tenant.system, { id });
      ids.push(id);
    }
    const results = await Promise.allSettled(ids.map((id) => restoreTemplate(tenant.system, { id })));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "template_exists" });
    }
  });

  it("cannot be archived or restored by a key of an environment that matters less than where it is live", async () => {
    const tenant = await makeTenant(database);
    const template = await create(tenant.system);
    const archiveWith = async (environment: "sandbox" | "staging" | "production") => {
      const { key } = await tenant.makeKey(environment, { role: "developer" });
      return rest.delete<{ code?: string }>(`/v1/templates/${template.id}`, { key });
    };
    const refused = { status: 403, body: { code: "environment_mismatch" } };
    expect(await archiveWith("sandbox")).toMatchObject(refused);
    await deploy(template, tenant.environments.production, 1);
    expect(await archiveWith("staging")).toMatchObject(refused);
    expect((await getTemplate(tenant.system, { id: template.id })).archivedAt).toBeNull();
    // Two people brought it there; one author cannot remove it.
    expect(await archiveWith("production")).toMatchObject({
      status: 403,
      body: { code: "permission_denied" },
    });
    expect((await refusal(archiveTemplate(tenant.as("template_author"), { id: template.id }))).code).toBe(
      "permission_denied",
    );
    await archiveTemplate(tenant.as("owner"), { id: template.id });
    expect((await refusal(restoreTemplate(tenant.as("template_author"), { id: template.id }))).code).toBe(
      "permission_denied",
    );
    const grants = tenant
      .as("developer")
      .grants.map((grant) => ({ ...grant, environmentId: tenant.environments.sandbox }));
    const bound = { ...tenant.as("developer"), grants };
    expect((await refusal(restoreTemplate(bound, { id: template.id }))).code).toBe("environment_mismatch");
  });

  it("cannot be archived while a promotion is about to move it, by portal or API", async () => {
    const tenant = await makeTenant(database);
    const template = await create(tenant.system);
    const promotionId = await openPromotion(tenant, template);
    const { key } = await tenant.makeKey("staging", { role: "developer" });
    expect(await refusal(archiveTemplate(tenant.system, { id: template.id }))).toMatchObject({
      code: "conflict",
      extra: { promotionId },
    });
    expect(await rest.delete(`/v1/templates/${template.id}`, { key })).toMatchObject({
      status: 409,
      body: { code: "conflict", promotionId },
    });
    expect((await getTemplate(tenant.system, { id: template.id })).archivedAt).toBeNull();
    await database.owner.query("UPDATE promotion_items SET open = false WHERE template_id = $1", [
      template.id,
    ]);
    expect((await rest.delete(`/v1/templates/${template.id}`, { key })).status).toBe(204);
    expect((await getTemplate(tenant.system, { id: template.id })).archivedAt).not.toBeNull();
  });
});
