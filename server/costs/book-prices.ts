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

/** Asks providers that book their prices later; by the clock. */
export const bookPricesTask = defineTask("book_prices", z.object({}).loose());

const minute = 60_000;
const hour = 60 * minute;
/** What a message sent longer ago may still cost is waited for no more. */
const patience = 48 * hour;
/** A provider's list may lag behind its answers. */
const lag = minute;
/** So much time is asked for at once: a page is then a bounded part of it. */
const windowMs = hour;
/** A run ends soon enough for the next one, whatever providers do. */
const runMs = 8 * minute;
/** One connection takes no more of a run than this: however slow or endless its list is, the others get their turn. */
const connectionMs = minute;

/**
 * Books the prices that providers have set since the last run, connection by connection, from the oldest message on whose
 * price is still to come. What fails is logged and asked for again in the next run. Returns how many prices changed
 * anything.
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
    /** Where the next run begins: at what is not known yet. */
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
      // Whatever is wrong with one connection, the others' prices are booked.
      if (error instanceof OutboundError) {
        deps.log.warn({ connectionId: id, tenantId, code: error.code }, "a provider did not tell its prices");
      } else {
        deps.log.error({ connectionId: id, tenantId, err: error }, "booking a connection's prices failed");
      }
    }
  }
  return booked;
}
