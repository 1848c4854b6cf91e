import { expect, test } from "vitest";
import { createProvider } from "../connections/create-provider.ts";
import { providerCreateSchema } from "../connections/schemas.ts";
import { newId } from "../kernel/ids.ts";
import { checkContent } from "../template-language/check-content.ts";
import { renderCompiled } from "../template-language/render.ts";
import { exampleValues } from "../template-language/variables.ts";
import { notificationClassSchema } from "../tenancy/schemas.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { testDatabase } from "../testing/database.ts";
import { refusal } from "../testing/refusal.ts";
import { createOrganisation } from "./create-organisation.ts";
import type { OrganisationInput } from "./create-organisation.ts";
import { firstApplication, firstTeam } from "./first-application.ts";
import { firstTemplates } from "./first-templates.ts";
import { linkForMember, listOrganisations } from "./operator-commands.ts";

const database = await testDatabase();
const wanted = (more: Partial<OrganisationInput> = {}): OrganisationInput => ({
  slug: `o-${newId().slice(-12)}`,
  name: "An organisation",
  dataRegion: "EU",
  country: "DE",
  language: "en",
  owner: { email: "owner@o.example", name: "Olga", password: null },
  team: firstTeam,
  application: firstApplication,
  ...more,
});

test("an organisation has what its first message needs, and a type of each class", async () => {
  const made = await createOrganisation(database.worker, wanted({ dataRegion: "CH", country: "CH" }));
  const ctx = systemCtx(database.web, made.tenantId, "Test");
  const { environments, applications, notificationTypes, tenant } = await getCatalogue(ctx);
  expect(tenant.dataRegion).toBe("CH");
  expect(environments.map(({ kind }) => kind)).toEqual(["nonproduction", "production", "sandbox"]);
  expect(applications).toMatchObject([
    { name: "webshop", defaultRegion: "CH", stages: [made.stagingId, made.productionId] },
  ]);
  expect(notificationTypes.map((type) => type.class).sort()).toEqual(
    [...notificationClassSchema.options].sort(),
  );
  const live = await database.owner.query<{ environment_id: string; channels: string[] }>(
    `SELECT d.environment_id, array_agg(DISTINCT t.channel ORDER BY t.channel) AS channels
     FROM template_deployments d JOIN templates t ON t.tenant_id = d.tenant_id AND t.id = d.template_id
     WHERE d.tenant_id = $1 GROUP BY 1`,
    [made.tenantId],
  );
  const channels = ["email", "sms", "whatsapp"];
  expect(Object.fromEntries(live.rows.map((row) => [row.environment_id, row.channels]))).toEqual({
    [made.sandboxId]: channels,
    [made.stagingId]: channels,
  });
  const rules = await database.owner.query(
    "SELECT environment_id, tiers FROM routing_rules WHERE tenant_id = $1",
    [made.tenantId],
  );
  expect(rules.rows).toEqual([
    { environment_id: made.sandboxId, tiers: [[{ connectionId: made.simulatorId, weight: 100 }]] },
  ]);
});

test("everything about it is in the audit trail, and no secret", async () => {
  const made = await createOrganisation(database.worker, wanted());
  const { rows } = await database.owner.query<{ action: string; text: string }>(
    "SELECT action, e::text AS text FROM audit_events e WHERE tenant_id = $1 ORDER BY id",
    [made.tenantId],
  );
  const actions = new Set(rows.map(({ action }) => action));
  for (const action of ["tenant", "unit", "environment", "application", "notification_type", "provider"])
    expect(actions).toContain(`${action}.created`);
  for (const action of ["template.created", "api_key.created", "password_link.created", "routing.changed"])
    expect(actions).toContain(action);
  for (const { text } of rows) {
    expect(text).not.toContain(made.sandboxKey.key);
    expect(text).not.toContain(made.passwordLink!.token);
    expect(text).not.toContain("owner@o.example");
  }
});

test("when one part fails there is no organisation", async () => {
  const input = wanted();
  const failing = createOrganisation(
    database.worker,
    {
      ...input,
      application: { name: "not a name".repeat(10), title: "T" },
      team: { slug: "x", name: "\u0000" },
    },
    {},
  );
  await expect(failing).rejects.toThrow();
  const { rows } = await database.owner.query("SELECT FROM tenants WHERE slug = $1", [input.slug]);
  expect(rows).toEqual([]);
});

test("a short name is given once, and none that the service's own pages have", async () => {
  const input = wanted();
  await createOrganisation(database.worker, input);
  expect((await refusal(createOrganisation(database.worker, input))).code).toBe("conflict");
  for (const slug of ["set-up", "sign-in", "api", "v1", "docs"]) {
    await expect(createOrganisation(database.worker, wanted({ slug }))).rejects.toThrow(
      /pages of the service/,
    );
  }
});

test("what an organisation calls itself is text in its templates, never markup or Liquid", async () => {
  const name = `<b>{{ code }}</b>{% raw %} & "Söhne"`;
  for (const template of firstTemplates(name, ["en", "de"])) {
    const { compiled, problems } = await checkContent({ ...template, compiledBody: null });
    expect(problems).toEqual([]);
    const rendered = renderCompiled(compiled!, exampleValues(template.variables), {
      locale: template.language,
      timezone: "UTC",
    });
    if (!rendered.ok) throw new Error("not rendered");
    expect(rendered.message.html ?? "").not.toContain("<b>");
    if (template.body.includes("Söhne")) {
      const shown = template.channel === "email" ? "&lt;b&gt; code &lt;/b&gt;" : "<b> code </b>";
      expect(rendered.message.html ?? rendered.message.text).toContain(shown);
    }
  }
  const made = await createOrganisation(database.worker, wanted({ name }));
  expect(made.sandboxKey.key).toMatch(/^tdg_sbx_/);
});

test("it has its simulator already, and connects providers of its region like any other", async () => {
  const made = await createOrganisation(database.worker, wanted());
  const ctx = systemCtx(database.web, made.tenantId, "Test");
  const second = createProvider(ctx, providerCreateSchema.parse({ name: "Another", provider: "simulator" }));
  expect((await refusal(second)).code).toBe("conflict");
  await createProvider(
    ctx,
    providerCreateSchema.parse({
      name: "Mail",
      provider: "smtp",
      settings: { host: "8.8.8.8" },
      processingRegion: "EU",
    }),
  );
});

test("whoever runs the installation sees the organisations, and makes a member a new link", async () => {
  const made = await createOrganisation(database.worker, wanted({ name: "Listed" }));
  expect(await listOrganisations(database.owner)).toContainEqual({
    slug: made.slug,
    name: "Listed",
    dataRegion: "EU",
  });
  const link = (email: string, organisation = made.slug) =>
    linkForMember(database.owner, database.worker, { organisation, email });
  expect((await link("OWNER@o.example")).address).toMatch(
    /^http:\/\/localhost:3000\/set-password#[\w-]{86}$/,
  );
  expect((await refusal(link("nobody@o.example"))).code).toBe("not_found");
  expect((await refusal(link("owner@o.example", "elsewhere"))).code).toBe("not_found");
});
