import { randomBytes } from "node:crypto";
import { describe, expect, it } from "vitest";
import { updateAiSettings } from "../ai/update-ai-settings.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { renderVersion } from "../rendering/render-pool.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { refusal } from "../testing/refusal.ts";
import { restClient } from "../testing/rest-client.ts";
import type { Problem } from "../testing/rest-client.ts";
import { archiveTemplate } from "./archive-template.ts";
import { createTemplate } from "./create-template.ts";
import { deployTemplateVersion } from "./deploy-template-version.ts";
import { getTemplate } from "./get-template.ts";
import { listTemplates } from "./list-templates.ts";
import { previewTemplate } from "./preview-template.ts";
import { getStoredVersion, liveTemplates, liveTemplatesByName } from "./resolve-template.ts";
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

const definition = (more: Record<string, unknown> = {}) => ({
  application: "shop",
  name: `order-${randomBytes(4).toString("hex")}`,
  notificationType: "order",
  notificationSubtype: "order_status",
  channel: "sms",
  body: "Hello {{ name }}, your order is on its way.",
  variables: [{ name: "name", example: "Ada" }],
  ...more,
});
const create = (ctx: Ctx, more: Record<string, unknown> = {}) =>
  createTemplate(ctx, templateCreateSchema.parse(definition(more)));
const update = (ctx: Ctx, id: string, body: string, more: Record<string, unknown> = {}) =>
  updateTemplate(ctx, {
    ...templateUpdateSchema.parse({ body, variables: [{ name: "name" }], ...more }),
    id,
  });

const liveVersions = (template: Template) =>
  Object.fromEntries(template.deployments.map(({ environment, version }) => [environment, version]));

