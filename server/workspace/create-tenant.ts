import { createOwner } from "../access/create-owner.ts";
import { hashPassword } from "../access/password.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { newDataKey } from "../kernel/secrets.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import { emailSchema, slugSchema, tenantSettingsSchema, titleSchema } from "../tenancy/schemas.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";

export interface NewTenant {
  tenantId: string;
  ownerId: string;
  sandboxId: string;
  roleIds: Record<BuiltInRole, string>;
}

/**
 * Sets up a customer organisation: its data key, the sandbox, the built-in roles and an owner. For operators, the seed
 * and tests; there is no request for it. Throws `conflict` when short name or e-mail address are taken.
 * @param db the worker's; the web role may not add tenants
 * @param input.owner.password null: signs in through the identity provider only
 */
export async function createTenant(
  db: Db,
  input: {
    slug: string;
    name: string;
    dataRegion?: string;
    /** Members of tenantSettingsSchema. */
    settings?: Record<string, unknown>;
    owner: { email: string; name: string; password: string | null };
  },
): Promise<NewTenant> {
  const slug = slugSchema.parse(input.slug);
  const name = titleSchema.parse(input.name);
  const email = emailSchema.parse(input.owner.email);
  // Refused here instead of counting as their strictest later.
  tenantSettingsSchema.parse(input.settings ?? {});
  const passwordHash = input.owner.password === null ? null : await hashPassword(input.owner.password);
  const tenantId = newId();
  const ownerId = newId();
  const sandboxId = newId();
  const ctx = systemCtx(db, tenantId, "Set-up");
  const roleIds = await refuseRepeated(
    "/slug",
    "The short name or the owner's e-mail address is taken.",
    () =>
      inTenant(ctx, async (tx) => {
        await tx.tenant.create({
          data: {
            id: tenantId,
            slug,
            name,
            dataRegion: input.dataRegion ?? "EU",
            settings: JSON.parse(JSON.stringify(input.settings ?? {})) as object,
            dataKey: Uint8Array.from(newDataKey(tenantId)),
          },
        });
        await tx.environment.create({
          data: {
            tenantId,
            id: sandboxId,
            slug: "sandbox",
            name: "Sandbox",
            kind: "sandbox",
            position: 1_000,
          },
        });
        const owner = { id: ownerId, email, name: input.owner.name, passwordHash };
        const ids = await createOwner(tx, tenantId, owner);
        await recordAudit(ctx, tx, {
          action: "tenant.created",
          targetType: "tenant",
          targetId: tenantId,
          data: { slug },
        });
        return ids;
      }),
  );
  return { tenantId, ownerId, sandboxId, roleIds };
}
