import { findPerson } from "../access/find-person.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { isUuid } from "../kernel/ids.ts";
import { authorize, may } from "../operations/authorize.ts";
import type { Permission } from "../operations/permissions.ts";
import type { Gates } from "../tenancy/schemas.ts";
import type { GateFacts } from "./gates.ts";
import { selectPromotion } from "./promotion-queries.ts";
import type { PromotionRow } from "./promotion-queries.ts";

/** A promotion belongs to the stage that it changes: a key of another environment does not see it. */
export const placeOf = (row: Pick<PromotionRow, "unitId" | "applicationId" | "toEnvironmentId">) => ({
  unitId: row.unitId,
  applicationId: row.applicationId,
  environmentId: row.toEnvironmentId,
});

/** A promotion that the actor holds one of the permissions for; otherwise `not_found` or `permission_denied`. */
export async function requirePromotion(
  ctx: Ctx,
  permission: Permission,
  id: string,
  alternative?: (row: PromotionRow) => Promise<boolean>,
): Promise<PromotionRow> {
  const row = isUuid(id) ? await selectPromotion(ctx, id) : undefined;
  if (!row) throw notFound();
  if (may(ctx, permission, placeOf(row)) || (alternative && (await alternative(row)))) return row;
  authorize(ctx, permission, placeOf(row));
  return row;
}

/** The actor's relation to a promotion. */
export interface Standing {
  /** The person who acts; of an API key, its owner. null: none. */
  person: string | null;
  /** The person who requested it, in the same sense, as of then: a key may have been handed over since. */
  requester: string | null;
  /** Whether the actor requested it, by themselves or with a key of theirs. */
  isRequester: boolean;
}

export async function standingOf(
  ctx: Ctx,
  row: Pick<PromotionRow, "requestedByType" | "requestedById" | "requestedByPersonId">,
): Promise<Standing> {
  const person = await findPerson(ctx, ctx.actor);
  const requester = row.requestedByPersonId;
  const sameActor = ctx.actor.type === row.requestedByType && ctx.actor.id === row.requestedById;
  return { person, requester, isRequester: sameActor || (person !== null && person === requester) };
}

/**
 * The person who decides. Throws `permission_denied` for the requester, and for a key without an owner: the requester
 * might be behind it.
 */
export function requireOtherPerson(standing: Standing): string {
  if (standing.isRequester) {
    throw new DomainError(
      "permission_denied",
      "You can't approve a promotion you requested, nor can your API keys.",
    );
  }
  if (standing.person === null) {
    throw new DomainError(
      "permission_denied",
      "An approval is a person's. This API key is nobody's in particular, since it was made at set-up or several people have had it: use one that a member made, or rotate it.",
    );
  }
  return standing.person;
}

/** What people get in production a person has read: throws `agent_limit` for an agent that would bring there what nobody is asked about. */
export function refuseAgentAlone(
  { actor }: Pick<Ctx, "actor">,
  gates: Pick<Gates, "approvals">,
  { production }: Pick<GateFacts, "production">,
): void {
  if (actor.type !== "apiKey" || !actor.agent || !production || gates.approvals > 0) return;
  throw new DomainError(
    "agent_limit",
    "This stage asks nobody for an approval, and an agent puts nothing into production by itself. Let a person do this, or let the stage ask for an approval.",
  );
}

/** Requesters may deploy their promotion once its gates have passed, and withdraw it. */
export function mayAsRequester(ctx: Ctx, row: PromotionRow, standing: Standing): boolean {
  return standing.isRequester && may(ctx, "promotions:request", placeOf(row));
}