describe("saving a template", () => {
  it("makes version 1 live in the first stage and the sandbox, and records who did it", async () => {
    const tenant = await makeTenant(database);
    const author = tenant.as("template_author", tenant.units.alpha);
    const template = await create(author, { note: "first" });
    expect(template).toMatchObject({ version: 1, latestVersion: 1, region: null, note: "first" });
    expect(template.moderation).toEqual({ checkedBy: ["deterministic"], findings: [] });
    expect(liveVersions(template)).toEqual({ staging: 1, sandbox: 1 });
    const audit = await inTenant(tenant.system, (tx) =>
      tx.auditEvent.findMany({ where: { tenantId: tenant.tenantId, targetId: template.id } }),
    );
    expect(audit).toMatchObject([
      { action: "template.created", actorId: author.actor.id, unitId: tenant.units.alpha },
    ]);
  });

  it("never changes a version: updating adds the next one, and the old one can still be read", async () => {
    const tenant = await makeTenant(database);
    const first = await create(tenant.system);
    const second = await update(tenant.system, first.id, "New: {{ name }}", {
      expectedVersion: 1,
      note: "shorter",
    });
    expect(second).toMatchObject({ version: 2, latestVersion: 2, body: "New: {{ name }}" });
    expect(second.versions.map(({ version }) => version)).toEqual([2, 1]);
    expect(liveVersions(second)).toEqual({ staging: 2, sandbox: 2 });
    expect(await getTemplate(tenant.system, { id: first.id, version: 1 })).toMatchObject({
      version: 1,
      body: first.body,
    });
    await expect(
      inTenant(tenant.system, (tx) =>
        tx.templateVersion.updateMany({ where: { tenantId: tenant.tenantId }, data: { body: "changed" } }),
      ),
    ).rejects.toThrow();
    await expect(
      inTenant(tenant.system, (tx) =>
        tx.templateVersion.deleteMany({ where: { tenantId: tenant.tenantId } }),
      ),
    ).rejects.toThrow();
  });

  it("lets one of two authors win who started from the same version", async () => {
    const tenant = await makeTenant(database);
    const { id } = await create(tenant.system);
    const results = await Promise.allSettled(
      ["a", "b", "c", "d"].map((body) =>
        update(tenant.system, id, body, { variables: [], expectedVersion: 1 }),
      ),
    );
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "conflict" });
    }
    expect((await getTemplate(tenant.system, { id })).latestVersion).toBe(2);
  });

  it("numbers versions without gaps when no version is expected", async () => {
    const tenant = await makeTenant(database);
    const { id } = await create(tenant.system);
    await Promise.all(["a", "b", "c", "d"].map((body) => update(tenant.system, id, body, { variables: [] })));
    const { versions } = await getTemplate(tenant.system, { id });
    expect(versions.map(({ version }) => version)).toEqual([5, 4, 3, 2, 1]);
  });

  it("refuses a second template for the same audience and names the first", async () => {
    const tenant = await makeTenant(database);
    const first = await create(tenant.system, { language: "de" });
    const error = await refusal(create(tenant.system, { name: "another", language: "de" }));
    expect(error).toMatchObject({
      code: "template_exists",
      extra: { existing: { id: first.id, name: first.name } },
    });
    await create(tenant.system, { name: first.name, language: "en" });
    await archiveTemplate(tenant.system, { id: first.id });
    await create(tenant.system, { name: "another", language: "de" });
  });

  it("refuses all but one of several that are created at once for the same audience", async () => {
    const tenant = await makeTenant(database);
    const results = await Promise.allSettled(["a", "b", "c"].map((name) => create(tenant.system, { name })));
    expect(results.filter((result) => result.status === "fulfilled")).toHaveLength(1);
    for (const result of results) {
      if (result.status === "rejected") expect(result.reason).toMatchObject({ code: "template_exists" });
    }
  });

  it("keeps a name to one type and subtype", async () => {
    const tenant = await makeTenant(database);
    await create(tenant.system, { name: "status" });
    const error = await refusal(create(tenant.system, { name: "status", notificationSubtype: "receipt" }));
    expect(error).toMatchObject({ code: "template_exists", errors: [{ pointer: "/name" }] });
  });

  it.each([
    [{ application: "nothing" }, "unknown_application", "/application"],
    [{ notificationType: "nothing" }, "unknown_notification_type", "/notificationType"],
    [{ notificationSubtype: "nothing" }, "unknown_notification_type", "/notificationSubtype"],
    [{ body: "Hi {{ nobody }}" }, "invalid_template", "/body"],
    [{ body: "{% if name %}" }, "invalid_template", "/body"],
    [{ body: "{% for i in (1..100000000) %}x{% endfor %}" }, "invalid_template", "/body"],
    [{ subject: "An SMS has none" }, "invalid_template", "/subject"],
    [{ metadata: { replyTo: "ada@example.com" } }, "invalid_template", "/metadata/replyTo"],
    [{ body: "Card 4111 1111 1111 1111" }, "moderation_blocked", "/body"],
  ])("refuses %o as %s at %s, and saves nothing", async (wrong, code, pointer) => {
    const tenant = await makeTenant(database);
    const error = await refusal(create(tenant.system, wrong));
    expect(error).toMatchObject({ code, errors: [expect.objectContaining({ pointer })] });
    expect((await listTemplates(tenant.system, templateListQuerySchema.parse({}))).data).toEqual([]);
  });

  it("reports line and column, for people and for editors", async () => {
    const tenant = await makeTenant(database);
    const error = await refusal(create(tenant.system, { body: "Hello\n  {{ nobody }}" }));
    expect(error.errors[0]?.detail).toContain("line 2, column 6");
    expect(error.extra).toMatchObject({ problems: [{ pointer: "/body", line: 2, column: 6 }] });
  });

  it("returns the findings of moderation, and keeps warnings with the version", async () => {
    const tenant = await makeTenant(database);
    const text = "Hello {{ name }}, write to ada@acme-shop.com";
    const blocked = await refusal(create(tenant.system, { body: `${text}, IBAN DE89370400440532013000` }));
    expect(blocked.extra.findings).toMatchObject([
      { severity: "warn" },
      { severity: "block", category: "sensitive_data" },
    ]);
    const saved = await create(tenant.system, { body: text });
    const finding = saved.moderation.findings[0];
    expect(finding).toMatchObject({ severity: "warn", pointer: "/body" });
    expect(text.slice(finding?.start, finding?.end)).toBe("ada@acme-shop.com");
    expect(saved.versions[0]).toMatchObject({ checkedBy: ["deterministic"], findings: 1 });
  });

  it("refuses a provider that there is not, wherever one is named", async () => {
    const tenant = await makeTenant(database);
    const { key } = await tenant.makeKey("staging", { role: "developer" });
    for (const provider of ["twillio", "Twilio", ""]) {
      const answer = await rest.post<Problem>("/v1/templates", { key, json: definition({ provider }) });
      expect(answer.status, provider).toBe(422);
      expect(answer.body.errors, provider).toMatchObject([
        { pointer: "/provider", code: "unknown_provider" },
      ]);
      expect(answer.body.errors[0]?.detail).toContain("twilio");
    }
    const made = await rest.post<Template>("/v1/templates", {
      key,
      json: definition({ provider: "twilio" }),
    });
    expect(made.status, made.text).toBe(201);
    expect(templateDuplicateSchema.safeParse({ id: made.body.id, provider: "nobody" }).success).toBe(false);
  });

  it("refuses to change an audience, and accepts it repeated", async () => {
    const tenant = await makeTenant(database);
    const template = await create(tenant.system);
    const error = await refusal(update(tenant.system, template.id, "x", { variables: [], channel: "email" }));
    expect(error).toMatchObject({
      code: "invalid_request",
      errors: [{ pointer: "/channel", code: "immutable" }],
    });
    const { application, name, channel, region, language, subject, body, metadata, variables } = template;
    const again = templateUpdateSchema.parse({
      ...{ application, name, channel, region, language, subject, metadata, variables },
      body: `${body} Again.`,
    });
    expect((await updateTemplate(tenant.system, { ...again, id: template.id })).version).toBe(2);
  });
});

