import { byteOrderMark, csvText } from "../kernel/csv.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { ExportPlaces } from "../kernel/export-places.ts";
import { authorizeSomewhere, visibleScopes } from "../operations/authorize.ts";
import { addressToken } from "./address-token.ts";
import { openAuditKey } from "./audit-key.ts";
import { chainKey, genesis } from "./chain.ts";
import { csvColumns, csvRow, headerMac } from "./export-form.ts";
import type { ExportHeader, ExportLine } from "./export-form.ts";
import { selectChainPage, selectChainState, selectEvents, selectPendingEvents } from "./queries.ts";
import type { ChainedEvent } from "./queries.ts";
import { recordAudit } from "./record-audit.ts";
import type { AuditFilter, ExportFormat } from "./schemas.ts";

const page = 1_000;
const places = new ExportPlaces({ organisation: 2, process: 6 });

/**
 * The trail, or what a filter leaves of it, as pieces of a file, oldest first. One page is in memory at a time, whatever the
 * length; the next is read when somebody takes it. As JSON lines and without a filter it is the organisation's whole chain,
 * which `npm run verify-audit` verifies. `rest` is to be read to its end or ended with return(). Throws `rate_limited` while too many are under way.
 */
export async function exportEvents(
  ctx: Ctx,
  input: { format: ExportFormat; filter: AuditFilter },
): Promise<{ first: string; rest: AsyncGenerator<string> }> {
  authorizeSomewhere(ctx, "audit:read");
  places.check(ctx.tenantId);
  const filters = Object.entries(input.filter).filter(([, value]) => Boolean(value));
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, {
      action: "audit.exported",
      targetType: "audit_trail",
      targetId: ctx.tenantId,
      // What was searched for may be somebody's address.
      data: { format: input.format, filters: filters.map(([name]) => name) },
    }),
  );
  return places.begin(ctx.tenantId, () =>
    input.format === "csv" ? asCsv(ctx, input.filter) : asLines(ctx, input.filter, filters.length > 0),
  );
}

/** What a filter leaves, a page at a time. */
async function* pages(ctx: Ctx, filter: AuditFilter) {
  const scopes = visibleScopes(ctx, "audit:read");
  const address = filter.q ? await addressToken(ctx, filter.q) : null;
  let cursor: string | undefined;
  for (;;) {
    const rows = await selectEvents(ctx, filter, { scopes, address, cursor, limit: page, oldestFirst: true });
    if (rows.length > 0) yield rows;
    cursor = rows.at(-1)?.event.id;
    if (rows.length < page) return;
  }
}

async function* asCsv(ctx: Ctx, filter: AuditFilter): AsyncGenerator<string> {
  yield byteOrderMark + csvText([csvColumns]);
  for await (const rows of pages(ctx, filter)) {
    yield csvText(rows.map(({ event, sequence }) => csvRow(event, sequence)));
  }
}

const line = (value: object) => `${JSON.stringify(value)}\n`;

async function* asLines(ctx: Ctx, filter: AuditFilter, filtered: boolean): AsyncGenerator<string> {
  const complete = !filtered && visibleScopes(ctx, "audit:read") === null;
  const chain = await selectChainState(ctx);
  if (!chain) return;
  const from = { sequence: chain.purgedSequence, hash: chain.purgedHash?.toString("hex") ?? genesis };
  const header: ExportHeader = {
    format: "tidings-audit-export/1",
    tenantId: ctx.tenantId,
    exportedAt: ctx.now().toISOString(),
    complete,
    from,
    to:
      chain.headSequence === null
        ? from
        : { sequence: chain.headSequence, hash: chain.headHash?.toString("hex") ?? genesis },
    purge:
      chain.purgedSequence > 0
        ? { at: chain.purgedAt?.toISOString() ?? "", signature: chain.purgedSignature ?? "" }
        : null,
    publicKey: chain.publicKey,
  };
  yield line({ ...header, mac: headerMac(chainKey(openAuditKey(ctx.tenantId, chain)), header) });
  if (complete) {
    let after = header.from.sequence;
    while (after < header.to.sequence) {
      const rows = await selectChainPage(ctx, { after, to: header.to.sequence, limit: page });
      if (rows.length === 0) break;
      yield rows.map((row) => line(exportLine(row, false))).join("");
      after = rows.at(-1)?.sequence ?? header.to.sequence;
    }
    const pending = await selectPendingEvents(ctx, page);
    yield pending
      .map((event) => line({ sequence: null, origin: null, hash: null, event } satisfies ExportLine))
      .join("");
    return;
  }
  for await (const rows of pages(ctx, filter)) {
    const chained = await selectChainPage(ctx, { eventIds: rows.map(({ event }) => event.id) });
    const placeOf = new Map(chained.map((row) => [row.event?.id, row]));
    yield rows
      .map(({ event }) => {
        const row = placeOf.get(event.id);
        return line(row ? exportLine(row, true) : { sequence: null, origin: null, hash: null, event });
      })
      .join("");
  }
}

function exportLine({ sequence, origin, hash, previous, event }: ChainedEvent, alone: boolean): ExportLine {
  return { sequence, origin, hash, ...(alone ? { previous: previous ?? genesis } : {}), event };
}
