/**
 * E-mail through Amazon SES, API version 2.
 * Source: https://docs.aws.amazon.com/ses/latest/APIReference-V2/API_SendEmail.html
 */
import { encodeWord } from "nodemailer/lib/mime-funcs";
import type { OutboundResponse } from "../../kernel/outbound-http.ts";
import type {
  Adapter,
  CallbackResult,
  Connection,
  OutboundMessage,
  SendOutcome,
  TestResult,
} from "../adapter.ts";
import { ATTEMPT_TAG, NOTIFICATION_TAG } from "../callback-url.ts";
import { checkEmail, composeEmail, formatMailbox, sizeProblem } from "../email-message.ts";
import type { CheckedEmail, EmailProblem, Mailbox } from "../email-message.ts";
import { baseOf, sendThrough, testThrough, unexpectedAnswer, unreadableAnswer } from "../http-call.ts";
import type { ProviderRequest } from "../http-call.ts";
import { jsonObject } from "../provider-text.ts";
import { objectOf } from "../untrusted.ts";
import { signAws } from "./aws-signature.ts";
import { sesCredentialsSchema, sesSettingsSchema } from "./schemas.ts";
import type { SesCredentials, SesSettings } from "./schemas.ts";
import { sesComplaint, sesRefusal } from "./ses-errors.ts";
import { sesReceipts } from "./ses-events.ts";
import { sesRegion } from "./ses-regions.ts";
import { confirmSubscription, createSnsVerifier } from "./sns-message.ts";

type SesConnection = Connection<SesCredentials, SesSettings>;

const MAX_BYTES = 40_000_000;
/** SNS carries 256 KiB, escaped within JSON; all of it is parsed before it can be believed. */
const MAX_CALLBACK_BYTES = 1_048_576;

export const sesAdapter = createSesAdapter();

/** Remembers Amazon's certificates; the service uses the one above. */
export function createSesAdapter(): Adapter<SesCredentials, SesSettings> {
  const sns = createSnsVerifier();
  return {
    name: "ses",
    label: "Amazon SES",
    channels: ["email"],
    inbound: [],
    price: "none",
    callbackSetup:
      "In Amazon SES, give the configuration set an event destination to an SNS topic, and subscribe {url} to that topic by HTTPS, without raw message delivery. The subscription is confirmed by itself once the topic's ARN stands here.",
    regionOf: (settings) => sesRegion(settings.region),
    credentialsSchema: sesCredentialsSchema,
    settingsSchema: sesSettingsSchema,
    hasReceipts: () => true,
    supportsIdempotency: false,

    async send(connection, message, deps) {
      const content = await contentOf(message);
      if (!("body" in content)) return { kind: "not_sent", ...content };
      const tooLarge = sizeProblem(content.bytes, MAX_BYTES, "Amazon SES");
      if (tooLarge) return { kind: "not_sent", ...tooLarge };
      const { configurationSet, topicArn } = connection.settings;
      const request = await signed(connection, "POST", "/v2/email/outbound-emails", {
        ...content.body,
        ...(configurationSet === undefined ? {} : { ConfigurationSetName: configurationSet }),
        EmailTags: [
          { Name: NOTIFICATION_TAG, Value: message.notificationId },
          { Name: ATTEMPT_TAG, Value: String(message.attempt) },
        ],
      });
      return sendThrough(deps, request, (answer) => sendOutcome(answer, topicArn === undefined));
    },

    test: async (connection, deps) =>
      testThrough(deps, await signed(connection, "GET", "/v2/email/account"), tested),

    // SNS carries 256 KiB, written as JSON within JSON.
    callbackBytes: 512 * 1_024,
    async parseCallback(connection, request, { http }) {
      const { topicArn } = connection.settings;
      if (topicArn === undefined || request.method !== "POST") return { authentic: false };
      if (request.rawBody.length > MAX_CALLBACK_BYTES) return { authentic: false };
      const verdict = await sns.verify(request.rawBody, topicArn, http);
      if (verdict === "forged") return { authentic: false };
      if (verdict === "unavailable") return askAgain;
      if (verdict.type === "SubscriptionConfirmation") {
        return (await confirmSubscription(verdict.subscribeUrl, topicArn, http)) ? nothing : askAgain;
      }
      const receipts = verdict.type === "Notification" ? sesReceipts(verdict.message) : [];
      return { authentic: true, receipts, inbound: [] };
    },
  };
}

const nothing: CallbackResult = { authentic: true, receipts: [], inbound: [] };
/** SNS repeats what a server could not do, and gives up on what it refused. */
const askAgain: CallbackResult = {
  ...nothing,
  response: { status: 503, contentType: "text/plain", body: "Come again\n" },
};

