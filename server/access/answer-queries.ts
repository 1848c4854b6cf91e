import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Tx } from "../kernel/db.ts";

export interface AnswerRow {
  id: string;
  request: Buffer;
  answer: Buffer | null;
  createdAt: Date;
  dataKey: Buffer;
}

/** Takes an Idempotency-Key of an API key, also one whose time is over; false: it is taken. */
export async function insertAnswer(
  tx: Tx,
  row: {
    tenantId: string;
    id: string;
    apiKeyId: string;
    keyHash: Uint8Array<ArrayBuffer>;
    request: Uint8Array<ArrayBuffer>;
    createdAt: Date;
    expiresAt: Date;
  },
): Promise<boolean> {
  const count = await tx.$executeRaw`
    INSERT INTO idempotent_answers AS a (tenant_id, id, api_key_id, key_hash, request, created_at, expires_at)
    VALUES (${row.tenantId}::uuid, ${row.id}::uuid, ${row.apiKeyId}::uuid, ${row.keyHash}, ${row.request}, ${row.createdAt}, ${row.expiresAt})
    ON CONFLICT (tenant_id, api_key_id, key_hash) DO UPDATE
      SET id = excluded.id, request = excluded.request, answer = NULL, created_at = excluded.created_at, expires_at = excluded.expires_at
      WHERE a.expires_at <= excluded.created_at`;
  return count > 0;
}

/** What is kept under an Idempotency-Key, with the key that opens it. */
export async function selectAnswer(ctx: Ctx, apiKeyId: string, keyHash: Buffer): Promise<AnswerRow | null> {
  const rows = await queryInTenant<AnswerRow>(
    ctx,
    `SELECT a.id, a.request, a.answer, a.created_at, t.data_key FROM idempotent_answers a JOIN tenant_facts t ON t.id = a.tenant_id
     WHERE a.tenant_id = $1 AND a.api_key_id = $2 AND a.key_hash = $3`,
    [ctx.tenantId, apiKeyId, keyHash],
  );
  return rows[0] ?? null;
}

/** How many are kept for the organisation, counted up to `most`. */
export async function countAnswers(ctx: Ctx, most: number): Promise<number> {
  const rows = await queryInTenant<{ count: number }>(
    ctx,
    "SELECT count(*)::int AS count FROM (SELECT FROM idempotent_answers WHERE tenant_id = $1 LIMIT $2) AS kept",
    [ctx.tenantId, most],
  );
  return rows[0]?.count ?? 0;
}

export async function updateAnswer(
  tx: Tx,
  tenantId: string,
  id: string,
  answer: Uint8Array<ArrayBuffer>,
): Promise<void> {
  await tx.$executeRaw`
    UPDATE idempotent_answers SET answer = ${answer} WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
}

export async function deleteAnswer(tx: Tx, tenantId: string, id: string): Promise<void> {
  await tx.$executeRaw`DELETE FROM idempotent_answers WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid`;
}

/** Deletes up to `limit` of any organisation whose time is over (worker's role); returns how many. */
export async function deleteExpiredAnswers(db: Db, limit: number): Promise<number> {
  const result = await db.pool.query(
    `DELETE FROM idempotent_answers WHERE ctid = ANY (ARRAY(
       SELECT ctid FROM idempotent_answers WHERE expires_at < now() ORDER BY expires_at LIMIT $1))`,
    [limit],
  );
  return result.rowCount ?? 0;
}
