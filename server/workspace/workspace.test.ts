import { expect, test, vi } from "vitest";
import { newId } from "../kernel/ids.ts";
import { openText, sealText } from "../kernel/secrets.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { createApplicationSchema } from "../tenancy/schemas.ts";
import { testDatabase } from "../testing/database.ts";
import { makeTenant, testTypes } from "../testing/factories.ts";
import { mostEntries } from "./add-entry.ts";
import { deleteNotificationType, updateNotificationType } from "./change-notification-type.ts";
import { createApplication } from "./create-application.ts";
import { createEnvironment } from "./create-environment.ts";
import { createNotificationType } from "./create-notification-type.ts";
import { createTenant } from "./create-tenant.ts";
import { createUnit } from "./create-unit.ts";
import { getWorkspace } from "./get-workspace.ts";

const database = await testDatabase();
const tenant = await makeTenant(database);
const other = await makeTenant(database);

const application = (over: object = {}) => ({
  name: `app-${newId().slice(-8)}`,
  title: "An application",
  unitId: tenant.units.alpha,
  defaultRegion: "DE",
  defaultLanguage: "de",
  stages: [tenant.environments.staging, tenant.environments.production],
  ...over,
});

test("the catalogue contains the tenant's own set-up, completely and nothing else", async () => {
  const catalogue = await getCatalogue(other.system);
  expect(catalogue.tenant).toMatchObject({
    id: other.tenantId,
    slug: other.slug,
    dataRegion: "EU",
    settings: {},
  });
  expect(catalogue.units.map((unit) => unit.slug)).toEqual(["alpha", "beta"]);
  expect(catalogue.environments.map((environment) => [environment.slug, environment.kind])).toEqual([
    ["staging", "nonproduction"],
    ["production", "production"],
    ["sandbox", "sandbox"],
  ]);
  expect(catalogue.applications.map((each) => each.name)).toEqual(["desk", "shop"]);
  expect(catalogue.applications[1]).toMatchObject({
    ...other.application,
    stages: [other.environments.staging, other.environments.production],
  });
  expect(catalogue.notificationTypes).toHaveLength(testTypes.length);
  await expect(getCatalogue({ db: database.web, tenantId: newId() })).rejects.toMatchObject({
    code: "not_found",
  });
});

test("a change is in the catalogue at once here, and within a second or so elsewhere", async () => {
  const owner = tenant.as("owner");
  await getCatalogue(owner);
  const { id } = await createUnit(owner, { slug: "gamma", name: "Gamma" });
  expect((await getCatalogue(owner)).units.map((unit) => unit.id)).toContain(id);
  await database.owner.query("UPDATE organization_units SET name = 'Renamed' WHERE id = $1", [id]);
  await vi.waitFor(
    async () =>
      expect((await getCatalogue(owner)).units.find((unit) => unit.id === id)?.name).toBe("Renamed"),
    { timeout: 5_000, interval: 100 },
  );
});

test("a tenant starts with one sandbox, the built-in roles, an owner and a data key of its own", async () => {
  const slug = `fresh-${newId().slice(-8)}`;
  const email = `owner@${slug}.example`;
  const made = await createTenant(database.worker, {
    slug,
    name: "Fresh",
    owner: { email, name: "O", password: null },
  });
  const { rows } = await database.owner.query<{
    data_key: Buffer;
    sandboxes: string;
    roles: string;
    owner: string;
  }>(
    `SELECT t.data_key, (SELECT count(*) FROM environments WHERE tenant_id = t.id AND kind = 'sandbox') AS sandboxes,
            (SELECT count(*) FROM roles WHERE tenant_id = t.id AND built_in) AS roles,
            (SELECT u.email FROM role_assignments a JOIN roles r USING (tenant_id) JOIN users u USING (tenant_id)
             WHERE a.tenant_id = t.id AND r.id = a.role_id AND u.id = a.user_id AND r.key = 'owner' AND a.unit_id IS NULL) AS owner
     FROM tenants t WHERE t.id = $1`,
    [made.tenantId],
  );
  expect(rows[0]).toMatchObject({ sandboxes: "1", roles: "9", owner: email });
  const box = sealText(made.tenantId, rows[0]!.data_key, "place", "secret");
  expect(openText(made.tenantId, rows[0]!.data_key, "place", box)).toBe("secret");
  expect(() => openText(tenant.tenantId, rows[0]!.data_key, "place", box)).toThrow();

  const taken = { slug, name: "X", owner: { email: `x@${slug}.example`, name: "O", password: null } };
  await expect(createTenant(database.worker, taken)).rejects.toMatchObject({ code: "conflict" });
  // The same address in another organisation is another account.
  await createTenant(database.worker, {
    slug: `${slug}-2`,
    name: "X",
    owner: { email, name: "O", password: null },
  });
});

