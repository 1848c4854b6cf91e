import { env } from "./env.ts";
import { createAddressGuard } from "./outbound-address.ts";
import type { AddressGuard } from "./outbound-address.ts";

let shared: AddressGuard | undefined;

/**
 * Checks an address that somebody enters, as the outbound guard would: `forbidden` when the name leads only to
 * addresses that may not be dialled, `insecure` when it would be called without TLS outside the ranges that the
 * operator opened. A name that DNS does not know yet is `fine` with TLS, because every call checks the address that it
 * dials.
 */
export async function checkAddress(
  target: { host: string; port: number; tls: boolean },
  guard?: AddressGuard,
): Promise<"fine" | "forbidden" | "insecure"> {
  shared ??= createAddressGuard(env().outboundAllow);
  const addresses = await (guard ?? shared).resolve(target.host, target.port).catch(() => null);
  if (addresses?.length === 0) return "forbidden";
  if (!target.tls && addresses?.some((address) => address.allowed) !== true) return "insecure";
  return "fine";
}
