import type { z } from "zod";
import { DomainError } from "../kernel/errors.ts";
import { may, visibleScopes } from "../operations/authorize.ts";
import type { RestCtx } from "../operations/operation.ts";
import { eventData, mask, maskedNotification } from "./body.ts";
import type { EventContent } from "./body.ts";
import { checkEventData, membersOf } from "./event-schemas.ts";
import { after, before, decodePosition, encodePosition } from "./feed-cursor.ts";
import type { FeedPosition } from "./feed-cursor.ts";
import { selectFeed } from "./feed-queries.ts";
import type { FeedEntry } from "./feed-queries.ts";
import { feedDays } from "./feed-schemas.ts";
import type { feedPageSchema, FeedQuery } from "./feed-schemas.ts";
import { settledTime } from "./settled-time.ts";
import { eventsByName, webhookEvents } from "./vocabulary.ts";

const feedMs = feedDays * 86_400_000;
/** So much older a place may be: who begins with the oldest event is past the end of the 30 days by the next page. */
const graceMs = 3_600_000;
/** Events that one statement looks at, and statements of one request. */
const mostAtOnce = 1_000;
const mostRounds = 4;
const byName: readonly string[] = eventsByName;
const byDefault = webhookEvents.filter((event) => !byName.includes(event));

type FeedPage = z.input<typeof feedPageSchema>;

/**
 * The feed: what webhooks report of the key's environment, whether or not an endpoint is there, in the order in which it was written.
 * Whoever goes on with `nextCursor` misses nothing and gets nothing twice, however long the transactions took that wrote it. Throws
 * `cursor_expired` for a place that the feed does not reach back to.
 */
export async function listEvents(ctx: RestCtx, query: FeedQuery): Promise<FeedPage> {
  const { cursor, since, event, application, limit } = query;
  if (cursor !== undefined && since !== undefined)
    throw new DomainError("invalid_request", "Pass cursor or since, not both.", {
      errors: [{ pointer: "/query/since", code: "invalid", detail: "Leave it out when you pass a cursor" }],
    });
  const asked = cursor === undefined ? undefined : decodePosition(cursor);
  const { now, until } = await settledTime(ctx.db);
  const oldest = new Date(now.getTime() - feedMs);
  // The clock of whoever asks may be ahead: what happens until it is reached must not be missing.
  const begin = since === undefined ? oldest : new Date(Math.min(Date.parse(since), now.getTime()));
  let from = asked ?? before(begin);
  if (from.at.getTime() < oldest.getTime() - graceMs)
    throw new DomainError(
      "cursor_expired",
      `Events are kept for ${String(feedDays)} days, and this is older. Start again without a cursor.`,
    );
  const filter = {
    scopes: visibleScopes(ctx, "events:read"),
    environmentId: ctx.environmentId,
    sandbox: ctx.environmentKind === "sandbox",
    events: event === undefined ? byDefault : [event].flat(),
    application,
  };
  const data: FeedPage["data"] = [];
  let hasMore = until !== null && from.at <= until;
  for (let round = 0; hasMore && until && round < mostRounds && data.length < limit; round++) {
    const size = Math.min(limit * 2 ** round, mostAtOnce);
    const entries = await selectFeed(ctx, { from, until, limit: size }, filter);
    let taken = 0;
    for (const entry of entries) {
      if (data.length === limit) break;
      taken++;
      from = entry.position;
      if (entry.content) data.push(presented(ctx, entry, entry.content));
    }
    hasMore = taken < entries.length || entries.length === size;
  }
  // What was read to the end goes on at the end, so that a cursor does not grow old while nothing happens.
  if (!hasMore && until && until >= from.at) from = after(until);
  return { data, nextCursor: encodePosition(from), hasMore };
}

const idOf = ({ id, sequence }: FeedPosition) => (sequence > 0 ? `${id}.${String(sequence)}` : id);

/** Without content:reveal, addresses and what recipients wrote are masked. */
function presented(ctx: RestCtx, entry: FeedEntry, content: EventContent): FeedPage["data"][number] {
  const { unitId, applicationId } = entry.applicationId === null ? ctx : entry;
  const reveal = may(ctx, "content:reveal", { unitId, applicationId, environmentId: ctx.environmentId });
  const data = eventData(reveal ? content : masked(content));
  checkEventData(content.event, data);
  return {
    id: idOf(entry.position),
    event: content.event,
    timestamp: content.at.toISOString(),
    data,
  };
}

/** The content without what says who the recipient is. */
export function masked(content: EventContent): EventContent {
  if (content.notification) return { ...content, notification: maskedNotification(content.notification) };
  const { personal, known } = membersOf(content.event);
  const payload = Object.fromEntries(
    Object.entries(content.payload ?? {}).map(([name, value]) => [
      name,
      known.has(name) && !personal.has(name) ? value : maskTexts(value),
    ]),
  );
  return { ...content, payload };
}

function maskTexts(value: unknown): unknown {
  if (typeof value === "string") return mask;
  if (Array.isArray(value)) return value.map(maskTexts);
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, maskTexts(inner)]));
}
