import { systemCtx } from "../../server/access/system-ctx.ts";
import { openDb } from "../../server/kernel/db.ts";
import { acceptSend } from "../../server/sending/accept-send.ts";
import { application, messageKind, phoneNumber } from "./world.ts";
import type { World } from "./world.ts";

/** Accepts `count` marketing messages as the portal would, without going through HTTP. */
export async function prefillMarketing(url: string, world: World, count: number): Promise<void> {
  const db = openDb("web", url, { poolSize: 4 });
  try {
    const ctx = systemCtx(db, world.tenantId, "Bench");
    const requests: Promise<unknown>[] = [];
    for (let first = 0; first < count; first += 500) {
      requests.push(
        acceptSend(ctx, {
          order: {
            environmentId: world.environmentId,
            application,
            notification: {
              type: messageKind("promotion").notificationType,
              subtype: messageKind("promotion").notificationSubtype,
            },
            region: "DE",
            language: "en",
            recipients: Array.from({ length: Math.min(500, count - first) }, (_, index) => ({
              channel: "sms" as const,
              recipient: phoneNumber(first + index),
            })),
            templateVariables: [{ name: "Ada" }, { order: "4711" }],
          },
          source: "v1",
          transactionId: null,
          idempotency: null,
        }),
      );
    }
    await Promise.all(requests);
  } finally {
    await db.close();
  }
}
