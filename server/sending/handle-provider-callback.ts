import type { CallbackRequest, Connection } from "../adapters/adapter.ts";
import { connectionTenant, tenantConnections } from "../connections/load-connection.ts";
import { providerHttp } from "../connections/provider-http.ts";
import type { Db } from "../kernel/db.ts";
import { counter } from "../kernel/metrics.ts";
import { platformChannel } from "../platform/load-channel.ts";
import { recordProviderEvents } from "./record-provider-events.ts";

const callbacks = counter(
  "tidings_provider_callbacks_total",
  "Callbacks from providers by what became of them",
  ["adapter", "result"],
);

export type CallbackAnswer =
  | { authentic: true; response: { status: number; contentType: string; body: string } | null }
  /** `unknown`: no connection or channel with this id takes callbacks. */
  | { authentic: false; unknown?: true };

/** The largest body for adapters that do not set their own: a receipt has a few hundred bytes. */
const defaultBodyBytes = 64 * 1_024;

/**
 * Handles a provider's callback: finds the connection or the operator's channel that it names, has the adapter check
 * the signature, and records its events. There is no ctx to start with, because only the connection, or for a channel
 * the events, determine the tenant.
 *
 * A forged callback is not authentic and leaves no trace in the database. A callback that names no connection, or one
 * whose provider has no callbacks, is unknown; nothing of its body is read. A disabled connection still takes receipts,
 * because its messages are under way.
 * @param input.request the raw request; `url` is the public address with its query, as the provider signed it
 * @param input.readBody reads at most that many bytes, or rejects; called once, after the connection was found
 */
export async function handleProviderCallback(
  deps: { db: Db },
  input: {
    connectionId: string;
    request: Omit<CallbackRequest, "rawBody">;
    readBody: (maxBytes: number) => Promise<Buffer>;
    requestId: string;
  },
): Promise<CallbackAnswer> {
  const { db } = deps;
  const tenantId = await connectionTenant(db, input.connectionId);
  const own = tenantId ? (await tenantConnections({ db, tenantId })).get(input.connectionId) : undefined;
  const channel = tenantId ? null : await platformChannel(db, input.connectionId);
  const source = own ? { own } : channel && { channel };
  const connection = own ?? channel;
  if (!source || !connection?.adapter.parseCallback) {
    callbacks.inc({ adapter: "none", result: "unknown" });
    return { authentic: false, unknown: true };
  }
  const adapter = connection.adapter.name;
  const rawBody = await input.readBody(connection.adapter.callbackBytes ?? defaultBodyBytes);
  const parseCallback = connection.adapter.parseCallback;
  const parse = (as: Connection) =>
    parseCallback(as, { ...input.request, rawBody }, { http: providerHttp() });
  let result = await parse(connection.connection);
  // The provider may not have been told of a new secret, or uses an address that was signed with the one before.
  for (const former of connection.former) {
    if (!result.authentic && former.until > new Date()) result = await parse(former.connection);
  }
  if (!result.authentic) {
    callbacks.inc({ adapter, result: "forged" });
    return { authentic: false };
  }
  const { receipts, inbound, people, templates } = result;
  const events = { receipts, inbound, ...(people && { people }), ...(templates && { templates }) };
  const { unmatched } = await recordProviderEvents({ db }, source, events, input.requestId);
  callbacks.inc({ adapter, result: "recorded" });
  if (unmatched > 0) callbacks.inc({ adapter, result: "unmatched" }, unmatched);
  return { authentic: true, response: result.response ?? null };
}
