import type { Ctx } from "../kernel/ctx.ts";
import type { Db } from "../kernel/db.ts";
import { readInTenant } from "../kernel/db.ts";
import { addressToken, consentKey } from "./address-token.ts";
import { selectStandings } from "./queries.ts";
import type { Standing } from "./queries.ts";

export type { Standing } from "./queries.ts";

export interface Asked {
  sandbox: boolean;
  channel: string;
  address: string;
  region: string | null;
  class: string | null;
}

/**
 * How addresses of a tenant stand, erased ones too, in the order asked; null where nobody was ever erased who had said no, so
 * that the addresses themselves say everything.
 */
export async function standingWithErased(
  ctx: Pick<Ctx, "db" | "tenantId">,
  asked: readonly Asked[],
): Promise<Standing[] | null> {
  const key = asked.length > 0 ? await consentKey(ctx) : null;
  if (!key) return null;
  return standingOf(
    ctx,
    asked.map(({ address, ...one }) => ({
      ...one,
      addresses: [address, addressToken(key, one.channel, address)] as const,
    })),
  );
}

/** How addresses stand, each by itself and by what stays of it once it is erased, in the order asked. */
export async function standingOf(
  ctx: Pick<Ctx, "db" | "tenantId">,
  asked: readonly (Omit<Asked, "address"> & { addresses: readonly [string, string] })[],
): Promise<Standing[]> {
  const questions = asked.map((one) => ({ ...one, tenantId: ctx.tenantId }));
  if (ctx.db.role === "worker") return selectStandings(ctx.db, questions);
  return readInTenant(ctx, (client) => selectStandings({ pool: client as Db["pool"] }, questions));
}
