import { randomBytes } from "node:crypto";
import { describe, expect, it, vi } from "vitest";
import type { Ctx } from "../kernel/ctx.ts";
import { newId } from "../kernel/ids.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant } from "../testing/factories.ts";
import { refusal } from "../testing/refusal.ts";
import { createTemplate } from "./create-template.ts";
import { duplicateTemplate } from "./duplicate-template.ts";
import { getCoverage } from "./get-coverage.ts";
import { templateGroupQuerySchema } from "./library-schemas.ts";
import { listTemplateGroups } from "./list-template-groups.ts";
import { listTemplates } from "./list-templates.ts";
import { restoreTemplate } from "./restore-template.ts";
import {
  templateCreateSchema,
  templateDuplicateSchema,
  templateListInputSchema,
  templateUpdateSchema,
} from "./schemas.ts";
import type { Template } from "./schemas.ts";
import { updateTemplate } from "./update-template.ts";

const database = await testDatabase();

const create = (ctx: Ctx, more: Record<string, unknown> = {}) =>
  createTemplate(
    ctx,
    templateCreateSchema.parse({
      application: "shop",
      name: `name-${randomBytes(4).toString("hex")}`,
      notificationType: "order",
      notificationSubtype: "order_status",
      channel: "sms",
      body: "Your order is on its way.",
      ...more,
    }),
  );
const update = (ctx: Ctx, id: string, body: string) =>
  updateTemplate(ctx, { ...templateUpdateSchema.parse({ body }), id });
const groups = (ctx: Ctx, query: Record<string, unknown> = {}) =>
  listTemplateGroups(ctx, templateGroupQuerySchema.parse(query));
const names = async (ctx: Ctx, query: Record<string, unknown> = {}) =>
  (await groups(ctx, query)).data.map((group) => group.name);
const duplicate = (ctx: Ctx, input: Record<string, unknown>) =>
  duplicateTemplate(ctx, templateDuplicateSchema.parse(input));

/** An audience of its own for each of many templates. */
const region = (n: number) => String.fromCharCode(65 + Math.floor(n / 26), 65 + (n % 26));

/** Puts a version into an environment as a promotion would. */
async function deploy(template: Template, environmentId: string, version: number, disabled = false) {
  await database.owner.query(
    `INSERT INTO template_deployments (tenant_id, template_id, environment_id, version, disabled, deployed_at)
     SELECT tenant_id, id, $2, $3, $4, now() FROM templates WHERE id = $1
     ON CONFLICT (tenant_id, template_id, environment_id) DO UPDATE SET version = $3, disabled = $4`,
    [template.id, environmentId, version, disabled],
  );
}

