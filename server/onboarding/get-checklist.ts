import { LRUCache } from "lru-cache";
import { hasProductionKey } from "../access/has-production-key.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { may } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectSteps } from "./queries.ts";
import { checklistSteps } from "./schemas.ts";
import type { Checklist } from "./schemas.ts";

/** Organisations that have delivered in production: that stays so. */
const through = new LRUCache<string, true>({ max: 10_000 });

/**
 * The way from an empty organisation to the first message that was delivered in production, read off what is there. For
 * people of the whole organisation who have not put it away; nobody sees it once that message was delivered.
 */
export async function getChecklist(ctx: Ctx): Promise<Checklist> {
  const { environments } = await getCatalogue(ctx);
  const ofKind = (kind: string) => environments.filter((environment) => environment.kind === kind);
  const [production, sandbox] = [ofKind("production"), ofKind("sandbox")];
  const named = { production: production[0]?.slug ?? null, sandbox: sandbox[0]?.slug ?? null };
  const hidden = { ...named, steps: null };
  if (ctx.actor.type !== "user" || !may(ctx, "notifications:read", {})) return hidden;
  if (through.has(ctx.tenantId) || (await wasDismissed(ctx, ctx.actor.id))) return hidden;
  const ids = {
    production: production.map(({ id }) => id),
    sandbox: sandbox.map(({ id }) => id),
  };
  const [done, key] = await Promise.all([selectSteps(ctx, ids), hasProductionKey(ctx, ids.production)]);
  if (done.delivered) {
    through.set(ctx.tenantId, true);
    return hidden;
  }
  return {
    ...named,
    steps: checklistSteps.map((step) => ({ step, done: step === "key" ? key : done[step] })),
  };
}

async function wasDismissed(ctx: Ctx, userId: string): Promise<boolean> {
  const { tenantId } = ctx;
  const row = await inTenant(ctx, (tx) =>
    tx.dismissedChecklist.findUnique({ where: { tenantId_userId: { tenantId, userId } } }),
  );
  return row !== null;
}

/** Puts the checklist away for the person who asks, for good. */
export async function dismissChecklist(ctx: Ctx): Promise<void> {
  const { tenantId, actor } = ctx;
  if (actor.type !== "user") return;
  await inTenant(ctx, (tx) =>
    tx.dismissedChecklist.createMany({
      data: [{ tenantId, userId: actor.id, at: ctx.now() }],
      skipDuplicates: true,
    }),
  );
}
