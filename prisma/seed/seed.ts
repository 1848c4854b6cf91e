import { randomBytes } from "node:crypto";
import { admitMember } from "../../server/access/admit-member.ts";
import { createApiKey } from "../../server/access/create-api-key.ts";
import { hashPassword } from "../../server/access/password.ts";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { checkTexts } from "../../server/content-checks/checks.ts";
import type { Ctx } from "../../server/kernel/ctx.ts";
import { inTenant, openDb } from "../../server/kernel/db.ts";
import type { Db } from "../../server/kernel/db.ts";
import { newId } from "../../server/kernel/ids.ts";
import { sealText } from "../../server/kernel/secrets.ts";
import { builtInRoles, permissions } from "../../server/operations/permissions.ts";
import type { Permission } from "../../server/operations/permissions.ts";
import { moderatedTexts } from "../../server/rendering/moderated-texts.ts";
import { checkContent } from "../../server/template-language/check-content.ts";
import { createApplication } from "../../server/workspace/create-application.ts";
import { createEnvironment } from "../../server/workspace/create-environment.ts";
import { createNotificationType } from "../../server/workspace/create-notification-type.ts";
import { createTenant } from "../../server/workspace/create-tenant.ts";
import { createUnit } from "../../server/workspace/create-unit.ts";
import { demoTemplates, demoTypes } from "./demo-templates.ts";

const slug = "acme";
const email = "demo@acme.example";
/** Approves what the owner wants to promote; nobody may approve their own. */
const reviewerEmail = "reviewer@acme.example";

/**
 * What the demo's keys may do: what a developer may, and release a template to production, so that everything in the API
 * reference can be tried with the key that was printed.
 */
const integrationPermissions: Permission[] = [
  ...builtInRoles.developer.permissions,
  "consent:write",
  "contacts:write",
  "promotions:approve",
  "routing:manage",
];

export interface SeedInput {
  /** The owner's address, or a login of the worker's role. */
  databaseUrl: string;
  /** Where the portal will be, for the link in the first message. */
  baseUrl: string;
  /** The mail server of the quickstart. */
  smtp: { host: string; port: number; user: string; pass: string };
}

/** What a first start tells its user; nothing of it can be read again later. */
export interface Seeded {
  tenantId: string;
  tenantSlug: string;
  email: string;
  password: string;
  /** A second person: the owner's promotions need somebody else's approval. */
  reviewer: { email: string; password: string; key: string };
  keys: { live: string; sandbox: string };
  /** Sends a first e-mail with either key; `transactionId` is to be replaced on each call. */
  example: { method: "POST"; path: string; body: Record<string, unknown> };
}

/**
 * Makes the demo tenant: a team, three environments, an application with templates in two languages, the quickstart's mail
 * server for e-mail and the simulator for the rest. Returns null when the tenant is there already. Interrupted half-way, it
 * starts over: the tenant gets its name last.
 */
export async function seedDemo(input: SeedInput): Promise<Seeded | null> {
  const db = openDb("worker", input.databaseUrl, { poolSize: 2 });
  try {
    return (await db.prisma.tenant.findUnique({ where: { slug } })) ? null : await seed(db, input);
  } finally {
    await db.close();
  }
}

