/**
 * Which network addresses this service may dial. Pure rules plus a resolver, shared by the HTTP client and the SMTP
 * adapter.
 */
import { lookup as systemLookup, Resolver } from "node:dns";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";
import { Semaphore } from "./semaphore.ts";

/** One address that passed the guard. `allowed` = inside a range that the operator opened. */
export type CheckedAddress = { address: string; family: 4 | 6; allowed: boolean };

/** Resolves a host name to literal addresses. Rejects with an error that has a `code`, as node:dns does. */
export type HostResolver = (hostname: string) => Promise<string[]>;

export type AddressGuard = {
  /** The verdict on one literal address (an IPv6 one without brackets); null = must not be dialled. */
  check: (address: string, port: number) => CheckedAddress | null;
  /**
   * Resolves a host name, or takes a literal as it is, and returns the dialable addresses in the
   * resolver's order. An empty list: the name exists, but only on addresses that must not be dialled.
   */
  resolve: (hostname: string, port: number) => Promise<CheckedAddress[]>;
};

type Cidr = [ipaddr.IPv4 | ipaddr.IPv6, number];
type AllowedRange = { cidr: Cidr; port: number | null };

const IPV6_GLOBAL_UNICAST: Cidr = [ipaddr.IPv6.parse("2000::"), 3];
const NAT64_WELL_KNOWN: Cidr = [ipaddr.IPv6.parse("64:ff9b::"), 96];
/**
 * getaddrinfo runs on the 4 shared worker threads. Names in DNS are anybody's, and may be slow: they take one thread at most, and
 * none from the names without a dot, which are the operator's own.
 */
const ownNames = new Semaphore(1);
const otherNames = new Semaphore(1);
/** As long as anybody waits for a connection, ms. */
const LONGEST_WAIT_MS = 5_000;

/**
 * @param allow CIDR ranges or single addresses that may be dialled although they are not public, each
 *   with or without a port: "10.0.0.0/8", "127.0.0.1:2525", "fd00::/8", "[::1]:2525". Throws a TypeError
 *   naming the entry that cannot be read.
 * @param resolver replaces DNS (tests).
 */
export function createAddressGuard(
  allow: readonly string[],
  resolver: HostResolver = resolveHost,
): AddressGuard {
  const ranges = allow.map(parseRange);

  const check = (address: string, port: number): CheckedAddress | null => {
    const family = isIP(address);
    // A zone ("fe80::1%eth0") names an interface: never a public address.
    if (family === 0 || address.includes("%")) return null;
    const parsed = unwrap(ipaddr.parse(address));
    const allowed = ranges.some(
      (range) => (range.port === null || range.port === port) && inRange(parsed, range.cidr),
    );
    if (!allowed && !isPublicUnicast(parsed)) return null;
    return { address, family: family === 6 ? 6 : 4, allowed };
  };

  const resolve = async (hostname: string, port: number): Promise<CheckedAddress[]> => {
    const literal = hostname.startsWith("[") && hostname.endsWith("]") ? hostname.slice(1, -1) : hostname;
    const addresses = isIP(literal) === 0 ? await resolver(literal) : [literal];
    return addresses.map((address) => check(address, port)).filter((entry) => entry !== null);
  };

  return { check, resolve };
}

/**
 * IPv4 inside IPv6 is judged as the IPv4 address that is actually reached: mapped addresses by the local stack, the
 * well-known NAT64 prefix by the network's translator.
 */
function unwrap(address: ipaddr.IPv4 | ipaddr.IPv6): ipaddr.IPv4 | ipaddr.IPv6 {
  if (!(address instanceof ipaddr.IPv6)) return address;
  if (address.isIPv4MappedAddress()) return address.toIPv4Address();
  if (inRange(address, NAT64_WELL_KNOWN)) return new ipaddr.IPv4(address.toByteArray().slice(12));
  return address;
}

/** 6to4 and Teredo stay refused altogether: nothing legitimate uses them and both hide an IPv4 address. */
function isPublicUnicast(address: ipaddr.IPv4 | ipaddr.IPv6): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4" || inRange(address, IPV6_GLOBAL_UNICAST);
}

function inRange(address: ipaddr.IPv4 | ipaddr.IPv6, [base, bits]: Cidr): boolean {
  if (address instanceof ipaddr.IPv4) return base instanceof ipaddr.IPv4 && address.match(base, bits);
  return base instanceof ipaddr.IPv6 && address.match(base, bits);
}

function parseRange(entry: string): AllowedRange {
  const match = /^(?:\[([^\]]+)\]|([^:]+)):(\d{1,5})$/.exec(entry);
  const range = match?.[1] ?? match?.[2] ?? entry;
  const port = match ? Number(match[3]) : null;
  try {
    if (range.includes("/")) return { cidr: ipaddr.parseCIDR(range), port };
    const address = ipaddr.parse(range);
    return { cidr: [address, address.kind() === "ipv4" ? 32 : 128], port };
  } catch {
    throw new TypeError(`Not an address range: "${entry}"`);
  }
}

const dns = new Resolver({ timeout: 2_000, tries: 2 });
/** Lookups under way, for all who ask for the same name. */
const systemLookups = new Map<string, Promise<string[]>>();

/**
 * Names with a dot go to DNS without a thread; single labels ("localhost", "mailhog") and names DNS
 * does not know (hosts file, search domains) go to the system's resolver, a few at a time.
 */
async function resolveHost(hostname: string): Promise<string[]> {
  if (!hostname.includes(".")) return resolveWithSystem(hostname);
  const [v4, v6] = await Promise.all([queryDns(hostname, "A"), queryDns(hostname, "AAAA")]);
  const addresses = [...v4.addresses, ...v6.addresses];
  if (addresses.length > 0) return addresses;
  const failure = v4.error ?? v6.error;
  if (
    failure &&
    failure.code !== "ENOTFOUND" &&
    failure.code !== "ENODATA" &&
    failure.code !== "ECONNREFUSED"
  ) {
    throw failure;
  }
  return resolveWithSystem(hostname);
}

function queryDns(
  hostname: string,
  type: "A" | "AAAA",
): Promise<{ addresses: string[]; error?: NodeJS.ErrnoException }> {
  return new Promise((done) => {
    const callback = (error: NodeJS.ErrnoException | null, addresses?: string[]): void => {
      done(error ? { addresses: [], error } : { addresses: addresses ?? [] });
    };
    if (type === "A") dns.resolve4(hostname, callback);
    else dns.resolve6(hostname, callback);
  });
}

function resolveWithSystem(hostname: string): Promise<string[]> {
  let answer = systemLookups.get(hostname);
  if (!answer) {
    answer = askSystem(hostname).finally(() => systemLookups.delete(hostname));
    systemLookups.set(hostname, answer);
  }
  return answer;
}

async function askSystem(hostname: string): Promise<string[]> {
  const slots = hostname.includes(".") ? otherNames : ownNames;
  const release = await slots.acquire(AbortSignal.timeout(LONGEST_WAIT_MS));
  try {
    return await new Promise<string[]>((done, fail) => {
      systemLookup(hostname, { all: true }, (error, addresses) => {
        if (error) fail(error);
        else done(addresses.map((entry) => entry.address));
      });
    });
  } finally {
    release();
  }
}
