import type { Pool } from "pg";
import type { Db, Tx } from "../kernel/db.ts";

export interface OperatorFactorRow {
  secret: Buffer;
  confirmedAt: Date | null;
}

/** An operator's second factor, confirmed or not. */
export async function selectFactor(db: Db, operatorId: string): Promise<OperatorFactorRow | undefined> {
  const { rows } = await db.pool.query<OperatorFactorRow>(
    `SELECT secret, confirmed_at AS "confirmedAt" FROM operator_second_factors WHERE operator_id = $1`,
    [operatorId],
  );
  return rows[0];
}

/** What an operator is shown of theirs. */
export async function selectFactorFacts(
  db: Db,
  operatorId: string,
): Promise<{ since: Date | null; recoveryCodes: number }> {
  const { rows } = await db.pool.query<{ since: Date | null; recoveryCodes: number }>(
    `SELECT (SELECT confirmed_at FROM operator_second_factors WHERE operator_id = $1) AS since,
       (SELECT count(*)::int FROM operator_recovery_codes WHERE operator_id = $1 AND used_at IS NULL) AS "recoveryCodes"`,
    [operatorId],
  );
  return rows[0] ?? { since: null, recoveryCodes: 0 };
}

/** Begins one, in place of one that was begun. False: there is one that counts. */
export async function beginFactor(
  tx: Tx,
  factor: { operatorId: string; secret: Uint8Array<ArrayBuffer>; at: Date },
): Promise<boolean> {
  const { operatorId, secret, at } = factor;
  return (
    (await tx.$executeRaw`
      INSERT INTO operator_second_factors (operator_id, secret, created_at) VALUES (${operatorId}::uuid, ${secret}, ${at})
      ON CONFLICT (operator_id) DO UPDATE SET secret = excluded.secret, last_step = 0, created_at = excluded.created_at
      WHERE operator_second_factors.confirmed_at IS NULL`) === 1
  );
}

/** From now on it is asked for. False: there is none that was begun. */
export async function confirmFactor(tx: Tx, operatorId: string, at: Date): Promise<boolean> {
  return (
    (await tx.$executeRaw`
      UPDATE operator_second_factors SET confirmed_at = ${at} WHERE operator_id = ${operatorId}::uuid AND confirmed_at IS NULL`) ===
    1
  );
}

/** Removes it with its recovery codes. False: none was asked for. */
export async function deleteFactor(tx: Tx, operatorId: string): Promise<boolean> {
  await tx.$executeRaw`DELETE FROM operator_recovery_codes WHERE operator_id = ${operatorId}::uuid`;
  const gone = await tx.$queryRaw<{ confirmed: boolean }[]>`
    DELETE FROM operator_second_factors WHERE operator_id = ${operatorId}::uuid RETURNING confirmed_at IS NOT NULL AS confirmed`;
  return gone[0]?.confirmed === true;
}

/** Takes a step's code, once: false when one of it or of a later step was taken before. */
export async function takeOperatorStep(db: Db, operatorId: string, step: number): Promise<boolean> {
  const { rowCount } = await db.pool.query(
    "UPDATE operator_second_factors SET last_step = $2 WHERE operator_id = $1 AND last_step < $2",
    [operatorId, step],
  );
  return rowCount === 1;
}

/** Takes a recovery code, once; returns how many are left, or null when it is none of theirs or was used. */
export async function takeOperatorRecoveryCode(
  tx: Tx,
  taken: { operatorId: string; hash: Buffer; at: Date },
): Promise<number | null> {
  const { operatorId, hash, at } = taken;
  const count = await tx.$executeRaw`
    UPDATE operator_recovery_codes SET used_at = ${at}
    WHERE operator_id = ${operatorId}::uuid AND hash = ${Uint8Array.from(hash)} AND used_at IS NULL`;
  if (count === 0) return null;
  const left = await tx.$queryRaw<{ left: number }[]>`
    SELECT count(*)::int AS left FROM operator_recovery_codes WHERE operator_id = ${operatorId}::uuid AND used_at IS NULL`;
  return left[0]?.left ?? 0;
}

export async function replaceOperatorRecoveryCodes(
  tx: Tx,
  codes: { operatorId: string; hashes: Buffer[]; at: Date },
): Promise<void> {
  const { operatorId, hashes, at } = codes;
  await tx.$executeRaw`DELETE FROM operator_recovery_codes WHERE operator_id = ${operatorId}::uuid`;
  await tx.operatorRecoveryCode.createMany({
    data: hashes.map((hash) => ({ operatorId, hash: Uint8Array.from(hash), createdAt: at })),
  });
}

/** As the owner of the tables: without a second factor, and signed out; the row has another version. Undefined: nobody has the address. */
export async function resetFactor(
  owner: Pick<Pool, "query">,
  email: string,
  event: { id: string; at: Date; operatorName: string; action: string; requestId: string; data: object },
): Promise<{ had: boolean } | undefined> {
  // By itself: a statement that had to wait for a sign-in does not see the session that it has begun; the next one does.
  await owner.query("UPDATE operators SET name = name WHERE email = $1", [email]);
  const { rows } = await owner.query<{ had: boolean }>(
    `WITH who AS (UPDATE operators SET name = name WHERE email = $1 RETURNING id),
       factors AS (DELETE FROM operator_second_factors WHERE operator_id IN (SELECT id FROM who) RETURNING confirmed_at),
       codes AS (DELETE FROM operator_recovery_codes WHERE operator_id IN (SELECT id FROM who)),
       sessions AS (UPDATE operator_sessions SET ended_at = now() WHERE operator_id IN (SELECT id FROM who) AND ended_at IS NULL),
       logged AS (
         INSERT INTO operator_events (id, at, operator_name, action, request_id, data) SELECT $2, $3, $4, $5, $6, $7 FROM who)
     SELECT EXISTS (SELECT FROM factors WHERE confirmed_at IS NOT NULL) AS had FROM who`,
    [
      email,
      event.id,
      event.at,
      event.operatorName,
      event.action,
      event.requestId,
      JSON.stringify(event.data),
    ],
  );
  return rows[0];
}
