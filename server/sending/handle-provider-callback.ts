import { systemCtx } from "../access/system-ctx.ts";
import type { Db } from "../kernel/db.ts";
import { counter } from "../kernel/metrics.ts";
import type { CallbackRequest } from "../providers/adapters/adapter.ts";
import { providerHttp } from "../providers/provider-http.ts";
import { connectionTenant, tenantConnections } from "../providers/load-connection.ts";
import { recordReceipts } from "./record-receipts.ts";

const callbacks = counter(
  "tidings_provider_callbacks_total",
  "Callbacks from providers by what became of them",
  ["adapter", "result"],
);

export type CallbackAnswer =
  | { authentic: true; response: { status: number; contentType: string; body: string } | null }
  | { authentic: false };

/**
 * Takes a provider's callback: finds whose connection it names, lets the adapter check the signature, and records what
 * it tells. There is no ctx to start with, because only the connection says which tenant this is about.
 *
 * Not authentic, and without any trace in the database, is what is forged, names an unknown connection, or comes for
 * a provider that has no callbacks; the caller cannot tell these apart. A connection that is switched off still takes
 * receipts: its messages are under way.
 * @param input.request the raw request, `url` being the public address with its query, as the provider signed it
 */
export async function handleProviderCallback(
  deps: { db: Db },
  input: { connectionId: string; request: CallbackRequest; requestId: string },
): Promise<CallbackAnswer> {
  const { db } = deps;
  const tenantId = await connectionTenant(db, input.connectionId);
  const connection = tenantId
    ? (await tenantConnections({ db, tenantId })).get(input.connectionId)
    : undefined;
  if (!connection?.adapter.parseCallback) {
    callbacks.inc({ adapter: "none", result: "unknown" });
    return { authentic: false };
  }
  const adapter = connection.adapter.name;
  const result = await connection.adapter.parseCallback(connection.connection, input.request, {
    http: providerHttp(),
  });
  if (!result.authentic) {
    callbacks.inc({ adapter, result: "forged" });
    return { authentic: false };
  }
  const { receipts, inbound } = result;
  const ctx = systemCtx(db, connection.tenantId, `Provider ${connection.name}`, input.requestId);
  const { unmatched } = await recordReceipts(ctx, { connectionId: connection.id, receipts, inbound });
  callbacks.inc({ adapter, result: "recorded" });
  if (unmatched > 0) callbacks.inc({ adapter, result: "unmatched" }, unmatched);
  return { authentic: true, response: result.response ?? null };
}
