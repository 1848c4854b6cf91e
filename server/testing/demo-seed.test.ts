import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { seedDemo } from "../../prisma/seed/seed.ts";
import { authenticateApiKey } from "../access/authenticate-api-key.ts";
import { signInWithPassword } from "../access/sign-in.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import { findGroups, groupPage } from "../contacts/read-groups.ts";
import { getLimits } from "../recipient-limits/set-limits.ts";
import { environmentRules } from "../routing/load-rules.ts";
import { firstTemplates } from "../onboarding/first-templates.ts";
import { orderOfSend } from "../sending/orders.ts";
import { planRequest } from "../sending/plan-request.ts";
import { routeMessage } from "../sending/route-message.ts";
import { sendRequestSchema } from "../sending/schemas.ts";
import { checkContent } from "../template-language/check-content.ts";
import { metadataSchemas } from "../template-language/metadata.ts";
import { renderCompiled } from "../template-language/render.ts";
import { checkVariables, exampleValues } from "../template-language/variables.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { testDatabase } from "./database.ts";

const database = await testDatabase();
const input = {
  databaseUrl: database.workerUrl,
  baseUrl: "http://localhost:3000/",
  smtp: { host: "127.0.0.1", port: 2525, user: "quickstart", pass: "secret" },
};
const seeded = (await seedDemo(input))!;
const ctx = systemCtx(database.web, seeded.tenantId, "Test");

test("a second start seeds nothing", async () => {
  expect(await seedDemo(input)).toBeNull();
});

test("the printed sign-in works", async () => {
  const { email, password } = seeded;
  const signedIn = await signInWithPassword(database.web, {
    email,
    password,
    ip: "127.0.0.1",
    userAgent: null,
    requestId: "test",
  });
  expect(signedIn).toMatchObject({ tenantId: seeded.tenantId, tenantSlug: "acme" });
});

test("the printed request is one that both keys may send, through the mailbox in production and nowhere in the sandbox", async () => {
  const { keys, example } = seeded;
  expect(example).toMatchObject({ method: "POST", path: "/api/app/notifications/send" });
  for (const [key, adapter] of [
    [keys.live, "smtp"],
    [keys.sandbox, "simulator"],
  ] as const) {
    const caller = await authenticateApiKey(database.web, `Bearer ${key}`, { requestId: "test" });
    const body = sendRequestSchema.parse(example.body);
    const plan = await planRequest(caller, orderOfSend(caller.key.environmentId, body));
    expect(plan.messages).toHaveLength(1);
    expect(plan.messages[0]).toMatchObject({ channel: "email" });
    const catalogue = await getCatalogue(ctx);
    const route = routeMessage(
      await environmentRules(ctx, caller.key.environmentId),
      await tenantConnections(ctx),
      {
        facts: {
          region: plan.region,
          applicationId: plan.application.id,
          unitId: plan.application.unitId,
          channel: "email",
          notificationType: plan.type,
          notificationSubtype: plan.subtype,
        },
        sandbox: caller.key.environmentKind === "sandbox",
        spread: 0,
        tenant: catalogue.tenant,
      },
    );
    const connections = await tenantConnections(ctx);
    expect(
      route.candidates.map((candidate) => connections.get(candidate.connectionId)?.adapter.name),
    ).toEqual([adapter]);
  }
});

test("every channel has a route in every environment", async () => {
  const connections = await tenantConnections(ctx);
  const { environments, applications, tenant } = await getCatalogue(ctx);
  const [application] = applications;
  for (const environment of environments) {
    for (const channel of ["sms", "email", "whatsapp"]) {
      const route = routeMessage(await environmentRules(ctx, environment.id), connections, {
        facts: {
          region: "DE",
          applicationId: application!.id,
          unitId: application!.unitId,
          channel,
          notificationType: "order",
          notificationSubtype: "order_status",
        },
        sandbox: environment.kind === "sandbox",
        spread: 0,
        tenant,
      });
      expect(route.candidates, `${environment.slug} ${channel}`).toHaveLength(1);
    }
  }
});

test("every template renders in full with its own examples", async () => {
  for (const template of firstTemplates("ACME", ["en", "de"])) {
    const about = `${template.name} ${template.channel} ${template.language}`;
    const values = exampleValues(template.variables);
    expect(checkVariables(template.variables, values), about).toEqual([]);
    expect(metadataSchemas[template.channel].safeParse(template.metadata).success, about).toBe(true);
    const { compiled, problems } = await checkContent({ ...template, compiledBody: null });
    expect(problems, about).toEqual([]);
    if (!compiled) continue;
    const rendered = renderCompiled(compiled, values, {
      locale: template.language,
      timezone: "Europe/Berlin",
    });
    expect(rendered.ok, about).toBe(true);
    if (!rendered.ok) continue;
    const { subject, text, html } = rendered.message;
    for (const { name, type } of template.variables) {
      if (type === "date" || type === "enum") continue;
      expect(`${subject ?? ""} ${text} ${html ?? ""}`, `${about} ${name}`).toContain(values[name]);
    }
    expect(`${subject ?? ""}${text}${html ?? ""}`, about).not.toMatch(/\{\{|\{%|undefined/);
  }
});

test("there is somebody to send to: contacts, a group that they were put into, and one by a filter", async () => {
  const { groups } = await findGroups(ctx, {});
  const sizes = await Promise.all(
    groups.map(async ({ id, name, kind }) => {
      const page = await groupPage(database.worker.pool, {
        tenantId: seeded.tenantId,
        groupId: id,
        after: null,
        limit: 100,
      });
      return [name, kind, page.contactIds.length];
    }),
  );
  expect(sizes).toEqual([
    ["Gold, in German", "filter", 3],
    ["Regulars", "static", 10],
  ]);
});

test("the types that the examples send are there, and the country whose nights one of them shows", async () => {
  const { notificationTypes } = await getCatalogue(ctx);
  const sent = globSync("examples/*/main.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/notificationType: "(\w+)"/g)].map(([, type]) => type),
  );
  expect(new Set(sent).size).toBeGreaterThan(5);
  expect(notificationTypes.map(({ type }) => type)).toEqual(expect.arrayContaining(sent));
  expect((await getLimits(ctx)).quietHours).toMatchObject([{ classes: ["marketing"], regions: ["ES"] }]);
});
