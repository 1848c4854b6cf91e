import type { InboundMessage, ProviderEvents, Receipt, SamePerson } from "../adapters/adapter.ts";
import { senderAddress } from "../connections/sender-address.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { isUuid } from "../kernel/ids.ts";
import { platformChannel } from "./load-channel.ts";
import type { PlatformChannel } from "./load-channel.ts";
import { findConnections, findMessages } from "./queries.ts";
import type { SharingConnection } from "./queries.ts";

/** The events of one connection among those of a shared channel. */
export interface Share {
  tenantId: string;
  connectionId: string;
  receipts: Receipt[];
  inbound: InboundMessage[];
  people: SamePerson[];
}

/**
 * Assigns the events of a shared channel to connections. Receipts: by the provider's account, otherwise by the message
 * that went through the channel. Messages from recipients: by the account, otherwise by the number they were sent to,
 * which is a sender of one connection only. Events that match no connection are counted and dropped.
 */
export async function splitProviderEvents(
  db: Ctx["db"],
  channelId: string,
  events: ProviderEvents,
): Promise<{ shares: Share[]; unmatchedReceipts: number; unmatchedInbound: number }> {
  const [channel, connections] = await Promise.all([
    platformChannel(db, channelId),
    findConnections(db.pool, channelId),
  ]);
  const accounts = new Map(connections.flatMap((connection) => accountsOf(channel, connection)));
  const messages = await findMessages(db, channelId, {
    providerMessageIds: events.receipts.flatMap(({ account, providerMessageId }) =>
      providerMessageId && !accounts.has(account ?? "") ? [providerMessageId] : [],
    ),
    notificationIds: events.receipts.flatMap(({ account, notificationId }) =>
      notificationId && isUuid(notificationId) && !accounts.has(account ?? "") ? [notificationId] : [],
    ),
  });
  // Providers reuse their ids after a while: of several messages with the same id, the newest counts, here the last.
  messages.sort((a, b) => (a.notificationId < b.notificationId ? -1 : 1));
  const byMessage = new Map(
    messages.map((message) => [
      message.providerMessageId ?? message.notificationId,
      { tenantId: message.tenantId, id: message.connectionId },
    ]),
  );
  const shares = new Map<string, Share>();
  const shareOf = ({ tenantId, id }: Pick<SharingConnection, "tenantId" | "id">): Share => {
    const share = shares.get(id) ?? { tenantId, connectionId: id, receipts: [], inbound: [], people: [] };
    shares.set(id, share);
    return share;
  };
  let unmatchedReceipts = 0;
  for (const receipt of events.receipts) {
    const owner =
      accounts.get(receipt.account ?? "") ??
      byMessage.get(receipt.notificationId ?? "") ??
      byMessage.get(receipt.providerMessageId ?? "");
    if (owner) shareOf(owner).receipts.push(receipt);
    else unmatchedReceipts++;
  }
  let unmatchedInbound = 0;
  for (const message of events.inbound) {
    const owner =
      message.account === undefined ? ownerOf(connections, message) : accounts.get(message.account);
    if (owner) shareOf(owner).inbound.push(message);
    else unmatchedInbound++;
  }
  for (const person of events.people ?? []) {
    const owner = accounts.get(person.account ?? "");
    if (owner) shareOf(owner).people.push(person);
  }
  return { shares: [...shares.values()], unmatchedReceipts, unmatchedInbound };
}

/** The account that a connection of the channel sends through; none where the provider has no such thing. */
export function accountOf(
  channel: Pick<PlatformChannel, "adapter" | "settings">,
  own: Record<string, unknown>,
): string | undefined {
  const parsed = channel.adapter.settingsSchema.safeParse({ ...channel.settings, ...own });
  return parsed.success ? channel.adapter.accountOf?.(parsed.data) : undefined;
}

function accountsOf(
  channel: PlatformChannel | null,
  connection: SharingConnection,
): [string, SharingConnection][] {
  const account = channel ? accountOf(channel, connection.settings) : undefined;
  return account === undefined ? [] : [[account, connection]];
}

function ownerOf(connections: SharingConnection[], message: InboundMessage): SharingConnection | undefined {
  const to = senderAddress(message.channel, message.to);
  return connections.find(({ senders }) =>
    senders.some((entry) => {
      const { kind, address } = senderAddress(entry.channel, entry.sender);
      return entry.channel === message.channel && kind === to.kind && address === to.address;
    }),
  );
}
