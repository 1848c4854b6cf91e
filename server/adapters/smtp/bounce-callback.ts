/**
 * The door for mail that came back: the mail server of the bounce domain posts it as it is, with the connection's secret. It
 * concerns the message whose address it came back to, and no other.
 */
import { counter } from "../../kernel/metrics.ts";
import type { CallbackRequest, CallbackResult, Connection } from "../adapter.ts";
import { sameText } from "../../kernel/same-secret.ts";
import { readBounceAddress } from "./bounce-address.ts";
import type { Bounced } from "./bounce-address.ts";
import { readBounceMail } from "./bounce-mail.ts";
import type { SmtpCredentials, SmtpSettings } from "./schemas.ts";

const bounceMails = counter(
  "tidings_bounce_mails_total",
  "Mail that came back over SMTP connections, by what it says; unknown: to no address of a message",
  ["result"],
);

const nothing = { authentic: true as const, receipts: [], inbound: [] };

export async function parseBounce(
  connection: Connection<SmtpCredentials, SmtpSettings>,
  request: CallbackRequest,
): Promise<CallbackResult> {
  const { bounceDomain } = connection.settings;
  const { bounceSecret } = connection.credentials;
  const given = secretOf(request.headers.authorization);
  const believed = bounceSecret !== undefined && given !== null && sameText(given, bounceSecret);
  if (request.method !== "POST" || bounceDomain === undefined || !believed) return { authentic: false };
  const type = request.headers["content-type"]?.toLowerCase() ?? "";
  if (/^(multipart\/form-data|application\/(json|x-www-form-urlencoded))\b/.test(type)) {
    // Otherwise a wrong set-up would lose every bounce without a word.
    const body = "Post the message itself, as it came, with Content-Type: message/rfc822.\n";
    return { ...nothing, response: { status: 415, contentType: "text/plain", body } };
  }
  const mail = await readBounceMail(request.rawBody);
  const envelope = request.headers["x-envelope-to"];
  for (const address of envelope === undefined
    ? mail.addresses
    : [envelope.slice(0, 320), ...mail.addresses]) {
    const bounced = bouncedOf(connection, address, bounceDomain);
    if (!bounced) continue;
    bounceMails.inc({ result: mail.says });
    return mail.receipt ? { ...nothing, receipts: [{ ...bounced, ...mail.receipt }] } : nothing;
  }
  bounceMails.inc({ result: "unknown" });
  return nothing;
}

/**
 * What an address was made for: by this connection, by the operator's channel that it uses, or, before addresses were made in
 * the channel's name, by a connection that uses this channel.
 */
function bouncedOf(
  { id, channelId, sharedBy = [] }: Connection<SmtpCredentials, SmtpSettings>,
  address: string,
  domain: string,
): Bounced | null {
  for (const signedFor of [...(channelId === undefined ? [] : [channelId]), id, ...sharedBy]) {
    const bounced = readBounceAddress(signedFor, address, domain);
    if (bounced) return bounced;
  }
  return null;
}

/** Bearer, or the password of Basic, which is what addresses such as https://name:secret@… become. */
function secretOf(authorization: string | undefined): string | null {
  const [, scheme = "", value = ""] = /^(bearer|basic) +(\S{1,1000})$/i.exec(authorization ?? "") ?? [];
  if (scheme.toLowerCase() === "bearer") return value;
  if (scheme === "") return null;
  const text = Buffer.from(value, "base64").toString();
  const colon = text.indexOf(":");
  return colon < 0 ? null : text.slice(colon + 1);
}
