import type { Db } from "../kernel/db.ts";
import type { HttpMethod, RestContract } from "../operations/operation.ts";
import { contracts } from "../rest/contracts.ts";
import type { Problem } from "../rest/problem.ts";
import { serveRoute } from "../rest/serve-route.ts";

export interface RestAnswer<Body = unknown> {
  status: number;
  headers: Headers;
  /** Parsed when it is JSON, otherwise undefined. */
  body: Body;
  /** The body as it was sent. */
  text: string;
}

export interface RestRequest {
  /** The API key's text; none: no Authorization header. */
  key?: string;
  /** Sent as JSON. */
  json?: unknown;
  /** Sent as it is, instead of `json`. */
  raw?: string | Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
  headers?: Record<string, string>;
}

function matchPath(template: string, path: string): Record<string, string> | undefined {
  const names: string[] = [];
  const pattern = template.replace(/\{(\w+)\}/g, (_, name: string) => {
    names.push(name);
    return "([^/]+)";
  });
  const match = new RegExp(`^${pattern}$`).exec(path);
  return match
    ? Object.fromEntries(names.map((name, i) => [name, decodeURIComponent(match[i + 1] ?? "")]))
    : undefined;
}

/** The contract of a method and path, literal paths before those with parameters, as the router has it. */
export function contractFor(method: HttpMethod, path: string): RestContract | undefined {
  return contracts
    .filter((contract) => contract.method === method && matchPath(contract.path, path))
    .sort((a, b) => a.path.split("{").length - b.path.split("{").length)[0];
}

/**
 * Calls the public API in process: real Request and Response objects, the real serving code, the given database.
 * `const rest = restClient(database.web); await rest.post("/v1/webhooks", { key, json: { … } })`
 */
export function restClient(db: Db) {
  async function call<Body = unknown>(
    method: HttpMethod,
    url: string,
    options: RestRequest = {},
  ): Promise<RestAnswer<Body>> {
    const path = url.split("?", 1)[0] ?? url;
    const contract = contractFor(method, path);
    if (!contract) throw new Error(`No contract serves ${method} ${path}`);
    return callContract<Body>(contract, url, options);
  }

  async function callContract<Body = unknown>(
    contract: RestContract,
    url: string,
    options: RestRequest = {},
  ): Promise<RestAnswer<Body>> {
    const body = options.raw ?? (options.json === undefined ? undefined : JSON.stringify(options.json));
    const request = new Request(`http://tidings.test${url}`, {
      method: contract.method,
      headers: {
        ...(options.key === undefined ? {} : { authorization: `Bearer ${options.key}` }),
        ...(body === undefined ? {} : { "content-type": "application/json" }),
        ...options.headers,
      },
      ...(body === undefined ? {} : { body, duplex: "half" as const }),
    });
    const params = matchPath(contract.path, url.split("?", 1)[0] ?? url) ?? {};
    const response = await serveRoute(contract, { db: () => db })(request, params);
    const text = await response.text();
    const isJson = response.headers.get("content-type")?.includes("json") === true;
    return {
      status: response.status,
      headers: response.headers,
      body: (isJson ? JSON.parse(text) : undefined) as Body,
      text,
    };
  }

  return {
    call,
    callContract,
    get: <Body = unknown>(url: string, options?: RestRequest) => call<Body>("GET", url, options),
    post: <Body = unknown>(url: string, options?: RestRequest) => call<Body>("POST", url, options),
    put: <Body = unknown>(url: string, options?: RestRequest) => call<Body>("PUT", url, options),
    patch: <Body = unknown>(url: string, options?: RestRequest) => call<Body>("PATCH", url, options),
    delete: <Body = unknown>(url: string, options?: RestRequest) => call<Body>("DELETE", url, options),
  };
}

export type { Problem };
