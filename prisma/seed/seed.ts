import { randomBytes } from "node:crypto";
import { admitMember } from "../../server/access/admit-member.ts";
import { createApiKey } from "../../server/access/create-api-key.ts";
import { hashPassword } from "../../server/access/password.ts";
import { systemCtx } from "../../server/access/system-ctx.ts";
import { insertConnection } from "../../server/connections/store-connection.ts";
import { createGroup } from "../../server/contacts/manage-groups.ts";
import { upsertContacts } from "../../server/contacts/upsert-contacts.ts";
import type { Ctx } from "../../server/kernel/ctx.ts";
import { inTenant, openDb } from "../../server/kernel/db.ts";
import type { Db } from "../../server/kernel/db.ts";
import { newId } from "../../server/kernel/ids.ts";
import { builtInRoles, permissions } from "../../server/operations/permissions.ts";
import type { Permission } from "../../server/operations/permissions.ts";
import { exampleRequest } from "../../server/onboarding/first-application.ts";
import { createOrganisation } from "../../server/onboarding/create-organisation.ts";
import { weekdaysFromMonday } from "../../server/recipient-limits/vocabulary.ts";
import { setLimits } from "../../server/recipient-limits/set-limits.ts";
import { insertFirstRule } from "../../server/routing/insert-first-rule.ts";
import { dataKeyForWriting } from "../../server/tenancy/data-key.ts";
import { insertNotificationType } from "../../server/workspace/create-notification-type.ts";

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

