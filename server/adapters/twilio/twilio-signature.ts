/**
 * X-Twilio-Signature: base64 of HMAC-SHA1 under the account's auth token over the URL followed by each
 * form field's name and value, sorted by name.
 * Source: https://www.twilio.com/docs/usage/security#validating-requests
 */
import { createHmac } from "node:crypto";
import { sameText } from "../../kernel/same-secret.ts";

export function twilioSignature(authToken: string, url: string, form: URLSearchParams): string {
  const names = [...new Set(form.keys())].sort();
  let signed = url;
  for (const name of names) {
    for (const value of [...new Set(form.getAll(name))].sort()) signed += name + value;
  }
  return createHmac("sha1", authToken).update(signed, "utf8").digest("base64");
}

/** True when the signature fits the URL with or without its standard port; Twilio signs either. */
export function isTwilioSignature(
  authToken: string,
  signature: string,
  url: string,
  form: URLSearchParams,
): boolean {
  return urlForms(url).some((candidate) => sameText(signature, twilioSignature(authToken, candidate, form)));
}

function urlForms(url: string): string[] {
  const match = /^(https?):\/\/([^/?#]*)(.*)$/is.exec(url);
  if (!match) return [];
  const [, scheme = "", authority = "", rest = ""] = match;
  const withoutPort = authority.replace(/:\d+$/, "");
  const port = scheme.toLowerCase() === "https" ? 443 : 80;
  const withPort = withoutPort === authority ? `${authority}:${port}` : authority;
  return [`${scheme}://${withoutPort}${rest}`, `${scheme}://${withPort}${rest}`];
}
