import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { RoutingRule } from "./choose-route.ts";
import { selectRules } from "./queries.ts";
import { storedTiersSchema } from "./rule-set.ts";

const byEnvironment = ttlCache<RoutingRule[]>({
  name: "routing rules",
  ttlMs: 1_000,
  max: 5_000,
  ahead: true,
});

const keyOf = (tenantId: string, environmentId: string) => `${tenantId} ${environmentId}`;

/** The enabled rules of an environment, at most a second old: changes take effect everywhere within two. */
export async function environmentRules(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
): Promise<RoutingRule[]> {
  const rules = await byEnvironment.get(keyOf(ctx.tenantId, environmentId), async () =>
    (await selectRules(ctx, environmentId)).map((row) => ({
      ...row,
      tiers: storedTiersSchema.parse(row.tiers),
    })),
  );
  return rules ?? [];
}

/** After a change: this process sees it at once, the others within a second. */
export function forgetRules(tenantId: string, environmentId: string): void {
  byEnvironment.forget(keyOf(tenantId, environmentId));
}
