import { isDeepStrictEqual } from "node:util";
import { FastResponse } from "srvx";
import { z } from "zod";
import { answerOnce } from "../access/answer-once.ts";
import { authenticateApiKey } from "../access/authenticate-api-key.ts";
import { refuseAboveLimit, takeRateLimit } from "../access/rate-limit.ts";
import type { RateLimit } from "../access/rate-limit.ts";
import { jsonHash } from "../kernel/canonical-json.ts";
import { Counts } from "../kernel/counts.ts";
import type { Db } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { DomainError, notFound } from "../kernel/errors.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { newId } from "../kernel/ids.ts";
import { isDraining } from "../kernel/lifecycle.ts";
import { logger } from "../kernel/log.ts";
import { histogram } from "../kernel/metrics.ts";
import { unknownName } from "../kernel/nearest-name.ts";
import { parseTraceparent } from "../kernel/trace-context.ts";
import { isTracing, startSpan, withSpan } from "../kernel/tracing.ts";
import type { Span } from "../kernel/tracing.ts";
import { streamOf } from "../kernel/stream-of.ts";
import { isUnavailable } from "../kernel/unavailable.ts";
import { answerCounter } from "../objectives/answer-counter.ts";
import type { RestCtx, RestContract } from "../operations/operation.ts";
import { takeRequestQuota } from "../quotas/take-quota.ts";
import { deprecationHeaders } from "./deprecation.ts";
import { errorCodes } from "./error-codes.ts";
import { fieldErrors, parseOptions } from "./field-errors.ts";
import type { PathParams } from "./path-tree.ts";
import { problemResponse } from "./problem.ts";
import { readJson, readUnaskedJson } from "./read-body.ts";

/** Dependencies of serving; the tests' client has its own database. */
export interface RestDeps {
  db: () => Db;
}

/** Serves one operation. */
export type RouteHandler = (request: Request, params: PathParams) => Promise<Response>;

/** Concurrent requests of one process; more are refused while it can still answer. */
const MAX_IN_FLIGHT = 1_000;
let inFlight = 0;
/** Of these, of one organisation, from however many addresses: others always find room. */
export const MAX_IN_FLIGHT_OF_ONE = 400;
const tenantsInFlight = new Counts();

const validRequestId = /^[A-Za-z0-9][A-Za-z0-9._:-]{0,127}$/;

/** The caller's X-Request-Id when it is a plain token, otherwise a new one. */
export function requestIdFrom(given: string | string[] | null | undefined): string {
  return typeof given === "string" && validRequestId.test(given) ? given : newId();
}

export function requestIdOf(request: Request): string {
  return requestIdFrom(request.headers.get("x-request-id"));
}

const duration = histogram("tidings_http_request_seconds", "Public REST requests by operation and status", [
  "operation",
  "status",
]);

/** Everything about a contract that can be prepared before the first request. */
interface Prepared {
  contract: RestContract;
  deps: RestDeps;
  headerNames: readonly string[];
  /** Headers of every answer. */
  fixedHeaders: Record<string, string>;
}

/** Operations whose answers count towards an organisation's availability. */
const sends = new Set(["sendNotifications", "createNotification"]);

/** One request, and what is known of it by the time of the answer. */
interface Exchange {
  request: Request;
  pathParams: PathParams;
  requestId: string;
  /** Of the answer. */
  headers: Record<string, string>;
  /** Left out: nobody knows whose request it was, or it was for a sandbox. */
  tenantId?: string;
  /** While tracing is on, once the caller is known: nobody without a key has anything traced. */
  span?: Span;
}

/** Makes a handler for a contract. All work that does not depend on the request is done here, once. */
export function serveRoute(contract: RestContract, deps: RestDeps): RouteHandler {
  const prepared: Prepared = {
    contract,
    deps,
    headerNames: namesOf(contract.requestHeaders),
    fixedHeaders: deprecationHeaders(contract),
  };
  return (request, params) => serve(prepared, request, params);
}

