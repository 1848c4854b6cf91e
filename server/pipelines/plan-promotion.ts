import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import type { FieldError } from "../kernel/errors.ts";
import type { GatedVersion } from "./gates.ts";
import { selectCandidates } from "./promotion-queries.ts";
import type { CandidateRow } from "./promotion-queries.ts";
import { promotionLimits } from "./vocabulary.ts";
import type { PromotionCreate, Stage } from "./schemas.ts";

/** How many errors are reported at once; more help nobody. */
const maxReportedErrors = 50;

/** The stage that a request names and the one before it. Throws `invalid_request`, listing the stages. */
export function neighbours(stages: readonly Stage[], named: string): { from: Stage; to: Stage } {
  const position = stages.findIndex((stage) => stage.environment === named || stage.environmentId === named);
  const to = stages[position];
  const from = stages[position - 1];
  if (from && to) return { from, to };
  const later = stages.slice(1).map((stage) => stage.environment);
  const targets =
    later.length > 0 ? `Promotions go into ${later.join(", ")}` : "The pipeline has one stage only";
  throw new DomainError(
    "invalid_request",
    to
      ? "The first stage has nothing before it: what is saved goes live there by itself."
      : "The application's pipeline has no stage of this name.",
    { errors: [{ pointer: "/to", code: to ? "first_stage" : "unknown_environment", detail: targets }] },
  );
}

/**
 * What a request would move, checked against the present contents of the two stages. Throws `invalid_request` that
 * names each template that cannot be promoted, and when there is nothing to promote.
 */
export async function planItems(
  ctx: Ctx,
  where: { applicationId: string; from: Stage; to: Stage },
  wanted: PromotionCreate["templates"],
): Promise<GatedVersion[]> {
  const candidates = await selectCandidates(ctx, {
    applicationId: where.applicationId,
    from: where.from.environmentId,
    to: where.to.environmentId,
    templateIds: wanted?.map(({ templateId }) => templateId) ?? null,
    limit: promotionLimits.templates + 1,
  });
  if (wanted) refuseUnfit(candidates, wanted, where);
  if (candidates.length === 0) {
    throw new DomainError(
      "invalid_request",
      `There is nothing to promote: ${where.to.environment} has everything that ${where.from.environment} has.`,
    );
  }
  if (candidates.length > promotionLimits.templates) {
    throw new DomainError(
      "invalid_request",
      `More than ${String(promotionLimits.templates)} templates differ. Name those to promote.`,
      { errors: [{ pointer: "/templates", code: "too_many", detail: "Name the templates to promote" }] },
    );
  }
  return candidates.map(toGated);
}

function toGated(row: CandidateRow): GatedVersion {
  if (row.version === null) throw new Error("a template that is not live was let through");
  return { ...row, version: row.version };
}

function refuseUnfit(
  candidates: readonly CandidateRow[],
  wanted: NonNullable<PromotionCreate["templates"]>,
  { from, to }: { from: Stage; to: Stage },
): void {
  const byId = new Map(candidates.map((row) => [row.templateId, row]));
  const seen = new Set<string>();
  const errors: FieldError[] = [];
  wanted.forEach(({ templateId, version }, index) => {
    const id = templateId.toLowerCase();
    const problem = seen.has(id)
      ? { code: "repeated", detail: "Each template once" }
      : unfit(byId.get(id), version, from, to);
    seen.add(id);
    if (problem)
      errors.push({
        pointer: `/templates/${String(index)}/${problem.member ?? "templateId"}`,
        code: problem.code,
        detail: problem.detail,
      });
  });
  if (errors.length === 0) return;
  throw new DomainError(
    "invalid_request",
    `${errors.length === 1 ? "A template" : `${String(errors.length)} templates`} cannot be promoted: ${errors[0]?.detail ?? ""}.`,
    { errors: errors.slice(0, maxReportedErrors) },
  );
}

function unfit(
  row: CandidateRow | undefined,
  version: number | undefined,
  from: Stage,
  to: Stage,
): { member?: string; code: string; detail: string } | null {
  if (!row) return { code: "unknown_template", detail: "The application has no such template" };
  const name = `"${row.name}"`;
  if (row.archived) return { code: "archived", detail: `${name} is archived` };
  if (row.version === null) return { code: "not_live", detail: `${name} is not live in ${from.environment}` };
  if (version !== undefined && version !== row.version) {
    return {
      member: "version",
      code: "other_version",
      detail: `${name} has version ${String(row.version)} in ${from.environment}, not ${String(version)}`,
    };
  }
  return row.version === row.previousVersion
    ? { code: "unchanged", detail: `${name} is live in ${to.environment} in the same version` }
    : null;
}
