import { isDeepStrictEqual } from "node:util";
import type { z } from "zod";
import { systemCtx } from "../access/system-ctx.ts";
import type { Adapter } from "../adapters/adapter.ts";
import { addressesOf } from "../adapters/destinations.ts";
import { recordAudit } from "../audit/record-audit.ts";
import { openChannelCredentials } from "../connections/channel-credentials.ts";
import {
  checkAddresses,
  checkDetails,
  checkRegion,
  parseConfiguration,
} from "../connections/check-connection.ts";
import { forgetConnections } from "../connections/load-connection.ts";
import { recordPriceChanges } from "../connections/price-changes.ts";
import { refuseTakenSenders, resolveSenders } from "../connections/resolve-senders.ts";
import type { StoredSender } from "../connections/schemas.ts";
import { isAnswered, senderAddress } from "../connections/sender-address.ts";
import { findGivenConnection, insertConnection } from "../connections/store-connection.ts";
import { requireAdapter } from "../connections/stored-connection.ts";
import { inTenant } from "../kernel/db.ts";
import type { Tx } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import { refuseRepeated } from "../tenancy/unique-violation.ts";
import { requireChannel } from "./change-channels.ts";
import type { channelAssignSchema } from "./schemas.ts";
import type { OperatorDb } from "./operator-db.ts";
import { findConnections, lockChannel, selectTenantBySlug } from "./queries.ts";
import type { SharingConnection } from "./queries.ts";
import { accountOf } from "./split-provider-events.ts";

/** The actor's name in an organisation's audit trail. */
export const operatorName = "Operator";

/**
 * Assigns one of the operator's channels to an organisation: it gets a connection that it can see, switch off and route
 * to, but whose account it cannot read. Throws `not_found`, `invalid_request` for senders, prices or settings that do
 * not fit, `region_not_allowed` when its data may not go where the channel processes it, and `conflict` when the
 * connection's name is taken or another organisation has the number or account.
 */
export async function assignChannel(
  { owner, db, requestId, keepsAddresses = false }: OperatorDb,
  input: z.output<typeof channelAssignSchema>,
): Promise<{ connectionId: string }> {
  const channel = await requireChannel(owner, input.channel);
  const ctx = systemCtx(db, await requireTenant(db, input.tenant), operatorName, requestId);
  const adapter = requireAdapter(channel.adapter);
  const catalogue = await getCatalogue(ctx);
  const parsed = parseConfiguration(adapter, {
    credentials: openChannelCredentials(channel.id, channel.credentials),
    settings: { ...channel.settings, ...input.settings },
  });
  if (keepsAddresses) refuseOtherAddresses(adapter, channel.settings, parsed.settings);
  checkDetails(adapter, { channels: channel.channels, senders: input.senders, priceList: input.priceList });
  const senders = resolveSenders(catalogue, null, input.senders);
  checkRegion(adapter, catalogue.tenant, {
    settings: parsed.settings,
    processingRegion: channel.processingRegion,
  });
  await checkAddresses(parsed.settings);
  const name = input.name ?? channel.name;
  const id = newId();
  await refuseRepeated("/name", `The organisation has another connection named ${name}.`, () =>
    inTenant(ctx, async (tx) => {
      const dataKey = await dataKeyForWriting(tx, ctx.tenantId);
      await lockChannel(tx, channel.id);
      refuseShared(adapter.accountOf?.(parsed.settings), senders, {
        accounts: (connection) => accountOf({ adapter, settings: channel.settings }, connection.settings),
        connections: await findConnections(owner, channel.id),
      });
      const place = { tenantId: ctx.tenantId, id, unitId: null, sandbox: false };
      await refuseTakenSenders(tx, catalogue, place, senders);
      await insertConnection(ctx, tx, dataKey, {
        id,
        name,
        adapter: adapter.name,
        channels: channel.channels,
        platformChannelId: channel.id,
        credentials: {},
        settings: input.settings,
        senders,
        priceList: input.priceList,
        ratePerSecond: input.ratePerSecond ?? null,
        processingRegion: channel.processingRegion,
      });
      await recordPriceChanges(ctx, tx, { id, unitId: null }, [], input.priceList);
      await recordAudit(ctx, tx, {
        action: "connection.given",
        targetType: "provider",
        targetId: id,
        data: { name },
        after: {
          channel: channel.name,
          provider: adapter.name,
          processingRegion: channel.processingRegion,
        },
      });
    }),
  );
  forgetConnections(ctx.tenantId);
  return { connectionId: id };
}

/** Whoever does not hold the credentials may not have them sent to another address, or put into another place of a call. */
function refuseOtherAddresses(adapter: Adapter, stored: unknown, given: unknown): void {
  const parsed = adapter.settingsSchema.safeParse(stored);
  const before = (parsed.success ? parsed.data : stored) as Record<string, unknown>;
  const after = given as Record<string, unknown>;
  const same =
    isDeepStrictEqual(addressesOf(before), addressesOf(after)) &&
    (adapter.credentialSettings ?? []).every((name) => isDeepStrictEqual(before[name], after[name]));
  if (same) return;
  throw new DomainError(
    "invalid_request",
    "These settings send the account's credentials somewhere else. Only npm run channels -- give takes them.",
    {
      errors: [{ pointer: "/settings", code: "address", detail: "The account's address cannot change here" }],
    },
  );
}

/** Throws `not_found`. */
export async function requireTenant(db: OperatorDb["db"], slug: string): Promise<string> {
  const id = await selectTenantBySlug(db, slug);
  if (id === undefined) throw new DomainError("not_found", `There is no organisation named ${slug}.`);
  return id;
}

/** An organisation's connection to a channel of the operator's. Throws `not_found`. */
export async function requireGiven(tx: Tx, tenantId: string, input: { tenant: string; connection: string }) {
  const row = await findGivenConnection(tx, tenantId, input.connection);
  if (row?.platformChannel) return { ...row, platformChannel: row.platformChannel };
  throw new DomainError("not_found", `${input.tenant} has no channel of yours named ${input.connection}.`);
}

/**
 * Answers to a number, and reports about an account, must belong to one organisation. Names can be shared: nobody can
 * answer to them.
 */
export function refuseShared(
  account: string | undefined,
  senders: readonly Pick<StoredSender, "channel" | "sender">[],
  others: {
    connections: SharingConnection[];
    accounts: (connection: SharingConnection) => string | undefined;
  },
): void {
  for (const connection of others.connections) {
    if (account !== undefined && others.accounts(connection) === account) {
      throw new DomainError(
        "conflict",
        `Another connection of this channel sends through the account ${account}.`,
      );
    }
    const taken = senders.find((entry) => {
      const { kind, address } = senderAddress(entry.channel, entry.sender);
      return (
        isAnswered(kind) &&
        connection.senders.some(
          (other) =>
            other.channel === entry.channel && senderAddress(other.channel, other.sender).address === address,
        )
      );
    });
    if (taken) {
      throw new DomainError("conflict", `Another connection of this channel has the sender ${taken.sender}.`);
    }
  }
}