describe("what is live", () => {
  it("changes at once for the process that deploys, and soon after for the others", async () => {
    const tenant = await makeTenant(database);
    const { id, name } = await create(tenant.system);
    const where = { environmentId: tenant.environments.staging, applicationId: tenant.application.id };
    const versions = async () =>
      (
        await Promise.all([
          liveTemplates(tenant.system, {
            ...where,
            notificationType: "order",
            notificationSubtype: "order_status",
          }),
          liveTemplatesByName(tenant.system, { ...where, name }),
        ])
      ).map((live) => live[0]?.version);
    expect(await versions()).toEqual([1, 1]);
    await update(tenant.system, id, "Two", { variables: [] });
    expect(await versions()).toEqual([2, 2]);
    await deployTemplateVersion(tenant.system, { templateId: id, environment: "staging", version: 1 });
    expect(await versions()).toEqual([1, 1]);
    // Without any use case, as another process would do it: seen when the cache expires.
    await database.owner.query("UPDATE template_deployments SET version = 2 WHERE template_id = $1", [id]);
    await expect.poll(versions, { timeout: 5_000 }).toEqual([2, 2]);
  });

  it("is found as soon as there is something, even if there was nothing a moment before", async () => {
    const tenant = await makeTenant(database);
    const where = {
      environmentId: tenant.environments.production,
      applicationId: tenant.application.id,
      name: "later",
    };
    expect(await liveTemplatesByName(tenant.system, where)).toEqual([]);
    const { id } = await create(tenant.system, { name: "later" });
    await database.owner.query(
      "INSERT INTO template_deployments (tenant_id, template_id, environment_id, version, deployed_at) VALUES ($1, $2, $3, 1, now())",
      [tenant.tenantId, id, where.environmentId],
    );
    expect(await liveTemplatesByName(tenant.system, where)).toMatchObject([{ id, version: 1 }]);
  });

  it("excludes an archived template, but its versions can still be rendered", async () => {
    const tenant = await makeTenant(database);
    const { id, name } = await create(tenant.system);
    await archiveTemplate(tenant.system, { id });
    const where = { environmentId: tenant.environments.staging, applicationId: tenant.application.id, name };
    expect(await liveTemplatesByName(tenant.system, where)).toEqual([]);
    const version = await getStoredVersion(tenant.worker, id, 1);
    if (!version) throw new Error("the version is gone");
    const rendered = await renderVersion(version, { name: "Ada" }, { locale: "en", timezone: "UTC" });
    expect(rendered).toMatchObject({ ok: true, message: { text: "Hello Ada, your order is on its way." } });
    expect(await refusal(update(tenant.system, id, "x", { variables: [] }))).toMatchObject({
      code: "conflict",
    });
  });

  it("reaches later stages only by promotion", async () => {
    const tenant = await makeTenant(database);
    const { id } = await create(tenant.system);
    const input = { templateId: id, environment: "production" };
    expect((await refusal(deployTemplateVersion(tenant.as("auditor"), input))).code).toBe(
      "permission_denied",
    );
    for (const ctx of [tenant.as("template_author"), tenant.as("owner"), tenant.system]) {
      const refused = await refusal(deployTemplateVersion(ctx, input));
      expect(refused.code).toBe("conflict");
      expect(refused.message).toContain("POST /v1/promotions");
    }
    expect(liveVersions(await getTemplate(tenant.system, { id }))).toEqual({ staging: 1, sandbox: 1 });
    await update(tenant.system, id, "Two", { variables: [] });
    const author = tenant.as("template_author");
    for (const environment of ["staging", "sandbox"]) {
      expect(await deployTemplateVersion(author, { templateId: id, environment, version: 1 })).toMatchObject({
        environment,
        version: 1,
        previousVersion: 2,
        disabled: false,
      });
    }
    expect(liveVersions(await getTemplate(tenant.system, { id }))).toEqual({ staging: 1, sandbox: 1 });
  });

  it.each([
    [{ environment: "nowhere" }, "/environment"],
    [{ environment: "staging", version: 7 }, "/version"],
  ])("refuses the deployment %o", async (wrong, pointer) => {
    const tenant = await makeTenant(database);
    const { id } = await create(tenant.system);
    const error = await refusal(deployTemplateVersion(tenant.system, { templateId: id, ...wrong }));
    expect(error).toMatchObject({ code: "invalid_request", errors: [{ pointer }] });
  });

  it("is changed only in the sandbox when a sandbox key saves", async () => {
    const tenant = await makeTenant(database);
    const { key } = await tenant.makeKey("sandbox", { role: "developer" });
    const { status, body } = await rest.post<Template>("/v1/templates", { key, json: definition() });
    expect(status).toBe(201);
    expect(liveVersions(body)).toEqual({ sandbox: 1 });
    const elsewhere = await rest.post(`/v1/templates/${body.id}/deployments`, {
      key,
      json: { environment: "staging" },
    });
    expect(elsewhere).toMatchObject({ status: 403, body: { code: "environment_mismatch" } });
  });

  it("is in production only after the AI check, also where production is the first stage", async () => {
    const tenant = await makeTenant(database);
    const before = await create(tenant.system);
    await database.owner.query(
      "UPDATE pipeline_stages SET position = 2 - position WHERE tenant_id = $1 AND application_id = $2",
      [tenant.tenantId, tenant.application.id],
    );
    forgetCatalogue(tenant.tenantId);
    const deployed = { templateId: before.id, environment: "production" };
    for (const work of [
      () => create(tenant.system, { language: "de" }),
      () => update(tenant.system, before.id, "Hello {{ name }}!"),
      () => deployTemplateVersion(tenant.system, deployed),
    ]) {
      const error = await refusal(work());
      expect(error.code).toBe("conflict");
      expect(error.message).toContain("AI check");
    }
    expect((await getTemplate(tenant.system, { id: before.id })).latestVersion).toBe(1);
    const { key } = await tenant.makeKey("sandbox", { role: "developer" });
    const inSandbox = await rest.put<Template>(`/v1/templates/${before.id}`, {
      key,
      json: { body: "Hello {{ name }}!", variables: [{ name: "name" }] },
    });
    expect(liveVersions(inSandbox.body)).toEqual({ staging: 1, sandbox: 2 });
    await updateAiSettings(tenant.system, { allowWithoutAi: true });
    expect(await deployTemplateVersion(tenant.system, deployed)).toMatchObject({ version: 2 });
  });
});

