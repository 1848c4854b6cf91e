import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { queryInTenant } from "../kernel/db.ts";
import type { Db, Prisma, Tx } from "../kernel/db.ts";
import type { Scope } from "../operations/authorize.ts";
import { Conditions } from "../operations/conditions.ts";
import { gatesSchema } from "../tenancy/schemas.ts";
import type { Gates } from "../tenancy/schemas.ts";
import type { PromotionItem, PromotionState } from "./schemas.ts";

type TenantDb = Pick<Ctx, "db" | "tenantId">;

/** A promotion as read from the database. */
export interface PromotionRow {
  id: string;
  application: string;
  applicationId: string;
  unitId: string;
  fromEnvironmentId: string;
  fromEnvironment: string;
  toEnvironmentId: string;
  toEnvironment: string;
  state: PromotionState;
  note: string | null;
  /** As of the request. */
  gates: Gates;
  automatic: boolean;
  templates: number;
  requestedByType: string;
  requestedById: string | null;
  requestedByName: string;
  /** The person who requested it; of an API key, its owner at the time. null: none. */
  requestedByPersonId: string | null;
  requestedAt: Date;
  decidedAt: Date | null;
  deployedAt: Date | null;
  deployedByName: string | null;
  rolledBackAt: Date | null;
  rolledBackByName: string | null;
  rollbackNote: string | null;
}

/** As stored: gates may lack members that were added later. */
type StoredPromotion = Omit<PromotionRow, "gates"> & { gates: Partial<Gates> };

const toPromotion = (stored: StoredPromotion): PromotionRow => ({
  ...stored,
  gates: gatesSchema.parse(stored.gates),
});

const promotionSelect = `
  SELECT p.id, a.name AS application, p.application_id AS "applicationId", p.unit_id AS "unitId",
         p.from_environment_id AS "fromEnvironmentId", f.slug AS "fromEnvironment",
         p.to_environment_id AS "toEnvironmentId", e.slug AS "toEnvironment", p.state, p.note, p.gates, p.automatic,
         (SELECT count(*)::int FROM promotion_items i WHERE i.tenant_id = p.tenant_id AND i.promotion_id = p.id) AS templates,
         p.requested_by_type AS "requestedByType", p.requested_by_id AS "requestedById",
         p.requested_by_name AS "requestedByName", p.requested_by_person_id AS "requestedByPersonId", p.requested_at AS "requestedAt", p.decided_at AS "decidedAt",
         p.deployed_at AS "deployedAt", p.deployed_by_name AS "deployedByName", p.rolled_back_at AS "rolledBackAt",
         p.rolled_back_by_name AS "rolledBackByName", p.rollback_note AS "rollbackNote"
  FROM promotions p
  JOIN application_facts a ON a.tenant_id = p.tenant_id AND a.id = p.application_id
  JOIN environment_facts f ON f.tenant_id = p.tenant_id AND f.id = p.from_environment_id
  JOIN environment_facts e ON e.tenant_id = p.tenant_id AND e.id = p.to_environment_id
  WHERE p.tenant_id = $1`;

/** One promotion; undefined when there is none. */
export async function selectPromotion(ctx: TenantDb, id: string): Promise<PromotionRow | undefined> {
  const rows = await queryInTenant<StoredPromotion>(ctx, `${promotionSelect} AND p.id = $2`, [
    ctx.tenantId,
    id,
  ]);
  return rows[0] && toPromotion(rows[0]);
}

/** Promotions, newest first; `before` is the last id of the previous page. */
export async function selectPromotions(
  ctx: TenantDb,
  where: {
    scopes: Required<Scope>[] | null;
    applicationId?: string | undefined;
    environmentId?: string | undefined;
    state?: string | undefined;
    templateId?: string | undefined;
    before: string | undefined;
    limit: number;
  },
): Promise<PromotionRow[]> {
  const conditions = new Conditions([ctx.tenantId])
    .given("p.application_id = ?", where.applicationId)
    .given("p.to_environment_id = ?", where.environmentId)
    .given("p.state = ?", where.state)
    .given(
      "p.id IN (SELECT i.promotion_id FROM promotion_items i WHERE i.tenant_id = $1 AND i.template_id = ?)",
      where.templateId,
    )
    .given("p.id < ?", where.before)
    .within(where.scopes, {
      unit: "p.unit_id",
      application: "p.application_id",
      environment: "p.to_environment_id",
    });
  const rows = await queryInTenant<StoredPromotion>(
    ctx,
    `${promotionSelect} AND ${conditions.sql} ORDER BY p.id DESC LIMIT ${conditions.bind(where.limit)}`,
    conditions.values,
  );
  return rows.map(toPromotion);
}

