import type { z } from "zod";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import type { OperatorCtx } from "./operator-ctx.ts";
import { selectEvents } from "./queries.ts";
import type { listOperatorEventsSchema } from "./schemas.ts";

/** One page of what operators looked at and changed, newest first. */
export async function listOperatorEvents(ctx: OperatorCtx, query: z.output<typeof listOperatorEventsSchema>) {
  const rows = await selectEvents(ctx.console, {
    changesOnly: query.changesOnly,
    organisation: query.organisation ?? null,
    before: decodeCursor(query.cursor) ?? null,
    limit: query.limit + 1,
  });
  return toPage(rows, query.limit, (row) => row);
}
