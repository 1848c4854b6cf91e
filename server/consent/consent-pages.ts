import type { Ctx } from "../kernel/ctx.ts";
import { authorize, may } from "../operations/authorize.ts";
import { ledgerOf } from "./ledger-place.ts";
import { presentEntry } from "./list-consents.ts";
import { selectEntries, selectLastWords } from "./queries.ts";
import type { EntryRow } from "./queries.ts";
import type { ConsentEntry } from "./schemas.ts";

const page = 1_000;

/**
 * The whole ledger, newest first, or the last word of each address by channel, class and region: a page in memory at a time, the
 * next read when it is asked for. Needs consent:read for the whole organisation.
 */
export async function consentPages(
  ctx: Ctx,
  input: { environmentId: string; what: "ledger" | "standing" },
): Promise<{ revealed: boolean; pages: () => AsyncGenerator<ConsentEntry[]> }> {
  const { environmentId, what } = input;
  const { sandbox } = await ledgerOf(ctx, "consent:read", environmentId);
  authorize(ctx, "consent:read", { environmentId });
  const revealed = may(ctx, "content:reveal", { environmentId });
  return {
    revealed,
    pages: async function* () {
      let last: EntryRow | undefined;
      for (;;) {
        const rows: EntryRow[] =
          what === "ledger"
            ? await selectEntries(ctx, { sandbox, before: last, limit: page })
            : await selectLastWords(ctx, { sandbox, after: last, limit: page });
        if (rows.length > 0) yield rows.map((row) => presentEntry(row, revealed));
        last = rows.at(-1);
        if (rows.length < page) return;
      }
    },
  };
}
