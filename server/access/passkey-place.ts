import { isIP } from "node:net";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";

/** What passkeys of this installation are bound to. */
export interface PasskeyPlace {
  /** The host that browsers offer them on. */
  rpId: string;
  /** The only origin whose pages may use them. */
  origin: string;
}

/**
 * Where passkeys count: at the configured public address, whatever a request says of its host. Null where browsers give none:
 * at an IP address, and over plain HTTP except on this machine.
 */
export function passkeyPlace(): PasskeyPlace | null {
  const { protocol, hostname, origin } = new URL(env().publicUrl);
  const local = hostname === "localhost" || hostname.endsWith(".localhost");
  const secure = protocol === "https:" || (protocol === "http:" && local);
  const address = isIP(hostname.replace(/^\[|\]$/g, "")) !== 0;
  return secure && !address ? { rpId: hostname, origin } : null;
}

/** As passkeyPlace; throws `not_found` where there is none. */
export function requirePasskeyPlace(): PasskeyPlace {
  const place = passkeyPlace();
  if (!place)
    throw new DomainError("not_found", "There are no passkeys at the address of this installation.");
  return place;
}
