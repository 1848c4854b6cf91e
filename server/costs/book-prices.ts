import { z } from "zod";
import { adaptersWithListedPrices } from "../adapters/adapters.ts";
import { pricedConnections, setListedTo } from "../connections/listed-prices.ts";
import { tenantConnections } from "../connections/load-connection.ts";
import type { Db } from "../kernel/db.ts";
import type { Logger } from "../kernel/log.ts";
import { OutboundError } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";
import { defineTask } from "../kernel/tasks.ts";
import { bookPrices } from "./queries.ts";

/** Reads the prices of providers that publish them later; run by the clock. */
export const bookPricesTask = defineTask("book_prices", z.object({}).loose());

const minute = 60_000;
const hour = 60 * minute;
/** Prices of messages sent longer ago are no longer waited for. */
const patience = 48 * hour;
/** A provider's list may lag behind its other answers. */
const lag = minute;
/** The period of one request, so that a page covers a bounded part of it. */
const windowMs = hour;
/** The time limit of a run, so that it ends before the next one. */
const runMs = 8 * minute;
/** The time limit of one connection in a run: however slow or long its list is, the others get their turn. */
const connectionMs = minute;

/**
 * Books the prices that providers have set since the last run, connection by connection, from the oldest message
 * without a final price on. Failures are logged and tried again in the next run. Returns how many costs changed.
 */
export async function bookListedPrices(deps: {
  db: Db;
  http: OutboundClient;
  log: Logger;
  now?: () => Date;
}): Promise<number> {
  const now = deps.now ?? (() => new Date());
  const until = new Date(now().getTime() - lag);
  const deadline = now().getTime() + runMs;
  let booked = 0;
  for (const { tenantId, id, listedTo } of await pricedConnections(deps.db, adaptersWithListedPrices())) {
    const startedAt = now().getTime();
    if (startedAt > deadline) break;
    const hasTime = () => now().getTime() <= Math.min(deadline, startedAt + connectionMs);
    const earliest = until.getTime() - patience;
    let since = new Date(Math.max(listedTo?.getTime() ?? earliest, earliest));
    /** The next run begins with the first message that has no final price. */
    let resume: Date | undefined;
    try {
      const connection = (await tenantConnections({ db: deps.db, tenantId })).get(id);
      if (!connection?.adapter.listPrices) continue;
      while (since < until && hasTime()) {
        const end = new Date(Math.min(since.getTime() + windowMs, until.getTime()));
        let cursor: string | undefined;
        do {
          const page = await connection.adapter.listPrices(
            connection.connection,
            { since, until: end, ...(cursor === undefined ? {} : { cursor }) },
            { http: deps.http },
          );
          if (page.prices.length > 0) booked += await bookPrices(deps.db, tenantId, id, page.prices);
          if (page.pendingSince && (!resume || page.pendingSince < resume)) resume = page.pendingSince;
          cursor = page.cursor;
        } while (cursor !== undefined && hasTime());
        if (cursor !== undefined) break;
        since = end;
        await setListedTo(deps.db, tenantId, id, resume ?? since);
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