describe("who may see and change templates", () => {
  it("nobody of another tenant or another unit: for them there is nothing", async () => {
    const tenant = await makeTenant(database);
    const stranger = (await makeTenant(database)).as("owner");
    const { id } = await create(tenant.system);
    const colleague = tenant.as("administrator", tenant.units.beta);
    for (const ctx of [stranger, colleague]) {
      for (const work of [
        () => getTemplate(ctx, { id }),
        () => update(ctx, id, "x", { variables: [] }),
        () => archiveTemplate(ctx, { id }),
        () => deployTemplateVersion(ctx, { templateId: id, environment: "staging" }),
        () => previewTemplate(ctx, { templateId: id }),
      ]) {
        expect((await refusal(work())).code).toBe("not_found");
      }
      expect((await listTemplates(ctx, templateListQuerySchema.parse({}))).data).toEqual([]);
    }
    expect((await refusal(create(colleague))).code).toBe("unknown_application");
    expect((await refusal(getTemplate(tenant.system, { id: "no-uuid" }))).code).toBe("not_found");
  });

  it("depends on the role: reading is not writing", async () => {
    const tenant = await makeTenant(database);
    const { id } = await create(tenant.system);
    const auditor = tenant.as("auditor");
    expect((await getTemplate(auditor, { id })).id).toBe(id);
    expect((await refusal(update(auditor, id, "x", { variables: [] }))).code).toBe("permission_denied");
    expect((await refusal(create(auditor))).code).toBe("permission_denied");
  });
});

