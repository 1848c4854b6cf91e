import type pg from "pg";

type Queries = Pick<pg.Pool, "query">;

/** Fields that are sealed under a tenant's data key. Every such field must be listed here, or a rotation misses it. */
export const sealedFields = [
  { table: "provider_connections", id: "id", columns: ["credentials", "old_callback_secrets"] },
  { table: "webhook_endpoints", id: "id", columns: ["secret", "previous_secret"] },
  { table: "identity_providers", id: "id", columns: ["client_secret"] },
  { table: "second_factors", id: "user_id", columns: ["secret"] },
  { table: "shorteners", id: "environment_id", columns: ["credentials"] },
  { table: "audit_chains", id: "tenant_id", columns: ["key"] },
  { table: "consent_keys", id: "tenant_id", columns: ["key"] },
  { table: "erasures", id: "id", columns: ["recipients"] },
  { table: "idempotent_answers", id: "id", columns: ["request", "answer"] },
] as const;
export type SealedTable = (typeof sealedFields)[number]["table"];

export interface TenantKey {
  id: string;
  dataKey: Buffer;
}

/** One page of tenants in the order of their ids, after `after`. */
export async function selectTenantKeys(
  pool: Queries,
  after: string | null,
  limit: number,
): Promise<TenantKey[]> {
  const { rows } = await pool.query<TenantKey>(
    'SELECT id, data_key AS "dataKey" FROM tenants WHERE $1::uuid IS NULL OR id > $1::uuid ORDER BY id LIMIT $2',
    [after, limit],
  );
  return rows;
}

/** Replaces a sealed data key unless it has changed; returns whether. */
export async function swapDataKey(pool: Queries, tenant: TenantKey, sealed: Buffer): Promise<boolean> {
  const { rowCount } = await pool.query("UPDATE tenants SET data_key = $3 WHERE id = $1 AND data_key = $2", [
    tenant.id,
    tenant.dataKey,
    sealed,
  ]);
  return rowCount === 1;
}

/** The tenant's sealed data key; with `lock`, nobody seals under it until the transaction ends. */
export async function selectTenantKey(
  client: Queries,
  id: string,
  lock: boolean,
): Promise<Buffer | undefined> {
  const { rows } = await client.query<{ dataKey: Buffer }>(
    `SELECT data_key AS "dataKey" FROM tenants WHERE id = $1 ${lock ? "FOR UPDATE" : ""}`,
    [id],
  );
  return rows[0]?.dataKey;
}

export interface SealedField {
  table: SealedTable;
  column: string;
  id: string;
  sealed: Buffer;
}

type SealedRow = Record<string, Buffer | null> & { rowId: string };

/** Rows in one statement: an organisation keeps up to a hundred thousand answers. */
export const portionRows = 100;

async function selectSealedRows(
  client: Queries,
  tenantId: string,
  of: { table: string; id: string; columns: readonly string[]; after: string | null; lock: boolean },
): Promise<SealedRow[]> {
  const { table, id, columns, after, lock } = of;
  const { rows } = await client.query<SealedRow>(
    `SELECT ${id} AS "rowId", ${columns.join(", ")} FROM ${table}
     WHERE tenant_id = $1 AND ($2::uuid IS NULL OR ${id} > $2) ORDER BY ${id} LIMIT $3 ${lock ? "FOR UPDATE" : ""}`,
    [tenantId, after, portionRows],
  );
  return rows;
}

/** The non-empty sealed fields of a tenant, a portion of one table at a time; with `lock`, nobody changes them until the transaction ends. */
export async function* sealedPortions(
  client: Queries,
  tenantId: string,
  lock: boolean,
): AsyncGenerator<SealedField[]> {
  for (const { table, id, columns } of sealedFields) {
    let after: string | null = null;
    let full = true;
    while (full) {
      const rows = await selectSealedRows(client, tenantId, { table, id, columns, after, lock });
      const fields: SealedField[] = [];
      for (const row of rows) {
        for (const column of columns) {
          const sealed = row[column];
          if (sealed && sealed.length > 0) fields.push({ table, column, id: row.rowId, sealed });
        }
      }
      yield fields;
      after = rows.at(-1)?.rowId ?? null;
      full = rows.length === portionRows;
    }
  }
}

/** Changes the sealed fields of a portion, not the rows' update time. */
export async function writeSealedFields(
  client: Queries,
  tenantId: string,
  fields: readonly SealedField[],
): Promise<void> {
  for (const { table, id, columns } of sealedFields) {
    for (const column of columns) {
      const changed = fields.filter((field) => field.table === table && field.column === column);
      if (changed.length === 0) continue;
      await client.query(
        `UPDATE ${table} SET ${column} = n.sealed FROM unnest($2::uuid[], $3::bytea[]) AS n (id, sealed)
         WHERE ${table}.tenant_id = $1 AND ${table}.${id} = n.id`,
        [tenantId, changed.map((field) => field.id), changed.map(({ sealed }) => sealed)],
      );
    }
  }
}

export async function writeDataKey(client: Queries, tenantId: string, sealed: Buffer): Promise<void> {
  await client.query("UPDATE tenants SET data_key = $2 WHERE id = $1", [tenantId, sealed]);
}

/** The operator's own channels with what is sealed of them. */
export async function selectChannelCredentials(
  owner: Queries,
): Promise<{ id: string; credentials: Buffer }[]> {
  const { rows } = await owner.query<{ id: string; credentials: Buffer }>(
    "SELECT id, credentials FROM platform_channels ORDER BY id",
  );
  return rows;
}

/** As swapDataKey, for one of the operator's channels. */
export async function swapChannelCredentials(
  owner: Queries,
  channel: { id: string; credentials: Buffer },
  sealed: Buffer,
): Promise<boolean> {
  const { rowCount } = await owner.query(
    "UPDATE platform_channels SET credentials = $3 WHERE id = $1 AND credentials = $2",
    [channel.id, channel.credentials, sealed],
  );
  return rowCount === 1;
}

/** The secrets of operators' authenticator apps. */
export async function selectOperatorSecrets(owner: Queries): Promise<{ id: string; secret: Buffer }[]> {
  const { rows } = await owner.query<{ id: string; secret: Buffer }>(
    "SELECT operator_id AS id, secret FROM operator_second_factors ORDER BY operator_id",
  );
  return rows;
}

/** As swapDataKey, for the secret of an operator's app. */
export async function swapOperatorSecret(
  owner: Queries,
  factor: { id: string; secret: Buffer },
  sealed: Buffer,
): Promise<boolean> {
  const { rowCount } = await owner.query(
    "UPDATE operator_second_factors SET secret = $3 WHERE operator_id = $1 AND secret = $2",
    [factor.id, factor.secret, sealed],
  );
  return rowCount === 1;
}
