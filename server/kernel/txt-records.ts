import { Resolver } from "node:dns/promises";
import { env } from "./env.ts";

/** The texts that a name has in DNS; none for a name that is not there. Throws when no server answers. */
export type TxtLookUp = (name: string) => Promise<string[]>;

/** Texts of one name that are looked at. */
const maxRecords = 200;
// EBADNAME: it could not be a name, e.g. with two dots in a row.
const nothingThere = new Set(["ENODATA", "ENOTFOUND", "EBADNAME"]);

/** Asks the servers of DNS_SERVERS, or those of the system, for at most some seconds. */
export async function lookUpTxt(name: string, servers = env().dnsServers): Promise<string[]> {
  const resolver = new Resolver({ timeout: 2_000, tries: 2, maxTimeout: 3_000 });
  if (servers.length > 0) resolver.setServers(servers);
  const giveUp = setTimeout(() => resolver.cancel(), 8_000);
  try {
    const records = await resolver.resolveTxt(name);
    return records.slice(0, maxRecords).map((parts) => parts.join(""));
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code !== undefined && nothingThere.has(code)) return [];
    throw error;
  } finally {
    clearTimeout(giveUp);
  }
}
