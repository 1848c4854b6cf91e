import { recordAudit } from "../audit/record-audit.ts";
import { consentPages } from "../consent/consent-pages.ts";
import { byteOrderMark, csvText } from "../kernel/csv.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { exportPlaces } from "./export-places.ts";

const columns = ["channel", "address", "state", "class", "region", "at", "source", "evidence"];

/**
 * The consent ledger, newest entry first, or the last word of each address by class and region, as pieces of a CSV file that can
 * be imported again. Addresses are masked, and evidence is left out, without content:reveal. Throws `rate_limited` while too many
 * are under way. `rest` is to be read to its end or ended with return().
 */
export async function exportConsents(
  ctx: Ctx,
  input: { environmentId: string; what: "ledger" | "standing" },
): Promise<{ first: string; rest: AsyncGenerator<string> }> {
  const { revealed, pages } = await consentPages(ctx, input);
  exportPlaces.check(ctx.tenantId);
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, {
      action: "consent.exported",
      targetType: "consent",
      environmentId: input.environmentId,
      data: { what: input.what, masked: !revealed },
    }),
  );
  return exportPlaces.begin(ctx.tenantId, async function* () {
    yield byteOrderMark + csvText([columns]);
    for await (const page of pages()) {
      yield csvText(
        page.map(({ channel, address, state, class: of, region, at, source, evidence }) => [
          channel,
          address,
          state,
          of ?? "",
          region ?? "",
          at,
          source,
          evidence === null || Object.keys(evidence).length === 0 ? "" : JSON.stringify(evidence),
        ]),
      );
    }
  });
}
