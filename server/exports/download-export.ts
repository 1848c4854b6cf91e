import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { recordAudit } from "../audit/record-audit.ts";
import { byteOrderMark, csvText } from "../kernel/csv.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { ExportPlaces } from "../kernel/export-places.ts";
import type { RestFile } from "../operations/operation.ts";
import { endOf, requireExport } from "./get-exports.ts";
import { selectChunk } from "./queries.ts";
import { lostOf, rightsOf } from "./rights.ts";

const expand = promisify(gunzip);
const places = new ExportPlaces({ organisation: 4, process: 16 });

/**
 * The file of the caller's own export, one piece in memory at a time; it takes a place among those that are handed out when it is read. Throws `conflict` unless it is finished and kept still,
 * `permission_denied` when the caller may no longer see all that is in it, and `rate_limited` while too many are handed out.
 */
export async function downloadExport(ctx: Ctx, input: { id: string }): Promise<RestFile> {
  const row = await requireExport(ctx, input.id);
  if (row.state === "expired" || (row.state === "finished" && endOf(row) <= ctx.now()))
    throw new DomainError("conflict", "The file has been deleted after seven days. Export it again.");
  if (row.state !== "finished")
    throw new DomainError("conflict", "There is no file: see the export’s state.");
  const lost = lostOf(row.rights ?? {}, rightsOf(ctx, row.kind));
  if (lost) {
    throw new DomainError(
      "permission_denied",
      `This file contains more than you have access to. It needs the permission ${lost}. Export it again.`,
    );
  }
  places.check(ctx.tenantId);
  await inTenant(ctx, (tx) =>
    recordAudit(ctx, tx, {
      action: "export.downloaded",
      targetType: "export",
      targetId: row.id,
      data: { kind: row.kind, rows: row.rows },
    }),
  );
  const first = byteOrderMark + csvText([row.columns]);
  return {
    name: row.fileName,
    bytes: Buffer.byteLength(first) + row.bytes,
    first,
    rest: places.whenRead(ctx.tenantId, async function* () {
      for (let number = 0; number < row.chunks; number++) {
        const piece = await selectChunk(ctx, row.id, number);
        if (!piece) throw new Error("a piece of the file is missing");
        yield await expand(piece);
      }
    }),
  };
}
