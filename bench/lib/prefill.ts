import { systemCtx } from "../../server/access/system-ctx.ts";
import { openDb } from "../../server/kernel/db.ts";
import { acceptSend } from "../../server/sending/accept-send.ts";
import { application, messageKind, phoneNumber } from "./world.ts";
import type { World } from "./world.ts";

/** Messages per request. */
const slice = 500;

/** Accepts `count` marketing messages as the portal would, without going through HTTP. */
export async function prefillMarketing(url: string, world: World, count: number): Promise<void> {
  await prefillInTurns(url, [{ world, count }]);
}

/** The same for several tenants, in turns, so that their messages are interleaved in the queue. */
export async function prefillInTurns(
  url: string,
  shares: readonly { world: World; count: number }[],
): Promise<void> {
  const db = openDb("web", url, { poolSize: 4 });
  try {
    for (let first = 0; shares.some(({ count }) => first < count); first += slice) {
      for (const { world, count } of shares) {
        if (first >= count) continue;
        await acceptSend(systemCtx(db, world.tenantId, "Bench"), {
          order: {
            environmentId: world.environmentId,
            application,
            notification: {
              type: messageKind("promotion").notificationType,
              subtype: messageKind("promotion").notificationSubtype,
            },
            region: "DE",
            language: "en",
            recipients: Array.from({ length: Math.min(slice, count - first) }, (_, index) => ({
              channel: "sms" as const,
              recipient: phoneNumber(first + index),
            })),
            templateVariables: [{ name: "Ada" }, { order: "4711" }],
          },
          source: "v1",
          transactionId: null,
          idempotency: null,
        });
      }
    }
  } finally {
    await db.close();
  }
}
