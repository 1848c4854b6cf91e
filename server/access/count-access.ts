import type { Tx } from "../kernel/db.ts";
import { selectAccessCounts } from "./queries.ts";

/** How many people have a role in a team, how many groups of the directory give one there, and how many valid API keys are bound to a team, application or environment. */
export async function countAccess(
  tx: Tx,
  tenantId: string,
  place: { unitId: string } | { applicationId: string } | { environmentId: string },
): Promise<{ members: number; groups: number; apiKeys: number }> {
  return selectAccessCounts(tx, tenantId, {
    unitId: null,
    applicationId: null,
    environmentId: null,
    ...place,
  });
}
