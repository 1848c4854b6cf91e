import type { ShortenerKind } from "./schemas.ts";

/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** Which shortener an environment uses; `none` leaves addresses as they are. */
export const shortenerKinds = ["built_in", "bitly", "tinyurl", "rebrandly", "none"] as const;

/** External services. */
export type ServiceKind = Exclude<ShortenerKind, "built_in" | "none">;

export const serviceNames: Readonly<Record<ServiceKind, string>> = {
  bitly: "Bitly",
  tinyurl: "TinyURL",
  rebrandly: "Rebrandly",
};

export function isService(kind: ShortenerKind): kind is ServiceKind {
  return Object.hasOwn(serviceNames, kind);
}
