import { randomBytes } from "node:crypto";
import { findAdapter } from "../adapters/adapters.ts";
import { recordAudit } from "../audit/record-audit.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Tx } from "../kernel/db.ts";
import { newId } from "../kernel/ids.ts";
import { dataKeyForWriting } from "../tenancy/data-key.ts";
import type { StoredSender } from "./schemas.ts";
import { insertConnection } from "./store-connection.ts";

/**
 * Writes the simulator's connection of an organisation that is being set up, in the caller's transaction: what the sandbox
 * sends through. Nothing that it carries leaves, so it processes data where the organisation does.
 */
export async function insertSimulator(
  ctx: Ctx,
  tx: Tx,
  input: { processingRegion: string; senders: StoredSender[] },
): Promise<string> {
  const id = newId();
  const dataKey = await dataKeyForWriting(tx, ctx.tenantId);
  const channels = [...(findAdapter("simulator")?.channels ?? [])];
  const credentials = { signingKey: randomBytes(24).toString("base64url") };
  await insertConnection(ctx, tx, dataKey, {
    id,
    name: "Simulator",
    adapter: "simulator",
    channels,
    credentials,
    settings: {},
    senders: input.senders,
    processingRegion: input.processingRegion,
  });
  await recordAudit(ctx, tx, {
    action: "provider.created",
    targetType: "provider",
    targetId: id,
    data: { name: "Simulator", credentials: Object.keys(credentials) },
    after: {
      provider: "simulator",
      channels,
      processingRegion: input.processingRegion,
      enabled: true,
    },
  });
  return id;
}