function signed(
  { credentials, settings }: SesConnection,
  method: "GET" | "POST",
  path: string,
  body?: unknown,
): Promise<ProviderRequest> {
  const base = baseOf(settings.baseUrl, `https://email.${settings.region}.amazonaws.com`);
  const request: ProviderRequest = { method, url: base + path, headers: { accept: "application/json" } };
  if (body !== undefined) {
    request.headers["content-type"] = "application/json";
    request.body = JSON.stringify(body);
  }
  return signAws(request, { ...credentials, region: settings.region, service: "ses" });
}

/** Simple content where that can say everything, MIME for headers and attachments. `bytes`: the message without its envelope. */
async function contentOf(
  message: OutboundMessage,
): Promise<{ body: Record<string, unknown>; bytes: number } | EmailProblem> {
  const email = checkEmail(message);
  if (!("from" in email)) return email;
  if (email.headers.length === 0 && email.attachments.length === 0) return simpleContent(email);
  const composed = await composeEmail(message);
  if (!("raw" in composed)) return composed;
  const body = {
    FromEmailAddress: composed.from,
    Destination: { ToAddresses: [composed.to] },
    Content: { Raw: { Data: composed.raw.toString("base64") } },
  };
  return { body, bytes: composed.raw.length };
}

function simpleContent(email: CheckedEmail): { body: Record<string, unknown>; bytes: number } {
  const part = (text: string) => ({ Data: text, Charset: "UTF-8" });
  const body = {
    FromEmailAddress: asciiMailbox(email.from),
    Destination: { ToAddresses: [email.to] },
    ...(email.replyTo ? { ReplyToAddresses: [asciiMailbox(email.replyTo)] } : {}),
    Content: {
      Simple: {
        Subject: part(email.subject),
        Body: {
          ...(email.text === undefined ? {} : { Text: part(email.text) }),
          ...(email.html === undefined ? {} : { Html: part(email.html) }),
        },
      },
    },
  };
  return { body, bytes: Buffer.byteLength(email.text ?? "") + Buffer.byteLength(email.html ?? "") };
}

/** SES wants names beyond ASCII as RFC 2047 writes them. */
function asciiMailbox(mailbox: Mailbox): string {
  return /[^\x20-\x7e]/.test(mailbox.name)
    ? `${encodeWord(mailbox.name, "B", 52)} <${mailbox.address}>`
    : formatMailbox(mailbox);
}

function sendOutcome(answer: OutboundResponse, final: boolean): SendOutcome {
  if (answer.status < 200 || answer.status >= 300) return sesRefusal(answer);
  const id = jsonObject(answer.body)?.MessageId;
  return typeof id === "string" && /^[\w.@-]{1,200}$/.test(id)
    ? { kind: "sent", providerMessageId: id, final }
    : unreadableAnswer;
}

function tested(answer: OutboundResponse): TestResult {
  if (answer.status !== 200) return refusedTest(answer);
  const account = jsonObject(answer.body);
  if (!account) return { ok: false, problem: "The answer is not Amazon's" };
  if (account.SendingEnabled === false || account.EnforcementStatus === "SHUTDOWN") {
    return {
      ok: false,
      reachable: true,
      problem: "Amazon has paused sending for this account in this region",
    };
  }
  const quota = objectOf(account.SendQuota);
  const facts = [
    {
      label: "Account",
      value:
        account.ProductionAccessEnabled === true
          ? "Production access"
          : "Sandbox: only verified addresses receive messages",
    },
  ];
  if (account.EnforcementStatus === "PROBATION")
    facts.push({ label: "Review", value: "Under review by Amazon" });
  if (typeof quota.Max24HourSend === "number" && typeof quota.SentLast24Hours === "number") {
    const most = quota.Max24HourSend < 0 ? "no limit" : `${quota.Max24HourSend} allowed`;
    facts.push({ label: "Messages in 24 hours", value: `${quota.SentLast24Hours}, ${most}` });
  }
  if (typeof quota.MaxSendRate === "number") {
    facts.push({ label: "Messages a second", value: String(quota.MaxSendRate) });
  }
  return { ok: true, facts };
}

function refusedTest(answer: OutboundResponse): TestResult {
  const { name, message } = sesComplaint(answer);
  if (name === "AccessDeniedException") {
    return {
      ok: false,
      reachable: true,
      problem:
        "The access key is known, but its policy does not allow ses:GetAccount; sending needs ses:SendEmail and ses:SendRawEmail",
    };
  }
  if (name === "InvalidSignatureException" || name === "SignatureDoesNotMatch") {
    const problem =
      "The secret access key does not belong to the access key ID, or this machine's clock is wrong";
    return { ok: false, problem };
  }
  if (answer.status === 401 || answer.status === 403)
    return { ok: false, problem: "Amazon does not accept this access key" };
  const why = [name, message].filter((text) => text !== "").join(": ");
  return unexpectedAnswer("Amazon SES", answer.status, why);
}
