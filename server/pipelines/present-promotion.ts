import type { Ctx } from "../kernel/ctx.ts";
import { may } from "../operations/authorize.ts";
import { loadGateFacts } from "./gate-facts.ts";
import { allPassed, evaluateGates } from "./gates.ts";
import { mayAsRequester, placeOf, standingOf } from "./promotion-access.ts";
import { selectDecisions, selectItems, selectPromotion } from "./promotion-queries.ts";
import type { ItemRow, PromotionRow } from "./promotion-queries.ts";
import type { GateResult, Promotion, PromotionSummary } from "./schemas.ts";

export const isOpen = (row: Pick<PromotionRow, "state">) =>
  row.state === "pending" || row.state === "approved";

/** A promotion row as lists present it. */
export function toSummary(row: PromotionRow): PromotionSummary {
  return {
    id: row.id,
    application: row.application,
    applicationId: row.applicationId,
    from: { environmentId: row.fromEnvironmentId, environment: row.fromEnvironment },
    to: { environmentId: row.toEnvironmentId, environment: row.toEnvironment },
    state: row.state,
    note: row.note,
    automatic: row.automatic,
    templates: row.templates,
    requestedBy: { type: row.requestedByType, id: row.requestedById, name: row.requestedByName },
    requestedAt: row.requestedAt.toISOString(),
    decidedAt: row.decidedAt?.toISOString() ?? null,
    deployedAt: row.deployedAt?.toISOString() ?? null,
    deployedBy: row.deployedByName,
    rolledBackAt: row.rolledBackAt?.toISOString() ?? null,
    rolledBackBy: row.rolledBackByName,
    rollbackNote: row.rollbackNote,
  };
}

const toItem = (row: ItemRow): Promotion["items"][number] => ({
  templateId: row.templateId,
  name: row.name,
  channel: row.channel,
  region: row.region,
  language: row.language,
  provider: row.provider,
  version: row.version,
  previousVersion: row.previousVersion,
});

/** A promotion with everything that it moves, its gates, its decisions and what the actor may do with it now. */
export async function presentPromotion(ctx: Ctx, row: PromotionRow): Promise<Promotion> {
  const [items, decisions, standing] = await Promise.all([
    selectItems(ctx, row.id),
    selectDecisions(ctx, row.id),
    standingOf(ctx, row),
  ]);
  const open = isOpen(row);
  const given = decisions.filter(({ decision, counts }) => decision === "approve" && counts).length;
  const gates = open ? await currentGates(ctx, row, items, given) : [];
  const mayApprove = may(ctx, "promotions:approve", placeOf(row));
  const { person, isRequester } = standing;
  const asRequester = mayAsRequester(ctx, row, standing);
  return {
    ...toSummary(row),
    items: items.map(toItem),
    gates,
    decisions: decisions.map(({ by, decision, comment, at, counts }) => ({
      by,
      decision,
      counts,
      // A promotion ends once: a rejection of one that was withdrawn is the withdrawal, whoever has the key by then.
      withdrawn: decision === "reject" && row.state === "withdrawn",
      comment,
      at: at.toISOString(),
    })),
    may: {
      decide:
        open &&
        mayApprove &&
        !isRequester &&
        person !== null &&
        !decisions.some((decision) => decision.personId === person),
      withdraw: open && asRequester,
      deploy: open && (mayApprove || asRequester) && allPassed(gates),
      rollBack: row.state === "deployed" && mayApprove,
    },
  };
}

/** The same after a use case has changed it and authorised the actor. */
export async function presentAgain(ctx: Ctx, id: string): Promise<Promotion> {
  const row = await selectPromotion(ctx, id);
  if (!row) throw new Error("a promotion is never deleted");
  return presentPromotion(ctx, row);
}

async function currentGates(
  ctx: Ctx,
  row: PromotionRow,
  items: ItemRow[],
  given: number,
): Promise<GateResult[]> {
  return evaluateGates(row.gates, given, await loadGateFacts(ctx, row.toEnvironmentId, items));
}
