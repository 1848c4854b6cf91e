import { z } from "zod";
import { ttlCache } from "../kernel/cache.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { selectShorteners } from "./queries.ts";
import type { ShortenerRow } from "./queries.ts";
import { defaultShortener, defaultValidDays } from "./shortener.ts";
import type { Shortener } from "./shortener.ts";

const cache = ttlCache<Map<string, Shortener>>({ name: "shorteners", ttlMs: 1_000, max: 1_000 });

/** The JSON settings of a shortener. */
const settingsSchema = z.object({
  domain: z.string().nullish(),
  account: z.string().nullish(),
  baseUrl: z.string().nullish(),
  validDays: z.int().min(1).default(defaultValidDays),
});

function fromRow(tenantId: string, row: ShortenerRow): Shortener {
  const settings = settingsSchema.parse(row.settings);
  return {
    tenantId,
    environmentId: row.environmentId,
    kind: row.kind,
    credentials: row.credentials,
    dataKey: row.dataKey,
    domain: settings.domain ?? null,
    account: settings.account ?? null,
    baseUrl: settings.baseUrl ?? null,
    processingRegion: row.processingRegion,
    validDays: settings.validDays,
    testedAt: row.testedAt,
    testProblem: row.testProblem,
    problem: row.problem,
    problemAt: row.problemAt,
    updatedAt: row.updatedAt,
  };
}

/** The shortener of an environment, at most a second old; by default the built-in one. */
export async function environmentShortener(
  ctx: Pick<Ctx, "db" | "tenantId">,
  environmentId: string,
): Promise<Shortener> {
  const all = await cache.get(ctx.tenantId, async () => {
    const rows = await selectShorteners(ctx);
    return new Map(rows.map((row) => [row.environmentId, fromRow(ctx.tenantId, row)]));
  });
  return all?.get(environmentId) ?? defaultShortener(ctx.tenantId, environmentId);
}

/** Makes this process see its own change at once. */
export function forgetShorteners(tenantId: string): void {
  cache.forget(tenantId);
}
