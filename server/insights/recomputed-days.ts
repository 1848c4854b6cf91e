import type { Db } from "../kernel/db.ts";
import { readTenantSettings } from "../tenancy/settings.ts";
import { compareDay, replaceFromLedger } from "./recompute-day.ts";
import type { Difference } from "./recompute-day.ts";
import { selectRecomputed } from "./queries.ts";

/** What became of an organisation's day. */
export interface RecomputedDay {
  slug: string;
  /** Its messages of that day may be gone already, as its retention says: nothing was compared. */
  kept: boolean;
  differences: Difference[];
}

/**
 * Compares a day (UTC) with the ledger, organisation by organisation in the order of their short names, and with `write` puts the
 * ledger's figures in place where they differ.
 * @param slugs only these
 */
export async function* recomputeDays(
  db: Db,
  day: Date,
  options: { slugs: readonly string[]; write: boolean; now?: Date },
): AsyncGenerator<RecomputedDay> {
  let after = "";
  for (;;) {
    const tenants = await selectRecomputed(db, { after, slugs: options.slugs, limit: 200 });
    for (const { id, slug, settings } of tenants) {
      const { metadataMonths } = readTenantSettings(settings).retention;
      const now = options.now ?? new Date();
      const oldest = Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - metadataMonths, 1);
      if (day.getTime() < oldest) yield { slug, kept: false, differences: [] };
      else {
        const differences = await compareDay(db, id, day);
        if (differences.length > 0 && options.write) await replaceFromLedger(db, id, day);
        yield { slug, kept: true, differences };
      }
    }
    const last = tenants.at(-1);
    if (!last) return;
    after = last.slug;
  }
}
