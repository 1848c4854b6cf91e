import type { Ctx } from "../kernel/ctx.ts";
import { authorize, may } from "../operations/authorize.ts";
import { ledgerOf } from "./ledger-place.ts";
import { presentSuppression } from "./list-suppressions.ts";
import { selectSuppressions } from "./suppression-queries.ts";
import type { SuppressionRow } from "./suppression-queries.ts";
import type { SuppressedAddress } from "./schemas.ts";

const page = 1_000;

/**
 * All suppressions that hold, newest first: a page in memory at a time, the next read when it is asked for. Needs consent:read for
 * the whole organisation.
 */
export async function suppressionPages(
  ctx: Ctx,
  { environmentId }: { environmentId: string },
): Promise<{ revealed: boolean; pages: () => AsyncGenerator<SuppressedAddress[]> }> {
  const { sandbox } = await ledgerOf(ctx, "consent:read", environmentId);
  authorize(ctx, "consent:read", { environmentId });
  const revealed = may(ctx, "content:reveal", { environmentId });
  return {
    revealed,
    pages: async function* () {
      let last: SuppressionRow | undefined;
      for (;;) {
        const before = last && { at: last.createdAt, id: last.id };
        const rows: SuppressionRow[] = await selectSuppressions(ctx, { sandbox, before, limit: page });
        if (rows.length > 0) yield rows.map((row) => presentSuppression(row, revealed));
        last = rows.at(-1);
        if (rows.length < page) return;
      }
    },
  };
}
