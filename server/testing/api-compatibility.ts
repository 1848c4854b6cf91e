/*
 * What of a change of the API breaks a client of the release before. Requests may ask for less and take more, answers may give more
 * and promise no less. Enums of answers may get values, as the API says: clients treat those that they do not know by what they do.
 */

/** Whether the document is to be kept as that of a release. */
export const recordingRelease = process.env.RECORD_RELEASE === "1";

export interface Schema {
  $ref?: string;
  type?: string;
  format?: string;
  nullable?: boolean;
  enum?: unknown[];
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  additionalProperties?: boolean | Schema;
  allOf?: Schema[];
  anyOf?: Schema[];
  oneOf?: Schema[];
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  pattern?: string;
}
type Content = Record<string, { schema?: Schema }>;
interface Operation {
  operationId?: string;
  "x-sunset"?: string;
  parameters?: { name: string; in: string; required?: boolean; schema?: Schema }[];
  requestBody?: { required?: boolean; content: Content };
  responses?: Record<string, { content?: Content }>;
}
export interface ApiDocument {
  paths: Record<string, Record<string, Operation>>;
  components?: { schemas?: Record<string, Schema> };
  "x-webhooks"?: Record<string, { post: { requestBody: { content: Content } } }>;
}

type Direction = "request" | "answer";

/** The parts of a document that compatibility depends on, as a release keeps them. */
export function essentials(document: ApiDocument): ApiDocument {
  const kept = new Set([
    "$ref",
    "type",
    "format",
    "nullable",
    "enum",
    "required",
    "items",
    "additionalProperties",
    "allOf",
    "anyOf",
    "oneOf",
    "minimum",
    "maximum",
    "minLength",
    "maxLength",
    "minItems",
    "maxItems",
    "pattern",
  ]);
  const schemaOf = (schema: Schema): Schema =>
    Object.fromEntries(
      Object.entries(schema).flatMap(([name, value]): [string, unknown][] => {
        if (name === "properties")
          return [
            [
              name,
              Object.fromEntries(
                Object.entries(value as Record<string, Schema>).map(([key, of]) => [key, schemaOf(of)]),
              ),
            ],
          ];
        if (!kept.has(name)) return [];
        if (name === "items" || (name === "additionalProperties" && typeof value === "object"))
          return [[name, schemaOf(value as Schema)]];
        if (name === "allOf" || name === "anyOf" || name === "oneOf")
          return [[name, (value as Schema[]).map(schemaOf)]];
        return [[name, value]];
      }),
    );
  const contentOf = (content: Content) =>
    Object.fromEntries(
      Object.entries(content).map(([type, { schema }]) => [type, schema ? { schema: schemaOf(schema) } : {}]),
    );
  return {
    paths: Object.fromEntries(
      Object.entries(document.paths).map(([path, methods]) => [
        path,
        Object.fromEntries(
          Object.entries(methods).map(
            ([method, { operationId, parameters, requestBody, responses, "x-sunset": sunset }]) => [
              method,
              {
                ...(operationId === undefined ? {} : { operationId }),
                ...(sunset === undefined ? {} : { "x-sunset": sunset }),
                ...(parameters && {
                  parameters: parameters.map(({ name, in: place, required = false, schema }) => ({
                    name,
                    in: place,
                    required,
                    ...(schema && { schema: schemaOf(schema) }),
                  })),
                }),
                ...(requestBody && {
                  requestBody: {
                    required: requestBody.required ?? false,
                    content: contentOf(requestBody.content),
                  },
                }),
                responses: Object.fromEntries(
                  Object.entries(responses ?? {})
                    .filter(([status]) => status.startsWith("2"))
                    .map(([status, { content }]) => [status, content ? { content: contentOf(content) } : {}]),
                ),
              },
            ],
          ),
        ),
      ]),
    ),
    components: {
      schemas: Object.fromEntries(
        Object.entries(document.components?.schemas ?? {}).map(([name, schema]) => [name, schemaOf(schema)]),
      ),
    },
    "x-webhooks": Object.fromEntries(
      Object.entries(document["x-webhooks"] ?? {}).map(([event, { post }]) => [
        event,
        { post: { requestBody: { content: contentOf(post.requestBody.content) } } },
      ]),
    ),
  };
}

