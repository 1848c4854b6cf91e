import { FastResponse } from "srvx";
import { takeRateLimit } from "../access/rate-limit.ts";
import { authenticateDirectory } from "../directory/authenticate-directory.ts";
import type { DirectoryCtx } from "../directory/authenticate-directory.ts";
import { getGroup, listGroups } from "../directory/read-groups.ts";
import { getPerson, listPeople } from "../directory/read-people.ts";
import { resourceTypes, schemas, serviceProviderConfig } from "../directory/scim-definitions.ts";
import { directoryLimits } from "../directory/vocabulary.ts";
import { createGroup, deleteGroup, patchGroup, replaceGroup } from "../directory/write-groups.ts";
import { createPerson, deletePerson, patchPersonById, replacePerson } from "../directory/write-people.ts";
import type { Db } from "../kernel/db.ts";
import { DomainError, errorTable, notFound } from "../kernel/errors.ts";
import { isDraining } from "../kernel/lifecycle.ts";
import { histogram } from "../kernel/metrics.ts";
import type { HttpMethod } from "../operations/operation.ts";
import { FairQueue } from "../sending/fair-queue.ts";
import { parseJson } from "./parse-json.ts";
import type { PathHandler, PathParams } from "./path-tree.ts";
import { readBytes } from "./read-body.ts";
import { asDomainError, requestIdOf } from "./serve-route.ts";

/** Largest body: a group with all of its members. */
const maxBodyBytes = 1_048_576;

/**
 * Few at once: each holds a database connection, and changes of one organisation wait for one another. Organisations take turns.
 */
const turns = new FairQueue(4, {
  perTenant: 16,
  total: 200,
  refusal: () =>
    new DomainError("rate_limited", "Too many requests of directories are waiting. Try again shortly.", {
      retryAfter: 2,
    }),
});

const duration = histogram("tidings_scim_request_seconds", "SCIM requests by operation and status", [
  "operation",
  "status",
]);

interface Answer {
  status?: number;
  body?: object;
  headers?: Record<string, string>;
}

interface Call {
  ctx: DirectoryCtx;
  params: PathParams;
  query: URLSearchParams;
  /** The parsed body. */
  body: unknown;
}

type Handler = (call: Call) => Promise<Answer> | Answer;

const listSchemaUri = "urn:ietf:params:scim:api:messages:2.0:ListResponse";

/** All of a fixed list, without pages (RFC 7644 §4). */
const listOfAll = (resources: object[]) => ({
  schemas: [listSchemaUri],
  totalResults: resources.length,
  startIndex: 1,
  itemsPerPage: resources.length,
  Resources: resources,
});

function oneOf(resources: readonly { id: string }[], id: string | undefined): object {
  const found = resources.find((resource) => resource.id === id);
  if (!found) throw notFound();
  return found;
}

const page = (query: URLSearchParams) => ({
  filter: query.get("filter") ?? undefined,
  startIndex: query.get("startIndex") ?? undefined,
  count: query.get("count") ?? undefined,
});

/** Whether an answer is to have the members of groups, which directories mostly do without. */
function withMembers(query: URLSearchParams): boolean {
  const names = (name: string) =>
    query
      .get(name)
      ?.toLowerCase()
      .split(",")
      .map((each) => each.trim());
  const wanted = names("attributes");
  return wanted
    ? wanted.some((name) => name.startsWith("members"))
    : !names("excludedAttributes")?.includes("members");
}

const created = (resource: { meta: { location: string } }): Answer => ({
  status: 201,
  body: resource,
  headers: { location: resource.meta.location },
});

const id = ({ params }: Call): string => params.id ?? "";

/** Paths below /scim/v2, each with its methods. */
const routes: Record<string, Partial<Record<HttpMethod, Handler>>> = {
  "/ServiceProviderConfig": { GET: () => ({ body: serviceProviderConfig() }) },
  "/ResourceTypes": { GET: () => ({ body: listOfAll(resourceTypes()) }) },
  "/ResourceTypes/{id}": { GET: (call) => ({ body: oneOf(resourceTypes(), id(call)) }) },
  "/Schemas": { GET: () => ({ body: listOfAll(schemas()) }) },
  "/Schemas/{id}": { GET: (call) => ({ body: oneOf(schemas(), id(call)) }) },
  "/Users": {
    GET: async ({ ctx, query }) => ({ body: await listPeople(ctx, page(query)) }),
    POST: async ({ ctx, body }) => created(await createPerson(ctx, body)),
  },
  "/Users/{id}": {
    GET: async (call) => ({ body: await getPerson(call.ctx, id(call)) }),
    PUT: async (call) => ({ body: await replacePerson(call.ctx, id(call), call.body) }),
    PATCH: async (call) => ({ body: await patchPersonById(call.ctx, id(call), call.body) }),
    DELETE: async (call) => {
      await deletePerson(call.ctx, id(call));
      return { status: 204 };
    },
  },
  "/Groups": {
    GET: async ({ ctx, query }) => ({
      body: await listGroups(ctx, { ...page(query), withMembers: withMembers(query) }),
    }),
    POST: async ({ ctx, body }) => created(await createGroup(ctx, body)),
  },
  "/Groups/{id}": {
    GET: async (call) => ({ body: await getGroup(call.ctx, id(call), withMembers(call.query)) }),
    PUT: async (call) => {
      await replaceGroup(call.ctx, id(call), call.body);
      return { body: await getGroup(call.ctx, id(call), true) };
    },
    PATCH: async (call) => {
      await patchGroup(call.ctx, id(call), call.body);
      return { status: 204 };
    },
    DELETE: async (call) => {
      await deleteGroup(call.ctx, id(call));
      return { status: 204 };
    },
  },
};

