/** Operators' work with their own channels. Only the owner of the tables can write them. */
import type { z } from "zod";
import type { Adapter, TestResult } from "../adapters/adapter.ts";
import {
  openChannelCredentials,
  openOldChannelSecrets,
  sealChannelCredentials,
} from "../connections/channel-credentials.ts";
import { checkAddresses, checkDetails, parseConfiguration } from "../connections/check-connection.ts";
import { oldSecretsAfter } from "../connections/old-callback-secrets.ts";
import type { OldSecrets } from "../connections/old-callback-secrets.ts";
import { requireAdapter } from "../connections/stored-connection.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import type { channelAddSchema, channelUpdateSchema } from "./schemas.ts";
import type { OperatorDb } from "./operator-db.ts";
import {
  deleteChannel,
  findConnections,
  insertChannel,
  selectChannelByName,
  selectChannelList,
  selectAssignments,
  writeChannel,
} from "./queries.ts";
import type { ChannelRow } from "./queries.ts";

type Operator = Pick<OperatorDb, "owner">;

/**
 * Adds a channel that can be assigned to organisations. Its settings must be complete. Throws `invalid_request` with
 * pointers to what is wrong, `forbidden_address`, and `conflict` when the name is taken.
 */
export async function addChannel(
  { owner }: Operator,
  input: z.output<typeof channelAddSchema>,
): Promise<{ id: string }> {
  const adapter = requireAdapter(input.provider);
  if (adapter.name === "simulator") {
    throw new DomainError("invalid_request", "The simulator is no provider: every organisation has its own.");
  }
  const channels = input.channels ?? [...adapter.channels];
  const id = newId();
  const { settings } = await checked(adapter, channels, input);
  const processingRegion = regionOf(adapter, settings, input.processingRegion);
  await refusing(() =>
    insertChannel(owner, {
      id,
      name: input.name,
      adapter: adapter.name,
      channels,
      credentials: sealChannelCredentials(id, input.credentials),
      settings: input.settings,
      priceList: input.priceList,
      processingRegion,
    }),
  );
  return { id };
}

/**
 * Changes a channel, or switches it off and on; in force everywhere within two seconds. What a new credential replaces verifies
 * callbacks for a day more, unless `callbackOverlap` is false; returned is until when, null when nothing does. Throws as addChannel
 * does, and `conflict` for another region while the channel is assigned: its users agreed to the old one.
 */
export async function updateChannel(
  { owner }: Operator,
  name: string,
  changes: z.output<typeof channelUpdateSchema>,
): Promise<{ oldSecretsUntil: Date | null }> {
  const row = await requireChannel(owner, name);
  const adapter = requireAdapter(row.adapter);
  const credentials = changes.credentials ?? openChannelCredentials(row.id, row.credentials);
  const settings = changes.settings ?? row.settings;
  const priceList = changes.priceList ?? [];
  const parsed = await checked(adapter, row.channels, {
    credentials: { ...credentials },
    settings,
    priceList,
  });
  const region = regionOf(adapter, parsed.settings, changes.processingRegion ?? row.processingRegion);
  if (region !== row.processingRegion && (await findConnections(owner, row.id)).length > 0) {
    throw new DomainError(
      "conflict",
      "Take the channel back from everybody before you move it to another region.",
    );
  }
  const old = oldSecretsNow(adapter, row, changes);
  const reseals = changes.credentials !== undefined || changes.callbackOverlap === false;
  await refusing(() =>
    writeChannel(owner, {
      ...row,
      name: changes.name ?? row.name,
      credentials: reseals ? sealChannelCredentials(row.id, credentials, old) : null,
      settings,
      priceList: changes.priceList ?? row.priceList,
      processingRegion: region,
      enabled: changes.enabled ?? row.enabled,
    }),
  );
  const [newest] = old;
  return { oldSecretsUntil: newest ? new Date(newest.until) : null };
}

