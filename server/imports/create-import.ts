import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { inTenant } from "../kernel/db.ts";
import { DomainError } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { kindOf } from "./kinds.ts";
import { firstPiece, requireImport } from "./get-import.ts";
import { countOpen, endEarly, insertImport, insertPiece, lockImport, updateImport } from "./queries.ts";
import { formatOf, mayBeUtf8, notCsv } from "./read-rows.ts";
import { importLimits } from "./vocabulary.ts";
import type { ImportInput } from "./schemas.ts";
import { tellFinished } from "./tell-finished.ts";

/** Makes room for a file, which then comes in pieces. Throws `conflict` while too many of the organisation's imports are open. */
export async function createImport(
  ctx: Ctx,
  input: ImportInput,
): Promise<{ id: string; pieceBytes: number }> {
  await kindOf(input.kind).authorize(ctx, input.environmentId);
  const id = newId();
  await inTenant(ctx, async (tx) => {
    if ((await countOpen(tx, ctx.tenantId)) >= importLimits.open) {
      throw new DomainError(
        "conflict",
        `${String(importLimits.open)} imports are open already. Finish or cancel one of them first.`,
      );
    }
    await insertImport(tx, {
      ...input,
      tenantId: ctx.tenantId,
      id,
      actorType: ctx.actor.type,
      actorId: ctx.actor.id,
      actorName: ctx.actor.name,
      createdAt: ctx.now(),
    });
    await recordAudit(ctx, tx, {
      action: "import.created",
      targetType: "import",
      targetId: id,
      environmentId: input.environmentId,
      after: { kind: input.kind, fileName: input.fileName, size: input.size },
    });
  });
  return { id, pieceBytes: importLimits.pieceBytes };
}

/**
 * Takes a piece of a file; pieces come one after the other, and `received` says from where to go on. A piece that has come already
 * changes nothing. Throws `invalid_request` for what is no CSV, whose import fails with it.
 */
export async function uploadPiece(
  ctx: Ctx,
  input: { id: string; offset: number; data: string },
): Promise<{ received: number }> {
  const row = await requireImport(ctx, input.id);
  const data = Buffer.from(input.data, "base64");
  const { pieceBytes } = importLimits;
  const refusal = await inTenant(ctx, async (tx) => {
    const now = await lockImport(tx, ctx.tenantId, row.id);
    if (!now) return "gone";
    if (input.offset < now.received || now.state === "mapping") return null;
    if (now.state !== "uploading") throw new DomainError("conflict", "This import takes no file any more.");
    if (input.offset > now.received) throw new DomainError("conflict", "A piece before this one is missing.");
    if (data.length !== Math.min(pieceBytes, now.size - now.received)) {
      throw new DomainError("invalid_request", "This piece of the file is not as long as announced.");
    }
    const wrong = now.received === 0 ? notCsv(data) : null;
    if (wrong) {
      await updateImport(tx, ctx.tenantId, row.id, {
        state: "failed",
        problem: wrong,
        finishedAt: ctx.now(),
      });
      return wrong;
    }
    await insertPiece(tx, {
      tenantId: ctx.tenantId,
      importId: row.id,
      number: now.received / pieceBytes,
      data,
    });
    const received = now.received + data.length;
    await updateImport(tx, ctx.tenantId, row.id, {
      received,
      utf8: now.utf8 && mayBeUtf8(data),
      ...(received === now.size ? { state: "mapping" } : {}),
    });
    return null;
  });
  if (refusal !== null) throw new DomainError("invalid_request", refusal);
  const after = await requireImport(ctx, row.id);
  if (after.state === "mapping" && after.encoding === null) await noteFormat(ctx, after.id);
  return { received: after.received };
}

/** Only the whole file tells how it is written. */
async function noteFormat(ctx: Ctx, id: string): Promise<void> {
  const row = await requireImport(ctx, id);
  const { encoding, delimiter } = formatOf(await firstPiece(ctx, id), row.utf8);
  await inTenant(ctx, (tx) => updateImport(tx, ctx.tenantId, id, { encoding, delimiter }));
}

/** Ends an import: what it has written stays, its file goes. Throws `conflict` when it has ended. */
export async function cancelImport(ctx: Ctx, input: { id: string }): Promise<{ id: string }> {
  const row = await requireImport(ctx, input.id);
  await inTenant(ctx, async (tx) => {
    const now = await lockImport(tx, ctx.tenantId, row.id);
    if (!now || ["finished", "canceled", "failed"].includes(now.state)) {
      throw new DomainError("conflict", "This import has ended.");
    }
    const last = { ...row, ...now };
    await endEarly(tx, ctx.tenantId, last, { state: "canceled", finishedAt: ctx.now() });
    if (now.state === "running") await tellFinished(ctx, tx, last, "canceled");
    await recordAudit(ctx, tx, {
      action: "import.canceled",
      targetType: "import",
      targetId: row.id,
      environmentId: row.environmentId,
      before: { state: now.state },
      after: { state: "canceled" },
    });
  });
  return { id: row.id };
}
