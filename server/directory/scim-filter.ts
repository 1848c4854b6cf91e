import { parse } from "scim2-parse-filter";
import type { Filter } from "scim2-parse-filter";
import { isUuid } from "../kernel/ids.ts";
import { scimError } from "./scim-error.ts";

/** How much of a filter is read: what directories ask for has one to three comparisons. */
export const filterLimits = { characters: 1_000, comparisons: 20, depth: 8 } as const;

/** Control characters would make the parser's expression for quoted texts backtrack without end. */
const unreadable = /\p{Cc}/u;

/**
 * Parses a filter (RFC 7644 §3.4.2.2) within bounds. Throws `invalidFilter`.
 */
export function parseFilter(text: string): Filter {
  if (text.length > filterLimits.characters) {
    throw scimError("invalidFilter", `A filter may have ${String(filterLimits.characters)} characters.`);
  }
  if (unreadable.test(text)) throw scimError("invalidFilter", "The filter holds control characters.");
  let filter: Filter;
  try {
    filter = parse(text);
  } catch {
    throw scimError("invalidFilter", "The filter cannot be read.");
  }
  if (depthOf(filter) > filterLimits.depth || comparisonsOf(filter) > filterLimits.comparisons) {
    throw scimError(
      "invalidFilter",
      `A filter may have ${String(filterLimits.comparisons)} comparisons, ${String(filterLimits.depth)} levels deep.`,
    );
  }
  return filter;
}

const partsOf = (filter: Filter): readonly Filter[] =>
  filter.op === "and" || filter.op === "or"
    ? filter.filters
    : filter.op === "not"
      ? [filter.filter]
      : filter.op === "[]"
        ? [filter.valFilter]
        : [];

function depthOf(filter: Filter): number {
  return 1 + Math.max(0, ...partsOf(filter).map(depthOf));
}

function comparisonsOf(filter: Filter): number {
  return partsOf(filter).reduce(
    (sum, part) => sum + comparisonsOf(part),
    partsOf(filter).length === 0 ? 1 : 0,
  );
}

/** Whether a value may be asked for in this way, and the SQL for it. */
export type Attribute =
  | {
      kind: "text";
      /** SQL of the text, in lower case unless `exact`. */
      sql: string;
      exact?: boolean;
      /** A faster way to say that it equals the parameter. */
      equals?: (parameter: string) => string;
    }
  | { kind: "boolean"; sql: string }
  | { kind: "id"; equals: (parameter: string) => string };

/** Attributes by their name in lower case, without the schema's. */
export type Attributes = Readonly<Record<string, Attribute>>;

const schemaPrefix = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/;

const likeText = (text: string): string => text.replace(/[\\%_]/g, "\\$&");

/**
 * The filter as an SQL condition. Its values become parameters through `bind`. Throws `invalidFilter` for what cannot be asked
 * for.
 */
export function filterSql(filter: Filter, attributes: Attributes, bind: (value: unknown) => string): string {
  const join = (parts: readonly Filter[], word: string) =>
    `(${parts.map((part) => filterSql(part, attributes, bind)).join(` ${word} `)})`;
  switch (filter.op) {
    case "and":
      return join(filter.filters, "AND");
    case "or":
      return join(filter.filters, "OR");
    case "not":
      return `(NOT ${filterSql(filter.filter, attributes, bind)})`;
    case "[]":
      return filterSql(prefixed(filter.valFilter, filter.attrPath), attributes, bind);
    default:
      return comparison(filter, attributes, bind);
  }
}

/** `emails[type eq "work"]` as `emails.type eq "work"`: of each there is one at most. */
function prefixed(filter: Filter, path: string): Filter {
  switch (filter.op) {
    case "and":
    case "or":
      return { ...filter, filters: filter.filters.map((part) => prefixed(part, path)) };
    case "not":
      return { ...filter, filter: prefixed(filter.filter, path) };
    case "[]":
      throw scimError("invalidFilter", "A filter within a filter is not supported.");
    default:
      return { ...filter, attrPath: `${path}.${filter.attrPath}` };
  }
}

type Comparison = Exclude<Filter, { op: "and" | "or" | "not" | "[]" }>;

function comparison(filter: Comparison, attributes: Attributes, bind: (value: unknown) => string): string {
  const name = filter.attrPath.toLowerCase().replace(schemaPrefix, "");
  const attribute = Object.hasOwn(attributes, name) ? attributes[name] : undefined;
  if (!attribute) {
    throw scimError(
      "invalidFilter",
      `There is no filter for ${filter.attrPath.slice(0, 100)}; there is for ${Object.keys(attributes).join(", ")}.`,
    );
  }
  if (filter.op === "pr") return attribute.kind === "text" ? `(${attribute.sql} IS NOT NULL)` : "true";
  const { op } = filter;
  const value: unknown = filter.compValue;
  const cannot = () =>
    scimError("invalidFilter", `${name} cannot be compared in this way; eq and ne always can.`);
  if (op !== "eq" && op !== "ne" && attribute.kind !== "text") throw cannot();
  const not = op === "ne" ? "NOT " : "";
  if (attribute.kind === "boolean") {
    if (typeof value !== "boolean") throw cannot();
    return `(${not}${attribute.sql} = ${bind(value)}::boolean)`;
  }
  if (typeof value !== "string") throw cannot();
  if (attribute.kind === "id") {
    return isUuid(value)
      ? `(${not}${attribute.equals(`${bind(value)}::uuid`)})`
      : op === "ne"
        ? "true"
        : "false";
  }
  const sought = attribute.exact ? value : value.toLowerCase();
  const like = (pattern: string) => `coalesce(${attribute.sql} LIKE ${bind(pattern)}, false)`;
  switch (op) {
    case "eq":
    case "ne":
      return attribute.equals
        ? `(${not}${attribute.equals(`${bind(sought)}::text`)})`
        : `(${not}coalesce(${attribute.sql} = ${bind(sought)}, false))`;
    case "co":
      return like(`%${likeText(sought)}%`);
    case "sw":
      return like(`${likeText(sought)}%`);
    case "ew":
      return like(`%${likeText(sought)}`);
    default:
      throw scimError("invalidFilter", `${op} is not supported for ${name}.`);
  }
}
