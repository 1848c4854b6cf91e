import { env } from "../kernel/env.ts";
import type { RestContract } from "../operations/operation.ts";
import { takesIdempotencyKey } from "./error-codes.ts";
import { requestExamples } from "./examples/requests.ts";
import { inOrderOfUse } from "./openapi.ts";
import { tagDescriptions } from "./openapi-prose.ts";

interface PostmanRequest {
  name: string;
  request: {
    method: string;
    description?: string;
    header: { key: string; value: string; disabled?: boolean }[];
    url: {
      raw: string;
      host: string[];
      path: string[];
      variable: { key: string; value: string }[];
      query: { key: string; value: string; disabled: true; description?: string }[];
    };
    body?: { mode: "raw"; raw: string; options: { raw: { language: "json" } } };
  };
}

const namesOf = (schema: unknown): string[] =>
  typeof schema === "object" && schema !== null && "shape" in schema
    ? Object.keys(schema.shape as object)
    : [];

function itemOf(contract: RestContract): PostmanRequest {
  const { method, path, summary, description, operationId } = contract;
  const example = requestExamples[operationId];
  const segments = path
    .slice(1)
    .split("/")
    .map((segment) => segment.replace(/^\{(\w+)\}$/, ":$1"));
  const names = segments.filter((segment) => segment.startsWith(":"));
  return {
    name: summary,
    request: {
      method,
      ...(description === undefined ? {} : { description }),
      header: [
        ...(example === undefined ? [] : [{ key: "Content-Type", value: "application/json" }]),
        ...(takesIdempotencyKey(contract) ? [{ key: "Idempotency-Key", value: "{{$guid}}" }] : []),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.join("/")}`,
        host: ["{{baseUrl}}"],
        path: segments,
        variable: names.map((name) => ({ key: name.slice(1), value: "" })),
        query: namesOf(contract.query).map((key) => ({ key, value: "", disabled: true })),
      },
      ...(example === undefined
        ? {}
        : {
            body: {
              mode: "raw",
              raw: JSON.stringify(example, null, 2),
              options: { raw: { language: "json" } },
            },
          }),
    },
  };
}

/** All operations as a collection of Postman (format 2.1), a folder for each tag; the key is a variable that is never in the file. */
export function postmanCollection(contracts: readonly RestContract[]) {
  return {
    info: {
      name: "Tidings API",
      description:
        "Set the variable apiKey to an API key. Bodies work with the demo organisation of a fresh installation.",
      schema: "https://schema.getpostman.com/json/collection/v2.1.0/collection.json",
    },
    auth: { type: "bearer", bearer: [{ key: "token", value: "{{apiKey}}", type: "string" }] },
    variable: [
      { key: "baseUrl", value: env().publicUrl, type: "string" },
      { key: "apiKey", value: "", type: "string" },
    ],
    item: [...Map.groupBy(inOrderOfUse(contracts), ({ tag }) => tag)].map(([tag, of]) => ({
      name: tag,
      description: tagDescriptions[tag] ?? tag,
      item: of.map(itemOf),
    })),
  };
}

let text: string | undefined;

/** The collection as it is served, made once. */
export function postmanText(contracts: readonly RestContract[]): string {
  return (text ??= JSON.stringify(postmanCollection(contracts)));
}
