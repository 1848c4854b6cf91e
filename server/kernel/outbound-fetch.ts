import { OutboundError } from "./outbound-error.ts";
import type { OutboundClient, OutboundStreamRequest } from "./outbound-http.ts";

export type OutboundFetch = (input: string | URL | Request, init?: RequestInit) => Promise<Response>;

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE", "HEAD"] as const;
const bodiless = new Set([204, 205, 304]);

/**
 * A `fetch` over the guarded client, for packages that want one: bounded in time and size, without redirects, and to
 * one origin only, so that credentials given to the package cannot go elsewhere. Bodies may be texts or bytes. Rejects
 * with the signal's reason when it was aborted, else with OutboundError.
 * @param origin e.g. "https://api.example.com"
 */
export function outboundFetch(
  http: OutboundClient,
  origin: string,
  bounds: Pick<
    OutboundStreamRequest,
    "connectTimeoutMs" | "timeoutMs" | "idleTimeoutMs" | "maxBodyBytes"
  > = {},
): OutboundFetch {
  return async (input, init = {}) => {
    const url = input instanceof Request ? input.url : String(input);
    if (input instanceof Request) throw new TypeError("Give the address and what to send separately");
    if (URL.parse(url)?.origin !== origin) throw new TypeError("This client may only call its own service");
    const { signal } = init;
    const headers: Record<string, string> = {};
    new Headers(init.headers).forEach((value, name) => {
      headers[name] = value;
    });
    try {
      const answer = await http.stream({
        ...bounds,
        method: methodOf(init.method),
        url,
        headers,
        ...bodyOf(init.body),
        ...(signal ? { signal } : {}),
      });
      const { status, headers: answered } = answer;
      if (status > 599 || bodiless.has(status)) await answer.body.cancel();
      if (status > 599)
        throw new OutboundError("response", "invalid_response", "The status is none of HTTP", true);
      return new Response(bodiless.has(status) ? null : answer.body, { status, headers: answered });
    } catch (error) {
      signal?.throwIfAborted();
      throw error;
    }
  };
}

function methodOf(name = "GET"): (typeof methods)[number] {
  const method = methods.find((known) => known === name.toUpperCase());
  if (!method) throw new TypeError(`The method ${name} is not supported`);
  return method;
}

function bodyOf(body: RequestInit["body"]): { body?: string | Buffer } {
  if (body === undefined || body === null) return {};
  if (typeof body === "string") return { body };
  if (body instanceof Uint8Array) return { body: Buffer.from(body) };
  throw new TypeError("Only texts and bytes can be sent");
}