async function seed(db: Db, input: SeedInput): Promise<Seeded> {
  const unfinished = `setup-${randomBytes(6).toString("hex")}`;
  const password = randomBytes(12).toString("base64url");
  const { tenantId, ownerId, sandboxId, roleIds } = await createTenant(db, {
    slug: unfinished,
    name: "ACME",
    // So that promotions can be tried without an AI service; the portal says that only the fixed checks looked.
    settings: { ai: { allowWithoutAi: true } },
    owner: { email: `${unfinished}@acme.example`, name: "Demo Owner", password },
  });
  const ctx = systemCtx(db, tenantId, "Set-up");
  const unit = await createUnit(ctx, { slug: "webshop", name: "Webshop" });
  const staging = await createEnvironment(ctx, { slug: "staging", name: "Staging", kind: "nonproduction" });
  const production = await createEnvironment(ctx, {
    slug: "production",
    name: "Production",
    kind: "production",
  });
  const application = await createApplication(ctx, {
    name: "webshop",
    title: "Webshop",
    unitId: unit.id,
    defaultRegion: "DE",
    defaultLanguage: "en",
    stages: [staging.id, production.id],
  });
  for (const type of demoTypes) await createNotificationType(ctx, { ...type, subtypes: [...type.subtypes] });
  const { smtp, simulator } = await addConnections(ctx, input.smtp);
  await addRoutes(ctx, [
    { environmentId: sandboxId, name: "Everything to the simulator", channel: null, connectionId: simulator },
    ...[staging.id, production.id].flatMap((environmentId) => [
      { environmentId, name: "E-mail to the local mailbox", channel: "email", connectionId: smtp },
      {
        environmentId,
        name: "Everything else to the simulator, until a provider is connected",
        channel: null,
        connectionId: simulator,
      },
    ]),
  ]);
  await addTemplates(ctx, application.id, [staging.id, production.id, sandboxId]);
  await inTenant(ctx, (tx) =>
    tx.role.create({
      data: {
        tenantId,
        id: newId(),
        key: "integration",
        name: "Integration",
        permissions: integrationPermissions,
      },
    }),
  );
  const live = await createApiKey(ctx, {
    name: "Quickstart, production",
    environmentId: production.id,
    role: "integration",
  });
  const sandbox = await createApiKey(ctx, {
    name: "Quickstart, sandbox",
    environmentId: sandboxId,
    role: "integration",
  });
  const reviewer = await addReviewer(ctx, `review-${unfinished}@acme.example`, roleIds.release_manager);
  const reviewing = await createApiKey(
    {
      ...ctx,
      // A person's key: an approval over the API is that person's.
      actor: { type: "user", id: reviewer.id, name: "Demo Reviewer", email: reviewerEmail },
      grants: [
        {
          permissions: new Set<string>(permissions),
          unitId: null,
          applicationId: null,
          environmentId: null,
        },
      ],
    },
    { name: "Reviewer, production", environmentId: production.id, role: "release_manager" },
  );
  await inTenant(ctx, async (tx) => {
    await tx.user.update({ where: { tenantId_id: { tenantId, id: ownerId } }, data: { email } });
    await tx.user.update({
      where: { tenantId_id: { tenantId, id: reviewer.id } },
      data: { email: reviewerEmail },
    });
    await tx.tenant.update({ where: { id: tenantId }, data: { slug } });
  });
  return {
    tenantId,
    tenantSlug: slug,
    email,
    password,
    reviewer: { email: reviewerEmail, password: reviewer.password, key: reviewing.key },
    keys: { live: live.key, sandbox: sandbox.key },
    example: {
      method: "POST",
      path: "/api/app/notifications/send",
      body: {
        transactionId: "first-message-1",
        application: "webshop",
        region: "DE",
        language: "en",
        notificationType: "order",
        notificationSubtype: "order_status",
        recipients: [{ channel: "email", recipient: "ada@example.com" }],
        templateVariables: [
          { customerName: "Ada" },
          { orderNumber: "A-1042" },
          { status: "shipped" },
          { trackingUrl: `${input.baseUrl.replace(/\/$/, "")}/${slug}` },
        ],
      },
    },
  };
}

async function addReviewer(
  ctx: Ctx,
  address: string,
  roleId: string,
): Promise<{ id: string; password: string }> {
  const password = randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(password);
  const id = await inTenant(ctx, (tx) =>
    admitMember(ctx, tx, {
      email: address,
      name: "Demo Reviewer",
      passwordHash,
      assignments: [{ roleId, unitId: null }],
      grantedBy: ctx.actor,
    }),
  );
  return { id, password };
}