const namesOf = (schema: z.ZodType | undefined): string[] =>
  schema && "shape" in schema ? Object.keys((schema as z.ZodObject).shape) : [];

async function serve(prepared: Prepared, request: Request, pathParams: PathParams): Promise<Response> {
  const started = performance.now();
  const { contract } = prepared;
  const { operationId } = contract;
  const requestId = requestIdOf(request);
  const headers: Record<string, string> = {
    "content-type": "application/json",
    "cache-control": "no-store",
    "x-request-id": requestId,
    ...prepared.fixedHeaders,
  };
  if (isDraining()) headers.connection = "close";
  const exchange: Exchange = { request, pathParams, requestId, headers };
  inFlight++;
  let response: Response;
  try {
    if (inFlight > MAX_IN_FLIGHT) {
      throw new DomainError(
        "service_overloaded",
        "Too many requests are in progress here; try again shortly.",
        { retryAfter: 1 },
      );
    }
    response = await answer(prepared, exchange);
  } catch (error) {
    const told = declared(contract, asDomainError(error, operationId, requestId), requestId);
    response = problemResponse(told, requestId, headers);
  } finally {
    inFlight--;
  }
  const { span, tenantId } = exchange;
  if (span) {
    span.set({ "http.response.status_code": response.status });
    if (response.status >= 500) span.fail(String(response.status));
    span.end();
  }
  if (tenantId !== undefined && sends.has(operationId))
    answerCounter(prepared.deps.db()).count(tenantId, response.status);
  const seconds = (performance.now() - started) / 1_000;
  duration.observe({ operation: operationId, status: response.status }, seconds);
  logger().debug(
    { requestId, operation: operationId, status: response.status, ms: Math.round(seconds * 1e6) / 1e3 },
    "request",
  );
  return response;
}

/** How much a key may still ask for, as in draft-ietf-httpapi-ratelimit-headers. */
export function rateHeaders({ limit, remaining, resetSeconds }: RateLimit): Record<string, string> {
  return {
    "ratelimit-policy": `"default";q=${String(limit)};w=60`,
    ratelimit: `"default";r=${String(remaining)};t=${String(resetSeconds)}`,
  };
}

async function answer(prepared: Prepared, exchange: Exchange): Promise<Response> {
  const { contract, deps } = prepared;
  const { request, requestId, headers } = exchange;
  const caller = await authenticateApiKey(deps.db(), request.headers.get("authorization"), {
    tenantIdHeader: request.headers.get("x-tenant-id"),
    // The front door has put the caller's own address there.
    clientAddress: request.headers.get("x-forwarded-for"),
    requestId,
  });
  const { environmentId, environmentKind, applicationId, unitId } = caller.key;
  if (isTracing()) {
    exchange.span = startSpan({
      name: `${contract.method} ${contract.path}`,
      kind: "server",
      parent: parseTraceparent(request.headers.get("traceparent")),
      attributes: {
        "http.request.method": contract.method,
        "http.route": contract.path,
        "tidings.tenant.id": caller.tenantId,
        "tidings.environment.id": environmentId,
      },
    });
  }
  if (environmentKind !== "sandbox") exchange.tenantId = caller.tenantId;
  const ctx: RestCtx = Object.assign(caller, { environmentId, environmentKind, applicationId, unitId });
  const rate = takeRateLimit(caller);
  Object.assign(headers, rateHeaders(rate));
  refuseAboveLimit(rate);
  await takeRequestQuota(caller);

  if (tenantsInFlight.of(caller.tenantId) >= MAX_IN_FLIGHT_OF_ONE) {
    throw new DomainError("rate_limited", "Too many requests of your organisation are in progress.", {
      retryAfter: 1,
    });
  }
  tenantsInFlight.add(caller.tenantId);
  try {
    const run = () => handle(prepared, ctx, exchange);
    return await (exchange.span ? withSpan(exchange.span, run) : run());
  } finally {
    tenantsInFlight.remove(caller.tenantId);
  }
}

