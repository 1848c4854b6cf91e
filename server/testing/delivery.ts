import type { SendOutcome } from "../adapters/adapter.ts";
import type { ProviderConnection } from "../connections/load-connection.ts";
import type { Delivery } from "../sending/queries.ts";
import { readTenantSettings } from "../tenancy/settings.ts";

/** A message for delivery: due, never tried, with a minute to live. */
export function makeDelivery(fields: Partial<Delivery> = {}): Delivery {
  const now = fields.now ?? new Date();
  return {
    tenantId: "t",
    id: "n",
    environmentId: "e",
    applicationId: "a",
    unitId: "u",
    sandbox: false,
    channel: "sms",
    recipient: "+4915112345678",
    variables: {},
    region: "DE",
    language: "en",
    notificationType: "order",
    notificationSubtype: "receipt",
    class: "transactional",
    templateId: "tpl",
    templateVersion: 1,
    status: "queued",
    failure: null,
    attempts: [],
    attemptCount: 0,
    openAttempt: null,
    unknownOutcomes: 0,
    dueAt: now,
    expiresAt: new Date(now.getTime() + 60_000),
    policy: "opt_out",
    consentClass: fields.class ?? "transactional",
    category: null,
    token: null,
    erased: false,
    templateDisabled: false,
    isTest: false,
    dataRegion: "EU",
    settings: readTenantSettings({}),
    traceContext: null,
    now,
    ...fields,
  };
}

/** A connection to a provider that behaves like `send`. */
export function makeConnection(
  id: string,
  send: () => Promise<SendOutcome> = () => Promise.reject(new Error("not to be called")),
  fields: Partial<ProviderConnection> = {},
): ProviderConnection {
  return {
    id,
    name: `Connection ${id}`,
    adapter: { name: "twilio", supportsIdempotency: false, send } as unknown as ProviderConnection["adapter"],
    connection: {},
    maxConcurrency: 50,
    ratePerSecond: null,
    ...fields,
  } as ProviderConnection;
}
