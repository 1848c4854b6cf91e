import { FastResponse } from "srvx";
import { DomainError, notFound } from "../kernel/errors.ts";
import { trimTrailing } from "../kernel/trim-trailing.ts";
import type { HttpMethod, RestContract } from "../operations/operation.ts";
import { contracts } from "./contracts.ts";
import { openApiText } from "./openapi.ts";
import { llmsText } from "./guide-pages.ts";
import { postmanText } from "./postman.ts";
import { PathTree, segmentsOf } from "./path-tree.ts";
import type { PathHandler } from "./path-tree.ts";
import { problemResponse } from "./problem.ts";
import { restDeps } from "./rest-deps.ts";
import { serveConfirmation } from "./serve-confirmation.ts";
import { serveBrandPicture } from "./serve-brand-picture.ts";
import { serveCallback } from "./serve-callback.ts";
import { serveLiveness, serveReadiness } from "./serve-health.ts";
import { requestIdOf, serveRoute } from "./serve-route.ts";
import type { RestDeps } from "./serve-route.ts";
import { scimPaths } from "./serve-scim.ts";
import { serveMcp } from "./serve-mcp.ts";
import { serveShortLink } from "./serve-short-link.ts";
import { serveStatus } from "./serve-status.ts";
import { servePreferences } from "./serve-preferences.ts";

/** Public: descriptions contain nothing of any tenant. */
function servePublic(body: string | Uint8Array<ArrayBuffer>, type = "application/json"): Response {
  return new FastResponse(body, {
    headers: {
      "content-type": type,
      "cache-control": "public, max-age=300",
      "access-control-allow-origin": "*",
    },
  });
}

/** Serves a long text from the same bytes each time: in memory once, however many take it slowly. */
function servesAlways(text: () => string): PathHandler {
  let bytes: Uint8Array<ArrayBuffer> | undefined;
  return () => servePublic((bytes ??= new TextEncoder().encode(text())));
}

/** Paths besides the contracts. */
function others(deps: RestDeps): Record<string, Partial<Record<HttpMethod, PathHandler>>> {
  const callback: PathHandler = (request, { connectionId }) =>
    serveCallback(request, connectionId ?? "", deps);
  const preferences: PathHandler = (request, { token }) => servePreferences(request, token ?? "", deps);
  const confirmation: PathHandler = (request, { token }) => serveConfirmation(request, token ?? "", deps);
  return {
    "/v1/openapi.json": { GET: servesAlways(() => openApiText(contracts)) },
    "/v1/postman.json": { GET: servesAlways(() => postmanText(contracts)) },
    "/llms.txt": { GET: async () => servePublic(await llmsText(), "text/plain; charset=utf-8") },
    "/mcp": { POST: serveMcp(deps) },
    // Some providers check an address with a GET before they use it.
    "/api/callbacks/{connectionId}": { GET: callback, POST: callback },
    "/l/{code}": { GET: (request, { code }) => serveShortLink(request, code ?? "", deps) },
    "/status/{slug}": { GET: (request, { slug }) => serveStatus(request, slug ?? "", deps) },
    "/api/app/confirm/{token}": { GET: confirmation, POST: confirmation },
    "/api/app/unsubscribe/{token}": { GET: preferences, POST: preferences },
    "/api/app/brand/{tenantId}/{name}": {
      GET: (request, { tenantId, name }) =>
        serveBrandPicture(request, { tenantId: tenantId ?? "", name: name ?? "" }, deps),
    },
    ...scimPaths(deps),
    "/healthz": { GET: serveLiveness },
    "/readyz": { GET: () => serveReadiness(deps) },
  };
}

function endpoint(path: string, handlers: ReadonlyMap<HttpMethod, PathHandler>) {
  const methods = [...handlers.keys()];
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  return { path, handlers, allow };
}

/** Everything that is served without the portal, each contract under its path. */
export function pathTree(deps: RestDeps, served: readonly RestContract[] = contracts): PathTree {
  const tree = new PathTree();
  for (const [path, group] of Map.groupBy(served, (contract) => contract.path)) {
    const handlers = group.map((contract) => [contract.method, serveRoute(contract, deps)] as const);
    tree.add(endpoint(path, new Map(handlers)));
  }
  for (const [path, handlers] of Object.entries(others(deps))) {
    tree.add(endpoint(path, new Map(Object.entries(handlers) as [HttpMethod, PathHandler][])));
  }
  return tree;
}

/**
 * Answers a request for any of our paths: unknown ones with 404, unsupported methods with 405. Never rejects.
 * @param segments the path, split and decoded
 */
export async function servePath(
  tree: PathTree,
  request: Request,
  segments: readonly string[],
): Promise<Response> {
  const found = tree.find(segments);
  if (!found) {
    if (segments.length > 1 && segments.at(-1) === "" && !segments.includes(".."))
      return withoutSlash(request);
    return problemResponse(notFound(), requestIdOf(request));
  }
  const { method } = request;
  const { handlers, allow } = found.endpoint;
  const handler = handlers.get((method === "HEAD" ? "GET" : method) as HttpMethod);
  if (handler) return handler(request, found.params);
  if (method === "OPTIONS") return new FastResponse(null, { status: 204, headers: { allow } });
  const detail = `${method} is not possible here; allowed are ${allow}.`;
  return problemResponse(new DomainError("method_not_allowed", detail), requestIdOf(request), { allow });
}

/** Path and query of a request's address. */
function pathAndQuery(url: string): string {
  const start = url.indexOf("/", url.indexOf("//") + 2);
  return start < 0 ? "/" : url.slice(start);
}

function withoutSlash(request: Request): Response {
  const [path = "/", query] = pathAndQuery(request.url).split("?", 2);
  const location = trimTrailing(path, "/") + (query === undefined ? "" : `?${query}`);
  return new FastResponse(null, { status: 308, headers: { location } });
}

let tree: PathTree | undefined;

/** The paths of this process, built for the first request. */
export function sharedPathTree(): PathTree {
  return (tree ??= pathTree(restDeps));
}

/** Mounted by `app/api/app/[[...path]]/route.ts`, so that Next alone serves these paths as well. */
export function answerRoute(request: Request): Promise<Response> {
  const [path = "/"] = pathAndQuery(request.url).split("?", 1);
  return servePath(sharedPathTree(), request, segmentsOf(path));
}
