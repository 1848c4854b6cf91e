/**
 * Messages of an Amazon SNS topic to an HTTPS subscriber: who signed them, and the confirmation of a subscription.
 * Source: https://docs.aws.amazon.com/sns/latest/dg/sns-verify-signature-of-message.html
 */
import { createVerify, X509Certificate } from "node:crypto";
import { OutboundError } from "../../kernel/outbound-http.ts";
import type { OutboundClient } from "../../kernel/outbound-http.ts";
import { jsonObject } from "../provider-text.ts";
import { momentOf } from "../untrusted.ts";

/** SNS repeats what was not taken for an hour at most, under the time of the first try. */
const OLDEST_MS = 2 * 3_600_000;
const AHEAD_MS = 5 * 60_000;
const TIMEOUT_MS = 5_000;
const MAX_CERTIFICATES = 32;

const SIGNED_FIELDS: Record<string, readonly string[]> = {
  Notification: ["Message", "MessageId", "Subject", "Timestamp", "TopicArn", "Type"],
  SubscriptionConfirmation: [
    "Message",
    "MessageId",
    "SubscribeURL",
    "Timestamp",
    "Token",
    "TopicArn",
    "Type",
  ],
  UnsubscribeConfirmation: ["Message", "MessageId", "SubscribeURL", "Timestamp", "Token", "TopicArn", "Type"],
};
const DIGESTS = new Map([
  ["1", "RSA-SHA1"],
  ["2", "RSA-SHA256"],
]);

export type SnsMessage = { type: string; message: string; subscribeUrl: string };

/** `unavailable`: it could not be checked, because Amazon did not hand over its certificate. */
export type SnsVerdict = SnsMessage | "forged" | "unavailable";

export type SnsVerifier = {
  verify: (body: Buffer, topicArn: string, http: OutboundClient, now?: number) => Promise<SnsVerdict>;
};

/** Remembers the certificates that it has fetched. */
export function createSnsVerifier(): SnsVerifier {
  const certificates = new Map<string, X509Certificate>();

  const certificateAt = async (url: string, http: OutboundClient): Promise<X509Certificate | null> => {
    const known = certificates.get(url);
    if (known) return known;
    const answer = await http.request({ method: "GET", url, timeoutMs: TIMEOUT_MS, maxBodyBytes: 65_536 });
    if (answer.status !== 200) return null;
    const certificate = new X509Certificate(answer.body);
    const [oldest] = certificates.keys();
    if (certificates.size >= MAX_CERTIFICATES && oldest !== undefined) certificates.delete(oldest);
    certificates.set(url, certificate);
    return certificate;
  };

  return {
    verify: async (body, topicArn, http, now = Date.now()) => {
      const fields = fieldsOf(body);
      const type = fields?.Type ?? "";
      const names = Object.hasOwn(SIGNED_FIELDS, type) ? SIGNED_FIELDS[type] : undefined;
      const digest = DIGESTS.get(fields?.SignatureVersion ?? "");
      if (!fields || !names || !digest || fields.TopicArn !== topicArn) return "forged";
      const age = now - (momentOf(fields.Timestamp)?.getTime() ?? Number.NaN);
      if (!(age < OLDEST_MS && age > -AHEAD_MS)) return "forged";
      const url = fields.SigningCertURL ?? "";
      if (!isCertificateUrl(url, topicArn)) return "forged";

      let certificate: X509Certificate | null;
      try {
        certificate = await certificateAt(url, http);
      } catch (error) {
        return error instanceof OutboundError ? "unavailable" : "forged";
      }
      if (!certificate) return "unavailable";
      if (!isValidAt(certificate, now) || !isSigned(fields, names, digest, certificate)) return "forged";
      return { type, message: fields.Message ?? "", subscribeUrl: fields.SubscribeURL ?? "" };
    },
  };
}

/** Confirms a subscription to the topic; false when Amazon did not take it, so that it is to ask again. */
export async function confirmSubscription(
  subscribeUrl: string,
  topicArn: string,
  http: OutboundClient,
): Promise<boolean> {
  const url = URL.parse(subscribeUrl);
  const isOurs =
    url?.origin === `https://${snsHost(topicArn)}` &&
    url.username === "" &&
    url.password === "" &&
    url.pathname === "/" &&
    url.searchParams.get("Action") === "ConfirmSubscription" &&
    url.searchParams.get("TopicArn") === topicArn;
  if (!isOurs) return false;
  try {
    const answer = await http.request({
      method: "GET",
      url: url.href,
      timeoutMs: TIMEOUT_MS,
      maxBodyBytes: 65_536,
    });
    return answer.status >= 200 && answer.status < 300;
  } catch (error) {
    if (error instanceof OutboundError) return false;
    throw error;
  }
}

/** Only the host of the topic's own region speaks for it. */
function snsHost(topicArn: string): string {
  return `sns.${topicArn.split(":")[3] ?? ""}.amazonaws.com`;
}

function isCertificateUrl(text: string, topicArn: string): boolean {
  const prefix = `https://${snsHost(topicArn)}/SimpleNotificationService-`;
  return text.startsWith(prefix) && /^[0-9a-f]{8,64}\.pem$/.test(text.slice(prefix.length));
}

/** The members that are texts; null for what is no JSON object. */
function fieldsOf(body: Buffer): Record<string, string | undefined> | null {
  const object = jsonObject(body);
  if (!object) return null;
  const texts = Object.entries(object).filter(
    (entry): entry is [string, string] => typeof entry[1] === "string",
  );
  return Object.fromEntries(texts);
}

function isValidAt(certificate: X509Certificate, now: number): boolean {
  return now >= Date.parse(certificate.validFrom) && now <= Date.parse(certificate.validTo);
}

function isSigned(
  fields: Record<string, string | undefined>,
  names: readonly string[],
  digest: string,
  certificate: X509Certificate,
): boolean {
  const signed = names
    .filter((name) => fields[name] !== undefined)
    .map((name) => `${name}\n${fields[name] ?? ""}\n`)
    .join("");
  try {
    return createVerify(digest)
      .update(signed, "utf8")
      .verify(certificate.publicKey, fields.Signature ?? "", "base64");
  } catch {
    return false;
  }
}
