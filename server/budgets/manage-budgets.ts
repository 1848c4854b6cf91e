import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { authorize } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { scopeOf } from "./budget-scope.ts";
import { startOfMonth } from "./months.ts";
import {
  deleteBudget,
  insertBudget,
  lockBudgets,
  selectBudget,
  selectOwnCurrency,
  updateBudget,
} from "./queries.ts";
import type { BudgetRow } from "./queries.ts";
import { budgetLimits } from "./vocabulary.ts";
import type { BudgetInput, BudgetUpdate } from "./schemas.ts";

/** Makes a budget. Throws `invalid_request` for what there is not, and `conflict` when there are too many. */
export async function createBudget(ctx: Ctx, input: BudgetInput): Promise<{ id: string }> {
  await authorizeChange(ctx, input);
  const id = newId();
  await inTenant(ctx, async (tx) => {
    const count = await lockBudgets(tx, ctx.tenantId);
    if (count >= budgetLimits.budgets) {
      throw new DomainError(
        "conflict",
        `There are ${String(count)} budgets, which is the most there can be: remove one first.`,
      );
    }
    const row = { id, ...(await withCurrency(ctx, input)) };
    await insertBudget(tx, { tenantId: ctx.tenantId, ...row, createdAt: ctx.now() });
    await recordAudit(ctx, tx, { action: "budget.created", ...about(row), after: stated(row) });
  });
  return { id };
}

/**
 * Changes a budget; what the input leaves out stays. With another amount, currency or scope it is another promise: thresholds that it
 * has already reached this month are told anew, and none of a month before. Throws `not_found`.
 */
export async function changeBudget(ctx: Ctx, input: BudgetUpdate): Promise<void> {
  await inTenant(ctx, async (tx) => {
    await lockBudgets(tx, ctx.tenantId);
    const was = await find(ctx, tx, input.id);
    const { id, name = was.name, amount = was.amount, thresholds = was.thresholds } = input;
    const { applicationId = was.applicationId, environmentId = was.environmentId } = input;
    const { currency = was.converted ? null : was.currency } = input;
    const wanted = { name, applicationId, environmentId, amount, currency, thresholds };
    await authorizeChange(ctx, wanted);
    const row = { id, ...(await withCurrency(ctx, wanted)) };
    const anew =
      Number(was.amount) !== Number(row.amount) ||
      (["currency", "converted", "applicationId", "environmentId"] as const).some(
        (each) => was[each] !== row[each],
      );
    const [before, after] = [stated(was), stated(row)];
    if (JSON.stringify(before) === JSON.stringify(after)) return;
    const now = ctx.now();
    await updateBudget(tx, ctx.tenantId, row, anew ? { month: startOfMonth(now), at: now } : null);
    await recordAudit(ctx, tx, { action: "budget.changed", ...about(row), before, after });
  });
}

/** Removes a budget. Throws `not_found`. */
export async function removeBudget(ctx: Ctx, { id }: { id: string }): Promise<void> {
  await inTenant(ctx, async (tx) => {
    await lockBudgets(tx, ctx.tenantId);
    const was = await find(ctx, tx, id);
    await deleteBudget(tx, ctx.tenantId, id);
    await recordAudit(ctx, tx, { action: "budget.removed", ...about(was), before: stated(was) });
  });
}

async function find(ctx: Ctx, tx: Tx, id: string): Promise<BudgetRow> {
  const row = await selectBudget(tx, ctx.tenantId, id);
  if (!row) throw notFound();
  const scope = scopeOf(await getCatalogue(ctx), row);
  authorize(ctx, "costs:read", scope);
  authorize(ctx, "settings:manage", scope);
  return row;
}

/** Who sets a budget sees its costs, and may change settings of what it is for. */
async function authorizeChange(
  ctx: Ctx,
  of: Pick<BudgetInput, "applicationId" | "environmentId">,
): Promise<void> {
  const catalogue = await getCatalogue(ctx);
  const scope = scopeOf(catalogue, of);
  authorize(ctx, "costs:read", scope);
  authorize(ctx, "settings:manage", scope);
  if (
    of.environmentId !== null &&
    !catalogue.environments.some(({ id, kind }) => id === of.environmentId && kind !== "sandbox")
  ) {
    throw invalid("/environmentId", "An environment of the organisation; a sandbox costs nothing");
  }
}

/** Its currency as it is kept. */
async function withCurrency(ctx: Ctx, input: BudgetInput): Promise<Omit<BudgetRow, "id">> {
  if (input.currency !== null) return { ...input, currency: input.currency, converted: false };
  const own = await selectOwnCurrency(ctx);
  if (own === null) {
    throw invalid(
      "/currency",
      "The organisation has chosen no currency of its own: choose one under Settings → Currency, or name the currency that counts",
    );
  }
  return { ...input, currency: own, converted: true };
}

function invalid(pointer: string, detail: string): DomainError {
  return new DomainError("invalid_request", `${detail}.`, {
    errors: [{ pointer, code: "not_possible", detail }],
  });
}

const about = ({ id, environmentId }: BudgetRow) => ({ targetType: "budget", targetId: id, environmentId });

/** What the audit trail says of a budget. */
function stated({ name, applicationId, environmentId, amount, currency, converted, thresholds }: BudgetRow) {
  return {
    ...{ name, applicationId, environmentId, currency, converted, thresholds },
    amount: Number(amount).toFixed(6),
  };
}
