import { expect, it } from "vitest";
import { metaFailure } from "../adapters/meta/meta-errors.ts";
import { graphRefusal } from "../adapters/microsoft365/graph-errors.ts";
import { resendRefusal } from "../adapters/resend/resend-errors.ts";
import { sesRefusal } from "../adapters/ses/ses-errors.ts";
import { isFinalForConnection } from "../kernel/message-failures.ts";
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
