import type { z } from "zod";
import type { HttpMethod, RestContract, RestCtx } from "../operations/operation.ts";
import type { Permission } from "../operations/permissions.ts";

const MEBIBYTE = 1024 * 1024;

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

/** Declares one public REST operation. */
export function defineRoute<
  Specs extends ResponseSpecs,
  Params extends Optional = undefined,
  Query extends Optional = undefined,
  Body extends Optional = undefined,
  Headers extends Optional = undefined,
>(spec: RouteSpec<Params, Query, Body, Headers, Specs>): RestContract & { kind: "tidings.route" } {
  const [[status, response] = ["200", { description: "" }], second] = Object.entries(spec.responses);
  const { handler, tags, responses: _, ...face } = spec;
  return {
    ...(face as unknown as RestContract),
    kind: "tidings.route",
    tag: tags[0],
    bodyOptional: spec.body?.safeParse(undefined).success ?? false,
    answer: {
      status: Number(status),
      ...("safeParse" in response
        ? { schema: response, description: response.description ?? spec.summary }
        : response),
      ...(second && !("safeParse" in second[1])
        ? { alternative: { status: Number(second[0]), description: second[1].description } }
        : {}),
    },
    maxBodyBytes: spec.maxBodyBytes ?? MEBIBYTE,
    handle: handler as unknown as RestContract["handle"],
  };
}