/** The handlers of a directory's requests by their full paths. */
export function scimPaths(deps: { db: () => Db }): Record<string, Partial<Record<HttpMethod, PathHandler>>> {
  return Object.fromEntries(
    Object.entries(routes).map(([path, handlers]) => [
      `/scim/v2${path}`,
      Object.fromEntries(
        Object.entries(handlers).map(([method, handler]) => [
          method,
          (request: Request, params: PathParams) =>
            serve(`${method} ${path}`, handler, request, params, deps.db),
        ]),
      ),
    ]),
  );
}

async function serve(
  operation: string,
  handler: Handler,
  request: Request,
  params: PathParams,
  db: () => Db,
): Promise<Response> {
  const started = performance.now();
  const requestId = requestIdOf(request);
  const headers: Record<string, string> = { "cache-control": "no-store", "x-request-id": requestId };
  if (isDraining()) headers.connection = "close";
  let response: Response;
  try {
    const ctx = await authenticateDirectory(db(), request.headers.get("authorization"), requestId);
    const { allowed, resetSeconds } = takeRateLimit({
      db: ctx.db,
      key: {
        id: ctx.token.id,
        tenantId: ctx.tenantId,
        rateLimitPerMinute: directoryLimits.requestsPerMinute,
      },
    });
    if (!allowed) {
      throw new DomainError(
        "rate_limited",
        `This token may make ${String(directoryLimits.requestsPerMinute)} requests a minute.`,
        { retryAfter: resetSeconds },
      );
    }
    const query = new URL(request.url, "http://localhost").searchParams;
    for (const [name, value] of query) {
      if (name.includes("\0") || value.includes("\0")) {
        throw new DomainError("invalid_encoding", "The query holds a NUL character.");
      }
    }
    // Read before its turn: a slow sender holds up nobody.
    const body =
      request.method === "GET" || request.method === "DELETE" ? undefined : await readScim(request);
    const answer = await turns.run(ctx.tenantId, async () => handler({ ctx, params, query, body }));
    response = answered(answer, headers);
  } catch (error) {
    response = scimProblem(asDomainError(error, `scim ${operation}`, requestId), headers);
  }
  duration.observe({ operation, status: response.status }, (performance.now() - started) / 1_000);
  return response;
}

function answered({ status = 200, body, headers = {} }: Answer, always: Record<string, string>): Response {
  if (!body) return new FastResponse(null, { status, headers: { ...always, ...headers } });
  return new FastResponse(JSON.stringify(body), {
    status,
    headers: { ...always, ...headers, "content-type": "application/scim+json" },
  });
}

/** An error as in RFC 7644 §3.12. What is not valid is 400 here, whatever it is elsewhere. */
export function scimProblem(error: DomainError, headers: Record<string, string> = {}): Response {
  const known = errorTable[error.code].status;
  const status = known === 422 ? 400 : known;
  const { retryAfter } = error;
  return new FastResponse(
    JSON.stringify({
      schemas: ["urn:ietf:params:scim:api:messages:2.0:Error"],
      status: String(status),
      ...(typeof error.extra.scimType === "string" ? { scimType: error.extra.scimType } : {}),
      detail: error.message,
    }),
    {
      status,
      headers: {
        ...headers,
        "content-type": "application/scim+json",
        "cache-control": "no-store",
        ...(status === 401 ? { "www-authenticate": 'Bearer realm="tidings"' } : {}),
        ...(status === 429 || status === 503
          ? { "retry-after": String(Math.max(1, Math.ceil(retryAfter ?? 2))) }
          : {}),
      },
    },
  );
}

const json = /^application\/(?:scim\+)?json[\t ]*(?:;[\t ]*charset=(?:utf-8|"utf-8")[\t ]*)?;?$/i;

async function readScim(request: Request): Promise<unknown> {
  if (!json.test(request.headers.get("content-type") ?? "")) {
    throw new DomainError("unsupported_media_type", "Send the body as application/scim+json in UTF-8.");
  }
  const encoding = request.headers.get("content-encoding");
  if (encoding !== null && encoding !== "" && encoding.toLowerCase() !== "identity") {
    throw new DomainError("unsupported_media_type", "Send the body without a Content-Encoding.");
  }
  return parseJson(await readBytes(request, maxBodyBytes));
}
