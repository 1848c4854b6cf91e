/**
 * Operations of the service, declared once: permission, input, output, and how they are called over REST. The portal's
 * procedures, the REST routes, the OpenAPI document and the access matrix are derived from these declarations.
 */
import { z } from "zod";
import type { Ctx } from "../kernel/ctx.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import { authorizeSomewhere } from "./authorize.ts";
import type { Permission } from "./permissions.ts";

/** A caller of the portal. */
export interface PortalCtx extends Ctx {
  /** The caller's session; absent over REST. */
  sessionId?: string;
  /** Aborted when nobody waits for the answer any more. */
  signal?: AbortSignal;
}

/** A REST caller: the ctx and what the API key is bound to. */
export interface RestCtx extends Ctx {
  environmentId: string;
  environmentKind: "production" | "nonproduction" | "sandbox";
  /** Null: the key is not bound to one application. */
  applicationId: string | null;
  /** Null: the key is not bound to one unit. */
  unitId: string | null;
}

export type HttpMethod = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
type Optional = z.ZodType | undefined;
type OutputOf<Schema> = Schema extends z.ZodType ? z.output<Schema> : undefined;

/** A parsed REST request. */
interface Parts<Params, Query, Body, Headers> {
  params: OutputOf<Params>;
  query: OutputOf<Query>;
  body: OutputOf<Body>;
  headers: OutputOf<Headers>;
}

/** Since when an operation is not to be used any more, and what instead. */
export interface Deprecation {
  /** Dates, e.g. "2027-01-31", by UTC. */
  since: string;
  /** From then on it may be gone. */
  sunset: string;
  /** The operation that replaces it, by its operationId. */
  use: string;
}

/** The request of a REST operation. */
interface RestRequest<Params, Query, Body, Headers> {
  method: HttpMethod;
  /** As in OpenAPI, e.g. "/v1/webhooks/{id}". */
  path: string;
  /** lowerCamelCase, unique; labels metrics and names SDK functions. */
  operationId: string;
  summary: string;
  description?: string;
  tag: string;
  /** An object of strings. Invalid ones are answered like an unknown id: 404. */
  params?: Params;
  /** An object; values arrive as strings, a repeated name as an array of them. */
  query?: Query;
  /** A schema that accepts undefined makes the body optional. */
  body?: Body;
  /** An object with lower-case header names. */
  requestHeaders?: Headers;
  /** Default 1 MiB. */
  maxBodyBytes?: number;
  /** Takes the header Idempotency-Key: what the operation makes is made once for each. For what is made by a POST. */
  idempotencyKey?: true;
  /** It will go: answers say so in headers, and the documentation does. */
  deprecated?: Deprecation;
  /** Codes of the use case's own errors, besides those of server/rest/error-codes.ts. */
  errors?: readonly ErrorCode[];
}

/** The answer of success; errors follow from the error table. */
interface RestAnswer<Output, Answer extends Optional> {
  status: number;
  /** What it means, for the documentation. */
  description: string;
  /** The schema of the operation's output; without it the answer has no body. */
  schema?: Answer;
  /** The output is a file of this type, as `RestFile`; with a schema, it may be either. */
  file?: "text/csv";
  headers?: (output: Output) => Record<string, string>;
  /** Another status with the same body, for outputs of which `when` is true. */
  alternative?: { status: number; description: string; when: (output: Output) => boolean };
}

/** A file that is written while it is sent. `rest` is read to its end or ended with return(), or never begun. */
export interface RestFile {
  name: string;
  /** Left out: not known before it is written. */
  bytes?: number;
  first: string;
  rest: AsyncGenerator<Uint8Array>;
}

const isFile = (output: unknown) => typeof output === "object" && output !== null && "rest" in output;

/** The schema's input. */
type Answerable<Answer> = Answer extends z.ZodType ? z.input<Answer> : unknown;

/** Query, body and path parameters as one object; on equal names the later one wins. */
type Merged<Params, Query, Body> = OutputOfObject<Query> & OutputOfObject<Body> & OutputOfObject<Params>;
type OutputOfObject<Schema> = Schema extends z.ZodType
  ? undefined extends z.output<Schema>
    ? Partial<NonNullable<z.output<Schema>>>
    : z.output<Schema>
  : unknown;

type RestFace<
  Input,
  Output,
  Params extends Optional,
  Query extends Optional,
  Body extends Optional,
  Headers extends Optional,
  Answer extends Optional,
> = RestRequest<Params, Query, Body, Headers> & {
  answer: RestAnswer<Output, Answer>;
} & ((Input extends undefined ? undefined : Merged<Params, Query, Body>) extends Input
    ? { input?: MakeInput<Input, Params, Query, Body, Headers> }
    : { input: MakeInput<Input, Params, Query, Body, Headers> });

/** Makes the operation's input from the request; by default, query, body and path parameters as one object. */
type MakeInput<Input, Params, Query, Body, Headers> = (
  ctx: RestCtx,
  parts: Parts<Params, Query, Body, Headers>,
) => Input | Promise<Input>;

/** A REST operation with its types erased, as serving, documentation and tests use it. */
export interface RestContract extends RestRequest<z.ZodType, z.ZodType, z.ZodType, z.ZodType> {
  readonly permission: Permission;
  /** Any of these is enough. */
  readonly permissions: readonly Permission[];
  readonly bodyOptional: boolean;
  readonly maxBodyBytes: number;
  readonly answer: {
    status: number;
    description: string;
    schema?: z.ZodType;
    file?: "text/csv";
    alternative?: { status: number; description: string };
  };
  /** Checks the permission, then runs the use case. */
  readonly handle: (
    ctx: RestCtx,
    parts: Parts<z.ZodType, z.ZodType, z.ZodType, z.ZodType>,
  ) => Promise<{ status: number; body?: unknown; file?: RestFile; headers?: Record<string, string> }>;
}

