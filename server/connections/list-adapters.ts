import { z } from "zod";
import type { Adapter } from "../adapters/adapter.ts";
import { allAdapters } from "../adapters/adapters.ts";
import type { ProviderAdapter } from "./schemas.ts";

let catalogue: ProviderAdapter[] | undefined;

/**
 * The kinds of providers that connections can be made to, with JSON Schemas (2020-12) of their credentials and
 * settings, from which the portal's forms and the API's documentation are made. The same for everybody.
 */
export function providerAdapters(): ProviderAdapter[] {
  return (catalogue ??= allAdapters().map((adapter) => ({
    name: adapter.name,
    label: adapter.label,
    channels: [...adapter.channels],
    receipts: adapter.channels.filter((channel) => adapter.hasReceipts(channel)),
    inbound: [...adapter.inbound],
    price: adapter.price,
    idempotent: adapter.supportsIdempotency,
    callbackSetup: adapter.callbackSetup ?? null,
    credentials:
      adapter.name === "simulator" ? { type: "object", properties: {} } : describe(adapter.credentialsSchema),
    settings: describe(adapter.settingsSchema),
  })));
}

function describe(schema: Adapter["credentialsSchema"]): Record<string, unknown> {
  const { $schema: _, ...described } = z.toJSONSchema(schema, { io: "input", unrepresentable: "any" });
  return described;
}
