import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { outdated } from "../access/revision.ts";
import { systemCtx } from "../access/system-ctx.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { checkDetails } from "../connections/check-connection.ts";
import { forgetConnections } from "../connections/load-connection.ts";
import { refuseTakenSenders, resolveSenders } from "../connections/resolve-senders.ts";
import { priceListSchema, storedSendersSchema } from "../connections/schemas.ts";
import type { StoredSender } from "../connections/schemas.ts";
import { writeConnection } from "../connections/store-connection.ts";
import { requireAdapter } from "../connections/stored-connection.ts";
import { inTenant } from "../kernel/db.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { operatorName, refuseShared, requireGiven, requireTenant } from "./assign-channel.ts";
import type { channelSendersSchema } from "./schemas.ts";
import type { OperatorDb } from "./operator-db.ts";
import { findConnections, lockChannel } from "./queries.ts";

const keyOf = ({ channel, region, sender }: Pick<StoredSender, "channel" | "region" | "sender">) =>
  JSON.stringify([channel, region, sender]);

/**
 * Replaces the senders of an organisation's channel; in force within two seconds. A sender that stays keeps its unit.
 * Throws `not_found`, `invalid_request` for senders that do not fit, and `conflict` when another organisation, or
 * another unit over another connection, has a number; `revision_conflict` when the previous ones are given, and are others by now.
 */
export async function replaceChannelSenders(
  { owner, db, requestId }: OperatorDb,
  input: z.output<typeof channelSendersSchema>,
): Promise<void> {
  const ctx = systemCtx(db, await requireTenant(db, input.tenant), operatorName, requestId);
  const { tenantId } = ctx;
  const catalogue = await getCatalogue(ctx);
  await inTenant(ctx, async (tx) => {
    const row = await requireGiven(tx, tenantId, input);
    const priceList = priceListSchema.safeParse(row.priceList).data ?? [];
    checkDetails(requireAdapter(row.adapter), { channels: row.channels, senders: input.senders, priceList });
    const had = new Map(
      (storedSendersSchema.safeParse(row.senders).data ?? []).map((entry) => [keyOf(entry), entry]),
    );
    if (input.expected && !isDeepStrictEqual([...new Set(input.expected.map(keyOf))], [...had.keys()]))
      throw outdated("the senders");
    const senders = resolveSenders(catalogue, null, input.senders).map(
      (entry) => had.get(keyOf(entry)) ?? entry,
    );
    await lockChannel(tx, row.platformChannel.id);
    const others = await findConnections(owner, row.platformChannel.id);
    refuseShared(undefined, senders, {
      connections: others.filter(({ id }) => id !== row.id),
      accounts: () => undefined,
    });
    await refuseTakenSenders(tx, catalogue, { tenantId, id: row.id, unitId: null, sandbox: false }, senders);
    await writeConnection(ctx, tx, row, { senders });
    await recordAudit(ctx, tx, {
      action: "connection.lent",
      targetType: "provider",
      targetId: row.id,
      data: { name: row.name, provider: row.adapter },
      before: { senders: [...had.values()].map(({ sender }) => sender) },
      after: { senders: senders.map(({ sender }) => sender) },
    });
  });
  forgetConnections(tenantId);
}
