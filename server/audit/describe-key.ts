import type { Db } from "../kernel/db.ts";
import { openAuditKey } from "./audit-key.ts";
import { selectChains, selectSigner, selectTenantOf } from "./chain-queries.ts";

/** For operators: the public key of the installation, and of one organisation, by its short name, its id and audit key. */
export async function describeKey(
  db: Pick<Db, "pool">,
  organisation: string | undefined,
): Promise<{ publicKey: string | null; tenantId: string | null; key: string | null }> {
  const publicKey = (await selectSigner(db.pool))?.publicKey ?? null;
  const tenantId = organisation === undefined ? null : await selectTenantOf(db.pool, organisation);
  if (tenantId === null) return { publicKey, tenantId, key: null };
  const [chain] = await selectChains(db.pool, [tenantId]);
  return { publicKey, tenantId, key: chain ? openAuditKey(tenantId, chain).toString("hex") : null };
}
