import type { Ctx } from "../kernel/ctx.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { connectionViewer } from "./connection-access.ts";
import { presentation } from "./present-provider.ts";
import { selectConnectionFacts } from "./queries.ts";
import type { Provider } from "./schemas.ts";

/**
 * The connections that the caller may see, by name, with their present state and their last 24 hours, in one
 * environment or in all. At most as many as an organisation can have.
 */
export async function listProviders(
  ctx: Ctx,
  input: { environmentId?: string | undefined } = {},
): Promise<{ data: Provider[] }> {
  const catalogue = await getCatalogue(ctx);
  const [rows, present] = await Promise.all([
    selectConnectionFacts(ctx),
    presentation(ctx, catalogue, input.environmentId),
  ]);
  const sees = connectionViewer(ctx, catalogue);
  return { data: rows.filter((row) => sees(row.unitId)).map(present) };
}
