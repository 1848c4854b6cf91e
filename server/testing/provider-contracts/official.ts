/** A contract's operations and callbacks in the provider's own description, where that is at hand. */
import { readFileSync } from "node:fs";
import type { FaultyRequest } from "../faulty-server.ts";
import { descriptionFile, readDescription, serveDescription } from "../prism.ts";
import type { ServedDescription } from "../prism.ts";
import { operationOf } from "./contract.ts";
import type { Contract, Official } from "./contract.ts";
import type { Schema } from "./drift.ts";

/** The schema of what is posted; null when the description is not at hand. */
export async function officialBody(official: Official, path: string): Promise<Schema | null> {
  const file = descriptionFile(official.file);
  if (file === null) return null;
  const model = JSON.parse(
    file.endsWith("model.json") ? readFileSync(file, "utf8") : "null",
  ) as AwsModel | null;
  if (model) {
    const operation = Object.values(model.operations).find(({ http }) => http.requestUri === path);
    if (!operation) throw new Error(`${official.file} has no ${path}`);
    return schemaOf(operation.input, model);
  }
  const wanted = official.path ?? path;
  const operations = await readDescription(file);
  const operation = operations.find((item) => item.method === "post" && item.path === wanted);
  const schema = operation?.request?.body?.contents?.[0]?.schema;
  if (!schema) throw new Error(`${official.file} has no body for ${wanted}`);
  return schema as Schema;
}

type AwsShape = {
  type?: string;
  shape?: string;
  required?: string[];
  members?: Record<string, AwsShape>;
  member?: AwsShape;
};
type AwsModel = {
  operations: Record<string, { http: { requestUri: string }; input: AwsShape }>;
  shapes: Record<string, AwsShape>;
};

function schemaOf(given: AwsShape, model: AwsModel): Schema {
  const shape = given.shape === undefined ? given : (model.shapes[given.shape] ?? {});
  if (shape.type === "list") return { items: schemaOf(shape.member ?? {}, model) };
  if (shape.type !== "structure") return {};
  const members = Object.entries(shape.members ?? {});
  return {
    properties: Object.fromEntries(members.map(([name, member]) => [name, schemaOf(member, model)])),
    required: shape.required ?? [],
  };
}

export type OfficialServer = {
  /** The status that the description has for a request; null when it is not at hand or does not have the operation. */
  judge: (request: FaultyRequest) => Promise<number | null>;
  /** The same for a callback of the provider. */
  judgeCallback: (name: string, body: unknown) => Promise<number | null>;
  close: () => Promise<void>;
};

/** Starts a description when something is to be judged by it. */
export function officialServer(contract: Contract): OfficialServer {
  const running = new Map<string, Promise<ServedDescription | null>>();
  const serve = async (name: string): Promise<ServedDescription | null> => {
    const file = name.endsWith("model.json") ? null : descriptionFile(name);
    return file === null ? null : serveDescription(file);
  };
  const post = async (
    official: Official | undefined,
    path: string,
    request: { method: string; headers: Record<string, string>; body?: string },
  ): Promise<number | null> => {
    if (!official) return null;
    const starting = running.get(official.file) ?? serve(official.file);
    running.set(official.file, starting);
    const server = await starting;
    return server && (await fetch(server.baseUrl + path, request)).status;
  };
  return {
    judge: (request) => {
      const official = operationOf(contract, request)?.official;
      // Only the versions and prefixes of addresses are written differently.
      const path = official?.path === "/" ? "/" : request.path.replace(/^\/v1\.0(?=\/users\/)/, "");
      const headers = Object.entries(request.headers).flatMap(([name, value]) =>
        value === undefined || ["host", "connection", "content-length"].includes(name) ? [] : [[name, value]],
      );
      const { method, body } = request;
      return post(official, path, {
        method,
        headers: Object.fromEntries(headers) as Record<string, string>,
        ...(method === "GET" ? {} : { body }),
      });
    },
    judgeCallback: (name, body) => {
      const official = contract.callbacks?.[name]?.official;
      const headers = { "content-type": "application/json" };
      return post(official, official?.path ?? "/", { method: "POST", headers, body: JSON.stringify(body) });
    },
    close: async () => {
      for (const server of running.values()) await (await server)?.close();
    },
  };
}
