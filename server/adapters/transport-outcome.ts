/** What a call without a complete answer means for the message; the same for every HTTP provider. */
import { OutboundError } from "../kernel/outbound-http.ts";
import type { SendOutcome } from "./adapter.ts";

/** @param error what OutboundClient threw; anything but an OutboundError is thrown on. */
export function transportOutcome(error: unknown): SendOutcome {
  if (!(error instanceof OutboundError)) throw error;
  if (error.bodyWritten) {
    return error.code === "timeout"
      ? { kind: "unknown", code: "provider_timeout", detail: "The provider did not answer in time" }
      : {
          kind: "unknown",
          code: "provider_connection_lost",
          detail: `${error.message} before the answer was complete`,
        };
  }
  if (error.phase === "blocked") {
    return { kind: "not_sent", retry: "failover", code: "provider_blocked", detail: error.message };
  }
  return { kind: "not_sent", retry: "later", code: "provider_unavailable", detail: error.message };
}
