import { env } from "../kernel/env.ts";
import { segmentsOf } from "../rest/path-tree.ts";

const KIBIBYTE = 1_024;

/** What the front door accepts for one path. */
export interface PathRule {
  /** Who answers: our own handlers, the portal, or nobody. */
  readonly to: "handlers" | "portal" | "nobody";
  /** Largest body of a request that may have one. */
  readonly maxBodyBytes: number;
  /** Answered even when the process is full, so that a busy process is not taken for a dead one. */
  readonly always: boolean;
  /** Has slots of its own among those of the process: anybody may send it a body, and slowly. */
  readonly signIn: boolean;
}

const rule = (
  to: PathRule["to"],
  maxBodyBytes: number,
  more: { always?: boolean; signIn?: boolean } = {},
): PathRule => ({ to, maxBodyBytes, always: more.always ?? false, signIn: more.signIn ?? false });

const api = rule("handlers", KIBIBYTE * KIBIBYTE);
/** The longest body that a provider announces, Meta's; adapters with smaller limits say so. */
const callbacks = rule("handlers", 3 * KIBIBYTE * KIBIBYTE);
const noBody = rule("handlers", 0);
/** The form of a recipient who is known by their link only. */
const preferences = rule("handlers", 16 * KIBIBYTE, { signIn: true });
/** Below /api/app: what is no contract. */
const appRules = new Map([
  ["brand", noBody],
  ["confirm", preferences],
  ["unsubscribe", preferences],
]);
const health = rule("handlers", 0, { always: true });
/** A call of the console. */
const consoleCalls = rule("portal", 64 * KIBIBYTE);
/** A portal call with a template in it. */
const calls = rule("portal", 2 * KIBIBYTE * KIBIBYTE);
/** What somebody sends who is not signed in: an address and a password, a form with a token, or what an identity provider returns. */
const signIn = rule("portal", 16 * KIBIBYTE, { signIn: true });
/** Below /api: where somebody sends something who is not signed in. */
const signInPaths = new Set([
  "auth",
  "forgot-password",
  "invitation",
  "passkey",
  "set-password",
  "set-up",
  "sso",
]);
const pages = rule("portal", 0);
const nothing = rule("nobody", 0);

/** The rule of a path, by its first segments, decoded: `/%761/x` counts as `/v1/x`. */
export function ruleOf(segments: readonly string[]): PathRule {
  const [first, second, third] = segments;
  switch (first) {
    case "v1":
    case "mcp":
    case "scim":
      return api;
    case "api":
      if (second === "app") return appRules.get(third ?? "") ?? api;
      if (second === "callbacks") return callbacks;
      if (second === "trpc") return calls;
      return signInPaths.has(second ?? "") ? signIn : pages;
    case "console":
      // Like any unknown page where there is no console.
      if (second !== "api" || !env().consoleDatabaseUrl) return pages;
      return third === "trpc" ? consoleCalls : signIn;
    case "l":
    case "llms.txt":
    case "status":
      return noBody;
    case "healthz":
    case "readyz":
      return health;
    case "_next":
      // The image optimizer writes requested addresses into the log, and no page uses it.
      return second === "image" ? nothing : pages;
    default:
      return pages;
  }
}

/** A request's path, split and decoded, with its path and query as they are forwarded. */
export interface Target {
  segments: readonly string[];
  url: string;
}

/**
 * Parses a request target: `/path?query`, or the same after a scheme and host, which are dropped. Undefined for
 * anything else, and for paths that begin with two slashes or contain a backslash, which some take for another host.
 */
export function readTarget(target: string): Target | undefined {
  let url = target;
  if (!url.startsWith("/")) {
    const host = /^https?:\/\/[^/?#\\]+/i.exec(url)?.[0];
    if (host === undefined) return undefined;
    url = url.slice(host.length);
    if (!url.startsWith("/")) url = `/${url}`;
  }
  const query = url.indexOf("?");
  const pathname = query < 0 ? url : url.slice(0, query);
  if (pathname.startsWith("//") || pathname.includes("\\") || pathname.includes("#")) return undefined;
  return { segments: segmentsOf(pathname), url };
}
