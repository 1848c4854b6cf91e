import { standingWithErased } from "../consent/standing.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeTimeCursor, encodeTimeCursor } from "../kernel/cursor.ts";
import { authorizeAddressSearch, visibleScopes } from "../operations/authorize.ts";
import { addressForms, maskAddress, shownAddress } from "../kernel/address.ts";
import { defaultRegions, getCatalogue } from "../tenancy/catalogue.ts";
import type { Catalogue } from "../tenancy/catalogue.ts";
import { selectConversations } from "./queries.ts";
import type { ConversationRow } from "./queries.ts";
import { mayRevealConversation } from "./read-conversation.ts";
import type { Conversation } from "./schemas.ts";

/**
 * A page of the conversations of an environment that the caller may see, the most recent first. Those who manage a
 * connection also see, in every environment of its kind, messages over it that belong to no application. Throws
 * `permission_denied` for an address, of somebody who may see none.
 */
export async function listConversations(
  ctx: Ctx,
  input: {
    environmentId: string;
    unitId?: string | undefined;
    channel?: Channel | undefined;
    /** Its name. */
    application?: string | undefined;
    address?: string | undefined;
    limit: number;
    cursor?: string | undefined;
  },
): Promise<{ data: Conversation[]; nextCursor: string | null }> {
  const before = decodeTimeCursor(input.cursor);
  if (input.address !== undefined) authorizeAddressSearch(ctx, input.environmentId);
  const catalogue = await getCatalogue(ctx);
  const environment = catalogue.environments.find((entry) => entry.id === input.environmentId);
  const application = catalogue.applications.find((entry) => entry.name === input.application);
  if (!environment || (input.application !== undefined && !application)) {
    return { data: [], nextCursor: null };
  }
  const rows = await selectConversations(
    ctx,
    {
      read: visibleScopes(ctx, "notifications:read"),
      manage: visibleScopes(ctx, "providers:manage"),
      revealed: visibleScopes(ctx, "content:reveal"),
    },
    {
      environment: { id: environment.id, sandbox: environment.kind === "sandbox" },
      unitId: input.unitId,
      channel: input.channel,
      applicationId: application?.id,
      addresses:
        input.address === undefined ? undefined : addressForms(input.address, defaultRegions(catalogue)),
      before,
      limit: input.limit + 1,
    },
  );
  const page = rows.slice(0, input.limit);
  await applyErased(ctx, page);
  const last = page.at(-1);
  return {
    data: page.map((row) => presentConversation(ctx, catalogue, row)),
    nextCursor: rows.length > input.limit && last ? encodeTimeCursor(last.lastInboundAt, last.id) : null,
  };
}

/** Somebody who was erased and had opted out is still opted out when they write again. */
async function applyErased(ctx: Ctx, rows: ConversationRow[]): Promise<void> {
  const standings = await standingWithErased(
    ctx,
    rows.map(({ sandbox, channel, address }) => ({
      sandbox,
      channel,
      address,
      region: null,
      class: "marketing",
    })),
  );
  for (const [index, row] of rows.entries()) {
    if (standings) row.optedOut = standings[index]?.consent === "opted_out";
  }
}

function presentConversation(ctx: Ctx, catalogue: Catalogue, row: ConversationRow): Conversation {
  const reveal = mayRevealConversation(ctx, row);
  return {
    id: row.id,
    channel: row.channel,
    address: reveal ? shownAddress(row.address) : maskAddress(row.address),
    ownAddress: row.ownAddress,
    application: catalogue.applications.find((entry) => entry.id === row.applicationId)?.name ?? null,
    environment: catalogue.environments.find((entry) => entry.id === row.environmentId)?.slug ?? null,
    provider: row.provider,
    lastMessage: reveal ? { text: row.lastText ?? "", kind: row.lastKind } : null,
    lastMessageAt: row.lastInboundAt.toISOString(),
    unread: row.unread,
    optedOut: row.optedOut,
    createdAt: row.createdAt.toISOString(),
  };
}