async function handle(
  { contract, headerNames }: Prepared,
  ctx: RestCtx,
  { request, pathParams, headers }: Exchange,
): Promise<Response> {
  // Like an unknown id: an invalid one does not exist.
  const params = contract.params && parsePath(contract.params, pathParams);
  const query = parseQuery(contract.query, request.url);
  const requestHeaders =
    contract.requestHeaders && parseHeaders(contract.requestHeaders, headerNames, request);
  let body: unknown;
  let sent: unknown;
  if (contract.body) {
    sent = await readJson(request, contract.maxBodyBytes, contract.bodyOptional);
    body = parse(contract.body, sent, "The body is not valid; see errors.");
  } else await refuseBody(contract, request);

  const run = () => contract.handle(ctx, { params, query, body, headers: requestHeaders });
  const key = contract.idempotencyKey
    ? (requestHeaders as { "idempotency-key"?: string })["idempotency-key"]
    : undefined;
  const result =
    key === undefined ? await run() : await runOnce(ctx, key, { contract, pathParams, query, sent, run });
  const { status } = result;
  if (env().nodeEnv !== "production") checkAnswer(contract, result);
  if (result.headers) Object.assign(headers, result.headers);
  if (result.file) {
    headers["content-type"] = `${contract.answer.file ?? "text/csv"}; charset=utf-8`;
    headers["content-disposition"] = `attachment; filename="${result.file.name}"`;
    if (result.file.bytes !== undefined) headers["content-length"] = String(result.file.bytes);
    return new FastResponse(streamOf(ctx, "a file", result.file), { status, headers });
  }
  if (result.body === undefined) {
    delete headers["content-type"];
    return new FastResponse(null, { status, headers });
  }
  const text = JSON.stringify(result.body);
  // With a known length the answer is not chunked, which saves a write to the socket.
  headers["content-length"] = String(Buffer.byteLength(text));
  return new FastResponse(text, { status, headers });
}

type Result = Awaited<ReturnType<RestContract["handle"]>>;

/** The result of a request with an Idempotency-Key: that of the first one with it. */
async function runOnce(
  ctx: RestCtx,
  key: string,
  request: {
    contract: RestContract;
    pathParams: PathParams;
    query: unknown;
    sent: unknown;
    run: () => Promise<Result>;
  },
): Promise<Result> {
  const { contract, pathParams, query, sent, run } = request;
  const hash = jsonHash([contract.operationId, { ...pathParams }, query ?? null, sent ?? null]);
  const { answer, replayed } = await answerOnce(ctx, key, hash, async () => {
    const { status, body, headers = {} } = await run();
    return { status, headers, body };
  });
  return {
    status: answer.status,
    ...("body" in answer ? { body: answer.body } : {}),
    headers: { ...answer.headers, ...(replayed ? { "Idempotent-Replayed": "true" } : {}) },
  };
}

function parsePath(schema: z.ZodType, params: PathParams): unknown {
  for (const name in params) if (params[name]?.includes("\0")) throw notFound();
  const result = schema.safeParse({ ...params });
  if (!result.success) throw notFound();
  return result.data;
}

function parseQuery(schema: z.ZodType | undefined, url: string): unknown {
  const values = Object.create(null) as Record<string, string | string[]>;
  const start = url.indexOf("?");
  if (start >= 0) {
    for (const [name, value] of new URLSearchParams(url.slice(start + 1))) {
      if (value.includes("\0") || name.includes("\0")) {
        throw new DomainError("invalid_encoding", "The query holds a NUL character.");
      }
      const before = values[name];
      if (before === undefined) values[name] = value;
      else if (Array.isArray(before)) before.push(value);
      else values[name] = [before, value];
    }
  }
  refuseUnknownNames(schema, values);
  return schema && parse(schema, values, "The query parameters are not valid; see errors.", "query");
}

