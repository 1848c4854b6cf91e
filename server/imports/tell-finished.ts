import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { enqueueWebhookEvent } from "../webhooks/enqueue-webhook-event.ts";
import type { ImportRow } from "./queries.ts";

/**
 * Tells webhook endpoints that a file was imported, as far as it came, in the caller's transaction: one event, whatever the file has
 * of rows.
 */
export async function tellFinished(
  ctx: Ctx,
  tx: Tx,
  row: Pick<
    ImportRow,
    "id" | "kind" | "environmentId" | "queuedAt" | "created" | "updated" | "unchanged" | "failed"
  >,
  state: "finished" | "canceled" | "failed",
): Promise<void> {
  const { environments } = await getCatalogue(ctx);
  const { id, kind, environmentId, queuedAt, created, updated, unchanged, failed } = row;
  // Contacts are the same everywhere.
  const sandbox =
    kind !== "contacts" && environments.find((one) => one.id === environmentId)?.kind === "sandbox";
  await enqueueWebhookEvent(ctx, tx, {
    event: "import.finished",
    applicationId: null,
    environmentId: null,
    sandbox,
    payload: {
      importId: id,
      kind,
      state,
      counts: { created, updated, unchanged, failed },
      startedAt: queuedAt?.toISOString() ?? null,
    },
  });
}