describe("the library", () => {
  it("lists each name once with its variants, what is live of them where, and who changed it last", async () => {
    const tenant = await makeTenant(database);
    const { staging, production, sandbox } = tenant.environments;
    const author = tenant.as("template_author", tenant.units.alpha);
    const german = await create(author, { name: "status", language: "de" });
    const english = await create(tenant.system, {
      name: "status",
      language: "en",
      body: "Write to ada.lovelace@gmail.com",
    });
    await deploy(german, production, 1, true);
    await deploy(english, production, 1);
    await update(author, german.id, "Neu");
    const { data } = await groups(tenant.system);
    expect(data).toMatchObject([
      {
        application: "shop",
        name: "status",
        total: 2,
        matching: 2,
        findings: 1,
        changedBy: author.actor.name,
        environments: expect.arrayContaining([
          { environmentId: production, live: 1, disabled: 1, behind: 1 },
          { environmentId: staging, live: 2, disabled: 0, behind: 0 },
          { environmentId: sandbox, live: 2, disabled: 0, behind: 0 },
        ]) as unknown,
        variants: [
          { id: german.id, language: "de", latestVersion: 2, findings: 0 },
          { id: english.id, language: "en", latestVersion: 1, findings: 1, author: "Test" },
        ],
      },
    ]);
    expect(data[0]?.variants[0]?.deployments).toContainEqual({
      environmentId: production,
      version: 1,
      disabled: true,
    });
  });

  it("is narrowed by application, channel, type, environment and difference, and counts what is left", async () => {
    const tenant = await makeTenant(database);
    const { staging, production } = tenant.environments;
    const same = await create(tenant.system, { name: "same" });
    const behind = await create(tenant.system, { name: "behind", language: "de" });
    const other = await create(tenant.system, { name: "behind", language: "en", channel: "whatsapp" });
    await create(tenant.system, {
      application: "desk",
      name: "desk-note",
      notificationType: "account",
      notificationSubtype: "maintenance",
    });
    for (const template of [same, behind, other]) await deploy(template, production, 1);
    await update(tenant.system, behind.id, "Neu");
    expect(await names(tenant.system)).toEqual(["behind", "desk-note", "same"]);
    expect(await names(tenant.system, { application: "shop" })).toEqual(["behind", "same"]);
    expect(await names(tenant.system, { name: "same" })).toEqual(["same"]);
    expect(await names(tenant.system, { unitId: tenant.units.beta })).toEqual(["desk-note"]);
    expect(await names(tenant.system, { notificationType: "account" })).toEqual(["desk-note"]);
    expect(await names(tenant.system, { liveIn: staging })).toEqual(["behind", "desk-note", "same"]);
    expect(await names(tenant.system, { liveIn: production })).toEqual(["behind", "same"]);
    await deploy(same, production, 1, true);
    expect(await names(tenant.system, { liveIn: production })).toEqual(["behind"]);
    const live = await listTemplates(tenant.system, templateListInputSchema.parse({ liveIn: production }));
    expect(live.data.map(({ id }) => id)).toEqual([other.id, behind.id]);
    // What is only in the first stage differs as well.
    expect(await names(tenant.system, { differing: true })).toEqual(["behind", "desk-note"]);
    expect((await groups(tenant.system, { differing: true, application: "shop" })).data).toMatchObject([
      { name: "behind", total: 2, matching: 1, variants: [{ id: behind.id }] },
    ]);
    expect((await groups(tenant.system, { channel: "whatsapp" })).data).toMatchObject([
      { name: "behind", total: 2, matching: 1, variants: [{ id: other.id }] },
    ]);
  });

  it("finds words in names, types, audiences and texts, in any case, and takes every character literally", async () => {
    const tenant = await makeTenant(database);
    await create(tenant.system, {
      name: "discount",
      language: "de",
      body: '100% Rabatt_heute \\o/ Привет Über für Größe 5\' ("neu")',
    });
    await create(tenant.system, {
      name: "Receipt",
      notificationSubtype: "receipt",
      region: "AT",
      body: "Danke",
    });
    const found = (search: string) => names(tenant.system, { search });
    for (const search of [
      "discount",
      "DISC",
      "order_status",
      "100%",
      "rabatt_heute",
      "GRÖßE",
      "\\o/",
      "5'",
      '("neu")',
      "discount 100% de",
      "привет",
      "ПРИВЕТ",
      "über",
      "discount über",
    ]) {
      expect(await found(search), search).toEqual(["discount"]);
    }
    expect(await found("receipt")).toEqual(["Receipt"]);
    expect(await found("at danke")).toEqual(["Receipt"]);
    for (const search of ["_iscount", "dis%nt", "1000%", "discount danke", "'; DROP TABLE templates; --"]) {
      expect(await found(search), search).toEqual([]);
    }
    expect(await found("order")).toEqual(["discount", "Receipt"]);
    expect(templateGroupQuerySchema.safeParse({ search: "a\0b" }).success).toBe(false);
    // A text's earlier versions are not searched.
    const [group] = (await groups(tenant.system, { search: "danke" })).data;
    await update(tenant.system, group?.variants[0]?.id ?? "", "Merci");
    expect(await found("danke")).toEqual([]);
    expect(await found("merci")).toEqual(["Receipt"]);
  });

  it.each(["name", "changed"] as const)(
    "pages by %s without repeating or losing one while templates are added",
    async (sort) => {
      const tenant = await makeTenant(database);
      const made = ["delta", "Alpha", "charlie", "bravo", "echo", "Foxtrot", "golf"];
      let audience = 0;
      const add = (name: string) => create(tenant.system, { name, region: region(audience++) });
      for (const name of made) await add(name);
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await groups(tenant.system, { sort, limit: 2, cursor });
        seen.push(...page.data.map((group) => group.name));
        cursor = page.nextCursor ?? undefined;
        // Before and after the reader's position.
        await add(`aa-${String(audience)}`);
        await add(`zz-${String(audience)}`);
        await add("delta");
      } while (cursor !== undefined && seen.length < 40);
      const known = seen.filter((name) => made.includes(name));
      expect(new Set(seen).size).toBe(seen.length);
      // Changed ones go to the top of the order by change, which the reader has passed.
      const expected =
        sort === "name" ? made : made.filter((name) => name !== "delta" || seen.includes(name));
      expect(known.toSorted()).toEqual(expected.toSorted());
      if (sort === "name") {
        const lower = seen.map((name) => name.toLowerCase());
        expect(lower).toEqual(lower.toSorted());
      }
    },
  );

  it("refuses an invalid cursor", async () => {
    const tenant = await makeTenant(database);
    await create(tenant.system, { region: "DE" });
    await create(tenant.system, { region: "FR" });
    const { nextCursor } = await groups(tenant.system, { limit: 1 });
    const wrong = [
      "AAAA",
      "",
      Buffer.from("null").toString("base64url"),
      Buffer.from(JSON.stringify(["name", 1, "x", "no-uuid", "a", "b"])).toString("base64url"),
      Buffer.from(JSON.stringify(["name", 1, "x\0", newId(), "a", "b"])).toString("base64url"),
      Buffer.from(JSON.stringify(["changed", 1e300, "x", newId(), "a", "b"])).toString("base64url"),
    ];
    for (const cursor of wrong) {
      expect((await refusal(groups(tenant.system, { cursor }))).code, cursor).toBe("invalid_cursor");
    }
    const otherOrder = refusal(groups(tenant.system, { cursor: nextCursor, sort: "changed" }));
    expect((await otherOrder).code).toBe("invalid_cursor");
  });

  it("runs as many statements for one template as for many, and lists at most 200 of a name", async () => {
    const tenant = await makeTenant(database);
    const first = await create(tenant.system, { name: "many", region: "ZZ" });
    const connect = vi.spyOn(database.web.pool, "connect");
    const count = async (work: () => Promise<unknown>) => {
      connect.mockClear();
      await work();
      return connect.mock.calls.length;
    };
    const coverage = () =>
      getCoverage(tenant.system, {
        application: "shop",
        name: "many",
        environmentId: tenant.environments.staging,
      });
    await coverage();
    const before = [await count(() => groups(tenant.system)), await count(coverage)];
    await database.owner.query(
      `INSERT INTO templates (tenant_id, id, application_id, name, notification_type, notification_subtype, channel, region,
         language, latest_version, updated_at)
       SELECT t.tenant_id, gen_random_uuid(), t.application_id, CASE WHEN n % 2 = 0 THEN 'many' ELSE 'name-' || n END,
         t.notification_type, t.notification_subtype, 'sms', chr(65 + n / 26 % 26) || chr(65 + n % 26), 'de', 1, now()
       FROM templates t, generate_series(0, 499) n WHERE t.id = $1`,
      [first.id],
    );
    const { data } = await groups(tenant.system, { search: "many" });
    expect(data).toMatchObject([{ name: "many", total: 251, matching: 251 }]);
    expect(data[0]?.variants).toHaveLength(200);
    const after = [await count(() => groups(tenant.system, { limit: 100 })), await count(coverage)];
    expect(after).toEqual(before);
    expect(before[0]).toBe(1);
    connect.mockRestore();
  });
});

