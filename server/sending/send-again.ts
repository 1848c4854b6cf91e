import type { z } from "zod";
import { jsonHash } from "../kernel/canonical-json.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { acceptSend } from "./accept-send.ts";
import { requireBroadcast } from "./list-broadcasts.ts";
import type { sendAgainSchema } from "./schemas.ts";

/**
 * Makes a draft with the same content for those whom a broadcast did not reach: left out, refused, failed, expired or canceled.
 * Consent and suppressions are looked at again. Throws `conflict` while the broadcast has not ended.
 */
export async function draftForNotReached(
  ctx: Ctx,
  input: z.output<typeof sendAgainSchema>,
): Promise<{ id: string }> {
  const row = await requireBroadcast(ctx, input.id, "notifications:send");
  if (!row.endedAt) throw new DomainError("conflict", "The broadcast has not ended.");
  const catalogue = await getCatalogue(ctx);
  const { requestId } = await acceptSend(ctx, {
    order: {
      environmentId: row.environmentId,
      application: catalogue.applications.find(({ id }) => id === row.applicationId)?.name ?? "",
      notification: { type: row.notificationType, subtype: row.notificationSubtype },
      ...{ region: row.region, language: row.language },
      recipients: [],
      templateVariables: [row.variables],
      metadata: row.metadata,
      broadcast: { name: input.name, draft: true, notReachedOf: { id: row.id, groups: row.groups } },
    },
    source: "portal",
    transactionId: null,
    idempotency: { kind: "idempotency", key: input.idempotencyKey, bodyHash: jsonHash(input) },
  });
  return { id: requestId };
}
