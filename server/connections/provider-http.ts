import { env } from "../kernel/env.ts";
import { createOutboundClient } from "../kernel/outbound-http.ts";
import type { OutboundClient } from "../kernel/outbound-http.ts";

const key = Symbol.for("tidings.provider-http");
const shared = globalThis as typeof globalThis & { [key]?: OutboundClient };

/**
 * The web process's client for its few calls to providers; messages are sent by the worker. On globalThis because Next
 * loads a module once per bundle.
 */
export function providerHttp(): OutboundClient {
  return (shared[key] ??= createOutboundClient({ allow: env().outboundAllow, userAgent: "Tidings/1.0" }));
}
