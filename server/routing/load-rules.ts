import { z } from "zod";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { RoutingRule } from "./choose-route.ts";
import { selectRules } from "./queries.ts";

const tiersSchema = z.array(z.array(z.object({ connectionId: z.string(), weight: z.number() })));

const byEnvironment = ttlCache<RoutingRule[]>({ ttlMs: 1_000, max: 5_000 });

/** The enabled rules of an environment, at most a second old (DECISIONS §7 allows two). */
export async function environmentRules(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
): Promise<RoutingRule[]> {
  const rules = await byEnvironment.get(`${ctx.tenantId} ${environmentId}`, async () =>
    (await selectRules(ctx, environmentId)).map((row) => ({ ...row, tiers: tiersSchema.parse(row.tiers) })),
  );
  return rules ?? [];
}
