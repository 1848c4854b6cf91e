import type { Db } from "../kernel/db.ts";
import { counter } from "../kernel/metrics.ts";
import { platformChannel } from "../platform/load-channel.ts";
import type { CallbackRequest } from "../providers/adapters/adapter.ts";
import { providerHttp } from "../providers/provider-http.ts";
import { connectionTenant, tenantConnections } from "../providers/load-connection.ts";
import { recordTold } from "./record-told.ts";

const callbacks = counter(
  "tidings_provider_callbacks_total",
  "Callbacks from providers by what became of them",
  ["adapter", "result"],
);

export type CallbackAnswer =
  | { authentic: true; response: { status: number; contentType: string; body: string } | null }
  | { authentic: false };

/**
 * Takes a provider's callback: finds whose connection, or which of the operator's channels, it names, lets the adapter
 * check the signature, and records what it tells. There is no ctx to start with, because only the connection, or for a
 * channel what is told, says which tenant this is about.
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
  const own = tenantId ? (await tenantConnections({ db, tenantId })).get(input.connectionId) : undefined;
  const channel = tenantId ? null : await platformChannel(db, input.connectionId);
  const source = own ? { own } : channel && { channel };
  const connection = own ?? channel;
  if (!source || !connection?.adapter.parseCallback) {
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
  const { unmatched } = await recordTold({ db }, source, { receipts, inbound }, input.requestId);
  callbacks.inc({ adapter, result: "recorded" });
  if (unmatched > 0) callbacks.inc({ adapter, result: "unmatched" }, unmatched);
  return { authentic: true, response: result.response ?? null };
}
