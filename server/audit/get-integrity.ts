import type { Ctx } from "../kernel/ctx.ts";
import { selectChainState } from "./queries.ts";
import type { AuditIntegrity } from "./schemas.ts";
import { keyId } from "./signing.ts";

/** How far the organisation's trail is chained and verified, and what a checkpoint was signed with. */
export async function getIntegrity(ctx: Ctx): Promise<AuditIntegrity> {
  const chain = await selectChainState(ctx);
  const publicKey = chain?.publicKey ?? null;
  return {
    entries: chain?.headSequence ?? chain?.purgedSequence ?? 0,
    verified:
      chain?.verifiedAt && chain.verifiedSequence > 0
        ? { sequence: chain.verifiedSequence, at: chain.verifiedAt.toISOString() }
        : null,
    failure: chain?.failure ?? null,
    purged: chain && chain.purgedSequence > 0 ? { sequence: chain.purgedSequence } : null,
    checkpoint: {
      at: chain?.checkpointAt?.toISOString() ?? null,
      filedAt: chain?.filedAt?.toISOString() ?? null,
      publicKey,
      keyId: publicKey === null ? null : keyId(publicKey),
    },
    retentionMonths: chain?.retentionMonths ?? 24,
  };
}
