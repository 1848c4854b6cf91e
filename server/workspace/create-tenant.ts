import { createOwner } from "../access/create-owner.ts";
import { hashNewPassword } from "../access/new-password.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { startChain } from "../audit/audit-key.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { newDataKey } from "../kernel/secrets.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import { emailSchema, newSlugSchema, tenantSettingsSchema, titleSchema } from "../tenancy/schemas.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";

export interface NewTenant {
  tenantId: string;
  ownerId: string;
  sandboxId: string;
  roleIds: Record<BuiltInRole, string>;
}

/** A row of `tenants` that was checked. */
export interface TenantRow {
  id: string;
  slug: string;
  name: string;
  dataRegion: string;
  settings: object;
  dataKey: Uint8Array<ArrayBuffer>;
}

/**
 * Sets up a customer organisation in one transaction: its data key, the sandbox, the built-in roles and an owner. What an
 * organisation needs beyond them to send is the work of `server/onboarding`, which passes it as `complete`. Throws `conflict`
 * when the short name is taken.
 * @param db the worker's door; the web role may not add tenants but the first
 * @param input.owner.password null: chooses one with a link, or signs in through the identity provider
 * @param options.insert adds the row another way, as the web's role has to; the worker begins its audit trail's chain later
 * @param options.by who does it, as the trail names them
 * @param options.complete what becomes part of the organisation with it, or not at all
 */
export async function createTenant<Completed = undefined>(
  db: Db,
  input: {
    slug: string;
    name: string;
    dataRegion?: string;
    /** Members of tenantSettingsSchema. */
    settings?: Record<string, unknown>;
    owner: { email: string; name: string; password: string | null };
  },
  options: {
    insert?: (tx: Tx, row: TenantRow) => Promise<void>;
    by?: { name: string; requestId: string };
    complete?: (ctx: Ctx, tx: Tx, made: NewTenant) => Promise<Completed>;
  } = {},
): Promise<NewTenant & { completed: Completed }> {
  const email = emailSchema.parse(input.owner.email);
  // Refused here instead of counting as their strictest later.
  tenantSettingsSchema.parse(input.settings ?? {});
  const tenantId = newId();
  const row: TenantRow = {
    id: tenantId,
    slug: newSlugSchema.parse(input.slug),
    name: titleSchema.parse(input.name),
    dataRegion: input.dataRegion ?? "EU",
    settings: JSON.parse(JSON.stringify(input.settings ?? {})) as object,
    dataKey: Uint8Array.from(newDataKey(tenantId)),
  };
  const passwordHash =
    input.owner.password === null
      ? null
      : await hashNewPassword(input.owner.password, {
          pointer: "/password",
          chooser: [input.owner.name, input.owner.email, input.slug, input.name],
        });
  const ownerId = newId();
  const sandboxId = newId();
  const ctx = systemCtx(db, tenantId, options.by?.name ?? "Set-up", options.by?.requestId);
  const insert = options.insert ?? insertTenant;
  return refuseRepeated("/slug", "Another organisation has this short name.", () =>
    inTenant(ctx, async (tx) => {
      await insert(tx, row);
      await tx.environment.create({
        data: { tenantId, id: sandboxId, slug: "sandbox", name: "Sandbox", kind: "sandbox", position: 1_000 },
      });
      const owner = { id: ownerId, email, name: input.owner.name, passwordHash };
      const roleIds = await createOwner(tx, tenantId, owner);
      await recordAudit(ctx, tx, {
        action: "tenant.created",
        targetType: "tenant",
        targetId: tenantId,
        data: { name: row.name },
        after: { slug: row.slug, name: row.name, dataRegion: row.dataRegion },
      });
      const made = { tenantId, ownerId, sandboxId, roleIds };
      return { ...made, completed: (await options.complete?.(ctx, tx, made)) as Completed };
    }),
  );
}

async function insertTenant(tx: Tx, data: TenantRow): Promise<void> {
  await tx.tenant.create({ data });
  await startChain(tx, data.id);
}
