import type { z } from "zod";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { selectIncidents } from "./queries.ts";
import type { Incident, incidentListQuerySchema } from "./schemas.ts";
import { visibleConnections } from "./visible-connections.ts";

/** Incidents of the caller's connections, newest first. */
export async function listIncidents(
  ctx: Ctx,
  input: z.output<typeof incidentListQuerySchema>,
): Promise<{ data: Incident[]; nextCursor: string | null }> {
  const connections = await visibleConnections(ctx, input.connectionId);
  const names = new Map(connections.map(({ id, name }) => [id, name]));
  const rows = await selectIncidents(ctx, {
    connectionIds: [...names.keys()],
    before: decodeCursor(input.cursor),
    limit: input.limit + 1,
  });
  return toPage(rows, input.limit, (row) => ({
    ...row,
    connection: names.get(row.connectionId) ?? "",
    at: row.at.toISOString(),
  }));
}