/** What callbacks are verified with besides the credentials after a change. */
function oldSecretsNow(
  adapter: Adapter,
  { id, credentials }: ChannelRow,
  changes: z.output<typeof channelUpdateSchema>,
): OldSecrets {
  if (changes.callbackOverlap === false) return [];
  const now = new Date();
  const old = openOldChannelSecrets(id, credentials, now);
  if (!changes.credentials) return old;
  let before = {};
  try {
    before = openChannelCredentials(id, credentials);
  } catch {
    // What cannot be opened, as after a lost key, verifies nothing.
  }
  return oldSecretsAfter(adapter, { before, after: changes.credentials, old }, now);
}

/** Removes a channel and its credentials. Throws `conflict` while it is assigned, `not_found`. */
export async function removeChannel({ owner }: Operator, name: string): Promise<void> {
  const { id } = await requireChannel(owner, name);
  await refusing(() => deleteChannel(owner, id));
}

export interface ListedChannel {
  id: string;
  name: string;
  provider: string;
  channels: string[];
  processingRegion: string;
  enabled: boolean;
  /** Its assignments. */
  given: {
    tenant: string;
    connection: string;
    channels: string[];
    senders: { sender: string; channel: string; region: string | null; unit: string | null }[];
    enabled: boolean;
  }[];
}

/** All channels by name, without secrets. */
export async function listChannels({ owner }: Operator): Promise<ListedChannel[]> {
  const [channels, given] = await Promise.all([selectChannelList(owner), selectAssignments(owner)]);
  return channels.map((row) => ({
    id: row.id,
    name: row.name,
    provider: row.adapter,
    channels: row.channels,
    processingRegion: row.processingRegion,
    enabled: row.enabled,
    given: given.filter((entry) => entry.channelId === row.id).map(({ channelId: _, ...entry }) => entry),
  }));
}

/** Checks a channel's address and credentials without sending a message. */
export async function testChannel(
  { owner }: Operator,
  name: string,
  http: OutboundClient,
): Promise<TestResult> {
  const row = await requireChannel(owner, name);
  const adapter = requireAdapter(row.adapter);
  const credentials = openChannelCredentials(row.id, row.credentials);
  const parsed = parseConfiguration(adapter, { credentials, settings: row.settings });
  return adapter.test({ id: row.id, ...parsed }, { http });
}

/** A channel by name. Throws `not_found`, naming it: operators may know which channels exist. */
export async function requireChannel(owner: Operator["owner"], name: string): Promise<ChannelRow> {
  const row = await selectChannelByName(owner, name);
  if (!row) throw new DomainError("not_found", `There is no channel named ${name}.`);
  return row;
}

async function checked(
  adapter: Adapter,
  channels: string[],
  given: Pick<z.output<typeof channelAddSchema>, "credentials" | "settings" | "priceList">,
): Promise<{ settings: unknown }> {
  const parsed = parseConfiguration(adapter, given);
  checkDetails(adapter, { channels, senders: [], priceList: given.priceList });
  await checkAddresses(parsed.settings);
  return parsed;
}

function regionOf(adapter: Adapter, settings: unknown, given: string | undefined): string {
  const said = adapter.regionOf(settings);
  if (said !== null && given !== undefined && said !== given) {
    throw new DomainError(
      "invalid_request",
      `By its settings ${adapter.label} processes data in ${said}, not ${given}.`,
    );
  }
  const region = said ?? given;
  if (region === undefined) {
    throw new DomainError("invalid_request", "Say in which region the provider processes the data.");
  }
  return region;
}

/** The database's refusals in words. */
async function refusing<T>(write: () => Promise<T>): Promise<T> {
  try {
    return await write();
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "23505")
      throw new DomainError("conflict", "Another channel has this name.", { cause: error });
    // RESTRICT has a code of its own since Postgres 18.
    if (code === "23001" || code === "23503") {
      throw new DomainError("conflict", "Organisations have this channel; take it back from them first.", {
        cause: error,
      });
    }
    throw error;
  }
}