test("the web process cannot add tenants", async () => {
  await expect(
    createTenant(database.web, {
      slug: `web-${newId().slice(-8)}`,
      name: "X",
      owner: { email: `${newId()}@x.example`, name: "O", password: null },
    }),
  ).rejects.toThrow(/permission denied/);
});

test("names are unique in a tenant, and free in another", async () => {
  const owner = tenant.as("owner");
  const taken = { code: "conflict" };
  await expect(createUnit(owner, { slug: "alpha", name: "A" })).rejects.toMatchObject(taken);
  await expect(
    createEnvironment(owner, { slug: "sandbox", name: "S", kind: "nonproduction" }),
  ).rejects.toMatchObject(taken);
  await expect(createApplication(owner, application({ name: "shop" }))).rejects.toMatchObject(taken);
  await expect(
    createNotificationType(owner, { type: "order", class: "service", subtypes: ["x"] }),
  ).rejects.toMatchObject(taken);
  await createUnit(other.as("owner"), { slug: "gamma", name: "Gamma" });
});

test("a pipeline is made of the tenant's own environments, each once, without the sandbox", async () => {
  const owner = tenant.as("owner");
  const { staging, sandbox } = tenant.environments;
  for (const [stages, code] of [
    [[staging, staging], "repeated"],
    [[sandbox], "sandbox"],
    [[other.environments.staging], "unknown_environment"],
  ] as const) {
    await expect(createApplication(owner, application({ stages }))).rejects.toMatchObject({
      code: "invalid_request",
      errors: [expect.objectContaining({ code }) as object],
    });
  }
});

test("a team sees its own applications, and adds applications to no other team", async () => {
  const administrator = tenant.as("administrator", tenant.units.alpha);
  const workspace = await getWorkspace(administrator);
  expect(workspace.units.map((unit) => unit.id)).toEqual([tenant.units.alpha]);
  for (const each of workspace.applications) expect(each.unitId).toBe(tenant.units.alpha);
  expect(workspace.permissionsByUnit).toEqual([
    { unitId: null, permissions: [] },
    { unitId: tenant.units.alpha, permissions: workspace.permissions },
  ]);
  await createApplication(administrator, application());
  const missing = { code: "not_found" };
  await expect(
    createApplication(administrator, application({ unitId: tenant.units.beta })),
  ).rejects.toMatchObject(missing);
  await expect(
    createApplication(tenant.as("owner"), application({ unitId: other.units.alpha })),
  ).rejects.toMatchObject(missing);
  await expect(createUnit(administrator, { slug: "delta", name: "D" })).rejects.toMatchObject(missing);
});

test("somebody without a role sees an empty workspace", async () => {
  const workspace = await getWorkspace({ ...tenant.as("owner"), grants: [] });
  expect(workspace).toMatchObject({ environments: [], units: [], applications: [], permissions: [] });
});

