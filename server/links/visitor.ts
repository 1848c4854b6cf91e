import ipaddr from "ipaddr.js";

/** How a program that opens a link is known; the last two from the message, see record_link_click(). */
export type MachineReason = "method" | "prefetch" | "program" | "network" | "too_soon" | "burst";

/** A browser says so in its first words, mail and chat programs that show pages too. */
const browser = /^(?:Mozilla\/[45]\.0 \(|Opera\/9)/;

/**
 * What programs say of themselves: crawlers, previews, monitors, scanners of mail gateways, libraries; an address where one may read
 * about them; "compatible", which of browsers only Internet Explorer has said.
 */
const program =
  /(?<!cu)bots?\b|crawl|spider|slurp|preview|scan|fetch|monitor|check|proxy|headless|lighthouse|externalhit|barracuda|proofpoint|mimecast|curl|wget|python|java\/|http-?client|libwww|selenium|synthetics|\bptst\/|https?:|www\.|@[\w.-]+\.[a-z]{2,}|\(compatible(?!; ?msie)|; ?compatible/i;

/** An agent's words are looked at up to here. */
const maxAgent = 1_000;

/** Where Exchange Online sends and scans mail, as Microsoft publishes it for mail servers; nobody browses from there. */
const scanners = [
  "40.92.0.0/15",
  "40.107.0.0/16",
  "52.100.0.0/14",
  "104.47.0.0/17",
  "2a01:111:f400::/48",
  "2a01:111:f403::/48",
].map((range) => ipaddr.parseCIDR(range));

/** Why a request for a link is a program's and no person's; null: it looks like a person's. */
export function machineReason(request: {
  method: string;
  headers: Pick<Headers, "get">;
}): Exclude<MachineReason, "too_soon" | "burst"> | null {
  if (request.method !== "GET") return "method";
  const purpose = ["sec-purpose", "purpose", "x-purpose", "x-moz"].map(
    (name) => request.headers.get(name) ?? "",
  );
  if (/prefetch|prerender|preview/i.test(purpose.join(" "))) return "prefetch";
  const agent = (request.headers.get("user-agent") ?? "").slice(0, maxAgent);
  if (!browser.test(agent) || program.test(agent)) return "program";
  // The door that listens has put the caller's address there.
  return isScanner(request.headers.get("x-forwarded-for") ?? "") ? "network" : null;
}

function isScanner(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const caller = ipaddr.process(address);
  return scanners.some(([range, bits]) => range.kind() === caller.kind() && caller.match(range, bits));
}
