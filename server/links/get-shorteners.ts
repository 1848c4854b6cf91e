import type { Ctx } from "../kernel/ctx.ts";
import { may } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { manageableEnvironment } from "./manageable-environment.ts";
import { environmentShortener } from "./load-shorteners.ts";
import { presentShortener } from "./present-shortener.ts";
import type { ShortenerSettings } from "./schemas.ts";

/** The shorteners of all environments whose settings the caller may manage. */
export async function listShorteners(ctx: Ctx): Promise<{ data: ShortenerSettings[] }> {
  const { environments } = await getCatalogue(ctx);
  const mine = environments.filter(({ id }) => may(ctx, "settings:manage", { environmentId: id }));
  return {
    data: await Promise.all(
      mine.map(async ({ id, slug }) => presentShortener(slug, await environmentShortener(ctx, id))),
    ),
  };
}

/** The shortener of one environment; by default the built-in one. */
export async function getShortener(ctx: Ctx, input: { environment: string }): Promise<ShortenerSettings> {
  const { environment } = await manageableEnvironment(ctx, input.environment);
  return presentShortener(environment.slug, await environmentShortener(ctx, environment.id));
}