/** What a promotion moves, by name, with the facts for its gates. */
export interface ItemRow extends PromotionItem {
  archived: boolean;
  checkedBy: string[];
  /** Moderation left a blocking finding. */
  blocked: boolean;
  unreviewed: boolean;
  /** The approved WhatsApp template that the version names. */
  templateName: string | null;
  templateLanguage: string;
  notificationType: string;
}

/** Facts of a version for the gates; `t` is its template, `v` the version. */
const gateColumns = `t.archived_at IS NOT NULL AS archived,
         coalesce(v.moderation->'checkedBy', '[]') AS "checkedBy",
         coalesce(jsonb_path_exists(v.moderation, '$.findings[*] ? (@.severity == "block")'), false) AS blocked,
         coalesce(v.unreviewed, false) AS unreviewed,
         v.metadata->>'templateName' AS "templateName", coalesce(v.metadata->>'language', '') AS "templateLanguage",
         t.notification_type AS "notificationType"`;

export async function selectItems(ctx: TenantDb, promotionId: string): Promise<ItemRow[]> {
  return queryInTenant<ItemRow>(
    ctx,
    `SELECT t.id AS "templateId", t.name, t.channel, t.region, t.language, t.provider, i.version,
            i.previous_version AS "previousVersion", ${gateColumns}
     FROM promotion_items i
     JOIN template_facts t ON t.tenant_id = i.tenant_id AND t.id = i.template_id
     JOIN template_contents v ON v.tenant_id = i.tenant_id AND v.template_id = i.template_id AND v.version = i.version
     WHERE i.tenant_id = $1 AND i.promotion_id = $2 ORDER BY t.name, t.id`,
    [ctx.tenantId, promotionId],
  );
}

/** A template that could be promoted, with its versions in the two stages. */
export interface CandidateRow {
  templateId: string;
  name: string;
  channel: Channel;
  archived: boolean;
  /** The version in the previous stage; null: not live there, and the facts below are empty. */
  version: number | null;
  /** The version in the target; null: none. */
  previousVersion: number | null;
  checkedBy: string[];
  blocked: boolean;
  unreviewed: boolean;
  templateName: string | null;
  templateLanguage: string;
  notificationType: string;
}

/**
 * Templates of an application as candidates for a promotion, by name: the named ones, or those whose live version in
 * `from` differs from that in `to`, at most `limit`.
 */
export async function selectCandidates(
  ctx: TenantDb,
  where: {
    applicationId: string;
    from: string;
    to: string;
    templateIds: readonly string[] | null;
    limit: number;
  },
): Promise<CandidateRow[]> {
  const chosen = where.templateIds
    ? "t.id = ANY($5::uuid[])"
    : "$5::uuid[] IS NULL AND t.archived_at IS NULL AND f.version IS NOT NULL AND f.version IS DISTINCT FROM d.version";
  return queryInTenant<CandidateRow>(
    ctx,
    `SELECT t.id AS "templateId", t.name, t.channel, f.version, d.version AS "previousVersion", ${gateColumns}
     FROM template_facts t
     LEFT JOIN template_pointers f ON f.tenant_id = t.tenant_id AND f.template_id = t.id AND f.environment_id = $3
     LEFT JOIN template_pointers d ON d.tenant_id = t.tenant_id AND d.template_id = t.id AND d.environment_id = $4
     LEFT JOIN template_contents v ON v.tenant_id = t.tenant_id AND v.template_id = t.id AND v.version = f.version
     WHERE t.tenant_id = $1 AND t.application_id = $2 AND ${chosen} ORDER BY t.name, t.id LIMIT $6`,
    [ctx.tenantId, where.applicationId, where.from, where.to, where.templateIds, where.limit],
  );
}

/** The decisions on a promotion, oldest first; those of people who may not sign in do not count. */
export async function selectDecisions(
  ctx: TenantDb,
  promotionId: string,
): Promise<
  {
    personId: string;
    by: string;
    decision: "approve" | "reject";
    comment: string | null;
    at: Date;
    counts: boolean;
  }[]