describe("who sees the library", () => {
  it("is nobody of another unit or tenant: in no list, no count, no coverage and no copy", async () => {
    const tenant = await makeTenant(database);
    const { id } = await create(tenant.system, { name: "secret" });
    const own = await create(tenant.system, { application: "desk", name: "open" });
    const colleague = tenant.as("owner", tenant.units.beta);
    const stranger = (await makeTenant(database)).as("owner");
    for (const sort of ["name", "changed"]) expect(await names(colleague, { sort })).toEqual(["open"]);
    expect(await names(colleague, { unitId: tenant.units.alpha })).toEqual([]);
    expect(await names(colleague, { search: "secret" })).toEqual([]);
    expect(await names(colleague, { application: "shop" })).toEqual([]);
    expect(await names(stranger)).toEqual([]);
    const where = { application: "shop", name: "secret", environmentId: tenant.environments.staging };
    expect((await refusal(getCoverage(colleague, where))).code).toBe("unknown_application");
    // Has an application of this name, too.
    expect((await refusal(getCoverage(stranger, where))).code).toBe("not_found");
    for (const ctx of [colleague, stranger]) {
      expect((await refusal(duplicate(ctx, { id, region: "DE" }))).code).toBe("not_found");
      expect((await refusal(restoreTemplate(ctx, { id }))).code).toBe("not_found");
    }
    expect((await refusal(duplicate(colleague, { id: own.id, application: "shop" }))).code).toBe(
      "unknown_application",
    );
    const foreign = { ...where, environmentId: (await makeTenant(database)).environments.staging };
    expect((await refusal(getCoverage(tenant.system, foreign))).code).toBe("not_found");
    expect((await refusal(duplicate(tenant.as("auditor"), { id, region: "DE" }))).code).toBe(
      "permission_denied",
    );
  });
});