describe("the list of templates", () => {
  it("pages newest first without repeating or losing one, and filters", async () => {
    const tenant = await makeTenant(database);
    const made: string[] = [];
    for (const language of ["de", "en", "fr", "it", "es"])
      made.push((await create(tenant.system, { name: "status", language })).id);
    await create(tenant.system, {
      name: "other",
      channel: "email",
      subject: "Hi",
      body: "<p>{{ name }}</p>",
    });
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const query = templateListQuerySchema.parse({ name: "status", channel: "sms", limit: 2, cursor });
      const page = await listTemplates(tenant.system, query);
      seen.push(...page.data.map(({ id }) => id));
      cursor = page.nextCursor ?? undefined;
    } while (cursor !== undefined);
    expect(seen).toEqual(made.toReversed());
    const wrong = templateListQuerySchema.parse({ cursor: "AAAA" });
    expect((await refusal(listTemplates(tenant.system, wrong))).code).toBe("invalid_cursor");
  });
});

describe("a preview", () => {
  it("shows an unsaved text, with segments, findings and problems", async () => {
    const tenant = await makeTenant(database);
    const base = {
      channel: "sms" as const,
      metadata: {},
      variables: templateCreateSchema.parse(definition()).variables,
    };
    const preview = await previewTemplate(tenant.system, {
      ...base,
      body: "Olá {{ name }}, ada@acme-shop.com",
      values: { name: "João" },
    });
    expect(preview).toMatchObject({
      message: { text: "Olá João, ada@acme-shop.com" },
      segments: { encoding: "UCS-2", unicodeCharacters: ["á", "ã"] },
      problems: [],
      findings: [{ severity: "warn" }],
    });
    const broken = await previewTemplate(tenant.system, { ...base, body: "{{ nobody }}\n{% if %}" });
    expect(broken).toMatchObject({ message: null, problems: [{ code: "syntax", line: 2 }] });
  });
});