> {
  return queryInTenant(
    ctx,
    `SELECT d.person_id AS "personId", d.actor_name AS by, d.decision, d.comment, d.at, m.active IS NOT FALSE AS counts
     FROM promotion_decisions d LEFT JOIN member_facts m ON m.tenant_id = d.tenant_id AND m.id = d.person_id
     WHERE d.tenant_id = $1 AND d.promotion_id = $2 ORDER BY d.at, d.person_id LIMIT 200`,
    [ctx.tenantId, promotionId],
  );
}

/** Locks a promotion for the transaction. */
export async function lockPromotion(
  tx: Tx,
  tenantId: string,
  id: string,
): Promise<{ state: PromotionState; automatic: boolean }> {
  const rows = await tx.$queryRaw<{ state: PromotionState; automatic: boolean }[]>`
    SELECT state, automatic FROM promotions WHERE tenant_id = ${tenantId}::uuid AND id = ${id}::uuid FOR UPDATE`;
  const [row] = rows;
  if (!row) throw new Error("a promotion is never deleted");
  return row;
}

/** Notes a person's decision, made by the ctx's actor; false when the same person has decided so before. */
export async function insertDecision(
  { tenantId, actor, now }: Pick<Ctx, "tenantId" | "actor" | "now">,
  tx: Tx,
  row: { promotionId: string; personId: string; decision: "approve" | "reject"; comment: string | null },
): Promise<boolean> {
  const { count } = await tx.promotionDecision.createMany({
    data: [{ tenantId, ...row, actorType: actor.type, actorName: actor.name, at: now() }],
    skipDuplicates: true,
  });
  return count > 0;
}

export async function writePromotion(
  tx: Tx,
  tenantId: string,
  id: string,
  data: Prisma.PromotionUpdateInput & { state: PromotionState },
): Promise<void> {
  await tx.promotion.update({ where: { tenantId_id: { tenantId, id } }, data });
}

/** How many have approved the promotion `p`, without those who may not sign in. */
const approvalsOf = `(SELECT count(*)::int FROM promotion_decisions d
    WHERE d.tenant_id = p.tenant_id AND d.promotion_id = p.id AND d.decision = 'approve'
      AND NOT EXISTS (SELECT FROM member_facts m WHERE m.tenant_id = d.tenant_id AND m.id = d.person_id AND NOT m.active))`;

export async function countApprovals(tx: Tx, tenantId: string, promotionId: string): Promise<number> {
  const [row] = await tx.$queryRawUnsafe<{ count: number }[]>(
    `SELECT ${approvalsOf} AS count FROM promotions p WHERE p.tenant_id = $1::uuid AND p.id = $2::uuid`,
    tenantId,
    promotionId,
  );
  return row?.count ?? 0;
}

/**
 * Open automatic promotions of all organisations (worker's role) that have the approvals that they need, at most so many: one of each
 * organisation before the second of any, in any order, so that none keeps the others waiting.
 */
export async function selectApproved(db: Db, limit: number): Promise<{ tenantId: string; id: string }[]> {
  const { rows } = await db.pool.query<{ tenantId: string; id: string }>(
    `SELECT p.tenant_id AS "tenantId", p.id
     FROM (SELECT DISTINCT tenant_id, promotion_id FROM promotion_items WHERE open) i
     JOIN promotions p ON p.tenant_id = i.tenant_id AND p.id = i.promotion_id
     WHERE p.automatic AND ${approvalsOf} >= coalesce((p.gates->>'approvals')::int, 0)
     ORDER BY row_number() OVER (PARTITION BY p.tenant_id ORDER BY random()), random() LIMIT $1`,
    [limit],
  );
  return rows;
}

/** Frees the templates of a promotion that is no longer open. */
export async function closeItems(tx: Tx, tenantId: string, promotionId: string): Promise<void> {
  await tx.promotionItem.updateMany({ where: { tenantId, promotionId, open: true }, data: { open: false } });
}

/** What a promotion moves, in the order of the templates' ids: the first `limit`. */
export async function selectItemVersions(
  tx: Tx,
  tenantId: string,
  promotionId: string,
  limit: number,
): Promise<{ templateId: string; version: number; previousVersion: number | null }[]> {
  return tx.promotionItem.findMany({
    where: { tenantId, promotionId },
    select: { templateId: true, version: true, previousVersion: true },
    orderBy: { templateId: "asc" },
    take: limit,
  });
}
