import { createApiKey } from "../access/create-api-key.ts";
import { hashPassword } from "../access/password.ts";
import { systemCtx } from "../access/system-ctx.ts";
import type { Ctx, Grant } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { logger } from "../kernel/log.ts";
import { sealText } from "../kernel/secrets.ts";
import { builtInRoles } from "../operations/permissions.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import { createApplication } from "../workspace/create-application.ts";
import { createEnvironment } from "../workspace/create-environment.ts";
import { createNotificationType } from "../workspace/create-notification-type.ts";
import { createTenant } from "../workspace/create-tenant.ts";
import { createUnit } from "../workspace/create-unit.ts";

export interface TestDbs {
  web: Db;
  worker: Db;
}

/** The four classes, one type each, in every test tenant. */
export const testTypes = [
  { type: "authentication", class: "authentication", subtypes: ["one_time_passcode"] },
  { type: "order", class: "transactional", subtypes: ["order_status", "receipt"] },
  { type: "account", class: "service", subtypes: ["maintenance"] },
  { type: "marketing", class: "marketing", subtypes: ["promotion"] },
] as const;

/** A ctx of a fictitious person with a built-in role, tenant-wide or in one unit; needs no row. */
export function roleCtx(db: Db, tenantId: string, role: BuiltInRole, unitId: string | null = null): Ctx {
  const id = newId();
  const grant: Grant = {
    permissions: new Set<string>(builtInRoles[role].permissions),
    unitId,
    applicationId: null,
    environmentId: null,
  };
  return {
    db,
    tenantId,
    actor: { type: "user", id, name: builtInRoles[role].name, email: `${id}@example.com` },
    grants: [grant],
    requestId: newId(),
    log: logger(),
    now: () => new Date(),
  };
}

export type TestTenant = Awaited<ReturnType<typeof makeTenant>>;

/**
 * A realistic tenant, created through the product's own use cases: units Alpha and Beta, environments Production,
 * Staging and Sandbox, application "shop" (Alpha, Staging → Production), "desk" (Beta, same pipeline) and the four
 * classes of types. Fast: no password is hashed unless asked for.
 */
export async function makeTenant(
  dbs: TestDbs,
  options: { slug?: string; settings?: Record<string, unknown>; password?: string } = {},
) {
  const slug = options.slug ?? `t-${newId().slice(-12)}`;
  const email = `owner@${slug}.example`;
  const { tenantId, ownerId, sandboxId, roleIds } = await createTenant(dbs.worker, {
    slug,
    name: `Tenant ${slug}`,
    ...(options.settings ? { settings: options.settings } : {}),
    owner: { email, name: "Olga Owner", password: options.password ?? null },
  });
  const system = systemCtx(dbs.web, tenantId, "Test");
  const worker = systemCtx(dbs.worker, tenantId, "Test");
  const alpha = await createUnit(system, { slug: "alpha", name: "Alpha" });
  const beta = await createUnit(system, { slug: "beta", name: "Beta" });
  const staging = await createEnvironment(system, {
    slug: "staging",
    name: "Staging",
    kind: "nonproduction",
  });
  const production = await createEnvironment(system, {
    slug: "production",
    name: "Production",
    kind: "production",
  });
  const stages = [staging.id, production.id];
  const shop = await createApplication(system, {
    name: "shop",
    title: "Web shop",
    unitId: alpha.id,
    defaultRegion: "DE",
    defaultLanguage: "en",
    stages,
  });
  const desk = await createApplication(system, {
    name: "desk",
    title: "Help desk",
    unitId: beta.id,
    defaultRegion: "DE",
    defaultLanguage: "en",
    stages,
  });
  for (const type of testTypes)
    await createNotificationType(system, { ...type, subtypes: [...type.subtypes] });

  const environments = { production: production.id, staging: staging.id, sandbox: sandboxId };
  return {
    tenantId,
    slug,
    owner: { id: ownerId, email },
    roleIds,
    units: { alpha: alpha.id, beta: beta.id },
    environments,
    /** In unit Alpha. */
    application: { id: shop.id, name: "shop", unitId: alpha.id },
    /** In unit Beta. */
    otherApplication: { id: desk.id, name: "desk", unitId: beta.id },
    /** Ctx of the system under the web role. */
    system,
    /** Ctx of the system under the worker role. */
    worker,
    /** A person with a built-in role, tenant-wide unless a unit is named; without a row. */
    as: (role: BuiltInRole, unitId: string | null = null): Ctx => roleCtx(dbs.web, tenantId, role, unitId),
    /** A member with a row, and a password if one is given. */
    addMember: async (
      role: BuiltInRole,
      member: { unitId?: string; email?: string; password?: string } = {},
    ): Promise<{ id: string; email: string }> => {
      const id = newId();
      const address = member.email ?? `${id}@${slug}.example`;
      const passwordHash = member.password === undefined ? null : await hashPassword(member.password);
      await inTenant(system, async (tx) => {
        await tx.user.create({
          data: { tenantId, id, email: address, name: builtInRoles[role].name, passwordHash },
        });
        await tx.roleAssignment.create({
          data: { tenantId, id: newId(), userId: id, roleId: roleIds[role], unitId: member.unitId ?? null },
        });
      });
      return { id, email: address };
    },
    /** An API key of one environment: its id and text. */
    makeKey: async (
      environment: keyof typeof environments,
      key: {
        role?: BuiltInRole;
        unitId?: string;
        applicationId?: string;
        rateLimitPerMinute?: number;
        expiresAt?: Date;
      } = {},
    ): Promise<{ id: string; key: string }> =>
      createApiKey(system, { name: `${environment} key`, environmentId: environments[environment], ...key }),
    /** A simulator connection for all channels, and a rule that routes all of the named environments to it. */
    addSimulator: async (routed: (keyof typeof environments)[] = ["production", "staging", "sandbox"]) => {
      const id = newId();
      await inTenant(system, async (tx) => {
        const { dataKey } = await tx.tenant.findUniqueOrThrow({ where: { id: tenantId } });
        const credentials = JSON.stringify({ signingKey: newId() });
        await tx.providerConnection.create({
          data: {
            tenantId,
            id,
            name: `Simulator ${id.slice(-6)}`,
            adapter: "simulator",
            channels: ["sms", "email", "whatsapp"],
            credentials: Uint8Array.from(
              sealText(tenantId, dataKey, `provider_connections:${id}`, credentials),
            ),
            processingRegion: "EU",
            updatedAt: new Date(),
          },
        });
        await tx.routingRule.createMany({
          data: routed.map((environment) => ({
            tenantId,
            id: newId(),
            environmentId: environments[environment],
            tiers: [[{ connectionId: id, weight: 1 }]],
            updatedAt: new Date(),
          })),
        });
      });
      return { id };
    },
  };
}
