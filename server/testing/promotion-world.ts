import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import type { BuiltInRole } from "../operations/permissions.ts";
import { createPromotion } from "../pipelines/create-promotion.ts";
import { promotionCreateSchema } from "../pipelines/schemas.ts";
import type { Promotion, PromotionCreate } from "../pipelines/schemas.ts";
import { forgetLiveTemplates } from "../templates/resolve-template.ts";
import type { Gates } from "../tenancy/schemas.ts";
import type { TestDatabase } from "./database.ts";
import { makeTenant } from "./factories.ts";

type EnvironmentName = "production" | "staging" | "sandbox";

/** The code of its refusal; throws when it was not refused. */
export async function refusal(work: Promise<unknown>): Promise<DomainError> {
  const error = await work.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (error instanceof DomainError) return error;
  throw new Error("it was not refused", { cause: error });
}

/**
 * A tenant with people who request and approve, templates that are live in staging, and a view of what every stage has.
 * Texts need no AI check for production unless `settings` say so.
 */
export async function makePromotionWorld(
  database: TestDatabase,
  settings: Record<string, unknown> = { ai: { allowWithoutAi: true } },
) {
  const tenant = await makeTenant(database, { settings });
  const { tenantId, environments } = tenant;
  const sql = database.owner;
  let made = 0;

  /** A member with a row, as a ctx. */
  async function member(role: BuiltInRole, unitId?: string): Promise<Ctx> {
    const { id, email } = await tenant.addMember(role, unitId === undefined ? {} : { unitId });
    return { ...tenant.as(role, unitId ?? null), actor: { type: "user", id, email, name: `${role} ${id}` } };
  }

  const author = await member("template_author", tenant.units.alpha);
  const reviewer = await member("release_manager", tenant.units.alpha);

  /** Templates with a version 1 that is live in staging, unless told otherwise, in the order of their ids. */
  async function addTemplates(
    count: number,
    more: { channel?: string; environments?: EnvironmentName[]; applicationId?: string } = {},
  ): Promise<string[]> {
    const ids = Array.from({ length: count }, () => newId());
    const from = made;
    made += count;
    await sql.query(
      `WITH n AS (SELECT id, $6::int + ordinality AS i FROM unnest($3::uuid[]) WITH ORDINALITY AS u (id, ordinality)),
       t AS (
         INSERT INTO templates (tenant_id, id, application_id, name, notification_type, notification_subtype, channel, provider,
                                latest_version, updated_at)
         SELECT $1, id, $2, 'text-' || lpad(i::text, 5, '0'), 'order', 'order_status', $4, 'p' || i, 1, now() FROM n
       ), v AS (
         INSERT INTO template_versions (tenant_id, template_id, version, body, author_name, moderation)
         SELECT $1, id, 1, 'Text 1', 'Test', '{"checkedBy":["deterministic"],"findings":[]}' FROM n
       )
       INSERT INTO template_deployments (tenant_id, template_id, environment_id, version, deployed_at)
       SELECT $1, id, e, 1, now() FROM n CROSS JOIN unnest($5::uuid[]) AS e`,
      [
        tenantId,
        more.applicationId ?? tenant.application.id,
        ids,
        more.channel ?? "sms",
        (more.environments ?? ["staging"]).map((name) => environments[name]),
        from,
      ],
    );
    forgetLiveTemplates();
    return ids;
  }

  return {
    tenant,
    tenantId,
    environments,
    /** Requests in unit Alpha. */
    author,
    /** Approves in unit Alpha. */
    reviewer,
    member,
    addTemplates,
    /** Saves the next version of templates: live in staging. */
    save: async (
      ids: readonly string[],
      more: { metadata?: unknown; moderation?: unknown } = {},
    ): Promise<void> => {
      await sql.query(
        `WITH t AS (UPDATE templates SET latest_version = latest_version + 1
                    WHERE tenant_id = $1 AND id = ANY($2::uuid[]) RETURNING id, latest_version),
         v AS (INSERT INTO template_versions (tenant_id, template_id, version, body, author_name, metadata, moderation)
               SELECT $1, id, latest_version, 'Text ' || latest_version, 'Test', $4, $5 FROM t)
         UPDATE template_deployments d SET version = t.latest_version, promotion_id = NULL
         FROM t WHERE d.tenant_id = $1 AND d.template_id = t.id AND d.environment_id = $3`,
        [
          tenantId,
          ids,
          environments.staging,
          JSON.stringify(more.metadata ?? {}),
          JSON.stringify(more.moderation ?? { checkedBy: ["deterministic"], findings: [] }),
        ],
      );
      forgetLiveTemplates();
    },
    setGates: async (environment: EnvironmentName, gates: Partial<Gates>): Promise<void> => {
      await sql.query(
        "UPDATE pipeline_stages SET gates = gates || $3 WHERE tenant_id = $1 AND environment_id = $2",
        [tenantId, environments[environment], JSON.stringify(gates)],
      );
    },
    /** An environment's live versions and the promotions that put them there, by template. */
    live: async (
      environment: EnvironmentName,
      ids: readonly string[],
    ): Promise<Record<string, { version: number; promotionId: string | null; disabled: boolean }>> => {
      const { rows } = await sql.query<{
        template_id: string;
        version: number;
        promotion_id: string | null;
        disabled: boolean;
      }>(
        `SELECT template_id, version, promotion_id, disabled FROM template_deployments
         WHERE tenant_id = $1 AND environment_id = $2 AND template_id = ANY($3::uuid[]) ORDER BY template_id`,
        [tenantId, environments[environment], ids],
      );
      return Object.fromEntries(
        rows.map((row) => [
          row.template_id,
          { version: row.version, promotionId: row.promotion_id, disabled: row.disabled },
        ]),
      );
    },
    /** Requests a promotion of templates into production, or with null of everything that differs. */
    promote: (
      ids: readonly string[] | null,
      more: Partial<PromotionCreate> = {},
      ctx: Ctx = author,
    ): Promise<Promotion> =>
      createPromotion(
        ctx,
        promotionCreateSchema.parse({
          application: "shop",
          to: "production",
          ...(ids ? { templates: ids.map((templateId) => ({ templateId })) } : {}),
          ...more,
        }),
      ),
  };
}

export type PromotionWorld = Awaited<ReturnType<typeof makePromotionWorld>>;
