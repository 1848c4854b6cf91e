import { recordAudit } from "../audit/record-audit.ts";
import { accessContacts } from "../contacts/contact-access.ts";
import { readRecipients } from "../contacts/read-groups.ts";
import { maskAddress, shownAddress } from "../kernel/address.ts";
import { channels } from "../kernel/channel.ts";
import { byteOrderMark, csvText } from "../kernel/csv.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant, readInTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { ExportPlaces } from "../kernel/export-places.ts";
import { messageFailures } from "../kernel/message-failures.ts";
import { selectSourcePage } from "./broadcast-queries.ts";
import type { NotReached } from "./broadcast-queries.ts";
import { requireBroadcast } from "./list-broadcasts.ts";
import { leftOutReasons } from "./vocabulary.ts";

const page = 1_000;
const places = new ExportPlaces({ organisation: 2, process: 6 });

/**
 * Whom a broadcast did not reach and why, as pieces of a CSV file that can be imported as contacts, e.g. into a group of their own: one
 * row for each recipient, with the address in the column of its channel. It takes notifications:read of the broadcast and contacts:read;
 * without content:reveal addresses are masked, and names and ids are left out. Throws `not_found`, `conflict` while the broadcast has
 * not ended, and `rate_limited` while too many are under way. `rest` is to be read to its end or ended with return().
 */
export async function exportNotReached(
  ctx: Ctx,
  input: { id: string },
): Promise<{ name: string; file: { first: string; rest: AsyncGenerator<string> } }> {
  const broadcast = await requireBroadcast(ctx, input.id, "notifications:read");
  const { reveal } = await accessContacts(ctx, "contacts:read");
  if (!broadcast.endedAt) throw new DomainError("conflict", "The broadcast has not ended.");
  places.check(ctx.tenantId);
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, {
      action: "broadcast.not_reached_exported",
      targetType: "broadcast",
      targetId: broadcast.id,
      environmentId: broadcast.environmentId,
      data: { masked: !reveal },
    }),
  );
  const file = await places.begin(ctx.tenantId, async function* () {
    yield byteOrderMark + csvText([["externalId", "name", ...channels, "status", "code", "reason"]]);
    for await (const rows of pagesOf(ctx, broadcast.id))
      yield csvText(rows.map((row) => cellsOf(row, reveal)));
  });
  return { name: `not-reached-${broadcast.createdAt.toISOString().slice(0, 10)}.csv`, file };
}

interface Row extends NotReached {
  externalId: string | null;
  name: string | null;
  address: string | null;
}

async function* pagesOf(ctx: Ctx, id: string): AsyncGenerator<Row[]> {
  const { tenantId } = ctx;
  let after = -1;
  for (;;) {
    const from = after;
    const rows = await readInTenant(ctx, async (client) => {
      const found = await selectSourcePage(client, { tenantId, id, after: from, limit: page });
      const ids = [...new Set(found.map(({ contactId }) => contactId))];
      const contacts = new Map(
        (await readRecipients(client, tenantId, ids)).map((contact) => [contact.contactId, contact]),
      );
      return found.map((each): Row => {
        const contact = contacts.get(each.contactId);
        const own = contact?.addresses.find(({ channel }) => channel === each.channel);
        const { externalId = null, name = null } = contact ?? {};
        return { ...each, externalId, name, address: own?.address ?? null };
      });
    });
    if (rows.length > 0) yield rows;
    if (rows.length < page) return;
    after = rows.at(-1)?.position ?? after;
  }
}

function cellsOf({ externalId, name, channel, address, status, code }: Row, reveal: boolean): string[] {
  const shown = address === null ? null : reveal ? shownAddress(address) : maskAddress(address);
  const words = status === "left_out" ? leftOutReasons : titles;
  return [
    (reveal ? externalId : null) ?? "",
    (reveal ? name : null) ?? "",
    ...channels.map((each) => (each === channel ? (shown ?? "") : "")),
    status,
    code ?? "",
    words[code ?? ""] ?? "",
  ];
}

const titles: Record<string, string> = Object.fromEntries(
  Object.entries(messageFailures).map(([code, { title }]) => [code, title]),
);