/** An operation of the portal, and of systems as well when it has a REST contract. */
export interface Operation<Kind extends "query" | "mutation", Input extends Optional, Output> {
  readonly kind: Kind;
  /** Any of these is enough; none: every signed-in person, about themselves. */
  readonly permissions: readonly Permission[];
  readonly input: Input;
  /** Checks the permission, then runs the use case. */
  readonly call: (ctx: PortalCtx, input: OutputOf<Input>) => Output;
  readonly rest: RestContract | undefined;
}

/** An operation for systems only. */
export interface RestOperation {
  readonly kind: "rest";
  readonly rest: RestContract;
}

interface Spec<
  Input extends Optional,
  Output,
  Params extends Optional,
  Query extends Optional,
  Body extends Optional,
  Headers extends Optional,
  Answer extends Optional,
> {
  /**
   * Callers without any of these are refused before anything is read; the use case decides about the thing at hand.
   * "session": every signed-in person, about themselves.
   */
  permission: Permission | readonly [Permission, ...Permission[]] | "session";
  /** The portal's input. REST has schemas of its own for the parts of a request. */
  input?: Input;
  run: (ctx: PortalCtx, input: OutputOf<Input>) => Output;
  rest?: RestFace<OutputOf<Input>, NoInfer<Awaited<Output>>, Params, Query, Body, Headers, Answer>;
}

/** Throws unless the caller holds one of the permissions somewhere. */
function admit(ctx: Ctx, [first, ...others]: readonly Permission[]): void {
  if (first === undefined) return;
  if (others.some((other) => ctx.grants.some((grant) => grant.permissions.has(other)))) return;
  authorizeSomewhere(ctx, first);
}

function merged({ params, query, body }: Parts<Optional, Optional, Optional, Optional>): unknown {
  return params || query || body ? Object.assign({}, query, body, params) : undefined;
}

const mebibyte = 1024 * 1024;

const idempotencyHeader = z.object({
  "idempotency-key": z
    .string()
    .min(1)
    .max(255)
    .optional()
    .meta({ description: "Repeating the request within 24 hours returns the first answer" }),
});

/** Erases the types, once: serving passes only what the schemas accept. */
function contractOf<
  Params extends Optional,
  Query extends Optional,
  Body extends Optional,
  Headers extends Optional,
>(
  permissions: readonly [Permission, ...Permission[]],
  face: RestRequest<Params, Query, Body, Headers> & { answer: object },
  run: (ctx: RestCtx, parts: Parts<Params, Query, Body, Headers>) => Promise<unknown>,
): RestContract {
  const { status, schema, file, headers, alternative } = face.answer as RestAnswer<unknown, z.ZodType>;
  return {
    ...(face as unknown as RestContract),
    ...(face.idempotencyKey ? { requestHeaders: idempotencyHeader } : {}),
    permission: permissions[0],
    permissions,
    bodyOptional: face.body?.safeParse(undefined).success ?? false,
    maxBodyBytes: face.maxBodyBytes ?? mebibyte,
    handle: async (ctx, parts) => {
      admit(ctx, permissions);
      const output = await run(ctx, parts as Parts<Params, Query, Body, Headers>);
      return {
        status: alternative?.when(output) ? alternative.status : status,
        ...(file && (!schema || isFile(output))
          ? { file: output as RestFile }
          : schema
            ? { body: output }
            : {}),
        ...(headers ? { headers: headers(output) } : {}),
      };
    },
  };
}

function operation<Kind extends "query" | "mutation">(kind: Kind) {
  return <
    Output extends Answerable<Answer> | Promise<Answerable<Answer>>,
    Input extends Optional = undefined,
    Params extends Optional = undefined,
    Query extends Optional = undefined,
    Body extends Optional = undefined,
    Headers extends Optional = undefined,
    Answer extends Optional = undefined,
  >(
    spec: Spec<Input, Output, Params, Query, Body, Headers, Answer>,
  ): Operation<Kind, Input, Output> => {
    const { permission, run, rest } = spec;
    const permissions: readonly Permission[] =
      permission === "session" ? [] : typeof permission === "string" ? [permission] : permission;
    const [first, ...others] = permissions;
    if (rest && first === undefined) throw new Error(`${rest.operationId} needs a permission`);
    return {
      kind,
      permissions,
      input: spec.input as Input,
      call: (ctx, input) => {
        admit(ctx, permissions);
        return run(ctx, input);
      },
      rest:
        rest &&
        first &&
        contractOf<Params, Query, Body, Headers>([first, ...others], rest, async (ctx, parts) => {
          const made = rest.input ? await rest.input(ctx, parts) : merged(parts);
          return run(ctx, made as OutputOf<Input>);
        }),
    };
  };
}

/** Declares an operation that reads. */
export const query = operation("query");
/** Declares an operation that changes something. */
export const mutation = operation("mutation");

/** Declares an operation for systems only. */
export function restOnly<
  Output extends Answerable<Answer>,
  Params extends Optional = undefined,
  Query extends Optional = undefined,
  Body extends Optional = undefined,
  Headers extends Optional = undefined,
  Answer extends Optional = undefined,
>(
  spec: RestRequest<Params, Query, Body, Headers> & {
    permission: Permission | readonly [Permission, ...Permission[]];
    answer: RestAnswer<NoInfer<Output>, Answer>;
    run: (ctx: RestCtx, parts: Parts<Params, Query, Body, Headers>) => Promise<Output>;
  },
): RestOperation {
  const { permission, run, ...face } = spec;
  const permissions = typeof permission === "string" ? ([permission] as const) : permission;
  return { kind: "rest", rest: contractOf(permissions, face, run) };
}
