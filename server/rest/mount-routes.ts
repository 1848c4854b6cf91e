import { DomainError, notFound } from "../kernel/errors.ts";
import type { HttpMethod, RouteContract } from "./define-route.ts";
import { problemResponse } from "./problem.ts";
import { requestIdOf, serveRoute } from "./serve-route.ts";
import type { RouteHandler } from "./serve-route.ts";
import { restDeps } from "./rest-deps.ts";

const methods = ["GET", "POST", "PUT", "PATCH", "DELETE"] as const satisfies readonly HttpMethod[];

/** What a route file exports: a handler for each method, those without a contract answering 405. */
export type MountedRoutes = Record<HttpMethod, RouteHandler>;

/**
 * Turns the contracts of one path into the exports of its route file:
 * `export const { GET, POST, PUT, PATCH, DELETE } = mountRoutes(listThings, createThing);`
 */
export function mountRoutes(...contracts: [RouteContract, ...RouteContract[]]): MountedRoutes {
  const path = contracts[0].path;
  if (contracts.some((contract) => contract.path !== path))
    throw new Error(`${path} is mounted with another path's contract`);
  const allow = contracts.map((contract) => contract.method);
  const header = [...allow, ...(allow.includes("GET") ? ["HEAD"] : []), "OPTIONS"].join(", ");
  const refuse: RouteHandler = async (request) => {
    const detail = `${request.method} is not possible here; allowed are ${header}.`;
    return problemResponse(new DomainError("method_not_allowed", detail), requestIdOf(request), {
      allow: header,
    });
  };
  const handlerFor = (method: HttpMethod): RouteHandler => {
    const contract = contracts.find((candidate) => candidate.method === method);
    return contract ? serveRoute(contract, restDeps) : refuse;
  };
  return Object.fromEntries(methods.map((method) => [method, handlerFor(method)])) as MountedRoutes;
}

/** For paths of the API that do not exist. */
export const answerUnknownPath: RouteHandler = async (request) =>
  problemResponse(notFound(), requestIdOf(request));
