import { systemCtx } from "../access/system-ctx.ts";
import type { ProviderEvents, SamePerson } from "../adapters/adapter.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Db } from "../kernel/db.ts";
import { logger } from "../kernel/log.ts";
import { counter } from "../kernel/metrics.ts";
import type { PlatformChannel } from "../platform/load-channel.ts";
import { splitProviderEvents } from "../platform/split-provider-events.ts";
import { recordReceipts } from "./record-receipts.ts";

/** Where events come from: a tenant's own connection, or a channel of the operator that several tenants share. */
export type ProviderEventSource =
  | { own: Pick<ProviderConnection, "id" | "tenantId" | "name"> }
  | { channel: Pick<PlatformChannel, "id" | "name"> };

const unmatchedMessages = counter(
  "tidings_platform_messages_unmatched_total",
  "Messages from recipients over an operator's channel to a number that no organisation has",
);

/**
 * Records the events of a callback or session; those of a shared channel are recorded for the tenant they belong to.
 * @param requestId correlates with the callback; left out, a new one is made
 */
export async function recordProviderEvents(
  deps: { db: Db },
  source: ProviderEventSource,
  events: ProviderEvents,
  requestId?: string,
): Promise<{ unmatched: number }> {
  const { db } = deps;
  if ("own" in source) {
    const { tenantId } = source.own;
    const recorded = await Promise.all(
      (await splitByAccount(db, source.own, events)).map(({ connection: { id, name }, events: own }) =>
        recordReceipts(systemCtx(db, tenantId, `Provider ${name}`, requestId), { connectionId: id, ...own }),
      ),
    );
    return { unmatched: recorded.reduce((sum, { unmatched }) => sum + unmatched, 0) };
  }
  const { id, name } = source.channel;
  const { shares, unmatchedReceipts, unmatchedInbound } = await splitProviderEvents(db, id, events);
  if (unmatchedInbound > 0) {
    unmatchedMessages.inc(unmatchedInbound);
    logger().warn(
      { channelId: id, count: unmatchedInbound },
      "messages came to a number that no organisation has",
    );
  }
  const recorded = await Promise.all(
    shares.map(({ tenantId, ...share }) =>
      recordReceipts(systemCtx(db, tenantId, `Provider ${name}`, requestId), share),
    ),
  );
  return { unmatched: recorded.reduce((sum, { unmatched }) => sum + unmatched, unmatchedReceipts) };
}

type Called = Pick<ProviderConnection, "id" | "tenantId" | "name">;

interface Share {
  connection: Pick<ProviderConnection, "id" | "name">;
  events: ProviderEvents & { people: SamePerson[] };
}

/**
 * The events of a callback to an organisation's own connection, by connection. A provider may report about all accounts of
 * one app to one address: an event belongs to the connection with its account, and to the called one where there is no such
 * connection or the event names no account.
 */
async function splitByAccount(db: Db, called: Called, events: ProviderEvents): Promise<Share[]> {
  const owners = await ownersByAccount(db, called);
  const shares = new Map<string, Share>();
  const shareOf = (account?: string): Share["events"] => {
    const connection = owners.get(account ?? "") ?? called;
    const share = shares.get(connection.id) ?? {
      connection,
      events: { receipts: [], inbound: [], people: [] },
    };
    shares.set(connection.id, share);
    return share.events;
  };
  // Templates are the organisation's, whichever of its connections is told.
  if (events.templates) shareOf().templates = events.templates;
  for (const receipt of events.receipts) shareOf(receipt.account).receipts.push(receipt);
  for (const message of events.inbound) shareOf(message.account).inbound.push(message);
  for (const person of events.people ?? []) shareOf(person.account).people.push(person);
  return [...shares.values()];
}

/** The organisation's own connections to the same app, by account. Of several to one account, the called one or one that is on. */
async function ownersByAccount(db: Db, called: Called): Promise<Map<string, ProviderConnection>> {
  const connections = await tenantConnections({ db, tenantId: called.tenantId });
  const own = connections.get(called.id);
  if (!own?.adapter.callbackSecretOf || own.platformChannelId !== null) return new Map();
  const { adapter } = own;
  // While a secret is replaced, some connections to an app have the new one and some the one before.
  const secretsOf = ({ connection, former }: ProviderConnection) =>
    [connection, ...former.map((each) => each.connection)].map(({ credentials }) =>
      adapter.callbackSecretOf?.(credentials),
    );
  const ownSecrets = secretsOf(own);
  const rank = (one: ProviderConnection) => (one === own ? 2 : Number(one.enabled));
  const ofApp = [...connections.values()].filter(
    (one) =>
      one.adapter.name === adapter.name &&
      one.platformChannelId === null &&
      secretsOf(one).some((secret) => ownSecrets.includes(secret)),
  );
  ofApp.sort((a, b) => rank(a) - rank(b));
  return new Map(
    ofApp.flatMap((one) => {
      const account = adapter.accountOf?.(one.connection.settings);
      return account === undefined ? [] : [[account, one] as const];
    }),
  );
}
