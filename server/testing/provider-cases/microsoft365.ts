import { expect } from "vitest";
import { httpProvider, json } from "../http-providers.ts";
import { PDF, UNSUBSCRIBE_HEADERS } from "../outbound-email.ts";
import { EMAIL_SENDS, emailRefusals, EVERY_PART } from "./outgoing.ts";
import type { ErrorRow, OutgoingCases } from "./outgoing.ts";

const refusal = (status: number, code: string) =>
  json(status, { error: { code, message: "No, ada@example.com" } });
const token = (claims: unknown) =>
  json(200, {
    access_token: ["{}", JSON.stringify(claims), "sig"]
      .map((part) => Buffer.from(part).toString("base64url"))
      .join("."),
    expires_in: 3_599,
  });
const noPermission = { ok: false, reachable: true, problem: expect.stringContaining("Mail.Send") as string };

export const microsoft365Outgoing: OutgoingCases = {
  provider: httpProvider("microsoft365"),
  sends: {
    "every part from the sender's mailbox, with a token for Graph": {
      message: { ...EVERY_PART, headers: { "X-Campaign": "spring", ...UNSUBSCRIBE_HEADERS } },
      path: "/v1.0/users/shop%40example.org/sendMail",
      headers: { authorization: "Bearer t0ken" },
      body: {
        message: {
          subject: "Grüße 👋",
          body: { contentType: "html", content: "<p>Hallo <b>Welt</b></p>" },
          from: { emailAddress: { address: "shop@example.org", name: "Shop Zürich" } },
          toRecipients: [{ emailAddress: { address: "ada@example.com" } }],
          replyTo: [{ emailAddress: { address: "help@example.org" } }],
          internetMessageHeaders: [{ name: "X-Campaign", value: "spring" }],
          singleValueExtendedProperties: [
            { id: "String 0x1045", value: UNSUBSCRIBE_HEADERS["List-Unsubscribe"] },
          ],
          attachments: [
            {
              "@odata.type": "#microsoft.graph.fileAttachment",
              name: "rechnung.pdf",
              contentType: "application/pdf",
              contentBytes: PDF.content.toString("base64"),
            },
          ],
        },
        saveToSentItems: false,
      },
      outcome: { providerMessageId: null, final: true },
    },
    "text where there is no HTML, with a copy where that is wished": {
      message: { html: undefined },
      settings: { saveToSentItems: true },
      holds: { message: { body: { contentType: "text", content: "Hallo Welt" } }, saveToSentItems: true },
    },
    ...EMAIL_SENDS,
  },
  refuses: {
    ...emailRefusals(3_100_000),
    "more than five headers of one's own": {
      message: { headers: Object.fromEntries([1, 2, 3, 4, 5, 6].map((nth) => [`X-${nth}`, "x"])) },
      retry: "failover",
      code: "invalid_message",
    },
    "a header that Graph does not carry": {
      message: { headers: { Precedence: "bulk" } },
      retry: "failover",
      code: "invalid_message",
    },
  },
  errors: (
    [
      [400, "ErrorInvalidRecipients", "never", "invalid_recipient"],
      [403, "ErrorAccessDenied", "failover", "sender_rejected"],
      [403, "ErrorSendAsDenied", "failover", "sender_rejected"],
      [404, "ErrorInvalidUser", "failover", "sender_rejected"],
      [413, "RequestEntityTooLarge", "failover", "message_too_large"],
      [429, "ApplicationThrottled", "later", "provider_rate_limited"],
      [400, "ErrorMessageSubmissionBlocked", "failover", "account_restricted"],
      [400, "ErrorSomethingElse", "failover", "provider_rejected"],
    ] as const
  ).map(([status, name, retry, code]): ErrorRow => [refusal(status, name), name, retry, code]),
  tests: {
    "a token that reveals the permission": {
      answer: token({ roles: ["User.Read.All", "Mail.Send"] }),
      result: { ok: true, facts: [{ label: "Permission", value: "Mail.Send" }] },
    },
    "a token without permissions": { answer: token({}), result: noPermission },
    "a token with another permission": { answer: token({ roles: ["Mail.Read"] }), result: noPermission },
    "a token whose permissions are no list": { answer: token({ roles: "Mail.Send" }), result: noPermission },
    "a token that reveals nothing": {
      answer: json(200, { access_token: "opaque", expires_in: 3_599 }),
      result: { ok: true },
    },
    "too many requests for tokens": {
      answer: json(429, {}),
      result: { ok: false, reachable: true, problem: "The provider takes no more messages at the moment" },
    },
    "a secret that has expired": {
      answer: json(401, {
        error: "invalid_client",
        error_description: "AADSTS7000222: The provided client secret keys are expired.",
      }),
      result: {
        ok: false,
        problem: "The client secret has expired: create a new one in the app registration",
      },
    },
  },
  regions: [[{}, null, "https://graph.microsoft.com"]],
};
