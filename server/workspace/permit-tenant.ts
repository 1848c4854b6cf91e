import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { TenantRow } from "./create-tenant.ts";

/** Permits one organisation of this short name to be made within a minute. Over the console's role, which makes none itself. */
export async function permitTenant(
  tx: Tx,
  permit: { hash: Uint8Array<ArrayBuffer>; slug: string },
): Promise<void> {
  await tx.$executeRaw`
    INSERT INTO tenant_permits (hash, slug, expires_at) VALUES (${permit.hash}, ${permit.slug}, now() + interval '1 minute')`;
}

/** Adds the organisation with its permit, over the web's role. Throws `conflict` when the short name is taken, and `not_found`. */
export async function insertPermitted(tx: Tx, hash: Uint8Array<ArrayBuffer>, row: TenantRow): Promise<void> {
  const [result] = await tx.$queryRaw<{ answer: "made" | "taken" | "refused" }[]>`
    SELECT create_permitted_tenant(${hash}, ${row.slug}, ${row.name}, ${row.dataRegion}, ${JSON.stringify(row.settings)}::jsonb,
                                   ${row.dataKey}) AS answer`;
  if (result?.answer === "taken") {
    const detail = "Another organisation has this short name.";
    throw new DomainError("conflict", detail, { errors: [{ pointer: "/slug", code: "taken", detail }] });
  }
  if (result?.answer !== "made") throw notFound();
}
