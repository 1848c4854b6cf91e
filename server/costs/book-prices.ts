import { LRUCache } from "lru-cache";
import { z } from "zod";
import { adaptersWithListedPrices } from "../adapters/adapters.ts";
import { pricedConnections, setListedTo } from "../connections/listed-prices.ts";
import type { ListedConnection } from "../connections/listed-prices.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { defineTask } from "../kernel/tasks.ts";
import { bookPrices } from "./queries.ts";

/** Reads the prices of providers that publish them later; run by the clock. */
export const bookPricesTask = defineTask("book_prices", z.object({}).loose());

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** Prices of messages sent longer ago are no longer waited for. */
const patience = 48 * hour;
/** A provider's list may lag behind its other answers. */
const lag = minute;
/** The longest period of one request. */
const longestMs = hour;
/** The shortest: one with more than a page is halved down to this, so that each part that was read is kept. */
const shortestMs = 4 * second;
/** How old messages are when they are asked for once more, the last chance first: by then their price may have come. */
const againAges = [47 * hour, 12 * hour, 2 * hour, 30 * minute];
/** The time limit of a run, so that it ends before the next one. */
const runMs = 8 * minute;
/** The time limit of one connection in a run, for what is new and once more for what is asked again: the others get their turn. */
const connectionMs = minute;

/** What this process knows of a connection from its runs before. */
interface Past {
  triedAt: number;
  /** The period of its last request for new prices, ms. */
  periodMs: number;
}

const pasts = new LRUCache<string, Past>({ max: 10_000 });

interface Deps {
  db: Db;
  http: OutboundClient;
  log: Logger;
  now: () => Date;
}

/**
 * Books the prices that providers have set since the last run, connection by connection, the one that was tried longest ago
 * first. Failures are logged and tried again in the next run. Returns how many costs changed.
 */
export async function bookListedPrices({
  now = () => new Date(),
  ...others
}: Omit<Deps, "now"> & { now?: () => Date }): Promise<number> {
  const deps = { ...others, now };
  const until = new Date(now().getTime() - lag);
  const deadline = now().getTime() + runMs;
  const listed = await pricedConnections(deps.db, adaptersWithListedPrices(), new Date(+until - patience));
  const triedAt = ({ id }: ListedConnection) => pasts.peek(id)?.triedAt ?? 0;
  let booked = 0;
  for (const listing of listed.toSorted((a, b) => triedAt(a) - triedAt(b))) {
    if (+now() > deadline) break;
    const past = pasts.get(listing.id) ?? { triedAt: 0, periodMs: longestMs };
    past.triedAt = +now();
    pasts.set(listing.id, past);
    const { tenantId, id } = listing;
    try {
      const connection = (await tenantConnections({ db: deps.db, tenantId })).get(id);
      if (!connection?.adapter.listPrices) continue;
      const reading = { ...deps, connection, booked: 0 };
      try {
        await bookConnection(reading, listing, { past, until, deadline });
      } finally {
        booked += reading.booked;
      }
    } catch (error) {
      // An error of one connection must not stop the others.
      if (error instanceof OutboundError) {
        deps.log.warn({ connectionId: id, tenantId, code: error.code }, "a provider did not tell its prices");
      } else {
        deps.log.error({ connectionId: id, tenantId, err: error }, "booking a connection's prices failed");
      }
    }
  }
  return booked;
}

type Reading = Deps & { connection: ProviderConnection; booked: number };

/** Books what is new, part by part; then asks again for as much that is older. Both go no further than their time. */
async function bookConnection(
  reading: Reading,
  { tenantId, id, listedTo }: ListedConnection,
  { past, until, deadline }: { past: Past; until: Date; deadline: number },
): Promise<void> {
  const { db, log, now } = reading;
  const timer = () => {
    const end = Math.min(deadline, +now() + connectionMs);
    return () => +now() <= end;
  };
  const earliest = +until - patience;
  const from = Math.max(listedTo?.getTime() ?? earliest, earliest);
  let since = from;
  let first = true;
  for (const hasTime = timer(); since < +until && hasTime();) {
    const end = Math.min(since + past.periodMs, +until);
    const shortest = end - since <= shortestMs;
    const complete = await bookPeriod(reading, since, end, shortest ? hasTime : () => false);
    const alone = first;
    first = false;
    if (!complete && !shortest) {
      past.periodMs = Math.max(Math.ceil((end - since) / 2), shortestMs);
      continue;
    }
    if (!complete) {
      past.periodMs = shortestMs;
      if (!alone) break;
      // All the time went into these few seconds: the next run would come no further.
      log.warn(
        { connectionId: id, tenantId },
        "a provider's list of prices was too long and is read in part",
      );
    }
    since = end;
    await setListedTo(db, tenantId, id, new Date(since));
    if (end < +until) past.periodMs = Math.min(past.periodMs * 2, longestMs);
  }
  const hasTime = timer();
  for (const age of againAges) {
    // What was new in this run has been asked for at a later age than this.
    const start = Math.max(from - age, earliest);
    const end = Math.min(since - age, from);
    if (start < end && !(await bookPeriod(reading, start, end, hasTime))) break;
  }
}

/** Books the prices of messages sent in a period, page by page while there is time; false: there are more. */
async function bookPeriod(
  reading: Reading,
  since: number,
  until: number,
  hasTime: () => boolean,
): Promise<boolean> {
  const { db, http, connection } = reading;
  const period = { since: new Date(since), until: new Date(until) };
  let cursor: string | undefined;
  do {
    const query = cursor === undefined ? period : { ...period, cursor };
    const page = await connection.adapter.listPrices?.(connection.connection, query, { http });
    if (page && page.prices.length > 0) {
      reading.booked += await bookPrices(db, connection.tenantId, connection.id, page.prices);
    }
    cursor = page?.cursor;
  } while (cursor !== undefined && hasTime());
  return cursor === undefined;
}
