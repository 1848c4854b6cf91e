import type { OutboundClient } from "../kernel/outbound-http.ts";

/** Takes a connection's secrets, and what is made of them for a request, out of a text. */
export type Hide = (text: string) => string;

/** Providers' words are shown and stored, so credentials that they repeat are removed. */
export function hiding(credentials: unknown): Hide {
  const secrets = valuesOf(credentials)
    .filter((value) => value.length >= 4)
    .sort((a, b) => b.length - a.length);
  return (text) =>
    secrets
      .reduce((shown, secret) => shown.replaceAll(secret, "•••"), text)
      .replaceAll(/\b(Basic|Bearer) [\w+/=.~-]{8,}/g, "$1 •••");
}

/**
 * Removes them from HTTP answers before the adapter reads them: it shortens and masks words, and half a secret would
 * not be found.
 * @param from the lowest status of answers that are looked at
 */
export function hidingAnswers(http: OutboundClient, hide: Hide, from = 0): OutboundClient {
  const request: OutboundClient["request"] = async (given) => {
    const answer = await http.request(given);
    if (answer.status < from) return answer;
    const text = answer.body.toString("utf8");
    const shown = hide(text);
    return shown === text ? answer : { ...answer, body: Buffer.from(shown) };
  };
  return { ...http, request };
}

function valuesOf(value: unknown): string[] {
  if (typeof value === "string") return [value];
  return typeof value === "object" && value !== null ? Object.values(value).flatMap(valuesOf) : [];
}
