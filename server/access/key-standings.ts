import type { Ctx } from "../kernel/ctx.ts";
import { selectKeyStandings } from "./queries.ts";

export interface KeyStanding {
  /** The name of whose it is; null: nobody's. */
  owner: string | null;
  /** It was revoked, or whose it is may not sign in any more. That it has expired, after a rotation, does not count. */
  ended: boolean;
}

/** How API keys stand now, by id; those that are not there are left out. */
export async function keyStandings(
  ctx: Pick<Ctx, "db" | "tenantId">,
  ids: readonly string[],
): Promise<Map<string, KeyStanding>> {
  if (ids.length === 0) return new Map();
  const rows = await selectKeyStandings(ctx, [...new Set(ids)]);
  return new Map(rows.map(({ id, ...standing }) => [id, standing]));
}
