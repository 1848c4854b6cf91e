/**
 * Which settings say where a connection's calls go. Credentials are sent there, so changing one of them with stored
 * credentials would hand them to the owner of the new place.
 */

/** Names of settings that decide where, or how safely, a call is made, whatever their value looks like. */
const named =
  /(host|url|uri|server|endpoint|port|address|domain|gateway|security|encryption|tls|scheme|protocol|proxy)/i;
/** A host name with a dot, an IP address or "localhost", with or without a port. */
const hostLike =
  /^(localhost|\[[0-9a-f:.]+\]|[0-9a-f]*:[0-9a-f:.]+|([a-z0-9_]([a-z0-9_-]*[a-z0-9_])?\.)+[a-z0-9-]+\.?)(:\d{1,5})?$/i;

/**
 * The settings that may say where calls go: JSON pointer → value. Rather one too many than one too few: with one too many
 * a password is typed once more.
 */
export function destinationsOf(settings: unknown): Map<string, string> {
  const found = new Map<string, string>();
  collect(settings, "", false, found);
  return found;
}

function collect(value: unknown, pointer: string, byName: boolean, found: Map<string, string>): void {
  if (typeof value === "object" && value !== null) {
    for (const [name, member] of Object.entries(value)) {
      const path = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
      collect(member, path, byName || (!Array.isArray(value) && named.test(name)), found);
    }
  } else if (typeof value === "string" || typeof value === "number" || typeof value === "boolean") {
    const text = String(value);
    if (byName || text.includes("://") || hostLike.test(text.trim())) found.set(pointer, text);
  }
}

/** Whether calls may go elsewhere with the second settings than with the first. */
export function destinationsDiffer(before: unknown, after: unknown): boolean {
  const [old, now] = [destinationsOf(before), destinationsOf(after)];
  return old.size !== now.size || [...now].some(([pointer, value]) => old.get(pointer) !== value);
}

/** An address that can be looked up before it is called. */
export type Destination = { pointer: string; host: string; port: number; tls: boolean };

/** The addresses among the settings: URLs, and a `host` with its `port` and `security` beside it. */
export function addressesOf(settings: unknown, pointer = ""): Destination[] {
  if (typeof settings !== "object" || settings === null) return [];
  const found: Destination[] = [];
  const members = settings as Record<string, unknown>;
  const { host, port, security, tls } = members;
  if (typeof host === "string") {
    const plain = security === "none" || tls === false;
    found.push({
      pointer: `${pointer}/host`,
      host,
      port: typeof port === "number" ? port : 443,
      tls: !plain,
    });
  }
  for (const [name, member] of Object.entries(members)) {
    const path = `${pointer}/${name.replaceAll("~", "~0").replaceAll("/", "~1")}`;
    if (typeof member === "object") found.push(...addressesOf(member, path));
    if (typeof member !== "string" || !/^https?:\/\//i.test(member)) continue;
    const url = URL.parse(member);
    if (!url) continue;
    const secure = url.protocol === "https:";
    found.push({
      pointer: path,
      host: url.hostname,
      port: Number(url.port) || (secure ? 443 : 80),
      tls: secure,
    });
  }
  return found;
}
