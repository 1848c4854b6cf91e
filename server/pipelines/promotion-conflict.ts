import { DomainError } from "../kernel/errors.ts";
import type { MovedRow } from "./pointer-queries.ts";

/** One entry of `conflicts` in a promotion_conflict: the template, and the obstacle. */
interface Conflict {
  templateId: string;
  name: string;
  detail: string;
  /** The conflicting promotion; null: a save or a deployment, or the template was archived. */
  promotion: { id: string; state: string; requestedBy: string } | null;
  /** The live version; null: none. Missing when the other promotion is still open. */
  version?: number | null;
  expectedVersion?: number | null;
}

const named = (conflicts: readonly Conflict[]) => {
  const [first] = conflicts;
  if (!first) return "Some templates";
  const rest = conflicts.length - 1;
  return rest === 0 ? `"${first.name}"` : `"${first.name}" and ${String(rest)} more`;
};
const live = (version: number | null) => (version === null ? "nothing" : `version ${String(version)}`);

/** Another open promotion into the same stage holds some of the templates. */
export function heldByOther(
  holding: readonly {
    templateId: string;
    name: string;
    promotionId: string;
    state: string;
    requestedBy: string;
  }[],
): DomainError {
  const conflicts = holding.map(({ templateId, name, promotionId, state, requestedBy }): Conflict => ({
    templateId,
    name,
    detail: `In the ${state} promotion that ${requestedBy} requested`,
    promotion: { id: promotionId, state, requestedBy },
  }));
  const [first] = holding;
  return new DomainError(
    "promotion_conflict",
    first
      ? `${named(conflicts)}: another promotion into this stage is in progress, requested by ${first.requestedBy} (${first.state}). Wait until it is deployed, or reject it.`
      : "Another promotion into this stage was faster. Look at the stages again.",
    { extra: { conflicts } },
  );
}

/** Pointers have moved since the promotion was requested or deployed. */
export function movedConcurrently(
  moved: readonly MovedRow[],
  before: "request" | "deployment" | "rollback",
): DomainError {
  const conflicts = moved.map((row): Conflict => {
    const by = row.promotionId
      ? `by a promotion that ${row.requestedBy ?? "somebody"} requested`
      : row.version === null
        ? "since it was rolled back"
        : "by a rollback, a save or a deployment";
    return {
      templateId: row.templateId,
      name: row.name,
      detail:
        row.archived && before !== "rollback"
          ? "It was archived"
          : `The stage has ${live(row.version)} (${by}), where this promotion expects ${live(row.expected)}`,
      promotion:
        row.promotionId === null
          ? null
          : {
              id: row.promotionId,
              state: row.promotionState ?? "deployed",
              requestedBy: row.requestedBy ?? "",
            },
      version: row.version,
      expectedVersion: row.expected,
    };
  });
  const advice = {
    request: "Look at the stages again and repeat the request.",
    deployment: "Reject this promotion and request it again.",
    rollback: "Roll back the later promotion first, or force this one to roll back both.",
  }[before];
  return new DomainError(
    "promotion_conflict",
    moved.length === 0
      ? `The stage was changed at the same moment. ${advice}`
      : `${named(conflicts)} changed in the stage in the meantime. ${conflicts[0]?.detail ?? ""}. ${advice}`,
    { extra: { conflicts } },
  );
}
