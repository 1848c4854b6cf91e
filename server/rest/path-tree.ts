import type { HttpMethod } from "../operations/operation.ts";

/** A path's parameters by name, decoded. */
export type PathParams = Readonly<Record<string, string>>;
export type PathHandler = (request: Request, params: PathParams) => Response | Promise<Response>;

/** One path with all of its methods. */
export interface Endpoint {
  /** As in OpenAPI, e.g. `/v1/webhooks/{id}`. */
  readonly path: string;
  readonly handlers: ReadonlyMap<HttpMethod, PathHandler>;
  /** For the Allow header. */
  readonly allow: string;
}

interface Node {
  readonly literals: Map<string, Node>;
  parameter: Node | undefined;
  names: readonly string[];
  endpoint: Endpoint | undefined;
}

const emptyNode = (): Node => ({
  literals: new Map(),
  parameter: undefined,
  names: [],
  endpoint: undefined,
});

/** A path's segments, decoded; invalid percent encoding is taken literally. */
export function segmentsOf(pathname: string): string[] {
  const segments = pathname.split("/");
  // The part before the first slash.
  segments.shift();
  if (!pathname.includes("%")) return segments;
  return segments.map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });
}

/**
 * Finds a path's endpoint in as many steps as the path has segments, however many endpoints there are. A literal
 * segment wins over a parameter. A path is split first and then decoded, so an encoded slash is part of a value.
 */
export class PathTree {
  private readonly root = emptyNode();

  /** Throws when a path is added twice. */
  add(endpoint: Endpoint): void {
    let node = this.root;
    const names: string[] = [];
    for (const segment of endpoint.path.split("/").slice(1)) {
      const name = /^\{(\w+)\}$/.exec(segment)?.[1];
      if (name === undefined) {
        let next = node.literals.get(segment);
        if (!next) node.literals.set(segment, (next = emptyNode()));
        node = next;
      } else {
        names.push(name);
        node = node.parameter ??= emptyNode();
      }
    }
    if (node.endpoint) throw new Error(`${endpoint.path} is there twice`);
    node.endpoint = endpoint;
    node.names = names;
  }

  find(segments: readonly string[]): { endpoint: Endpoint; params: PathParams } | undefined {
    let node = this.root;
    const values: string[] = [];
    for (const segment of segments) {
      const literal = node.literals.get(segment);
      if (literal) {
        node = literal;
      } else if (node.parameter && segment !== "") {
        values.push(segment);
        node = node.parameter;
      } else {
        return undefined;
      }
    }
    if (!node.endpoint) return undefined;
    // Without a prototype: a parameter may have any name.
    const params = Object.create(null) as Record<string, string>;
    for (const [index, name] of node.names.entries()) params[name] = values[index] ?? "";
    return { endpoint: node.endpoint, params };
  }
}
