import type { Ctx } from "../kernel/ctx.ts";
import { inTenant, queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

export interface SecondFactorRow {
  secret: Buffer;
  /** Seals the secret; of the same statement, because a rotation changes both. */
  dataKey: Buffer;
  confirmedAt: Date | null;
  createdAt: Date;
}

/** A person's second factor, confirmed or not. */
export async function selectSecondFactor(
  ctx: TenantDb,
  userId: string,
): Promise<SecondFactorRow | undefined> {
  const rows = await queryInTenant<SecondFactorRow>(
    ctx,
    `SELECT f.secret, t.data_key, f.confirmed_at, f.created_at
     FROM second_factors f JOIN tenant_facts t ON t.id = f.tenant_id
     WHERE f.tenant_id = $1 AND f.user_id = $2`,
    [ctx.tenantId, userId],
  );
  return rows[0];
}

export interface SecondFactorFacts {
  hasPassword: boolean;
  confirmedAt: Date | null;
  recoveryCodes: number;
  /** Of the person's row (holdPerson): while it is the same nobody has switched on a second factor. */
  version: string;
}

/** What there is of a person's second factor. */
export async function selectSecondFactorFacts(ctx: TenantDb, userId: string): Promise<SecondFactorFacts> {
  const rows = await queryInTenant<SecondFactorFacts>(
    ctx,
    `SELECT u.password_hash IS NOT NULL AS has_password, f.confirmed_at, u.xmin::text AS version,
            (SELECT count(*)::int FROM recovery_codes c
             WHERE c.tenant_id = u.tenant_id AND c.user_id = u.id AND c.used_at IS NULL) AS recovery_codes
     FROM users u LEFT JOIN second_factors f ON f.tenant_id = u.tenant_id AND f.user_id = u.id
     WHERE u.tenant_id = $1 AND u.id = $2`,
    [ctx.tenantId, userId],
  );
  return rows[0] ?? { hasPassword: false, confirmedAt: null, recoveryCodes: 0, version: "" };
}

/** Takes a step's code, once: false when one of it or of a later step was taken before. */
export async function takeStep(ctx: TenantDb, userId: string, step: number): Promise<boolean> {
  const { tenantId } = ctx;
  const { count } = await inTenant(ctx, (tx) =>
    tx.secondFactor.updateMany({
      where: { tenantId, userId, lastStep: { lt: step } },
      data: { lastStep: step },
    }),
  );
  return count === 1;
}

/** Takes a recovery code, once; returns how many are left, or null when it is none of theirs or was used. */
export async function takeRecoveryCode(
  tx: Tx,
  tenantId: string,
  taken: { userId: string; hash: Buffer; at: Date },
): Promise<number | null> {
  const { userId, hash, at } = taken;
  const { count } = await tx.recoveryCode.updateMany({
    where: { tenantId, userId, hash: Uint8Array.from(hash), usedAt: null },
    data: { usedAt: at },
  });
  if (count === 0) return null;
  return tx.recoveryCode.count({ where: { tenantId, userId, usedAt: null } });
}

/** Replaces a person's recovery codes. */
export async function replaceRecoveryCodes(
  tx: Tx,
  tenantId: string,
  codes: { userId: string; hashes: Buffer[]; at: Date },
): Promise<void> {
  const { userId, hashes, at } = codes;
  await tx.recoveryCode.deleteMany({ where: { tenantId, userId } });
  await tx.recoveryCode.createMany({
    data: hashes.map((hash) => ({ tenantId, userId, hash: Uint8Array.from(hash), createdAt: at })),
  });
}

/** Deletes a person's second factor with its recovery codes; returns whether it was asked for. */
export async function deleteSecondFactor(tx: Tx, tenantId: string, userId: string): Promise<boolean> {
  const where = { tenantId, userId };
  const confirmed = await tx.secondFactor.count({ where: { ...where, confirmedAt: { not: null } } });
  await tx.recoveryCode.deleteMany({ where });
  await tx.secondFactor.deleteMany({ where });
  return confirmed > 0;
}
