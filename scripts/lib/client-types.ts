import openapiTS, { astToString } from "openapi-typescript";
import ts from "typescript";
import { contracts } from "../../server/rest/contracts.ts";
import { openApiDocument } from "../../server/rest/openapi.ts";

type Json = Record<string, unknown>;

const isObject = (value: unknown): value is Json => typeof value === "object" && value !== null;

/** The names of all components that a part of the document refers to, directly or in one another. */
function referred(part: unknown, schemas: Json, found = new Set<string>()): Set<string> {
  if (!isObject(part)) return found;
  const name =
    typeof part.$ref === "string" ? /^#\/components\/schemas\/(.+)$/.exec(part.$ref)?.[1] : undefined;
  if (name !== undefined && !found.has(name)) {
    found.add(name);
    referred(schemas[name], schemas, found);
  }
  for (const member of Object.values(part)) referred(member, schemas, found);
  return found;
}

/**
 * The OpenAPI document as clients need it for types: without what is the same everywhere (errors, headers) and without
 * examples, which would make the file four times as long.
 */
function forTypes(document: Json): Json {
  const bare = JSON.parse(JSON.stringify(document)) as Json;
  for (const item of Object.values(bare.paths as Json)) {
    for (const operation of Object.values(item as Record<string, Json>)) {
      const parameters = (operation.parameters ?? []) as { in: string }[];
      operation.parameters = parameters.filter((parameter) => parameter.in !== "header");
      const responses = Object.entries(operation.responses as Record<string, Json>);
      operation.responses = Object.fromEntries(
        responses
          .filter(([status]) => status.startsWith("2"))
          .map(([status, { headers: _, ...response }]) => [status, response]),
      );
    }
  }
  const components = bare.components as Json;
  bare.components = { schemas: components.schemas };
  const dropExamples = (node: unknown): void => {
    if (!isObject(node)) return;
    // Of a schema or a media type only: a member of that name is an object.
    if (!isObject(node.example) || !("type" in node.example || "$ref" in node.example)) delete node.example;
    for (const member of Object.values(node)) dropExamples(member);
  };
  dropExamples(bare);
  return bare;
}

const literal = (value: string) => ts.factory.createLiteralTypeNode(ts.factory.createStringLiteral(value));

/** `"a" | "b" | (string & {})`: the values of today are suggested, those of tomorrow are allowed. */
function openUnion(values: readonly (string | null)[]): ts.TypeNode {
  const anyOther = ts.factory.createParenthesizedType(
    ts.factory.createIntersectionTypeNode([
      ts.factory.createKeywordTypeNode(ts.SyntaxKind.StringKeyword),
      ts.factory.createTypeLiteralNode([]),
    ]),
  );
  return ts.factory.createUnionTypeNode([
    ...values.map((value) =>
      value === null ? ts.factory.createLiteralTypeNode(ts.factory.createNull()) : literal(value),
    ),
    anyOther,
  ]);
}

/** `packages/sdk-ts/src/schema.ts`: types of every request and answer, made from the document that is served. */
export async function clientTypes(): Promise<string> {
  const document = openApiDocument(contracts) as unknown as Json;
  const schemas = (document.components as { schemas: Json }).schemas;
  const bodies = Object.values(document.paths as Record<string, Record<string, Json>>).flatMap((item) =>
    Object.values(item).map((operation) => operation.requestBody),
  );
  const inRequests = referred(bodies, schemas);
  const events = new Set(Object.keys(document["x-webhooks"] as Json));
  const codes = ((schemas.Problem as { properties: Json }).properties.code as { enum: string[] }).enum;
  const nodes = await openapiTS(JSON.stringify(forTypes(document)), {
    alphabetize: false,
    rootTypes: true,
    rootTypesNoSchemaPrefix: true,
    transform: (schema, { path }) => {
      const component = path && /^#\/components\/schemas\/([^/]+)/.exec(path)?.[1];
      if (!component || inRequests.has(component)) return undefined;
      const { enum: values } = schema as { enum?: unknown };
      if (!Array.isArray(values) || !values.some((value) => typeof value === "string")) return undefined;
      // Events stay closed: the union of webhooks is told apart by them, and has a member for the others.
      if (values.every((value) => events.has(String(value)))) return undefined;
      return openUnion(values as (string | null)[]);
    },
  });
  return [
    "/* Made by `npm run generate:clients` from the OpenAPI document; a test holds it to be current. */",
    "",
    astToString(nodes),
    "/** The error codes of this version of the API. */",
    `export type KnownErrorCode =\n${codes.map((code) => `  | "${code}"`).join("\n")};`,
    "",
  ].join("\n");
}
