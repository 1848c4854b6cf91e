import { Logger as GraphileLogger, runOnce } from "graphile-worker";
import { expect, describe, it } from "vitest";
import { taskFor } from "../../worker/tasks/parse-payload.ts";
import { authenticateApiKey } from "../access/authenticate-api-key.ts";
import { createApiKey } from "../access/create-api-key.ts";
import type { Actor, Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { archiveTemplate } from "../templates/archive-template.ts";
import { createTemplate } from "../templates/create-template.ts";
import { getTemplate } from "../templates/get-template.ts";
import { templateCreateSchema } from "../templates/schemas.ts";
import { updateTemplate } from "../templates/update-template.ts";
import { forgetCatalogue } from "../tenancy/catalogue.ts";
import { codeOf } from "../testing/refusal.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import type { TestTenant } from "../testing/factories.ts";
import { restClient } from "../testing/rest-client.ts";
import { exportFiles } from "./export-files.ts";
import { toFiles } from "./files.ts";
import type { FileTemplate } from "./files.ts";
import { resumeTemplateImports } from "./go-on.ts";
import { planImport } from "./plan-import.ts";
import { getImport } from "./present-import.ts";
import { purgeImports } from "./purge-imports.ts";
import { noteResult, selectNextItems } from "./queries.ts";
import type { ItemResult } from "./queries.ts";
import { runImport } from "./run-import.ts";
import { cancelImport, startImport } from "./start-import.ts";
import type { TemplateImport } from "./schemas.ts";
import { importTemplates } from "./tasks.ts";

const database = await testDatabase();

const template = (fields: Partial<FileTemplate> = {}): FileTemplate => ({
  name: "receipt",
  notificationType: "order",
  notificationSubtype: "receipt",
  channel: "sms",
  region: null,
  language: null,
  provider: null,
  subject: null,
  body: "Paid: {{ amount }}",
  metadata: {},
  variables: [{ name: "amount", type: "string", required: true, example: "12.50" }],
  ...fields,
});

async function exportAll(ctx: Parameters<typeof exportFiles>[0]) {
  const files = [];
  let cursor: string | undefined;
  do {
    const page = await exportFiles(ctx, { application: "shop", cursor });
    files.push(...page.files);
    cursor = page.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return files;
}

/** Runs the queue's jobs until none is due. */
async function work() {
  await runOnce({
    pgPool: database.worker.pool,
    noHandleSignals: true,
    logger: new GraphileLogger(() => () => undefined),
    taskList: {
      [importTemplates.name]: taskFor(importTemplates, (payload) =>
        runImport({ db: database.worker }, payload),
      ),
    },
  });
}

const acting = (ctx: Ctx, actor: Omit<Extract<Actor, { type: "user" }>, "name">): Ctx => ({
  ...ctx,
  actor: { ...actor, name: ctx.actor.name },
});

const rest = restClient(database.web);

/** A member, as a request of theirs has them. */
async function person(tenant: TestTenant, name: string): Promise<Ctx> {
  const member = await tenant.addMember("template_author");
  return { ...tenant.as("template_author"), actor: { ...member, type: "user", name } };
}

/** A key of an agent in production, and its ctx as a request has it. */
async function agentOf(tenant: TestTenant): Promise<{ key: string; ctx: Ctx }> {
  const { key } = await createApiKey(tenant.as("owner"), {
    name: "Assistant",
    environmentId: tenant.environments.production,
    role: "developer",
    agent: { recipients: ["*@example.com"], hourlyCap: 10, laterStages: true },
  });
  return { key, ctx: await authenticateApiKey(database.web, `Bearer ${key}`, { requestId: newId() }) };
}

/** What somebody who looks at a plan has seen of it. */
const seenOf = ({ id, items }: TemplateImport) => ({
  id,
  lastPosition: Math.max(...items.map(({ position }) => position)),
});

describe("an import of template files", () => {
  it("shows a plan, saves nothing before it is started, and then does exactly that", async () => {
    const tenant = await makeTenant(database);
    const member = await tenant.addMember("template_author", { unitId: tenant.units.alpha });
    const author = acting(tenant.as("template_author", tenant.units.alpha), { ...member, type: "user" });
    const kept = await createTemplate(
      author,
      templateCreateSchema.parse({ ...template(), application: "shop" }),
    );
    const changed = await createTemplate(
      author,
      templateCreateSchema.parse({ ...template({ language: "de" }), application: "shop" }),
    );
    const plan = await planImport(author, {
      application: "shop",
      note: "From version control",
      files: [
        template(),
        template({ language: "de", body: "Bezahlt: {{ amount }}" }),
        template({ language: "fr", body: "Payé : {{ amount }}" }),
        template({ language: "it", body: "Pagato: {{ importo }}" }),
      ].flatMap(toFiles),
    });
    expect(plan.items.map((item) => [item.path, item.action])).toEqual([
      ["receipt/sms", "unchanged"],
      ["receipt/sms.lang-de", "update"],
      ["receipt/sms.lang-fr", "create"],
      ["receipt/sms.lang-it", "invalid"],
    ]);
    expect(plan.items[3]?.problem?.errors[0]).toMatchObject({
      pointer: "/body",
      code: "undeclared_variable",
    });
    expect((await getTemplate(author, { id: changed.id })).latestVersion).toBe(1);

    expect((await startImport(author, { id: plan.id })).state).toBe("running");
    await work();
    const done = await getImport(author, { id: plan.id });
    expect(done).toMatchObject({ state: "finished", counts: { done: 2, failed: 0 } });
    const saved = await getTemplate(author, { id: changed.id });
    expect(saved).toMatchObject({
      latestVersion: 2,
      body: "Bezahlt: {{ amount }}",
      note: "From version control",
    });
    expect(saved.versions[0]?.author).toBe(author.actor.name);
    expect((await getTemplate(author, { id: kept.id })).latestVersion).toBe(1);
  });

  it("copies one application's templates to another, and changes nothing a second time", async () => {
    const tenant = await makeTenant(database);
    const other = await makeTenant(database);
    const bodies = Array.from({ length: 60 }, (_, index) => `Paid ${String(index)}: {{ amount }}\n\n`);
    for (const [index, body] of bodies.entries()) {
      await createTemplate(
        tenant.system,
        templateCreateSchema.parse({
          ...template({
            body,
            region: String.fromCharCode(65 + (index % 26)) + String.fromCharCode(65 + Math.floor(index / 26)),
          }),
          application: "shop",
        }),
      );
    }
    const files = await exportAll(tenant.system);
    const half = Math.floor(files.length / 2 / 2) * 2;
    const first = await planImport(other.system, { application: "shop", files: files.slice(0, half) });
    const plan = await planImport(other.system, { importId: first.id, files: files.slice(half) });
    expect(plan.counts).toMatchObject({ create: 60, invalid: 0 });
    await startImport(other.system, { id: plan.id });
    await work();
    expect((await getImport(other.system, { id: plan.id })).counts).toMatchObject({ done: 60, failed: 0 });
    const byPath = (a: { path: string }, b: { path: string }) => (a.path < b.path ? -1 : 1);
    expect((await exportAll(other.system)).sort(byPath)).toEqual(files.toSorted(byPath));
    const again = await planImport(other.system, { application: "shop", files });
    expect(again.counts).toMatchObject({ unchanged: 60, create: 0, update: 0 });
    expect(await codeOf(startImport(other.system, { id: again.id }))).toBe("conflict");
  });

  it("leaves alone what somebody saved after the plan, and reports it", async () => {
    const tenant = await makeTenant(database);
    const made = await createTemplate(
      tenant.system,
      templateCreateSchema.parse({ ...template(), application: "shop" }),
    );
    const plan = await planImport(tenant.system, {
      application: "shop",
      files: toFiles(template({ body: "From files {{ amount }}" })),
    });
    await updateTemplate(tenant.system, {
      id: made.id,
      body: "By hand {{ amount }}",
      metadata: {},
      variables: [{ name: "amount", type: "string", required: true, example: "1" }],
    });
    await startImport(tenant.system, { id: plan.id });
    await work();
    const { items } = await getImport(tenant.system, { id: plan.id });
    expect(items[0]).toMatchObject({ state: "failed", problem: { code: "conflict" } });
    expect((await getTemplate(tenant.system, { id: made.id })).body).toBe("By hand {{ amount }}");
  });

  it("reports beforehand what the deterministic checks block, and goes on with the rest", async () => {
    const tenant = await makeTenant(database);
    const plan = await planImport(tenant.system, {
      application: "shop",
      files: [
        template({ language: "en", body: "Card 4111 1111 1111 1111 {{ amount }}" }),
        template({ language: "de" }),
      ].flatMap(toFiles),
    });
    await startImport(tenant.system, { id: plan.id });
    await work();
    const { items, state } = await getImport(tenant.system, { id: plan.id });
    expect(state).toBe("finished");
    expect(items.map((item) => [item.path, item.action, item.state, item.problem?.code])).toEqual([
      ["receipt/sms.lang-de", "create", "done", undefined],
      ["receipt/sms.lang-en", "invalid", "skipped", "moderation_blocked"],
    ]);
  });

  it("does not restore what somebody has archived", async () => {
    const tenant = await makeTenant(database);
    const made = await createTemplate(
      tenant.system,
      templateCreateSchema.parse({ ...template(), application: "shop" }),
    );
    await archiveTemplate(tenant.system, { id: made.id });
    const plan = await planImport(tenant.system, { application: "shop", files: toFiles(template()) });
    expect(plan.items[0]).toMatchObject({ action: "invalid", problem: { code: "archived" } });
  });

  it("ends early when it is canceled, and what is saved stays", async () => {
    const tenant = await makeTenant(database);
    const plan = await planImport(tenant.system, { application: "shop", files: toFiles(template()) });
    await startImport(tenant.system, { id: plan.id });
    await cancelImport(tenant.system, { id: plan.id });
    await work();
    expect(await getImport(tenant.system, { id: plan.id })).toMatchObject({
      state: "canceled",
      counts: { done: 0 },
    });
    expect(await codeOf(startImport(tenant.system, { id: plan.id }))).toBe("conflict");
    expect(await codeOf(planImport(tenant.system, { importId: plan.id, files: toFiles(template()) }))).toBe(
      "conflict",
    );
  });

  it("saves nothing more once it is canceled, also of what its job has taken already", async () => {
    const tenant = await makeTenant(database);
    const files = ["de", "en", "fr"].flatMap((language) => toFiles(template({ language })));
    const plan = await planImport(tenant.system, { application: "shop", files });
    await startImport(tenant.system, { id: plan.id });
    const client = await database.owner.connect();
    // The first template is being saved for as long as this transaction takes.
    await client.query("BEGIN");
    await client.query("LOCK TABLE template_versions IN SHARE MODE");
    const working = work();
    for (let waiting = 0; waiting === 0;) {
      const { rows } = await database.owner.query(
        "SELECT FROM pg_locks WHERE relation = 'template_versions'::regclass AND NOT granted",
      );
      waiting = rows.length;
    }
    await cancelImport(tenant.system, { id: plan.id });
    await client.query("COMMIT");
    client.release();
    await working;
    expect(await getImport(tenant.system, { id: plan.id })).toMatchObject({
      state: "canceled",
      counts: { done: 1 },
    });
    expect(await exportAll(tenant.system)).toHaveLength(toFiles(template()).length);
  });

  it("tries again what failed before in any order, and keeps what a repeated job has saved", async () => {
    const tenant = await makeTenant(database);
    const files = ["de", "en", "fr", "it", "es", "pt"].flatMap((language) => toFiles(template({ language })));
    const plan = await planImport(tenant.system, { application: "shop", files });
    await startImport(tenant.system, { id: plan.id });
    const problem = { code: "internal_error", detail: "", errors: [] };
    const note = (position: number, result: ItemResult) =>
      inTenant(tenant.system, (tx) =>
        noteResult(tx, { tenantId: tenant.tenantId, importId: plan.id, position }, result),
      );
    for (const { position } of plan.items) await note(position, { state: "planned", version: null, problem });
    const tried = new Set<number>();
    for (let job = 0; job < 50; job++) {
      for (const { position } of await selectNextItems(tenant.system, plan.id, 1)) tried.add(position);
    }
    expect(tried.size).toBe(6);
    await note(0, { state: "done", version: 1 });
    await note(0, { state: "failed", version: null, problem });
    expect(await getImport(tenant.system, { id: plan.id })).toMatchObject({ counts: { done: 1, failed: 0 } });
  });

  it("may do what its starter may do and no more: a key stays in its environment, withdrawn rights are gone", async () => {
    const tenant = await makeTenant(database);
    const { key } = await tenant.makeKey("sandbox", { role: "developer" });
    const json = { application: "shop", files: toFiles(template()) };
    const { id: started } = (await rest.post<TemplateImport>("/v1/template-imports", { key, json })).body;
    expect((await rest.post(`/v1/template-imports/${started}/start`, { key })).status).toBe(202);
    await work();
    const { items } = await getImport(tenant.system, { id: started });
    expect(items).toMatchObject([{ state: "done", version: 1 }]);
    const made = await getTemplate(tenant.system, { id: items[0]?.templateId ?? "" });
    expect(made.deployments.map(({ environment }) => environment)).toEqual(["sandbox"]);

    const member = await tenant.addMember("template_author");
    const author = acting(tenant.as("template_author"), { ...member, type: "user" });
    const plan = await planImport(author, {
      application: "shop",
      files: toFiles(template({ body: "Later {{ amount }}" })),
    });
    await startImport(author, { id: plan.id });
    await database.owner.query("DELETE FROM role_assignments WHERE user_id = $1", [member.id]);
    await work();
    expect(await getImport(tenant.system, { id: plan.id })).toMatchObject({
      state: "finished",
      items: [{ state: "failed", problem: { code: "permission_denied" } }],
    });
  });

  it("takes files from whoever began it alone, and somebody else starts it only as they have seen it", async () => {
    const tenant = await makeTenant(database);
    const [anna, ben] = [await person(tenant, "Anna"), await person(tenant, "Ben")];
    const { key } = await tenant.makeKey("staging", { role: "developer" });
    const files = (body: string) => toFiles(template({ body }));
    const { id } = await planImport(anna, { application: "shop", files: files("First {{ amount }}") });
    const seen = seenOf(await getImport(ben, { id }));

    expect(await codeOf(planImport(ben, { importId: id, files: files("His {{ amount }}") }))).toBe(
      "conflict",
    );
    const json = { importId: id, files: files("Its {{ amount }}") };
    expect((await rest.post("/v1/template-imports", { key, json })).status).toBe(409);
    expect(await codeOf(startImport(ben, { id }))).toBe("conflict");
    expect((await rest.post(`/v1/template-imports/${id}/start`, { key })).status).toBe(409);

    // It has as many templates as before, of the same folder.
    await planImport(anna, { importId: id, files: files("Second {{ amount }}") });
    expect(await codeOf(startImport(ben, seen))).toBe("revision_conflict");
    expect(await codeOf(startImport(anna, seen))).toBe("revision_conflict");
    expect(await getImport(anna, { id })).toMatchObject({ state: "planned", by: "Anna" });
    await startImport(ben, seenOf(await getImport(ben, { id })));
    await work();
    const { items } = await getImport(ben, { id });
    expect(await getTemplate(ben, { id: items[0]?.templateId ?? "" })).toMatchObject({
      body: "Second {{ amount }}",
      versions: [{ author: "Ben" }],
    });

    const own = await planImport(anna, { application: "shop", files: files("Third {{ amount }}") });
    expect((await startImport(anna, { id: own.id })).state).toBe("running");
  });

  it("of an agent puts nothing into production: not planned, not started, and not when production has become the first stage since", async () => {
    const tenant = await makeTenant(database, { settings: { ai: { allowWithoutAi: true } } });
    const { key } = await agentOf(tenant);
    const plan = async (language: string) =>
      rest.post<TemplateImport>("/v1/template-imports", {
        key,
        json: { application: "shop", files: toFiles(template({ language })) },
      });
    const start = ({ body: { id } }: { body: TemplateImport }) =>
      rest.post(`/v1/template-imports/${id}/start`, { key });
    const [waiting, running] = [await plan("de"), await plan("en")];
    expect((await start(running)).status).toBe(202);
    await database.owner.query("DELETE FROM pipeline_stages WHERE tenant_id = $1 AND environment_id = $2", [
      tenant.tenantId,
      tenant.environments.staging,
    ]);
    forgetCatalogue(tenant.tenantId);
    await work();
    expect(await getImport(tenant.system, { id: running.body.id })).toMatchObject({
      state: "finished",
      items: [{ state: "failed", problem: { code: "agent_limit" } }],
    });
    for (const refused of [await start(waiting), await plan("fr")])
      expect(refused).toMatchObject({ status: 403, body: { code: "agent_limit" } });
    const { rows } = await database.owner.query("SELECT FROM template_deployments WHERE tenant_id = $1", [
      tenant.tenantId,
    ]);
    expect(rows).toEqual([]);
  });

  it("of an agent is written by AI, whoever starts it", async () => {
    const tenant = await makeTenant(database);
    const { ctx: agent } = await agentOf(tenant);
    const anna = await person(tenant, "Anna");
    for (const [language, starter] of [
      ["de", agent],
      ["en", anna],
    ] as const) {
      const plan = await planImport(agent, {
        application: "shop",
        files: toFiles(template({ language })),
      });
      await startImport(starter, seenOf(plan));
      await work();
      const { items } = await getImport(anna, { id: plan.id });
      expect(await getTemplate(anna, { id: items[0]?.templateId ?? "" })).toMatchObject({
        provenance: { kind: "ai_drafted" },
        versions: [{ author: starter.actor.name }],
      });
    }
  });

  it("drops the problem of an earlier attempt once a template is saved", async () => {
    const tenant = await makeTenant(database);
    const plan = await planImport(tenant.system, { application: "shop", files: toFiles(template()) });
    await startImport(tenant.system, { id: plan.id });
    await database.owner.query(
      `UPDATE template_import_items SET problem = '{"code":"moderation_unavailable","detail":"","errors":[]}'
       WHERE import_id = $1`,
      [plan.id],
    );
    await work();
    expect((await getImport(tenant.system, { id: plan.id })).items).toMatchObject([
      { state: "done", problem: null },
    ]);
  });

  it("goes on with the others when one fails for an unforeseen reason", async () => {
    const tenant = await makeTenant(database);
    const plan = await planImport(tenant.system, {
      application: "shop",
      files: ["de", "en", "fr"].flatMap((language) => toFiles(template({ language }))),
    });
    await database.owner.query(
      `UPDATE template_import_items SET content = content || '{"body": 1}' WHERE import_id = $1 AND position = 0`,
      [plan.id],
    );
    await startImport(tenant.system, { id: plan.id });
    await work();
    expect(await getImport(tenant.system, { id: plan.id })).toMatchObject({
      state: "running",
      counts: { done: 2, failed: 0 },
    });
    // It is not retried for ever.
    await database.owner.query(
      "UPDATE template_imports SET started_at = now() - interval '1 day' WHERE id = $1",
      [plan.id],
    );
    await runImport({ db: database.worker }, { tenantId: tenant.tenantId, importId: plan.id });
    expect(await getImport(tenant.system, { id: plan.id })).toMatchObject({
      state: "finished",
      counts: { done: 2, failed: 1 },
    });
  });

  it("ends when its job has failed for good, says of each template what happened, and gets another job when that got lost", async () => {
    const tenant = await makeTenant(database);
    const planned = async (language: string) => {
      const files = toFiles(template({ language }));
      const { id } = await planImport(tenant.system, { application: "shop", files });
      await startImport(tenant.system, { id });
      return id;
    };
    const [failing, lost] = [await planned("de"), await planned("en")];
    const jobs = "graphile_worker._private_jobs";
    const ofImport = (id: string, change: string) =>
      database.owner.query(`${change} WHERE payload->>'importId' = $1`, [id]);
    const look = () => resumeTemplateImports({ db: database.worker, log: logger() });
    await ofImport(failing, `UPDATE ${jobs} SET attempts = max_attempts - 1`);
    await look();
    expect(await getImport(tenant.system, { id: failing })).toMatchObject({ state: "running" });

    await ofImport(failing, `UPDATE ${jobs} SET attempts = max_attempts`);
    await ofImport(lost, `DELETE FROM ${jobs}`);
    await look();
    expect(await getImport(tenant.system, { id: failing })).toMatchObject({
      state: "finished",
      counts: { done: 0, failed: 1 },
      items: [
        { state: "failed", problem: { detail: expect.stringContaining("contact the operator") as string } },
      ],
    });
    await work();
    expect(await getImport(tenant.system, { id: lost })).toMatchObject({
      state: "finished",
      counts: { done: 1, failed: 0 },
    });
  });

  it("does not change a template's audience", async () => {
    const tenant = await makeTenant(database);
    const values = { ...template({ notificationSubtype: "order_status" }), application: "shop" };
    await createTemplate(tenant.system, templateCreateSchema.parse(values));
    const plan = await planImport(tenant.system, { application: "shop", files: toFiles(template()) });
    expect(plan.items).toMatchObject([
      { action: "invalid", problem: { errors: [{ pointer: "/notificationSubtype", code: "immutable" }] } },
    ]);
  });

  it("is deleted with its texts when nobody started it for a week, or when it ended long ago", async () => {
    const tenant = await makeTenant(database);
    const age = (id: string, column: string, days: number) =>
      database.owner.query(
        `UPDATE template_imports SET ${column} = now() - make_interval(days => $2) WHERE id = $1`,
        [id, days],
      );
    const planned = async (language: string) =>
      (await planImport(tenant.system, { application: "shop", files: toFiles(template({ language })) })).id;
    const [forgotten, fresh, running, ended, recent] = await Promise.all(
      ["de", "en", "fr", "it", "es"].map(planned),
    );
    for (const id of [running, ended, recent]) await startImport(tenant.system, { id: id ?? "" });
    for (const id of [ended, recent]) await cancelImport(tenant.system, { id: id ?? "" });
    await age(forgotten ?? "", "created_at", 8);
    await age(running ?? "", "created_at", 400);
    await age(ended ?? "", "finished_at", 91);
    await age(recent ?? "", "finished_at", 89);
    await purgeImports(database.worker);
    const { rows } = await database.owner.query<{ id: string }>(
      "SELECT DISTINCT import_id AS id FROM template_import_items WHERE tenant_id = $1",
      [tenant.tenantId],
    );
    expect(rows.map(({ id }) => id).sort()).toEqual([fresh, running, recent].sort());
    expect(await codeOf(getImport(tenant.system, { id: forgotten ?? "" }))).toBe("not_found");
  });

  it("is unknown to another team and another tenant", async () => {
    const tenant = await makeTenant(database);
    const stranger = await makeTenant(database);
    const { id } = await planImport(tenant.system, { application: "shop", files: toFiles(template()) });
    for (const ctx of [tenant.as("owner", tenant.units.beta), stranger.as("owner")]) {
      expect(await codeOf(getImport(ctx, { id }))).toBe("not_found");
      expect(await codeOf(startImport(ctx, { id }))).toBe("not_found");
      expect(await codeOf(planImport(ctx, { importId: id, files: toFiles(template()) }))).toBe("not_found");
      expect(await codeOf(exportFiles(ctx, { application: "shop" }))).toBe(
        ctx.tenantId === tenant.tenantId ? "unknown_application" : "",
      );
    }
    expect(await codeOf(startImport(tenant.as("auditor"), { id }))).toBe("permission_denied");
  });
});
