import { expect, it } from "vitest";
import { checkEmail } from "../adapters/email-message.ts";
import { notTried } from "../adapters/http-call.ts";
import { metaFailure } from "../adapters/meta/meta-errors.ts";
import { graphRefusal } from "../adapters/microsoft365/graph-errors.ts";
import { resendRefusal } from "../adapters/resend/resend-errors.ts";
import { sesRefusal } from "../adapters/ses/ses-errors.ts";
import { isFinalForConnection } from "../kernel/message-failures.ts";
import { afterAttempt } from "../sending/delivery-policy.ts";
import { emailMessage } from "../testing/outbound-email.ts";
import { classifyOutcome } from "./classify-outcome.ts";

const answer = (status: number, value: unknown, headers: Record<string, string> = {}) => ({
  status,
  headers,
  body: Buffer.from(JSON.stringify(value)),
  truncated: false,
});
const graph = (status: number, code: string) => graphRefusal(answer(status, { error: { code } }));
const ses = (name: string) => sesRefusal(answer(403, { message: "no" }, { "x-amzn-errortype": name }));

it.each([
  ["Exchange leaves out the mailbox", graph(403, "ErrorAccessDenied")],
  ["a policy at Amazon leaves out the identity", ses("AccessDeniedException")],
])(
  "a sender that is forbidden says nothing of the connection, which is not asked again: %s",
  (_why, outcome) => {
    expect(outcome).toMatchObject({ kind: "not_sent", retry: "failover", code: "sender_rejected" });
    expect(isFinalForConnection("code" in outcome && outcome.code)).toBe(true);
    expect(classifyOutcome(outcome)).toBe("nothing");
  },
);

it.each([
  ["Graph's token", graph(401, "InvalidAuthenticationToken")],
  ["the directory's permission", graph(403, "Authorization_RequestDenied")],
  ["Amazon's key", ses("UnrecognizedClientException")],
  ["Amazon's signature", ses("InvalidSignatureException")],
])("refused credentials still take the connection out: %s", (_what, outcome) => {
  expect(outcome).toMatchObject({ retry: "failover", code: "provider_credentials" });
  expect(classifyOutcome(outcome)).toBe("refused");
});

it("a limit for one recipient leaves the connection to all others", () => {
  const failure = metaFailure(131056);
  expect(failure).toMatchObject({ code: "provider_deferred", retry: "later" });
  expect(classifyOutcome({ kind: "not_sent", ...failure! })).toBe("nothing");
});

it.each(["invalid_idempotent_request", "concurrent_idempotent_requests"])(
  "a provider that knows a repeated message has no fault: %s",
  (name) => {
    const outcome = resendRefusal(answer(409, { name, message: "used before" }));
    expect(outcome).toMatchObject({ kind: "unknown", code: "provider_repetition" });
    expect(classifyOutcome(outcome)).toBe("nothing");
  },
);

it.each([
  ["Resend", resendRefusal(answer(429, { name: "daily_quota_exceeded", message: "used up" }))],
  [
    "Amazon",
    sesRefusal(
      answer(
        429,
        { message: "Daily message quota exceeded." },
        { "x-amzn-errortype": "TooManyRequestsException" },
      ),
    ),
  ],
])(
  "a quota that is used up is not waited for while there is another connection: %s",
  (_provider, outcome) => {
    if (outcome.kind !== "not_sent") throw new Error("it was not sent");
    expect(outcome).toMatchObject({ retry: "failover", code: "provider_quota_exceeded" });
    expect(classifyOutcome(outcome)).toBe("nothing");
    const at = "2026-11-27T10:00:00.000Z";
    const attempt = { number: 1, connectionId: "a", worker: "w", outcome: "not_sent", code: outcome.code };
    const attempts = [{ ...attempt, startedAt: at, finishedAt: at }];
    const delivery = { class: "marketing", sandbox: false, attempts, unknownOutcomes: 0 } as const;
    const next = { number: 1, outcome, left: 2, others: 1, untried: 1, supportsIdempotency: false };
    expect(afterAttempt(delivery, next, 0.5)).toEqual({ then: "again", delayMs: 0 });
  },
);

it("a message for which the provider was not called says nothing about it, unless nothing gets through at all", () => {
  const email = checkEmail(emailMessage({ replyTo: "nobody" }));
  if ("from" in email) throw new Error("it can be sent");
  for (const outcome of [
    notTried("never", "invalid_message", "The message has no text"),
    notTried("failover", "sender_rejected", "The connection has no sender for this region"),
    { kind: "not_sent", ...email } as const,
  ])
    expect(classifyOutcome(outcome)).toBe("unasked");
  const unreadable = notTried("failover", "provider_credentials", "The private key cannot be read");
  expect(classifyOutcome(unreadable)).toBe("refused");
});
