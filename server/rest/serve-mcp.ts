import { FastResponse } from "srvx";
import { z } from "zod";
import { authenticateApiKey } from "../access/authenticate-api-key.ts";
import type { ApiKeyCtx } from "../access/authenticate-api-key.ts";
import { giveBackRequest, refuseAboveLimit, takeRateLimit } from "../access/rate-limit.ts";
import { env } from "../kernel/env.ts";
import { DomainError } from "../kernel/errors.ts";
import { maySomewhere } from "../operations/authorize.ts";
import { errorAdvice } from "./error-advice.ts";
import { mcpTools } from "./mcp-tools.ts";
import type { KnownTool } from "./mcp-tools.ts";
import { problemOf, problemResponse } from "./problem.ts";
import type { Problem } from "./problem.ts";
import { readJson } from "./read-body.ts";
import { asDomainError, rateHeaders, requestIdOf, serveRoute } from "./serve-route.ts";
import type { RestDeps, RouteHandler } from "./serve-route.ts";

/*
 * The Model Context Protocol over HTTP, without sessions: each POST is one message of JSON-RPC, answered with JSON. A tool is an
 * operation of the API and is called through its route, so that authentication, quotas, checks, permissions and the limits of agents
 * are those of the API.
 */

/** Versions of the protocol, newest first. In what is spoken here they are alike. */
const versions = ["2025-11-25", "2025-06-18", "2025-03-26"] as const;
const maxBodyBytes = 1_048_576;
/** Of a key that is above its limit: enough to tell it so in the words of the protocol. */
const maxBodyBytesAbove = 16_384;
/** Characters of the address that a call stands for, as many as the front door takes of one. */
const mostInAddress = 16_384;
/** Characters of an answer: more would fill the context of a model. */
const mostCharacters = 200_000;
/** How long a tool may take. */
const patienceMs = 30_000;

const messageSchema = z.object({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string().max(255), z.int()]).optional(),
  method: z.string().max(255).optional(),
  params: z.record(z.string(), z.unknown()).optional(),
});
const callSchema = z.object({
  name: z.string().max(255),
  arguments: z.record(z.string(), z.unknown()).default({}),
});

const rpcCodes = { invalidRequest: -32_600, methodNotFound: -32_601, invalidParams: -32_602 } as const;

class RpcError extends Error {
  readonly code: number;
  constructor(code: keyof typeof rpcCodes, message: string) {
    super(message);
    this.code = rpcCodes[code];
  }
}

const instructions =
  "Tidings sends SMS, e-mail and WhatsApp messages with approved templates. List the templates, call explain with what you intend to send, then send with the same arguments and a transactionId. An error says what to change; do not repeat a call that was refused without changing it. Messages of agents to production wait until a person approves them.";

/** Makes the handler of POST /mcp. */
export function serveMcp(deps: RestDeps): (request: Request) => Promise<Response> {
  const routes = new Map<string, RouteHandler>(
    [...mcpTools()].map(([name, { contract }]) => [name, serveRoute(contract, deps)]),
  );
  return async (request) => {
    const requestId = requestIdOf(request);
    const headers: Record<string, string> = {
      "content-type": "application/json",
      "cache-control": "no-store",
      "x-request-id": requestId,
    };
    try {
      return await answer(request, requestId, deps, routes, headers);
    } catch (error) {
      return problemResponse(asDomainError(error, "mcp", requestId), requestId, headers);
    }
  };
}

async function answer(
  request: Request,
  requestId: string,
  deps: RestDeps,
  routes: ReadonlyMap<string, RouteHandler>,
  headers: Record<string, string>,
): Promise<Response> {
  refuseForeignPages(request);
  const ctx = await authenticateApiKey(deps.db(), request.headers.get("authorization"), {
    tenantIdHeader: request.headers.get("x-tenant-id"),
    clientAddress: request.headers.get("x-forwarded-for"),
    requestId,
  });
  const takenAt = Date.now();
  const rate = takeRateLimit(ctx);
  Object.assign(headers, rateHeaders(rate));
  const sent = await readJson(request, rate.allowed ? maxBodyBytes : maxBodyBytesAbove, false);
  const reply = (status: number, message: object) =>
    new FastResponse(JSON.stringify(message), { status, headers });
  const parsed = messageSchema.safeParse(sent);
  // That a key is above its limit, the route of a tool says in words that a model reads.
  if (parsed.data?.method !== "tools/call") refuseAboveLimit(rate);
  if (!parsed.success) {
    const message = Array.isArray(sent)
      ? "Batches are not taken. Send one message at a time."
      : "This is not a message of JSON-RPC 2.0.";
    return reply(400, { jsonrpc: "2.0", id: null, error: { code: rpcCodes.invalidRequest, message } });
  }
  const { id, method, params = {} } = parsed.data;
  const asked = request.headers.get("mcp-protocol-version");
  if (asked !== null && !versions.some((version) => version === asked))
    return reply(400, {
      jsonrpc: "2.0",
      id: id ?? null,
      error: {
        code: rpcCodes.invalidRequest,
        message: `Supported versions of the protocol: ${versions.join(", ")}`,
      },
    });
  // A notification, or the answer to something that was never asked.
  if (id === undefined || method === undefined) return new FastResponse(null, { status: 202, headers });
  try {
    const counted = rate.allowed ? takenAt : undefined;
    const result = await resultOf(method, params, { ctx, counted, request, routes });
    return reply(200, { jsonrpc: "2.0", id, result });
  } catch (error) {
    if (!(error instanceof RpcError)) throw error;
    return reply(200, { jsonrpc: "2.0", id, error: { code: error.code, message: error.message } });
  }
}

