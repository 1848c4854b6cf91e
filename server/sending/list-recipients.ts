import type pg from "pg";
import { systemCtx } from "../access/system-ctx.ts";
import { groupPage, readRecipients } from "../contacts/read-groups.ts";
import type { ContactRecipient } from "../contacts/read-groups.ts";
import type { Channel } from "../kernel/channel.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { appendRecipients, countRefusals, selectSourcePage } from "./broadcast-queries.ts";
import type { ChannelForecast, Progress, RunningBroadcast } from "./broadcast-queries.ts";
import { broadcastRules } from "./broadcast-rules.ts";
import { planRecipients, refusableAddresses } from "./plan-recipients.ts";
import { sendLimits } from "./schemas.ts";

/** A connection in a transaction. */
export type Client = Pick<pg.Pool, "query">;

/** What a step changes; `afterCommit` is called once that is certain. */
export interface Step {
  progress: Partial<Progress>;
  afterCommit?: () => void;
}

/** Contacts that are looked at in one transaction. */
const page = 2_000;

/** What keeps a broadcast from going on, as it is told. */
export const problemOf = ({ code, message }: DomainError): { code: string; detail: string } => ({
  code,
  detail: message,
});

type Candidate = { contactId: string; channel: Channel };

/**
 * Appends one page of a group's contacts to the list of recipients, each channel of a contact once however many groups it is in. Of
 * a draft it counts who would be refused. At the end a draft is ready for a person to look at; otherwise it begins.
 */
export async function listRecipients(db: Db, client: Client, broadcast: RunningBroadcast): Promise<Step> {
  const { firstPosition, total } = broadcast;
  const { candidates, missing, next } = await nextPage(client, broadcast);
  const added = await appendRecipients(
    client,
    broadcast,
    firstPosition + total,
    candidates.map(({ as }) => as),
  );
  const newTotal = total + added.length;
  if (newTotal > sendLimits.broadcastRecipients) {
    const detail = `The groups have more than ${String(sendLimits.broadcastRecipients)} recipients. Send to parts of them.`;
    const problem = problemOf(new DomainError("invalid_request", detail));
    return { progress: { state: "failed", total: newTotal, problem, ended: true } };
  }
  const isNew = new Set(added.map(({ contactId, channel }) => `${contactId} ${channel}`));
  const fresh = candidates.filter(({ as }) => isNew.has(`${as.contactId} ${as.channel}`));
  const forecast = broadcast.draft
    ? await addForecast(db, client, broadcast, { fresh, missing })
    : broadcast.forecast;
  const progress = { total: newTotal, forecast, ...next };
  if (next.listingGroup < sourcesOf(broadcast)) return { progress: { ...progress, wakeInMs: 0 } };
  return broadcast.draft
    ? { progress: { ...progress, state: "ready", wakeInMs: broadcastRules.draftLives } }
    : { progress: { ...progress, state: "sending", wakeInMs: 0 } };
}

const sourcesOf = ({ groups, sourceId }: RunningBroadcast) => (sourceId === null ? groups.length : 1);

interface Page {
  candidates: { as: Candidate; recipient: ContactRecipient; address: string }[];
  /** By channel, how many contacts have no address. */
  missing: Map<Channel, number>;
  next: { listingGroup: number; listingAfter: string | null };
}

async function nextPage(client: Client, broadcast: RunningBroadcast): Promise<Page> {
  const { tenantId, sourceId, listingGroup, listingAfter } = broadcast;
  const group = broadcast.groups[listingGroup];
  let wanted: Candidate[];
  let after: string | null;
  if (sourceId !== null) {
    const rows = await selectSourcePage(client, {
      tenantId,
      id: sourceId,
      after: Number(listingAfter ?? -1),
      limit: page,
    });
    wanted = rows.map(({ contactId, channel }) => ({ contactId, channel }));
    after = rows.length < page ? null : String(rows.at(-1)?.position);
  } else if (group) {
    const { contactIds, next } = await groupPage(client, {
      tenantId,
      groupId: group.id,
      after: listingAfter,
      limit: page,
    });
    wanted = contactIds.flatMap((contactId) => group.channels.map((channel) => ({ contactId, channel })));
    after = next;
  } else {
    return {
      candidates: [],
      missing: new Map(),
      next: { listingGroup: listingGroup + 1, listingAfter: null },
    };
  }
  const recipients = new Map(
    (await readRecipients(client, tenantId, [...new Set(wanted.map(({ contactId }) => contactId))])).map(
      (each) => [each.contactId, each],
    ),
  );
  const candidates: Page["candidates"] = [];
  const missing = new Map<Channel, number>();
  for (const as of wanted) {
    const recipient = recipients.get(as.contactId);
    const address = recipient?.addresses.find(({ channel }) => channel === as.channel)?.address;
    if (recipient && address !== undefined) candidates.push({ as, recipient, address });
    else missing.set(as.channel, (missing.get(as.channel) ?? 0) + 1);
  }
  return {
    candidates,
    missing,
    next: {
      listingGroup: after === null ? listingGroup + 1 : listingGroup,
      listingAfter: after,
    },
  };
}

/** By the same rule as when a message is accepted; looked at again then, and before each attempt. */
async function addForecast(
  db: Db,
  client: Client,
  broadcast: RunningBroadcast,
  page: Pick<Page, "missing"> & { fresh: Page["candidates"] },
): Promise<RunningBroadcast["forecast"]> {
  const { tenantId } = broadcast;
  const ctx = systemCtx(db, tenantId, "Broadcast", broadcast.id);
  const requests = await planRecipients(
    ctx,
    await getCatalogue(ctx),
    broadcast,
    page.fresh.map(({ as: { channel }, recipient, address }, position) => ({
      ...{ position, channel, address },
      contact: recipient,
    })),
  );
  const refused = await countRefusals(client, tenantId, broadcast, refusableAddresses(requests, broadcast));
  const forecast = structuredClone(broadcast.forecast);
  const of = (channel: Channel): ChannelForecast =>
    (forecast[channel] ??= { recipients: 0, consentDenied: 0, suppressed: 0, noAddress: 0 });
  for (const { channel, code, count } of refused) {
    const entry = of(channel);
    entry.recipients += count;
    if (code === "consent_denied") entry.consentDenied += count;
    else if (code === "suppressed") entry.suppressed += count;
  }
  for (const [channel, count] of page.missing) of(channel).noAddress += count;
  return forecast;
}