test("an organisation has a bounded number of teams, environments, applications and types, also when they are added at once", async () => {
  const crowded = await makeTenant(database);
  const owner = crowded.as("owner");
  const { tenantId, units } = crowded;
  const many = (table: string, columns: string, values: string, most: number) =>
    database.owner.query(
      `INSERT INTO ${table} (tenant_id, id, ${columns}) SELECT $1, gen_random_uuid(), ${values}
       FROM generate_series((SELECT count(*) FROM ${table} WHERE tenant_id = $1) + 2, $2::int) AS n`,
      [tenantId, most],
    );
  await many("organization_units", "slug, name", "'many-' || n, 'Many'", mostEntries.teams);
  await many(
    "environments",
    "slug, name, kind",
    "'many-' || n, 'Many', 'nonproduction'",
    mostEntries.environments,
  );
  await many(
    "applications",
    "unit_id, name, title, default_region, default_language",
    `'${units.alpha}', 'many-' || n, 'Many', 'DE', 'de'`,
    mostEntries.applications,
  );
  await many(
    "notification_types",
    "type, class, subtypes",
    "'many_' || n, 'service', '{x}'",
    mostEntries["notification types"],
  );
  const additions: ((name: string) => Promise<unknown>)[] = [
    (name) => createUnit(owner, { slug: name, name }),
    (name) => createEnvironment(owner, { slug: name, name, kind: "nonproduction" }),
    (name) =>
      createApplication(
        owner,
        createApplicationSchema.parse(
          application({ name, unitId: units.alpha, stages: [crowded.environments.production] }),
        ),
      ),
    (name) => createNotificationType(owner, { type: name, class: "service", subtypes: ["x"] }),
  ];
  for (const add of additions) {
    const made = await Promise.allSettled(["last", "more"].map(add));
    expect(made.map(({ status }) => status).sort()).toEqual(["fulfilled", "rejected"]);
    await expect(add("again")).rejects.toMatchObject({ code: "conflict" });
  }
});

test("an API key of another environment than production changes no notification type", async () => {
  const { environments } = tenant;
  const type = { class: "service" as const, subtypes: ["x"] };
  const keyOf = (environmentId: string) => ({
    ...tenant.as("owner"),
    grants: tenant.as("owner").grants.map((grant) => ({ ...grant, environmentId })),
  });
  const { id } = await createNotificationType(keyOf(environments.production), { type: "by_key", ...type });
  const staging = keyOf(environments.staging);
  const mismatch = { code: "environment_mismatch" };
  await expect(createNotificationType(staging, { type: "other", ...type })).rejects.toMatchObject(mismatch);
  await expect(updateNotificationType(staging, { id, ...type })).rejects.toMatchObject(mismatch);
  await expect(deleteNotificationType(staging, { id })).rejects.toMatchObject(mismatch);
});

test("without organization:manage nothing is added", async () => {
  const developer = tenant.as("developer");
  const denied = { code: "permission_denied" };
  await expect(createUnit(developer, { slug: "x", name: "X" })).rejects.toMatchObject(denied);
  await expect(
    createEnvironment(developer, { slug: "x", name: "X", kind: "production" }),
  ).rejects.toMatchObject(denied);
  await expect(createApplication(developer, application())).rejects.toMatchObject(denied);
  await expect(
    createNotificationType(developer, { type: "x", class: "service", subtypes: ["y"] }),
  ).rejects.toMatchObject(denied);
});

test("a refused change leaves nothing behind, and a successful one is audited", async () => {
  const before = await database.owner.query("SELECT count(*) FROM audit_events");
  const name = application().name;
  const { id } = await createApplication(tenant.as("owner"), application({ name }));
  await expect(createApplication(tenant.as("owner"), application({ name }))).rejects.toThrow();
  const after = await database.owner.query("SELECT count(*) FROM audit_events");
  const count = (result: { rows: unknown[] }) => Number((result.rows[0] as { count: string }).count);
  expect(count(after)).toBe(count(before) + 1);
  const stages = await database.owner.query("SELECT 1 FROM pipeline_stages WHERE application_id = $1", [id]);
  expect(stages.rowCount).toBe(2);
});

test("names cannot contain line breaks or address markup", () => {
  for (const bad of [
    { name: "a b" },
    { name: "a/b" },
    { name: "" },
    { title: "a\nb" },
    { defaultRegion: "de" },
  ]) {
    expect(createApplicationSchema.safeParse(application(bad)).success).toBe(false);
  }
});
