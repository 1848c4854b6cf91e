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
import { apiDescription, parameterDescriptions, tagDescriptions } from "./openapi-prose.ts";
import { namedSchemas } from "./openapi-schemas.ts";
import { webhookEventDocuments } from "./openapi-webhooks.ts";

const problemSchema = z
  .object({
    type: z.url().meta({ description: "Where the code is explained" }),
    title: z.string().meta({ description: "The same for every error of this code" }),
    status: z.int(),
    detail: z.string().meta({ description: "What to change" }),
    instance: z.string().meta({ description: "Names this very occurrence" }),
    code: z.string().meta({ description: "For programs", example: "invalid_request" }),
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
      .meta({ description: "Each thing that is wrong, at most 20" }),
  })
  .meta({ id: "Problem", description: "RFC 9457 problem document" });

const headers = {
  "X-Request-Id": {
    schema: { type: "string" as const },
    description: "Yours when you sent one, otherwise ours",
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
  "Idempotent-Replayed": {
    schema: { type: "string" as const, enum: ["true"] },
    description: "There when this is the answer to an earlier, identical request",
  },
};

type HeaderName = keyof typeof headers;

function headerRefs(...names: HeaderName[]) {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` as const }]));
}

/** Error codes of an operation, besides those of its use case. */
function errorCodes(contract: RestContract): ErrorCode[] {
  const codes: ErrorCode[] = [
    "unauthenticated",
    "address_not_allowed",
    "permission_denied",
    "tenant_mismatch",
    "rate_limited",
    "quota_exceeded",
    // Unknown query parameters are refused everywhere.
    "invalid_request",
    "invalid_encoding",
    "internal_error",
    "service_overloaded",
  ];
  if (contract.params) codes.push("not_found");
  if (contract.query && "cursor" in shapeOf(contract.query)) codes.push("invalid_cursor");
  if (contract.body) {
    codes.push("invalid_json", "depth_exceeded", "payload_too_large", "unsupported_media_type");
  }
  if (isIdempotent(contract)) codes.push("idempotency_mismatch", "request_in_progress");
  if (contract.permission === "notifications:send") {
    codes.push(
      "agent_limit",
      "unknown_application",
      "unknown_notification_type",
      "unknown_template",
      "missing_variable",
      "invalid_variable",
      "unknown_contact_group",
      "sender_not_allowed",
    );
  }
  if (contract.permission === "notifications:cancel") codes.push("conflict");
  if (contract.permission === "templates:write") {
    codes.push("invalid_template", "template_exists", "moderation_blocked", "moderation_unavailable");
    codes.push("conflict", "environment_mismatch", "unknown_application", "sender_not_allowed");
  }
  if (contract.permission === "promotions:request") {
    codes.push("unknown_application", "environment_mismatch", "promotion_conflict");
  }
  if (contract.permission === "promotions:approve") codes.push("conflict", "environment_mismatch");
  if (contract.permission === "promotions:approve" && contract.tag === "Promotions") {
    codes.push("promotion_conflict");
  }
  if (contract.permission === "pipelines:manage") codes.push("conflict", "environment_mismatch");
  if (contract.permission === "webhooks:manage" && contract.body) codes.push("forbidden_address");
  if (contract.permission === "providers:manage") codes.push("environment_mismatch", "conflict");
  if (contract.permission === "providers:manage" && contract.body) {
    codes.push("forbidden_address", "region_not_allowed", "revision_conflict");
  }
  if (contract.tag === "Suppressions" && contract.permission === "consent:write") {
    codes.push("environment_mismatch");
    if (contract.method === "DELETE") codes.push("agent_limit");
  }
  if (contract.tag === "Exports" && (contract.method !== "GET" || contract.answer.file))
    codes.push("conflict");
  if (contract.operationId === "deleteProvider") codes.push("connection_in_use");
  return [...new Set(codes)];
}

function shapeOf(schema: z.ZodType): Record<string, z.ZodType> {
  return schema instanceof z.ZodObject ? schema.shape : {};
}

/** A repeated request is answered with the first answer. */
function isIdempotent(contract: RestContract): boolean {
  return (
    (contract.requestHeaders !== undefined && "idempotency-key" in shapeOf(contract.requestHeaders)) ||
    contract.operationId === "sendNotifications"
  );
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
          example: problemExample(codes[0] ?? "internal_error"),
        },
      },
    };
  }
  return responses;
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

function operationOf(contract: RestContract): ZodOpenApiOperationObject {
  const responses: ZodOpenApiResponsesObject = {};
  const { schema, file, alternative } = contract.answer;
  const names: HeaderName[] = ["X-Request-Id", "RateLimit", "RateLimit-Policy"];
  if (isIdempotent(contract)) names.push("Idempotent-Replayed");
  for (const { status, description } of [contract.answer, ...(alternative ? [alternative] : [])]) {
    responses[`${status}` as "200"] = {
      description,
      headers: headerRefs(...names),
      ...(schema || file
        ? {
            content: {
              ...(schema ? { "application/json": { schema } } : {}),
              ...(file ? { [file]: { schema: { type: "string" as const } } } : {}),
            },
          }
        : {}),
    };
  }
  const { params, query, requestHeaders, body } = contract;
  return {
    operationId: contract.operationId,
    summary: contract.summary,
    description: [
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
          .meta({ description: "The tenant of the key; refused when it is another" }),
      }),
    },
    ...(body
      ? {
          requestBody: {
            required: !contract.bodyOptional,
            content: { "application/json": { schema: body } },
          },
        }
      : {}),
    responses: { ...responses, ...errorResponses(contract) },
  };
}

/** The OpenAPI 3.0 document of the given operations, made from the schemas that validate requests. */
export function openApiDocument(contracts: readonly RestContract[]) {
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
        headers,
        securitySchemes: {
          apiKey: {
            type: "http",
            scheme: "bearer",
            bearerFormat: "tdg_live_… / tdg_test_… / tdg_sbx_…",
            description:
              "An API key from the portal. It names the tenant and the environment and carries a role.",
          },
        },
      },
      "x-webhooks": webhookEventDocuments(),
    },
    { override: simplify },
  );
  describeParameters(document);
  nameNull(document);
  dropUnused(document);
  return document;
}

/** Of a named schema inside of another one both directions are made, also the one that nothing refers to. */
function dropUnused(document: ReturnType<typeof createDocument>): void {
  const { components } = document;
  if (!components?.schemas) return;
  const text = JSON.stringify(document);
  components.schemas = Object.fromEntries(
    Object.entries(components.schemas).filter(
      ([name]) => Object.hasOwn(namedSchemas, name) || text.includes(`"#/components/schemas/${name}"`),
    ),
  );
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