/** A page of another origin has no business here; clients that are not browsers send no Origin. */
function refuseForeignPages(request: Request): void {
  const origin = request.headers.get("origin");
  if (origin !== null && origin !== new URL(env().publicUrl).origin)
    throw new DomainError("permission_denied", "Pages of other origins cannot use this address.");
}

interface Call {
  ctx: ApiKeyCtx;
  /** When the message was counted; undefined: it was not. */
  counted: number | undefined;
  request: Request;
  routes: ReadonlyMap<string, RouteHandler>;
}

function resultOf(method: string, params: Record<string, unknown>, call: Call): object | Promise<object> {
  switch (method) {
    case "initialize": {
      const asked = versions.find((version) => version === params.protocolVersion);
      return {
        protocolVersion: asked ?? versions[0],
        capabilities: { tools: { listChanged: false } },
        serverInfo: { name: "tidings", title: "Tidings", version: "1.0.0" },
        instructions,
      };
    }
    case "ping":
      return {};
    case "tools/list":
      // What the key may not do anywhere would only mislead.
      return {
        tools: [...mcpTools().values()]
          .filter(({ contract }) =>
            contract.permissions.some((permission) => maySomewhere(call.ctx, permission)),
          )
          .map(({ tool }) => tool),
      };
    case "tools/call":
      return callTool(params, call);
    default:
      throw new RpcError("methodNotFound", `There is no method ${method.slice(0, 64)} here.`);
  }
}

interface ToolResult {
  content: { type: "text"; text: string }[];
  structuredContent?: unknown;
  isError?: true;
}

async function callTool(
  params: Record<string, unknown>,
  { ctx, counted, request, routes }: Call,
): Promise<ToolResult> {
  const parsed = callSchema.safeParse(params);
  if (!parsed.success)
    throw new RpcError("invalidParams", "A call names a tool and has an object of arguments.");
  const { name, arguments: given } = parsed.data;
  const known = mcpTools().get(name);
  const route = routes.get(name);
  if (!known || !route)
    throw new RpcError(
      "invalidParams",
      `There is no tool of this name. There are: ${[...mcpTools().keys()].join(", ")}`,
    );
  const { params: inPath, asRequest } = requestOf(known, given, request);
  const missing = [...known.params].filter((param) => inPath[param] === undefined);
  if (missing.length > 0) return refused(missingArguments(missing, requestIdOf(request)));
  if (asRequest.url.length > mostInAddress) return refused(tooLong("The arguments are too long.", request));
  // The route counts it.
  if (counted !== undefined) giveBackRequest(ctx, counted);
  const response = await inTime(route(asRequest, inPath), requestIdOf(request));
  const text = await response.text();
  if (response.status >= 400) return refused(JSON.parse(text) as Problem);
  if (text.length > mostCharacters)
    return refused(
      tooLong("The answer is too long. Ask for less: with a smaller limit, or with a filter.", request),
    );
  return {
    content: [{ type: "text", text: text === "" ? "Done" : text }],
    ...(text.startsWith("{") ? { structuredContent: JSON.parse(text) as unknown } : {}),
  };
}

/** The request to the API that a call stands for. */
function requestOf({ contract, params, query }: KnownTool, given: Record<string, unknown>, request: Request) {
  const inPath: Record<string, string> = {};
  const search = new URLSearchParams();
  const body: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(given)) {
    if (params.has(name)) inPath[name] = textOf(value);
    else if (query) for (const each of [value].flat()) search.append(name, textOf(each));
    else body[name] = value;
  }
  const headers = new Headers({ "content-type": "application/json" });
  for (const name of ["authorization", "x-tenant-id", "x-forwarded-for", "x-request-id"]) {
    const value = request.headers.get(name);
    if (value !== null) headers.set(name, value);
  }
  const path = contract.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
    encodeURIComponent(inPath[name] ?? ""),
  );
  return {
    params: inPath,
    asRequest: new Request(`http://localhost${path}?${search.toString()}`, {
      method: contract.method,
      headers,
      ...(contract.method === "GET" ? {} : { body: JSON.stringify(body) }),
    }),
  };
}

const tooLong = (detail: string, request: Request): Problem =>
  problemOf(new DomainError("payload_too_large", detail), requestIdOf(request));

const textOf = (value: unknown) => (typeof value === "string" ? value : JSON.stringify(value ?? null));

function missingArguments(names: readonly string[], requestId: string): Problem {
  return problemOf(
    new DomainError("invalid_request", "The arguments are not valid; see errors.", {
      errors: names.map((name) => ({
        pointer: `/${name}`,
        code: "required",
        detail: "This argument is required",
      })),
    }),
    requestId,
  );
}

async function inTime(work: Promise<Response>, requestId: string): Promise<Response> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Response>((resolve) => {
    timer = setTimeout(() => {
      const detail = "This takes too long. It may still take effect: look before you try again.";
      resolve(problemResponse(new DomainError("service_overloaded", detail), requestId));
    }, patienceMs);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}

/** An error that the model reads: our code, and what to change. */
function refused(problem: Problem): ToolResult {
  const { code, detail, errors } = problem;
  const lines = [
    `${code}: ${detail}`,
    ...errors.map((each) => `${each.pointer} ${each.code}: ${each.detail}`),
    errorAdvice[code] ?? "",
  ];
  return {
    content: [{ type: "text", text: lines.filter(Boolean).join("\n") }],
    structuredContent: problem,
    isError: true,
  };
}