describe("the public API", () => {
  it("creates, reads, updates, lists and deploys", async () => {
    const tenant = await makeTenant(database);
    const { key } = await tenant.makeKey("production", {
      role: "owner",
      applicationId: tenant.application.id,
    });
    const created = await rest.post<Template>("/v1/templates", { key, json: definition() });
    expect(created.status).toBe(201);
    const path = `/v1/templates/${created.body.id}`;
    expect(created.headers.get("location")).toBe(path);
    const updated = await rest.put<Template>(path, { key, json: { body: "Two", expectedVersion: 1 } });
    expect(updated).toMatchObject({ status: 200, body: { version: 2 } });
    expect(await rest.put(path, { key, json: { body: "Three", expectedVersion: 1 } })).toMatchObject({
      status: 409,
    });
    expect(await rest.get(`${path}?version=1`, { key })).toMatchObject({ status: 200, body: { version: 1 } });
    expect(await rest.get(`${path}?version=9`, { key })).toMatchObject({ status: 404 });
    expect(await rest.get("/v1/templates?application=shop", { key })).toMatchObject({
      status: 200,
      body: { data: [{ id: created.body.id, versions: [{ version: 2 }, { version: 1 }] }], nextCursor: null },
    });
    expect(await rest.post(`${path}/deployments`, { key, json: {} })).toMatchObject({
      status: 409,
      body: { code: "conflict" },
    });
    const staging = await tenant.makeKey("staging", { role: "developer" });
    expect(await rest.post(`${path}/deployments`, { key: staging.key, json: { version: 1 } })).toMatchObject({
      status: 201,
      body: { environment: "staging", version: 1, previousVersion: 2 },
    });
  });

  it("uses the application of a key that is bound to one, and requires it from other callers", async () => {
    const tenant = await makeTenant(database);
    const json = definition({ application: undefined });
    const bound = await tenant.makeKey("staging", {
      role: "developer",
      applicationId: tenant.application.id,
    });
    expect(await rest.post("/v1/templates", { key: bound.key, json })).toMatchObject({
      status: 201,
      body: { application: "shop" },
    });
    const free = await tenant.makeKey("staging", { role: "developer" });
    expect(await rest.post("/v1/templates", { key: free.key, json })).toMatchObject({
      status: 422,
      body: { errors: [{ pointer: "/application", code: "required" }] },
    });
  });

  it.each([
    [
      "a line break in a subject",
      { channel: "email", subject: "Hi\r\nBcc: a@example.com", body: "<p>x</p>" },
      "/subject",
    ],
    [
      "a line break in a name",
      { channel: "email", subject: "Hi", metadata: { fromName: "A\r\nB" } },
      "/metadata/fromName",
    ],
    ["a text over 256 KiB", { body: "x".repeat(300_000) }, "/body"],
    ["an empty text", { body: "  " }, "/body"],
    ["a variable declared twice", { variables: [{ name: "name" }, { name: "name" }] }, "/variables/1/name"],
    ["a word of Liquid as a variable", { variables: [{ name: "forloop" }] }, "/variables/0/name"],
    [
      "an example that does not fit",
      { variables: [{ name: "name", type: "number", example: "x" }] },
      "/variables/0/example",
    ],
  ])("refuses %s with 422 and a pointer", async (_, wrong, pointer) => {
    const tenant = await makeTenant(database);
    const { key } = await tenant.makeKey("staging", { role: "developer" });
    const answer = await rest.post("/v1/templates", { key, json: definition(wrong) });
    expect(answer.status).toBe(422);
    expect(answer.body).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ pointer })]) as unknown,
    });
  });

  it("refuses a body of more than 1 MiB with 413", async () => {
    const tenant = await makeTenant(database);
    const { key } = await tenant.makeKey("staging", { role: "developer" });
    const answer = await rest.post("/v1/templates", {
      key,
      json: definition({ body: "x".repeat(1_100_000) }),
    });
    expect(answer).toMatchObject({ status: 413, body: { code: "payload_too_large" } });
  });
});
