import { recordAudit } from "../audit/record-audit.ts";
import { accessContacts } from "../contacts/contact-access.ts";
import { listContacts } from "../contacts/list-contacts.ts";
import type { Contact } from "../contacts/schemas.ts";
import { channels } from "../kernel/channel.ts";
import { byteOrderMark, csvText } from "../kernel/csv.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { exportPlaces } from "./export-places.ts";
import { attributePrefix } from "./vocabulary.ts";

const page = 1_000;
/** Of a channel; the most that a contact may have. */
const addresses = 5;
/** Different attributes that get a column; what has none stands together in the last. */
const mostAttributes = 150;

/**
 * All contacts, or those of a group, newest first, as pieces of a CSV file that can be imported again. Addresses are masked, and
 * attributes are left out, without content:reveal. Throws `rate_limited` while too many are under way. `rest` is to be read to its
 * end or ended with return().
 */
export async function exportContacts(
  ctx: Ctx,
  input: { groupId?: string | undefined },
): Promise<{ first: string; rest: AsyncGenerator<string> }> {
  const { reveal } = await accessContacts(ctx, "contacts:read");
  exportPlaces.check(ctx.tenantId);
  // Whose group it is not learns so before anything is written.
  const { data } = await listContacts(ctx, { ...input, limit: 1 });
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, {
      action: "contact.exported",
      targetType: input.groupId === undefined ? "contact" : "contact_group",
      targetId: input.groupId ?? null,
      data: { masked: !reveal },
    }),
  );
  return exportPlaces.begin(ctx.tenantId, async function* () {
    // The columns have to be known before the first row: one pass for the names of attributes, one for the rows.
    yield byteOrderMark;
    const names = new Set<string>();
    if (reveal && data.length > 0) {
      for await (const contacts of pagesOf(ctx, input)) {
        for (const { attributes } of contacts)
          for (const name of Object.keys(attributes ?? {})) if (names.size < mostAttributes) names.add(name);
      }
    }
    const attributeNames = [...names].sort();
    yield csvText([
      [
        "externalId",
        "name",
        "region",
        "language",
        "timeZone",
        ...channels.flatMap((channel) =>
          Array.from({ length: addresses }, (_, index) =>
            index === 0 ? channel : `${channel} ${String(index + 1)}`,
          ),
        ),
        ...attributeNames.map((name) => `${attributePrefix}${name}`),
        "attributes",
      ],
    ]);
    for await (const contacts of pagesOf(ctx, input)) {
      yield csvText(contacts.map((contact) => rowOf(contact, attributeNames)));
    }
  });
}

async function* pagesOf(ctx: Ctx, input: { groupId?: string | undefined }): AsyncGenerator<Contact[]> {
  let cursor: string | undefined;
  do {
    const { data, nextCursor } = await listContacts(ctx, { ...input, limit: page, cursor });
    if (data.length > 0) yield data;
    cursor = nextCursor ?? undefined;
  } while (cursor !== undefined);
}

function rowOf(contact: Contact, attributeNames: readonly string[]): string[] {
  const columns = new Set(attributeNames);
  const others = Object.entries(contact.attributes ?? {}).filter(([name]) => !columns.has(name));
  return [
    contact.externalId ?? "",
    contact.name ?? "",
    contact.region ?? "",
    contact.language ?? "",
    contact.timeZone ?? "",
    ...channels.flatMap((channel) => {
      const own = contact.addresses.filter((one) => one.channel === channel).map(({ address }) => address);
      return Array.from({ length: addresses }, (_, index) => own[index] ?? "");
    }),
    ...attributeNames.map((name) => contact.attributes?.[name] ?? ""),
    others.length === 0 ? "" : JSON.stringify(Object.fromEntries(others)),
  ];
}
