import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
/** Ranges of addresses: proxies that are trusted to say where a request came from, or networks that a key may be used from. */
export type ProxyRanges = readonly [Address, number][];

/** More hops than any installation has; the rest of a longer list is ignored. */
const MAX_HOPS = 32;

/**
 * Parses TRUSTED_PROXIES: CIDR ranges or single addresses, e.g. `10.0.0.0/8`, `fd00::/8`, `192.0.2.7`. Throws a
 * TypeError that names an invalid entry.
 */
export function parseProxyRanges(entries: readonly string[]): ProxyRanges {
  return entries.map((entry) => {
    try {
      if (entry.includes("/")) return ipaddr.parseCIDR(entry);
      const address = ipaddr.process(entry);
      return [address, address.kind() === "ipv4" ? 32 : 128];
    } catch {
      throw new TypeError(`Not an address range: "${entry}"`);
    }
  });
}

/** An address as proxies write it, with or without brackets and port; undefined when it is invalid. */
function read(text: string): Address | undefined {
  const bare = /^\[([^\]]+)\](?::\d{1,5})?$/.exec(text)?.[1] ?? /^([\d.]+):\d{1,5}$/.exec(text)?.[1] ?? text;
  // A zone names an interface of some other machine.
  return isIP(bare) === 0 || bare.includes("%") ? undefined : ipaddr.process(bare);
}

/** Whether an address lies in one of the ranges; one that is not known lies in none. */
export function isWithin(text: string | null | undefined, ranges: ProxyRanges): boolean {
  const address = text === null || text === undefined ? undefined : read(text);
  return address !== undefined && isTrusted(address, ranges);
}

function isTrusted(address: Address, ranges: ProxyRanges): boolean {
  return ranges.some(([base, bits]) => base.kind() === address.kind() && address.match(base, bits));
}

/** Whether the peer of a connection is one of the operator's proxies. */
export function isTrustedProxy(remote: string | undefined, ranges: ProxyRanges): boolean {
  return ranges.length > 0 && isWithin(remote, ranges);
}

/**
 * Where a request came from: the rightmost hop that is not a trusted proxy. Anything to its left is whatever the caller
 * claimed. Null for a connection that has no address any more.
 * @param input.remote the peer of the connection
 * @param input.forwarded X-Forwarded-For as received; used only when the connection comes from a trusted proxy
 */
export function clientAddress(
  input: { remote: string | undefined; forwarded: string | undefined },
  ranges: ProxyRanges,
): string | null {
  const { remote, forwarded } = input;
  if (remote === undefined) return null;
  // The usual case, without parsing: IPv4 on a dual-stack socket.
  if (ranges.length === 0) return remote.startsWith("::ffff:") ? remote.slice(7) : remote;
  let known = read(remote);
  if (!known) return null;
  const hops = forwarded?.split(",").slice(-MAX_HOPS) ?? [];
  while (isTrusted(known, ranges)) {
    const hop = hops.pop()?.trim();
    const next = hop === undefined ? undefined : read(hop);
    if (!next) break;
    known = next;
  }
  return known.toString();
}

/** The first bytes of an IPv6 address in hex; undefined for any other. */
function networkOf(address: string, bytes: number): string | undefined {
  const parsed = address.includes(":") ? read(address) : undefined;
  if (parsed?.kind() !== "ipv6") return undefined;
  return parsed
    .toByteArray()
    .slice(0, bytes)
    .map((byte) => byte.toString(16).padStart(2, "0"))
    .join("");
}

/** What counts as one caller: an IPv4 address, or the /64 of an IPv6 address. */
export function callerGroup(address: string | null): string {
  if (!address?.includes(":")) return address ?? "unknown";
  return networkOf(address, 8) ?? read(address)?.toString() ?? "unknown";
}

/** The /48 of an IPv6 address, which one customer may have; null for any other. */
export function callerSite(address: string | null): string | null {
  return address === null ? null : (networkOf(address, 6) ?? null);
}
