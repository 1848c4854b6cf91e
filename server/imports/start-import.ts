import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { enqueue } from "../kernel/tasks.ts";
import { firstPiece, readHead, requireImport } from "./get-import.ts";
import { kindOf } from "./kinds.ts";
import { deleteErrors, deleteMarks, lockImport, updateImport } from "./queries.ts";
import type { ImportRow } from "./queries.ts";
import { formatOf } from "./read-rows.ts";
import { attributePrefix, importTargets, manyColumns } from "./vocabulary.ts";
import type { ImportMapping } from "./schemas.ts";
import { importRows } from "./tasks.ts";

/** Keeps what each column becomes and begins the dry run, which says what would come of each row and changes nothing. */
export async function checkImport(
  ctx: Ctx,
  input: { id: string; mapping: ImportMapping },
): Promise<{ id: string }> {
  const row = await requireImport(ctx, input.id);
  const piece = await firstPiece(ctx, row.id);
  const complaint = complaintOf(row, input.mapping, readHead(piece, row, 0).header.length);
  if (complaint) {
    throw new DomainError("invalid_request", complaint, {
      errors: [{ pointer: "/mapping", code: "invalid_mapping", detail: complaint }],
    });
  }
  return begin(ctx, row, {
    from: ["mapping", "checked"],
    to: "checking",
    format: formatOf(piece, row.utf8),
    mapping: input.mapping,
  });
}

/** Begins the run of an import whose dry run has ended, in the name of whoever begins it. */
export async function startImport(ctx: Ctx, input: { id: string }): Promise<{ id: string }> {
  const row = await requireImport(ctx, input.id);
  if (row.state === "checked" && row.created + row.updated === 0) {
    throw new DomainError("conflict", "Nothing to import. Every row is already known or has an error.");
  }
  const piece = await firstPiece(ctx, row.id);
  return begin(ctx, row, { from: ["checked"], to: "running", format: formatOf(piece, row.utf8) });
}

function complaintOf(row: ImportRow, mapping: ImportMapping, columns: number): string | null {
  if (mapping.columns.length !== columns) return "This file has other columns.";
  const targets: readonly string[] = importTargets[row.kind];
  const given = mapping.columns.filter((target) => target !== null);
  const unknown = given.find(
    (target) => !targets.includes(target) && !(row.kind === "contacts" && target.startsWith(attributePrefix)),
  );
  if (unknown !== undefined) return `Nothing becomes “${unknown}”.`;
  const double = given.find(
    (target, index) => !manyColumns.includes(target) && given.indexOf(target) < index,
  );
  if (double !== undefined) return `Two columns become “${double}”. Choose one of them.`;
  return kindOf(row.kind).complain(mapping);
}

async function begin(
  ctx: Ctx,
  row: ImportRow,
  step: {
    from: readonly string[];
    to: "checking" | "running";
    format: ReturnType<typeof formatOf>;
    mapping?: ImportMapping;
  },
): Promise<{ id: string }> {
  const { tenantId } = ctx;
  await inTenant(ctx, async (tx) => {
    const now = await lockImport(tx, tenantId, row.id);
    if (!now || !step.from.includes(now.state)) {
      throw new DomainError("conflict", "This import has changed. Reload the page.");
    }
    await deleteErrors(tx, tenantId, row.id);
    await deleteMarks(tx, tenantId, row.id);
    await updateImport(tx, tenantId, row.id, {
      ...(step.mapping ? { mapping: step.mapping } : {}),
      state: step.to,
      // Also noted when the file had come, unless that was interrupted.
      encoding: step.format.encoding,
      delimiter: step.format.delimiter,
      atByte: step.format.from,
      atRow: 0,
      skipping: false,
      created: 0,
      updated: 0,
      unchanged: 0,
      failed: 0,
      actorType: ctx.actor.type,
      actorId: ctx.actor.id,
      actorName: ctx.actor.name,
      queuedAt: ctx.now(),
    });
    await enqueue(tx, importRows, { tenantId, importId: row.id });
    await recordAudit(ctx, tx, {
      action: step.to === "checking" ? "import.checked" : "import.started",
      targetType: "import",
      targetId: row.id,
      environmentId: row.environmentId,
      before: { state: now.state },
      after: { state: step.to },
      ...(step.mapping ? { data: { mapping: step.mapping } } : {}),
    });
  });
  return { id: row.id };
}