/**
 * Everything in `now` that breaks a client made for `before`, each as a sentence with its place.
 * @param today what is past its sunset may be gone
 */
export function breakingChanges(before: ApiDocument, now: ApiDocument, today = new Date()): string[] {
  const found: string[] = [];
  const visited = new Set<string>();

  const resolve = (document: ApiDocument, schema: Schema): Schema => {
    const name = schema.$ref?.split("/").at(-1);
    const target = name === undefined ? schema : (document.components?.schemas?.[name] ?? {});
    // A reference with a description beside it.
    return target.allOf?.length === 1 && target.allOf[0]
      ? { ...resolve(document, target.allOf[0]), nullable: target.nullable ?? false }
      : target;
  };

  const compare = (old: Schema, next: Schema, at: string, direction: Direction): void => {
    if (old.$ref && next.$ref) {
      const pair = `${old.$ref} ${next.$ref} ${direction}`;
      if (visited.has(pair)) return;
      visited.add(pair);
    }
    const a = resolve(before, old);
    const b = resolve(now, next);
    const isRequest = direction === "request";
    const report = (what: string) => found.push(`${at}: ${what}`);
    if (
      a.type !== undefined &&
      b.type !== undefined &&
      a.type !== b.type &&
      !(isRequest && a.type === "integer" && b.type === "number") &&
      !(!isRequest && a.type === "number" && b.type === "integer")
    )
      report(`was ${a.type} and is ${b.type}`);
    if (a.type === undefined && b.type !== undefined && isRequest && !a.anyOf && !a.oneOf)
      report(`took anything and takes ${b.type}`);
    if (a.format !== b.format && b.format !== undefined && isRequest)
      report(`takes only the format ${b.format}`);
    if (a.format !== b.format && a.format !== undefined && !isRequest)
      report(`is no longer of the format ${a.format}`);
    if (isRequest && a.nullable && !b.nullable) report("no longer takes null");
    if (!isRequest && !a.nullable && b.nullable) report("may now be null");
    if (isRequest && a.enum && b.enum)
      for (const value of a.enum)
        if (!b.enum.includes(value)) report(`no longer takes ${JSON.stringify(value)}`);
    if (isRequest && !a.enum && b.enum) report("takes only certain values");
    if (!isRequest && a.enum && !b.enum) report("may now be any value");
    if (isRequest) {
      for (const bound of ["minimum", "minLength", "minItems"] as const)
        if (
          b[bound] !== undefined &&
          b[bound] > (a[bound] ?? -Infinity) &&
          !(a[bound] === undefined && bound !== "minimum" && b[bound] === 0)
        )
          report(`${bound} rose to ${String(b[bound])}`);
      for (const bound of ["maximum", "maxLength", "maxItems"] as const)
        if (b[bound] !== undefined && b[bound] < (a[bound] ?? Infinity))
          report(`${bound} fell to ${String(b[bound])}`);
      if (b.pattern !== undefined && a.pattern !== b.pattern) report("takes only another pattern");
    }
    compareMembers(a, b, at, direction);
    if (a.items && b.items) compare(a.items, b.items, `${at}[]`, direction);
    if (typeof a.additionalProperties === "object" && typeof b.additionalProperties === "object")
      compare(a.additionalProperties, b.additionalProperties, `${at}{}`, direction);
    if (isRequest && a.additionalProperties !== false && b.additionalProperties === false && a.properties)
      report("no longer takes other members");
    compareVariants(a, b, at, direction);
  };

  const compareMembers = (a: Schema, b: Schema, at: string, direction: Direction): void => {
    if (!a.properties || !b.properties) return;
    for (const [name, member] of Object.entries(a.properties)) {
      const next = b.properties[name];
      if (!next) found.push(`${at}.${name}: was removed`);
      else compare(member, next, `${at}.${name}`, direction);
      if (direction === "answer" && next && a.required?.includes(name) && !b.required?.includes(name))
        found.push(`${at}.${name}: may now be missing`);
    }
    if (direction === "request")
      for (const name of b.required ?? [])
        if (!a.required?.includes(name)) found.push(`${at}.${name}: is now required`);
  };

  const compareVariants = (a: Schema, b: Schema, at: string, direction: Direction): void => {
    const variants = (schema: Schema) => schema.anyOf ?? schema.oneOf;
    const old = variants(a);
    const next = variants(b);
    if (!old || !next) {
      // One of several may still be what the only one was.
      if (direction === "request" && old && !next && !b.allOf)
        found.push(`${at}: takes only one of its variants`);
      if (direction === "answer" && !old && next && a.type !== undefined)
        found.push(`${at}: may now be one of several`);
      return;
    }
    const matches = (one: Schema, of: Schema, from: "old" | "next"): boolean => {
      const [x, y] = from === "old" ? [one, of] : [of, one];
      if (x.$ref !== undefined && x.$ref === y.$ref) return true;
      // Only a question: what it finds is forgotten, and so is what it has looked at.
      const known = [...visited];
      const count = found.length;
      compare(x, y, at, direction);
      const same = found.length === count;
      found.length = count;
      visited.clear();
      for (const pair of known) visited.add(pair);
      return same;
    };
    for (const [index, variant] of old.entries()) {
      const twin = next.find((each) => each.$ref !== undefined && each.$ref === variant.$ref);
      if (twin) compare(variant, twin, `${at}|${variant.$ref?.split("/").at(-1) ?? ""}`, direction);
      else if (direction === "request" && !next.some((each) => matches(variant, each, "old")))
        found.push(`${at}: no longer takes its variant ${String(index + 1)}`);
    }
  };

  for (const [path, methods] of Object.entries(before.paths))
    for (const [method, old] of Object.entries(methods)) {
      const at = `${method.toUpperCase()} ${path}`;
      const next = now.paths[path]?.[method];
      if (!next) {
        const sunset = old["x-sunset"];
        if (sunset === undefined || new Date(sunset) > today) found.push(`${at}: was removed`);
        continue;
      }
      if (old.operationId !== next.operationId)
        found.push(`${at}: is now called ${next.operationId ?? "nothing"}`);
      const parameter = (of: Operation, name: string, place: string) =>
        of.parameters?.find((each) => each.name === name && each.in === place);
      for (const { name, in: place, schema } of old.parameters ?? []) {
        const same = parameter(next, name, place);
        // Unknown headers are ignored, unknown query parameters refused.
        if (!same) found.push(`${at} ${place} ${name}: was removed`);
        else if (schema && same.schema) compare(schema, same.schema, `${at} ${place} ${name}`, "request");
      }
      for (const { name, in: place, required } of next.parameters ?? [])
        if (required && !parameter(old, name, place)?.required)
          found.push(`${at} ${place} ${name}: is now required`);
      if (next.requestBody?.required && !old.requestBody?.required)
        found.push(`${at}: a body is now required`);
      if (old.requestBody && !next.requestBody) found.push(`${at}: no longer takes a body`);
      compareContent(old.requestBody?.content, next.requestBody?.content, `${at} body`, "request");
      for (const [status, { content }] of Object.entries(old.responses ?? {})) {
        if (!status.startsWith("2")) continue;
        const answer = next.responses?.[status];
        if (!answer) found.push(`${at} ${status}: is no longer answered`);
        else compareContent(content, answer.content, `${at} ${status}`, "answer");
      }
    }
  for (const [event, old] of Object.entries(before["x-webhooks"] ?? {})) {
    const next = now["x-webhooks"]?.[event];
    if (!next) found.push(`webhook ${event}: was removed`);
    else
      compareContent(
        old.post.requestBody.content,
        next.post.requestBody.content,
        `webhook ${event}`,
        "answer",
      );
  }
  return found;

  function compareContent(
    old: Content | undefined,
    next: Content | undefined,
    at: string,
    direction: Direction,
  ): void {
    for (const [type, { schema }] of Object.entries(old ?? {})) {
      const same = next?.[type];
      if (!same) found.push(`${at} ${type}: was removed`);
      else if (schema && same.schema) compare(schema, same.schema, at, direction);
    }
  }
}