async function addConnections(
  ctx: Ctx,
  server: SeedInput["smtp"],
): Promise<{ smtp: string; simulator: string }> {
  const { tenantId } = ctx;
  const smtp = newId();
  const simulator = newId();
  await inTenant(ctx, async (tx) => {
    const { dataKey } = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId } });
    const seal = (id: string, credentials: object) =>
      Uint8Array.from(sealText(tenantId, dataKey, `provider_connections:${id}`, JSON.stringify(credentials)));
    const common = { tenantId, processingRegion: "EU", updatedAt: ctx.now() };
    await tx.providerConnection.createMany({
      data: [
        {
          ...common,
          id: smtp,
          name: "Quickstart mailbox",
          adapter: "smtp",
          channels: ["email"],
          credentials: seal(smtp, { user: server.user, password: server.pass }),
          settings: { host: server.host, port: server.port, security: "none" },
          senders: [{ channel: "email", sender: "ACME Webshop <shop@acme.example>" }],
        },
        {
          ...common,
          id: simulator,
          name: "Simulator",
          adapter: "simulator",
          channels: ["sms", "email", "whatsapp"],
          credentials: seal(simulator, { signingKey: randomBytes(24).toString("base64url") }),
          settings: {},
          senders: [
            { channel: "sms", sender: "ACME" },
            // From the range that is kept free for examples.
            { channel: "whatsapp", sender: "+493023125000" },
            { channel: "email", sender: "ACME Webshop <shop@acme.example>" },
          ],
        },
      ],
    });
  });
  return { smtp, simulator };
}

async function addRoutes(
  ctx: Ctx,
  routes: { environmentId: string; name: string; channel: string | null; connectionId: string }[],
): Promise<void> {
  await inTenant(ctx, (tx) =>
    tx.routingRule.createMany({
      data: routes.map(({ environmentId, name, channel, connectionId }) => ({
        tenantId: ctx.tenantId,
        id: newId(),
        environmentId,
        name,
        channel,
        tiers: [[{ connectionId, weight: 100 }]],
        updatedAt: ctx.now(),
      })),
    }),
  );
}

async function addTemplates(ctx: Ctx, applicationId: string, environmentIds: string[]): Promise<void> {
  const { tenantId } = ctx;
  const at = ctx.now();
  const templates = await Promise.all(
    demoTemplates.map(async (template) => {
      const { channel, subject, body, metadata, variables } = template;
      const { compiled, problems } = await checkContent({
        channel,
        subject,
        body,
        metadata,
        variables: [...variables],
        compiledBody: null,
      });
      if (!compiled || problems.length > 0)
        throw new Error(`${template.name}: ${String(problems[0]?.detail)}`);
      return { ...template, id: newId(), compiled };
    }),
  );
  await inTenant(ctx, async (tx) => {
    await tx.template.createMany({
      data: templates.map(({ id, name, notificationType, notificationSubtype, channel, language }) => ({
        tenantId,
        id,
        applicationId,
        name,
        notificationType,
        notificationSubtype,
        channel,
        language,
        latestVersion: 1,
        updatedAt: at,
      })),
    });
    await tx.templateVersion.createMany({
      data: templates.map(({ id, subject, body, metadata, variables, compiled }) => ({
        tenantId,
        templateId: id,
        version: 1,
        subject,
        body,
        compiledBody: compiled.content.compiledBody,
        metadata: JSON.parse(JSON.stringify(metadata)) as object,
        variables: JSON.parse(JSON.stringify(variables)) as object,
        // Nobody's service is asked for texts that come with the product.
        moderation: JSON.parse(
          JSON.stringify({
            checkedBy: ["deterministic"],
            findings: checkTexts(moderatedTexts(compiled)),
          }),
        ) as object,
        note: "First version",
        authorName: ctx.actor.name,
      })),
    });
    await tx.templateDeployment.createMany({
      data: templates.flatMap(({ id }) =>
        environmentIds.map((environmentId) => ({
          tenantId,
          templateId: id,
          environmentId,
          version: 1,
          deployedAt: at,
        })),
      ),
    });
  });
}
