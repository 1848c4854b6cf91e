import type { Pool } from "pg";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import type { TenantRow } from "../workspace/create-tenant.ts";
import type { ChecklistStep } from "./schemas.ts";

/** What the token of the set-up page is made from and its hash; those given, where there is none. Undefined with an organisation. */
export async function findSetUpToken(
  pool: Pick<Pool, "query">,
  nonce: Uint8Array,
  hash: Uint8Array,
): Promise<{ nonce: Uint8Array; hash: Uint8Array } | undefined> {
  const { rows } = await pool.query<{ nonce: Uint8Array; hash: Uint8Array }>(
    "SELECT * FROM set_up_token($1, $2)",
    [nonce, hash],
  );
  return rows[0];
}

/** Adds the first organisation with the hash of the set-up page's token; false when it is not, or not any more, the one. */
export async function insertFirstTenant(tx: Tx, tokenHash: Uint8Array, row: TenantRow): Promise<boolean> {
  const rows = await tx.$queryRaw<{ added: boolean }[]>`
    SELECT create_first_tenant(${Uint8Array.from(tokenHash)}, ${row.slug}, ${row.name}, ${row.dataRegion},
                               ${JSON.stringify(row.settings)}::jsonb, ${row.dataKey}) AS added`;
  return rows[0]?.added ?? false;
}

/** Adapters whose providers never tell of delivery: what they took is as far as is known. */
const withoutReceipts = ["smtp", "microsoft365"];

/** Which of the first steps are done, as far as they can be read off what is there. */
export async function selectSteps(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environments: { production: readonly string[]; sandbox: readonly string[] },
): Promise<Record<Exclude<ChecklistStep, "key">, boolean>> {
  const rows = await queryInTenant<Record<Exclude<ChecklistStep, "key">, boolean>>(
    ctx,
    `WITH real AS MATERIALIZED (
       SELECT id, adapter FROM connection_facts WHERE tenant_id = $1 AND adapter <> 'simulator' AND enabled
     )
     SELECT
       EXISTS (SELECT FROM real) AS provider,
       EXISTS (SELECT FROM rule_facts r, jsonb_path_query(r.tiers, '$[*][*].connectionId') AS named
               WHERE r.tenant_id = $1 AND r.environment_id = ANY ($2) AND r.enabled
                 AND named #>> '{}' IN (SELECT id::text FROM real)) AS route,
       EXISTS (SELECT FROM template_pointers p
               JOIN template_facts t ON t.tenant_id = p.tenant_id AND t.id = p.template_id AND t.archived_at IS NULL
               WHERE p.tenant_id = $1 AND p.environment_id = ANY ($2) AND NOT p.disabled) AS template,
       EXISTS (SELECT FROM hourly_counts c
               WHERE c.tenant_id = $1 AND c.kind = 'status' AND c.environment_id = ANY ($3)) AS sandbox,
       EXISTS (SELECT FROM hourly_counts c JOIN real ON real.id = c.connection_id
               WHERE c.tenant_id = $1 AND c.kind = 'status' AND c.environment_id = ANY ($2)
                 AND (c.status = 'delivered' OR c.status = 'sent' AND real.adapter = ANY ($4))) AS delivered`,
    [ctx.tenantId, environments.production, environments.sandbox, withoutReceipts],
  );
  const [row] = rows;
  return row ?? { provider: false, route: false, template: false, sandbox: false, delivered: false };
}

export interface ListedTenant {
  slug: string;
  name: string;
  dataRegion: string;
}

/** Every organisation, by short name. As the owner of the tables. */
export async function listTenants(owner: Pick<Pool, "query">): Promise<ListedTenant[]> {
  const { rows } = await owner.query<ListedTenant>(
    'SELECT slug, name, data_region AS "dataRegion" FROM tenant_facts ORDER BY slug',
  );
  return rows;
}

/** A member who may sign in, by organisation and address. As the owner of the tables. */
export async function findMemberByAddress(
  owner: Pick<Pool, "query">,
  input: { organisation: string; email: string },
): Promise<{ tenantId: string; userId: string } | undefined> {
  const { rows } = await owner.query<{ tenantId: string; userId: string }>(
    `SELECT tenant_id AS "tenantId", user_id AS "userId" FROM find_identities($2) WHERE tenant_slug = $1`,
    [input.organisation, input.email],
  );
  return rows[0];
}

export async function deleteSetUpToken(owner: Pick<Pool, "query">): Promise<void> {
  await owner.query("DELETE FROM set_up_tokens");
}
