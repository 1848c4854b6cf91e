import { DomainError } from "../kernel/errors.ts";
import { checkAddress } from "../kernel/check-address.ts";
import type { AddressGuard } from "../kernel/outbound-address.ts";

function invalid(code: string, detail: string): DomainError {
  return new DomainError("invalid_request", detail, { errors: [{ pointer: "/url", code, detail }] });
}

/**
 * The URL in its normal form, or a DomainError: `invalid_request` when events cannot be posted there at all,
 * `forbidden_address` when it leads only to addresses that are not public. A name that DNS does not know yet is
 * accepted with https, because each attempt checks the address that it dials.
 */
export async function checkWebhookUrl(text: string, guard?: AddressGuard): Promise<string> {
  const url = URL.parse(text);
  if (!url || (url.protocol !== "https:" && url.protocol !== "http:")) {
    throw invalid("invalid_url", "The URL must be an absolute https URL.");
  }
  if (url.username !== "" || url.password !== "") {
    throw invalid("invalid_url", "The URL must not carry a user name or password.");
  }
  url.hash = "";
  const tls = url.protocol === "https:";
  const verdict = await checkAddress(
    { host: url.hostname, port: Number(url.port) || (tls ? 443 : 80), tls },
    guard,
  );
  if (verdict === "forbidden") {
    throw new DomainError("forbidden_address", "The URL leads to an address that is not public.", {
      errors: [
        { pointer: "/url", code: "forbidden_address", detail: "Choose a host with a public address." },
      ],
    });
  }
  if (verdict === "insecure") throw invalid("https_required", "The URL must use https.");
  return url.href;
}