/** Ignoring a misspelt filter would return everything; where there are no parameters, each is a mistake. */
function refuseUnknownNames(schema: z.ZodType | undefined, values: Record<string, unknown>): void {
  const known = namesOf(schema);
  const unknown = Object.keys(values).filter((name) => !known.includes(name));
  if (unknown.length === 0) return;
  throw new DomainError("invalid_request", "The query has parameters that do not exist here; see errors.", {
    errors: unknown.slice(0, 20).map((name) => ({
      pointer: `/query/${name.slice(0, 64).replaceAll("~", "~0").replaceAll("/", "~1")}`,
      code: "unknown_parameter",
      detail: `${unknownName(name, known)} ${known.length > 0 ? `Allowed are: ${known.join(", ")}` : "There are no query parameters here."}`,
    })),
  });
}

function parseHeaders(schema: z.ZodType, names: readonly string[], request: Request): unknown {
  const values: Record<string, string> = {};
  for (const name of names) {
    const value = request.headers.get(name);
    if (value !== null) values[name] = value;
  }
  return parse(schema, values, "The request headers are not valid; see errors.", "headers");
}

/** @param part of the request that the pointers of the errors begin with; left out for the body */
function parse(schema: z.ZodType, value: unknown, problem: string, part?: "query" | "headers"): unknown {
  const result = schema.safeParse(value, parseOptions);
  if (result.success) return result.data;
  throw new DomainError("invalid_request", problem, { errors: fieldErrors(result.error, part) });
}

const noMembers = z.strictObject({}).optional();

/**
 * An operation without a body takes none with members: who sends a reason along must learn that nobody reads it. An empty
 * body and `{}` pass, as clients send them unasked; a GET's body means nothing anywhere (RFC 9110).
 */
async function refuseBody({ method, maxBodyBytes }: RestContract, request: Request): Promise<void> {
  if (method === "GET") return;
  parse(noMembers, await readUnaskedJson(request, maxBodyBytes), "The body is not valid; see errors.");
}

/** Outside production an undocumented answer is an error, so that the documentation stays true. */
function checkAnswer(contract: RestContract, { body, file }: { body?: unknown; file?: object }): void {
  const { schema } = contract.answer;
  if (!schema || file) return;
  const json: unknown = body === undefined ? undefined : JSON.parse(JSON.stringify(body));
  const result = schema.safeParse(json);
  if (!result.success) throw new Error(`${contract.operationId} broke its contract: ${result.error.message}`);
  if (!isDeepStrictEqual(result.data, json)) {
    throw new Error(`${contract.operationId} answered with members that its contract does not declare`);
  }
}

const declaredCodes = new WeakMap<RestContract, ReadonlySet<ErrorCode>>();

/** Outside production an error that the operation does not declare is an error of ours, as an undocumented answer is. */
function declared(contract: RestContract, error: DomainError, requestId: string): DomainError {
  if (env().nodeEnv === "production") return error;
  const codes = declaredCodes.get(contract) ?? new Set(errorCodes(contract));
  declaredCodes.set(contract, codes);
  if (codes.has(error.code)) return error;
  const { operationId } = contract;
  return asDomainError(
    new Error(`${operationId} does not declare its error ${error.code}`, { cause: error }),
    operationId,
    requestId,
  );
}

/** The part of a failure that callers may see; the rest is logged here. */
export function asDomainError(error: unknown, operation: string, requestId: string): DomainError {
  if (error instanceof DomainError) return error;
  if (isUnavailable(error)) {
    logger().warn({ requestId, operation, err: error }, "the database is not available");
    return new DomainError(
      "service_overloaded",
      "The service cannot work on this right now; try again shortly.",
    );
  }
  logger().error({ requestId, operation, err: error }, "a request failed");
  return new DomainError(
    "internal_error",
    "This was not your fault. Quote the requestId when you report it.",
  );
}
