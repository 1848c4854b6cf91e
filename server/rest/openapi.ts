import { z } from "zod";
import { createDocument } from "zod-openapi";
import type {
  ZodOpenApiOperationObject,
  ZodOpenApiPathsObject,
  ZodOpenApiResponsesObject,
} from "zod-openapi";
import { env } from "../kernel/env.ts";
import { errorTable } from "../kernel/errors.ts";
import type { ErrorCode } from "../kernel/errors.ts";
import type { RestContract } from "../operations/operation.ts";
import { deprecationNote } from "./deprecation.ts";
import { errorCodes, isIdempotent } from "./error-codes.ts";
import { describeDefaults, SchemaNames } from "./openapi-names.ts";
import type { JsonSchema } from "./openapi-names.ts";
import { answerExamples } from "./examples/answers.ts";
import { requestExamples } from "./examples/requests.ts";
import { apiDescription, parameterDescriptions, tagDescriptions } from "./openapi-prose.ts";
import { namedSchemas } from "./openapi-schemas.ts";
import { webhookEventDocuments } from "./openapi-webhooks.ts";

const problemSchema = z
  .object({
    type: z.url().meta({ description: "Where the code is explained" }),
    title: z.string().meta({ description: "The same for every error of this code" }),
    status: z.int(),
    detail: z.string().meta({ description: "What to change" }),
    instance: z.string().meta({ description: "Identifies this occurrence" }),
    code: z.enum(Object.keys(errorTable).sort() as [ErrorCode, ...ErrorCode[]]).meta({
      description: "For programs. New codes are added over time. Handle unknown codes by their status",
      example: "invalid_request",
    }),
    requestId: z.string().meta({ description: "Quote this when you ask for help" }),
    errors: z
      .array(
        z.object({
          pointer: z.string().meta({
            description: "RFC 6901 pointer into the body, or /query/… or /headers/…",
            example: "/recipients/0/channel",
          }),
          code: z.string(),
          detail: z.string(),
        }),
      )
      .meta({ description: "Each problem in the request, at most 20" }),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem document" });

const headers = {
  "X-Request-Id": {
    schema: { type: "string" as const },
    description: "Yours if you sent one, otherwise generated",
  },
  RateLimit: {
    schema: { type: "string" as const },
    description: "Requests left (r) and seconds until the window ends (t)",
    example: '"default";r=5999;t=42',
  },
  "RateLimit-Policy": {
    schema: { type: "string" as const },
    description: "The key's quota (q) in a window of w seconds",
    example: '"default";q=6000;w=60',
  },
  "Retry-After": { schema: { type: "integer" as const }, description: "Seconds to wait before trying again" },
  Deprecation: {
    schema: { type: "string" as const },
    description: "Since when the operation is deprecated (RFC 9745)",
    example: "@1798675200",
  },
  Sunset: {
    schema: { type: "string" as const },
    description: "From when on the operation may be gone (RFC 8594)",
    example: "Fri, 31 Dec 2027 00:00:00 GMT",
  },
  Link: { schema: { type: "string" as const }, description: "Where the deprecation is explained" },
  "Idempotent-Replayed": {
    schema: { type: "string" as const, enum: ["true"] },
    description: "Present if this is the answer to an earlier, identical request",
  },
};

type HeaderName = keyof typeof headers;

/** Those of deprecated operations only where there are some. */
function usedHeaders(contracts: readonly RestContract[]) {
  const { Deprecation, Sunset, Link, ...always } = headers;
  return contracts.some(({ deprecated }) => deprecated) ? { ...always, Deprecation, Sunset, Link } : always;
}

function headerRefs(...names: HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
}

function errorResponses(contract: RestContract): ZodOpenApiResponsesObject {
  const byStatus = new Map<number, ErrorCode[]>();
  for (const code of errorCodes(contract)) {
    const { status } = errorTable[code];
    byStatus.set(status, [...(byStatus.get(status) ?? []), code]);
  }
  const responses: ZodOpenApiResponsesObject = {};
  for (const [status, codes] of [...byStatus].sort(([a], [b]) => a - b)) {
    const names: HeaderName[] =
      status === 429 || status === 503 ? ["X-Request-Id", "Retry-After"] : ["X-Request-Id"];
    responses[`${status}` as `400`] = {
      description: codes.map((code) => `\`${code}\`: ${errorTable[code].title}.`).join(" "),
      headers: headerRefs(...names),
      content: {
        "application/problem+json": {
          schema: problemSchema,
          examples: Object.fromEntries(
            codes.map((code) => [code, { $ref: `#/components/examples/${code}` as const }]),
          ),
        },
      },
    };
  }
  return responses;
}

/** One for each code that some operation has. */
function problemExamples(contracts: readonly RestContract[]) {
  const codes = [...new Set(contracts.flatMap(errorCodes))].sort();
  return Object.fromEntries(
    codes.map((code) => [code, { summary: errorTable[code].title, value: problemExample(code) }]),
  );
}

function problemExample(code: ErrorCode) {
  const requestId = "0197f4a0-5b7e-7c1a-9d3e-2f6b8c4d1e0f";
  return {
    type: `${env().publicUrl}/docs/errors#${code}`,
    title: errorTable[code].title,
    status: errorTable[code].status,
    detail: errorTable[code].title,
    instance: `urn:uuid:${requestId}`,
    code,
    requestId,
    errors: [],
  };
}

/** An operation that answers with JSON or a file has an example of its JSON only. */
const fileExample = (example: unknown) => (typeof example === "string" ? example : undefined);

function operationOf(contract: RestContract): ZodOpenApiOperationObject {
  const responses: ZodOpenApiResponsesObject = {};
  const { schema, file, alternative } = contract.answer;
  const names: HeaderName[] = ["X-Request-Id", "RateLimit", "RateLimit-Policy"];
  if (isIdempotent(contract)) names.push("Idempotent-Replayed");
  if (contract.deprecated) names.push("Deprecation", "Sunset", "Link");
  for (const { status, description } of [contract.answer, ...(alternative ? [alternative] : [])]) {
    const { operationId } = contract;
    const answerExample = answerExamples[`${operationId} ${String(status)}`] ?? answerExamples[operationId];
    responses[`${status}` as "200"] = {
      description,
      headers: headerRefs(...names),
      ...(schema || file
        ? {
            content: {
              ...(schema ? { "application/json": { schema, example: answerExample } } : {}),
              ...(file
                ? { [file]: { schema: { type: "string" as const }, example: fileExample(answerExample) } }
                : {}),
            },
          }
        : {}),
    };
  }
  const { params, query, requestHeaders, body } = contract;
  return {
    operationId: contract.operationId,
    summary: contract.summary,
    ...(contract.deprecated ? { deprecated: true, "x-sunset": contract.deprecated.sunset } : {}),
    description: [
      deprecationNote(contract),
      contract.description,
      `Needs the permission ${contract.permissions.map((each) => `\`${each}\``).join(" or ")}.`,
    ]
      .filter(Boolean)
      .join("\n\n"),
    tags: [contract.tag],
    requestParams: {
      ...(params instanceof z.ZodObject ? { path: params } : {}),
      ...(query instanceof z.ZodObject ? { query } : {}),
      header: (requestHeaders instanceof z.ZodObject ? requestHeaders : z.object({})).extend({
        "x-tenant-id": z
          .uuid()
          .optional()
          .meta({ description: "The tenant of the key. Refused if it is a different one" }),
      }),
    },
    ...(body
      ? {
          requestBody: {
            required: !contract.bodyOptional,
            content: {
              "application/json": { schema: body, example: requestExamples[contract.operationId] },
            },
          },
        }
      : {}),
    responses: { ...responses, ...errorResponses(contract) },
  };
}

/** Declared where another domain's operations are; they follow the operations of their own tag. */
const lastOfTheirTag = new Set(["testTemplate"]);

/** In the order of `tagDescriptions`; operations of a tag as their domains declare them. */
function inOrderOfUse(contracts: readonly RestContract[]): RestContract[] {
  const order = Object.keys(tagDescriptions);
  const rank = ({ tag, operationId }: RestContract) =>
    (order.includes(tag) ? order.indexOf(tag) : order.length) + (lastOfTheirTag.has(operationId) ? 0.5 : 0);
  return contracts.toSorted((a, b) => rank(a) - rank(b));
}

/** The OpenAPI 3.0 document of the given operations, made from the schemas that validate requests. */
export function openApiDocument(declared: readonly RestContract[]) {
  const contracts = inOrderOfUse(declared);
  const paths: ZodOpenApiPathsObject = {};
  for (const contract of contracts) {
    const path = (paths[contract.path] ??= {});
    path[contract.method.toLowerCase() as "get"] = operationOf(contract);
  }
  const tags = [...new Set(contracts.map((contract) => contract.tag))];
  const document = createDocument(
    {
      openapi: "3.0.3",
      info: {
        title: "Tidings API",
        version: "1.0.0",
        description: apiDescription,
        contact: { name: "Tidings", url: env().publicUrl },
      },
      servers: [{ url: env().publicUrl, description: "This installation" }],
      security: [{ apiKey: [] }],
      tags: tags.map((name) => ({ name, description: tagDescriptions[name] ?? name })),
      paths,
      components: {
        schemas: namedSchemas,
        headers: usedHeaders(contracts),
        examples: problemExamples(contracts),
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "tdg_live_… / tdg_test_… / tdg_sbx_…",
            description:
              "An API key from the portal. It belongs to a tenant and an environment and has a role.",
          },
        },
      },
      "x-webhooks": webhookEventDocuments(),
      // One type for what a receiver reads: nothing else refers to the union.
      "x-webhook-event": { $ref: "#/components/schemas/WebhookEvent" },
    },
    { override: simplify },
  );
  describeParameters(document);
  nameNull(document);
  dropUnused(document);
  nameSchemas(document);
  return document;
}

const upperFirst = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);

const mediaOf = (holder: object | undefined): { schema: JsonSchema }[] =>
  Object.values((holder as { content?: Record<string, { schema: JsonSchema }> } | undefined)?.content ?? {});

/** Gives every object of bodies and answers a name, and tells of defaults of requests in words. */
function nameSchemas(document: ReturnType<typeof createDocument>): void {
  const schemas = ((document.components ??= {}).schemas ??= {}) as Record<string, JsonSchema>;
  const names = new SchemaNames(schemas);
  const withoutDefaults = new Set<object>();
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      if (!operation) continue;
      const name = upperFirst(operation.operationId ?? "");
      for (const media of mediaOf(operation.requestBody)) {
        media.schema = names.named(media.schema, `${name}Request`);
        describeDefaults(media.schema, schemas, withoutDefaults);
      }
      for (const response of Object.values(operation.responses ?? {}))
        for (const media of mediaOf(response as object))
          media.schema = names.named(media.schema, `${name}Answer`);
    }
  }
  if (names.unused.length > 0) throw new Error(`There are no schemas ${names.unused.join(", ")}`);
  document.components.schemas = Object.fromEntries(
    Object.entries(schemas).sort(([a], [b]) => (a < b ? -1 : 1)),
  ) as typeof document.components.schemas;
}

/** The named schemas that the paths and webhooks refer to, directly or in one another. */
function schemasInUse(document: ReturnType<typeof createDocument>): Set<string> {
  const schemas: Record<string, unknown> = document.components?.schemas ?? {};
  const found = new Set<string>();
  const visit = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const { $ref } = node as { $ref?: unknown };
    const name = typeof $ref === "string" ? /^#\/components\/schemas\/(.+)$/.exec($ref)?.[1] : undefined;
    if (name !== undefined && !found.has(name)) {
      found.add(name);
      visit(schemas[name]);
    }
    for (const member of Object.values(node)) visit(member);
  };
  visit(document.paths);
  visit(document["x-webhooks"]);
  visit(document["x-webhook-event"]);
  return found;
}

/**
 * Of a named schema both directions are made, `Provider` for requests and `ProviderOutput` for answers, also when one of them
 * is never used: what is only in answers gets the plain name.
 */
function dropUnused(document: ReturnType<typeof createDocument>): void {
  const inUse = schemasInUse(document);
  const plain = (name: string) => {
    const shorter = name.replace(/Output$/, "");
    return Object.hasOwn(namedSchemas, shorter) && !inUse.has(shorter) ? shorter : name;
  };
  const rename = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    const holder = node as { $ref?: unknown };
    if (typeof holder.$ref === "string")
      holder.$ref = holder.$ref.replace(/(?<=^#\/components\/schemas\/).+$/, plain);
    for (const member of Object.values(node)) rename(member);
  };
  rename(document.paths);
  rename(document.components?.schemas);
  const kept = Object.entries(document.components?.schemas ?? {}).filter(([name]) => inUse.has(name));
  if (document.components?.schemas)
    document.components.schemas = Object.fromEntries(kept.map(([name, schema]) => [plain(name), schema]));
}

/**
 * In OpenAPI 3.0 `nullable` alone does not make null one of an enum's values (OAI/OpenAPI-Specification proposal
 * 2019-10-31).
 */
function nameNull(node: unknown): void {
  if (typeof node !== "object" || node === null) return;
  const { nullable, enum: values } = node as { nullable?: unknown; enum?: unknown };
  if (nullable === true && Array.isArray(values) && !values.includes(null)) values.push(null);
  for (const member of Object.values(node)) nameNull(member);
}

/** Removes noise for readers and generators. */
function simplify({ jsonSchema, io }: { jsonSchema: Record<string, unknown>; io: "input" | "output" }): void {
  // A format says it already, and better than the pattern that checks it.
  if (typeof jsonSchema.format === "string") delete jsonSchema.pattern;
  // Several patterns of one string are in allOf.
  for (const schema of [
    jsonSchema,
    ...(Array.isArray(jsonSchema.allOf) ? (jsonSchema.allOf as Record<string, unknown>[]) : []),
  ]) {
    // Means something else where patterns are not Unicode, as in OpenAPI 3.0.
    if (typeof schema.pattern === "string" && /\\p\{/i.test(schema.pattern)) delete schema.pattern;
  }
  if (jsonSchema.minimum === Number.MIN_SAFE_INTEGER) delete jsonSchema.minimum;
  if (jsonSchema.maximum === Number.MAX_SAFE_INTEGER) delete jsonSchema.maximum;
  // Answers may get more members; clients must not refuse them.
  if (io === "output" && jsonSchema.additionalProperties === false) delete jsonSchema.additionalProperties;
}

/** Parameters that mean the same everywhere need no description in each schema. */
function describeParameters(document: ReturnType<typeof createDocument>): void {
  for (const item of Object.values(document.paths ?? {})) {
    for (const operation of [item.get, item.post, item.put, item.patch, item.delete]) {
      for (const parameter of operation?.parameters ?? []) {
        if ("name" in parameter) parameter.description ??= parameterDescriptions[parameter.name];
      }
    }
  }
}

let text: string | undefined;

/** The document as it is served, made once. */
export function openApiText(contracts: readonly RestContract[]): string {
  return (text ??= JSON.stringify(openApiDocument(contracts)));
}
