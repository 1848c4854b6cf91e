import superjson from "superjson";
import { DomainError } from "../kernel/errors.ts";
import { checkInput } from "./check-input.ts";

/** Forms leave fields out by `undefined`; a thousand of them are more than any form has. */
const maxAnnotations = 2_000;
const maxDepth = 32;
const maxPathLength = 256;
/** What no JSON can say and procedures take all the same. */
const allowedTypes = new Set(["undefined", "Date"]);

function refuse(): never {
  throw new DomainError("invalid_request", "The input has types that no procedure takes.");
}

/**
 * Refuses annotations of superjson that would cost more than their length: equalities (a few hundred bytes of them make a
 * value that takes minutes to walk), types that run something (regular expressions, errors), too many, too deep. Takes one
 * step for each annotation.
 */
function checkAnnotations(values: unknown): void {
  const open = [{ tree: values, depth: 0 }];
  let count = 0;
  for (let next = open.pop(); next; next = open.pop()) {
    if (++count > maxAnnotations || next.depth > maxDepth) refuse();
    const { tree } = next;
    let children = tree;
    if (Array.isArray(tree)) {
      // [type] or [type, what is within]
      if (tree.length > 2 || !allowedTypes.has(tree[0] as string)) refuse();
      children = tree[1] as unknown;
      if (children === undefined) continue;
    }
    if (typeof children !== "object" || children === null || Array.isArray(children)) refuse();
    for (const [path, child] of Object.entries(children)) {
      if (path.length > maxPathLength) refuse();
      open.push({ tree: child as unknown, depth: next.depth + 1 });
      if (open.length > maxAnnotations) refuse();
    }
  }
}

/**
 * Reads what a browser sent as the input of a procedure: JSON, with dates and `undefined` noted beside it. Throws
 * `invalid_request`, `invalid_encoding` or `depth_exceeded`. Takes time in proportion to its length.
 */
export function readInput(payload: unknown): unknown {
  if (payload === undefined) return undefined;
  if (typeof payload !== "object" || payload === null || !("json" in payload)) refuse();
  const { json, meta } = payload as { json: unknown; meta?: unknown };
  checkInput(json);
  if (meta === undefined || meta === null) return json;
  if (typeof meta !== "object") refuse();
  const { values, v, ...others } = meta as { values?: unknown; v?: unknown };
  if (Object.keys(others).length > 0 || (v !== undefined && v !== 1)) refuse();
  if (values === undefined) return json;
  checkAnnotations(values);
  try {
    return superjson.deserialize({ json, meta: { values, v: 1 } } as Parameters<
      typeof superjson.deserialize
    >[0]);
  } catch {
    // Annotations of what is not there.
    return refuse();
  }
}

export const transformer = {
  input: { serialize: superjson.serialize, deserialize: readInput },
  output: { serialize: superjson.serialize, deserialize: superjson.deserialize },
};
