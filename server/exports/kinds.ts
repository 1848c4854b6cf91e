import { costColumns, readCostRows } from "../costs/entry-rows.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { refuseVagueSearch } from "../sending/list-notifications.ts";
import { checkFilterNames, messageColumns, readMessageRows } from "../sending/message-rows.ts";
import type { ExportRow } from "./queries.ts";
import { deciding, has } from "./rights.ts";
import type { Rights } from "./rights.ts";
import type { CostExportFilter, ExportInput, ExportKind, MessageExportFilter } from "./schemas.ts";

interface Part {
  columns: readonly string[];
  after: string | null;
  upTo: string;
  limit: number;
}

interface Kind {
  /** The columns of a file for somebody with these rights. */
  columns: (rights: Rights) => string[];
  /** The next rows, oldest first; `after` is where the next call goes on. */
  read: (
    ctx: Ctx,
    filter: ExportRow["filter"],
    part: Part,
  ) => Promise<{ rows: string[][]; after: string | null; end: boolean }>;
}

const dateOf = (instant: string | undefined) => (instant === undefined ? undefined : new Date(instant));

export const kinds: Record<ExportKind, Kind> = {
  messages: {
    columns: (rights) => messageColumns(has(rights, "costs:read")),
    read: (ctx, given, part) => {
      const { createdFrom, createdTo, ...filter } = given as MessageExportFilter;
      return readMessageRows(
        ctx,
        { ...filter, createdFrom: dateOf(createdFrom), createdTo: dateOf(createdTo) },
        part,
      );
    },
  },
  costs: {
    columns: () => [...costColumns],
    read: (ctx, given, part) => {
      const { from, to, ...filter } = given as CostExportFilter;
      return readCostRows(ctx, { ...filter, from: dateOf(from), to: dateOf(to) }, part);
    },
  },
};

/**
 * Throws `invalid_request` for a filter that names what there is not, and `permission_denied` for one by an address, of somebody who
 * may see none; as refuseVagueSearch.
 */
export async function checkFilter(ctx: Ctx, { kind, filter }: ExportInput): Promise<void> {
  // Of costs, "to" is a time.
  if (kind === "messages") await refuseVagueSearch(ctx, filter);
  await checkFilterNames(ctx, deciding[kind][0], filter);
}
