import type { z } from "zod";
import type { Ctx } from "../kernel/ctx.ts";
import { decodeCursor, toPage } from "../kernel/cursor.ts";
import { notFound } from "../kernel/errors.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { addressToken } from "./address-token.ts";
import { selectChoices, selectEvent, selectEvents } from "./queries.ts";
import type { ListedEvent } from "./queries.ts";
import type { AuditEventView, AuditListQuery, auditListSchema } from "./schemas.ts";

/** An event as its readers get it. */
export function presentEvent({ event, sequence }: ListedEvent): AuditEventView {
  const { tenantId: _, ...rest } = event;
  return {
    ...rest,
    sequence,
    actorType: event.actorType as AuditEventView["actorType"],
    data: event.data as AuditEventView["data"],
  };
}

/** One page of the trail, newest first; who may read it in a unit gets what belongs to that unit. */
export async function listEvents(ctx: Ctx, query: AuditListQuery): Promise<z.output<typeof auditListSchema>> {
  const { limit, cursor, ...filter } = query;
  const rows = await selectEvents(ctx, filter, {
    scopes: visibleScopes(ctx, "audit:read"),
    address: filter.q ? await addressToken(ctx, filter.q) : null,
    cursor: decodeCursor(cursor),
    limit: limit + 1,
  });
  return toPage(
    rows.map((row) => ({ ...row, id: row.event.id })),
    limit,
    presentEvent,
  );
}

/** Throws `not_found` for an event that the reader may not see, too. */
export async function getEvent(ctx: Ctx, input: { id: string }): Promise<AuditEventView> {
  const row = await selectEvent(ctx, input.id, visibleScopes(ctx, "audit:read"));
  if (!row) throw notFound();
  return presentEvent(row);
}

/** What the lists of the filters offer. */
export function listChoices(ctx: Ctx) {
  return selectChoices(ctx, visibleScopes(ctx, "audit:read"));
}
