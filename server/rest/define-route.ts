import type { z } from "zod";
import type { ApiKeyCtx } from "../access/authenticate-api-key.ts";
import type { Permission } from "../access/permissions.ts";

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

/** The kernel's ctx and what the API key says about the caller. */
export interface RestCtx extends ApiKeyCtx {
  environmentId: string;
  environmentKind: "production" | "nonproduction" | "sandbox";
  /** Empty: the key is not bound to one application. */
  applicationId: string | null;
  /** Empty: the key is not bound to one unit. */
  unitId: string | null;
}

/** An answer's body and what it means; without a schema the answer has no body. A bare schema will do, too. */
export type ResponseSpec = z.ZodType | { schema?: z.ZodType; description: string };
export type ResponseSpecs = Record<number, ResponseSpec>;

type BodyOf<Spec> = Spec extends z.ZodType
  ? z.input<Spec>
  : Spec extends { schema: infer Schema extends z.ZodType }
    ? z.input<Schema>
    : undefined;

/** What a handler returns: one of the declared statuses with the body that belongs to it. */
export type RouteResult<Specs extends ResponseSpecs> = {
  [Status in keyof Specs & number]: BodyOf<Specs[Status]> extends undefined
    ? { status: Status; body?: undefined; headers?: Record<string, string> }
    : { status: Status; body: BodyOf<Specs[Status]>; headers?: Record<string, string> };
}[keyof Specs & number];

type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

export interface RouteInput<Params, Query, Body, Headers> {
  params: OutputOf<Params>;
  query: OutputOf<Query>;
  body: OutputOf<Body>;
  headers: OutputOf<Headers>;
}

type Optional = z.ZodType | undefined;

export interface RouteSpec<
  Params extends Optional,
  Query extends Optional,
  Body extends Optional,
  Headers extends Optional,
  Specs extends ResponseSpecs,
> {
  method: HttpMethod;
  /** As in OpenAPI, e.g. "/v1/webhooks/{id}". */
  path: string;
  /** lowerCamelCase, unique; labels metrics and names SDK functions. */
  operationId: string;
  summary: string;
  description?: string;
  tags: [string, ...string[]];
  /** For documentation and the access matrix; the use case itself calls authorize. */
  permission: Permission;
  /** An object of strings. What does not fit is answered like an unknown id: 404. */
  params?: Params;
  /** An object; values arrive as strings, a repeated name as an array of them. */
  query?: Query;
  /** A schema that accepts undefined makes the body optional. */
  body?: Body;
  /** An object with lower-case header names. */
  requestHeaders?: Headers;
  /** Only the answers of success; errors follow from the error table. */
  responses: Specs;
  /** Default 1 MiB. */
  maxBodyBytes?: number;
  handler: (
    ctx: RestCtx,
    input: RouteInput<Params, Query, Body, Headers>,
  ) => Promise<RouteResult<NoInfer<Specs>>>;
}

/** A contract with its types erased: what serving, documentation and tests work on. */
export interface RouteContract {
  readonly kind: "tidings.route";
  readonly method: HttpMethod;
  readonly path: string;
  readonly operationId: string;
  readonly summary: string;
  readonly description: string | undefined;
  readonly tags: readonly string[];
  readonly permission: Permission;
  readonly params: z.ZodType | undefined;
  readonly query: z.ZodType | undefined;
  readonly body: z.ZodType | undefined;
  readonly bodyOptional: boolean;
  readonly requestHeaders: z.ZodType | undefined;
  readonly responses: ReadonlyMap<number, { schema: z.ZodType | undefined; description: string }>;
  readonly maxBodyBytes: number;
  readonly handler: (
    ctx: RestCtx,
    input: { params: unknown; query: unknown; body: unknown; headers: unknown },
  ) => Promise<{ status: number; body?: unknown; headers?: Record<string, string> }>;
}

const MEBIBYTE = 1024 * 1024;

/**
 * Declares one public REST operation. The contract is the only source of what is accepted, what the OpenAPI document
 * says and what the tests try; `handler` is a thin door that calls one use case.
 */
export function defineRoute<
  Specs extends ResponseSpecs,
  Params extends Optional = undefined,
  Query extends Optional = undefined,
  Body extends Optional = undefined,
  Headers extends Optional = undefined,
>(spec: RouteSpec<Params, Query, Body, Headers, Specs>): RouteContract {
  const responses = new Map<number, { schema: z.ZodType | undefined; description: string }>();
  for (const [status, response] of Object.entries(spec.responses)) {
    responses.set(
      Number(status),
      "safeParse" in response
        ? { schema: response, description: response.description ?? spec.summary }
        : { schema: response.schema, description: response.description },
    );
  }
  return {
    kind: "tidings.route",
    method: spec.method,
    path: spec.path,
    operationId: spec.operationId,
    summary: spec.summary,
    description: spec.description,
    tags: spec.tags,
    permission: spec.permission,
    params: spec.params,
    query: spec.query,
    body: spec.body,
    bodyOptional: spec.body?.safeParse(undefined).success ?? false,
    requestHeaders: spec.requestHeaders,
    responses,
    maxBodyBytes: spec.maxBodyBytes ?? MEBIBYTE,
    // Types are erased here, once; serveRoute passes only what the schemas above let through.
    handler: spec.handler as RouteContract["handler"],
  };
}

export function isRouteContract(value: unknown): value is RouteContract {
  return typeof value === "object" && value !== null && "kind" in value && value.kind === "tidings.route";
}