/** What a shop writes about beside the first catalogue: what the programs in examples/ send, which bring the templates themselves. */
const shopTypes = [
  {
    type: "logistics",
    class: "transactional",
    subtypes: ["driver_job", "driver_confirmation", "stock_alert"],
  },
  { type: "self_service", class: "service", subtypes: ["menu", "answer"] },
  { type: "cart", class: "marketing", subtypes: ["abandoned"] },
  { type: "support", class: "service", subtypes: ["acknowledgement"] },
  { type: "payment", class: "transactional", subtypes: ["transaction_alert"] },
  { type: "regulatory", class: "transactional", subtypes: ["notice"] },
] as const;

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
 * server for e-mail and the simulator for the rest, the types that the examples send, quiet hours in one country, contacts and
 * two groups of them. Returns null when the tenant is there already. Interrupted half-way, it
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
  const made = await createOrganisation(
    db,
    {
      slug: unfinished,
      name: "ACME",
      dataRegion: "EU",
      country: "DE",
      language: "en",
      // So that promotions can be tried without an AI service; the portal says that only the fixed checks looked.
      settings: { ai: { allowWithoutAi: true } },
      owner: { email: `${unfinished}@acme.example`, name: "Demo Owner", password },
      team: { slug: "webshop", name: "Webshop" },
      application: { name: "webshop", title: "Webshop" },
    },
    { languages: ["en", "de"], everywhere: true },
  );
  const { tenantId, ownerId, productionId, stagingId, simulatorId } = made;
  const ctx = systemCtx(db, tenantId, "Set-up");
  await inTenant(ctx, async (tx) => {
    for (const type of shopTypes)
      await insertNotificationType(ctx, tx, { ...type, subtypes: [...type.subtypes] });
  });
  // No marketing in Spain at night; everywhere else nothing waits.
  await setLimits(ctx, {
    quietHours: [
      {
        classes: ["marketing"],
        channels: [],
        regions: ["ES"],
        days: [...weekdaysFromMonday],
        from: "21:00",
        to: "09:00",
      },
    ],
    caps: [],
    revision: 0,
  });
  await addContacts(ctx);
  await addMailbox(ctx, input.smtp, { simulatorId, environmentIds: [stagingId, productionId] });
  const integrationId = newId();
  await inTenant(ctx, async (tx) => {
    await tx.role.create({
      data: {
        tenantId,
        id: integrationId,
        key: "integration",
        name: "Integration",
        permissions: integrationPermissions,
      },
    });
    await tx.apiKey.update({
      where: { tenantId_id: { tenantId, id: made.sandboxKey.id } },
      data: { roleId: integrationId, name: "Quickstart, sandbox" },
    });
  });
  const live = await createApiKey(ctx, {
    name: "Quickstart, production",
    environmentId: productionId,
    role: "integration",
  });
  const reviewer = await addReviewer(ctx, `review-${unfinished}@acme.example`);
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
    { name: "Reviewer, production", environmentId: productionId, role: "release_manager" },
  );
  await inTenant(ctx, async (tx) => {
    await tx.user.update({ where: { tenantId_id: { tenantId, id: ownerId } }, data: { email } });
    await tx.user.update({
      where: { tenantId_id: { tenantId, id: reviewer.id } },
      data: { email: reviewerEmail },
    });
    await tx.tenant.update({ where: { id: tenantId }, data: { slug } });
  });
  const example = exampleRequest({ application: "webshop", country: "DE", language: "en" });
  return {
    tenantId,
    tenantSlug: slug,
    email,
    password,
    reviewer: { email: reviewerEmail, password: reviewer.password, key: reviewing.key },
    keys: { live: live.key, sandbox: made.sandboxKey.key },
    example: {
      ...example,
      body: {
        ...example.body,
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

async function addReviewer(ctx: Ctx, address: string): Promise<{ id: string; password: string }> {
  const { tenantId } = ctx;
  const password = randomBytes(12).toString("base64url");
  const passwordHash = await hashPassword(password);
  const id = await inTenant(ctx, async (tx) => {
    const role = await tx.role.findUniqueOrThrow({
      where: { tenantId_key: { tenantId, key: "release_manager" } },
    });
    return admitMember(ctx, tx, {
      email: address,
      name: "Demo Reviewer",
      passwordHash,
      assignments: [{ roleId: role.id, unitId: null }],
      grantedBy: ctx.actor,
    });
  });
  return { id, password };
}

/** The quickstart's mail server, and where staging and production send until a provider is connected. */
async function addMailbox(
  ctx: Ctx,
  server: SeedInput["smtp"],
  to: { simulatorId: string; environmentIds: string[] },
): Promise<void> {
  const { tenantId } = ctx;
  const id = newId();
  const sender = { channel: "email", sender: "ACME Webshop <shop@acme.example>" } as const;
  await inTenant(ctx, async (tx) => {
    await insertConnection(ctx, tx, await dataKeyForWriting(tx, tenantId), {
      id,
      name: "Quickstart mailbox",
      adapter: "smtp",
      channels: ["email"],
      credentials: { user: server.user, password: server.pass },
      settings: { host: server.host, port: server.port, security: "none" },
      senders: [sender],
      processingRegion: "EU",
    });
    await tx.providerConnection.update({
      where: { tenantId_id: { tenantId, id: to.simulatorId } },
      data: {
        senders: [
          { channel: "sms", sender: "ACME" },
          // From the range that is kept free for examples.
          { channel: "whatsapp", sender: "+493023125000" },
          sender,
        ],
      },
    });
    for (const environmentId of to.environmentIds) {
      await insertFirstRule(ctx, tx, {
        environmentId,
        name: "E-mail to the local mailbox",
        channel: "email",
        connectionId: id,
      });
      await insertFirstRule(ctx, tx, {
        environmentId,
        name: "Everything else to the simulator, until a provider is connected",
        connectionId: to.simulatorId,
      });
    }
  });
}

/** Name, region, language, mobile number, plan. Numbers are from the ranges that are kept free for films and examples. */
const people = [
  ["Ada Lindqvist", "DE", "de", "+4917604069001", "gold"],
  ["Ben Okafor", "GB", "en", "+447700900101", "basic"],
  ["Carla Moretti", "IT", "it", null, "basic"],
  ["David Chen", "US", "en", "+12025550102", "gold"],
  ["Elif Yıldız", "DE", "de", "+4917604069002", "basic"],
  ["François Girard", "FR", "fr", "+33639980103", "gold"],
  ["Greta Hofer", "AT", "de", null, "basic"],
  ["Hugo Martín", "ES", "es", null, "basic"],
  ["Ines Krüger", "DE", "de", "+4917604069003", "gold"],
  ["Jack Turner", "GB", "en", "+447700900104", "basic"],
  ["Klara Nowak", "DE", "de", "+4917604069004", "basic"],
  ["Liam Byrne", "IE", "en", null, "gold"],
  ["Mia Schneider", "DE", "de", "+4917604069005", "basic"],
  ["Noah Keller", "CH", "de", null, "gold"],
  ["Olivia Reed", "US", "en", "+12025550105", "basic"],
  ["Pavel Dvořák", "CZ", "en", null, "basic"],
  ["Quentin Lefèvre", "FR", "fr", "+33639980106", "basic"],
  ["Rosa Delgado", "ES", "es", null, "gold"],
  ["Samir Haddad", "DE", "de", "+4917604069006", "basic"],
  ["Tilda Berg", "SE", "en", null, "basic"],
] as const;

/** Somebody to send to: contacts, a group that they were put into, and one by what they are. */
async function addContacts(ctx: Ctx): Promise<void> {
  const regulars = await createGroup(ctx, {
    name: "Regulars",
    description: "Asked to hear from us first",
  });
  await createGroup(ctx, {
    name: "Gold, in German",
    description: "Whoever has the gold plan and reads German",
    filter: {
      all: [
        { field: "attribute", name: "plan", op: "is", value: "gold" },
        { field: "language", op: "is", value: "de" },
      ],
    },
  });
  const rows = people.map(([name, region, language, phone, plan], index) => ({
    externalId: `customer-${String(1_001 + index)}`,
    name,
    region,
    language,
    attributes: { plan, customerName: name.split(" ")[0] ?? name },
    addresses: [
      { channel: "email" as const, address: `${emailName(name)}@example.com` },
      ...(phone === null ? [] : [{ channel: "sms" as const, address: phone }]),
    ],
    ...(index % 2 === 0 ? { groupIds: [regulars.id] } : {}),
  }));
  const results = await inTenant(ctx, (tx) => upsertContacts(tx, ctx, rows));
  const wrong = results.find(({ status }) => status === "error");
  if (wrong) throw new Error(`a demo contact is wrong: ${JSON.stringify(wrong)}`);
}

/** "François Girard" → francois.girard */
const emailName = (name: string): string =>
  name
    .normalize("NFKD")
    .replaceAll("ı", "i")
    .toLowerCase()
    .replaceAll(/[^a-z ]/g, "")
    .replaceAll(" ", ".");
