import { recordAudit } from "../audit/record-audit.ts";
import { suppressionPages } from "../consent/suppression-pages.ts";
import { byteOrderMark, csvText } from "../kernel/csv.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { exportPlaces } from "./export-places.ts";

const columns = ["channel", "address", "reason", "until", "note", "since"];

/**
 * The suppressions that hold, newest first, as pieces of a CSV file that can be imported again. Addresses are masked, and notes are
 * left out, without content:reveal. Throws `rate_limited` while too many are under way. `rest` is to be read to its end or ended
 * with return().
 */
export async function exportSuppressions(
  ctx: Ctx,
  input: { environmentId: string },
): Promise<{ first: string; rest: AsyncGenerator<string> }> {
  const { revealed, pages } = await suppressionPages(ctx, input);
  exportPlaces.check(ctx.tenantId);
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, {
      action: "suppression.exported",
      targetType: "suppression",
      environmentId: input.environmentId,
      data: { masked: !revealed },
    }),
  );
  return exportPlaces.begin(ctx.tenantId, async function* () {
    yield byteOrderMark + csvText([columns]);
    for await (const page of pages()) {
      yield csvText(
        page.map(({ channel, address, reason, expiresAt, note, createdAt }) => [
          channel,
          address,
          reason,
          expiresAt ?? "",
          note ?? "",
          createdAt,
        ]),
      );
    }
  });
}
