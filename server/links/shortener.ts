import { openText } from "../kernel/secrets.ts";
import { isWebUrl } from "../template-language/variables.ts";
import { isService } from "./vocabulary.ts";
import type { ShortenerKind } from "./schemas.ts";
import type { ServiceKind } from "./vocabulary.ts";

/** The stored shortener of one environment. */
export interface Shortener {
  tenantId: string;
  environmentId: string;
  kind: ShortenerKind;
  /** Sealed; see openSecret. */
  credentials: Buffer | null;
  dataKey: Buffer | null;
  domain: string | null;
  account: string | null;
  baseUrl: string | null;
  processingRegion: string | null;
  validDays: number;
  testedAt: Date | null;
  testProblem: string | null;
  problem: string | null;
  problemAt: Date | null;
  /** Null: the default. */
  updatedAt: Date | null;
}

export const defaultValidDays = 90;

/** The context under which a shortener's secret is sealed. */
export function secretContext(environmentId: string): string {
  return `shorteners:${environmentId}`;
}

/** The decrypted secret; null when there is none or it cannot be decrypted. */
export function openSecret(shortener: Shortener): string | null {
  if (!shortener.credentials || !shortener.dataKey) return null;
  try {
    return openText(
      shortener.tenantId,
      shortener.dataKey,
      secretContext(shortener.environmentId),
      shortener.credentials,
    );
  } catch {
    return null;
  }
}

/** The shortener of an environment without settings. */
export function defaultShortener(tenantId: string, environmentId: string): Shortener {
  return {
    tenantId,
    environmentId,
    kind: "built_in",
    credentials: null,
    dataKey: null,
    domain: null,
    account: null,
    baseUrl: null,
    processingRegion: null,
    validDays: defaultValidDays,
    testedAt: null,
    testProblem: null,
    problem: null,
    problemAt: null,
    updatedAt: null,
  };
}

/** Longer ones are left as they are: no service accepts them. */
const maxAddress = 2_048;

/** Whether the filter `shorten` shortens this text: only http and https addresses. */
export function isShortenable(text: string): boolean {
  return text.length <= maxAddress && isWebUrl(text);
}

/** Base62, so that a code needs no escaping anywhere and every character is one of GSM-7. */
export const codeAlphabet = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** 62^11 is 65 bits: nobody finds a link by trying. */
export const codeLength = 11;

export function isCode(text: string): boolean {
  return text.length === codeLength && /^[0-9A-Za-z]+$/.test(text);
}

/** The address of a built-in link. @param base public address without a trailing slash */
export function builtInUrl(base: string, code: string): string {
  return `${base}/l/${code}`;
}

/** The services' own domains, and how long their codes are today. */
const serviceForms: Readonly<Record<ServiceKind, { domain: string; code: number }>> = {
  bitly: { domain: "bit.ly", code: 7 },
  tinyurl: { domain: "tinyurl.com", code: 8 },
  rebrandly: { domain: "rebrand.ly", code: 7 },
};

/**
 * A sample link in the form and length of the shortener's: for previews, so that their segments match the message's.
 * Null when it makes none. The length is exact for the built-in shortener and typical for the services.
 */
export function exampleLink(shortener: Pick<Shortener, "kind" | "domain">, base: string): string | null {
  if (shortener.kind === "none") return null;
  if (!isService(shortener.kind)) return builtInUrl(base, "x".repeat(codeLength));
  const form = serviceForms[shortener.kind];
  return `https://${shortener.domain ?? form.domain}/${"x".repeat(form.code)}`;
}

/** The result of the filter `shorten` in previews and explanations. */
export function previewLinks(
  shortener: Pick<Shortener, "kind" | "domain">,
  base: string,
): (url: string) => string {
  const example = exampleLink(shortener, base);
  return (url) => (example !== null && isShortenable(url) && !url.startsWith(example) ? example : url);
}
