/** Most calls that go into one request; the service takes no more. */
export const maxBatchSize = 20;

/** Undoes what server/trpc/transformer.ts does to an output: dates, and names that begin with `$`. */
function fromWire(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(fromWire);
  if (typeof value !== "object" || value === null) return value;
  const members = Object.entries(value);
  const [first] = members;
  if (first?.[0] === "$date") return new Date(first[1] as string);
  if (first?.[0] === "$undefined") return undefined;
  return Object.fromEntries(
    members.map(([name, member]) => [name.startsWith("$") ? name.slice(1) : name, fromWire(member)]),
  );
}

/**
 * What `fromWire` undoes; the same as the service does to its outputs, and `undefined` in a list besides: the first page of a list has
 * no cursor, and JSON would make `null` of it, with which nobody could ask for that page again.
 */
export function toWire(value: unknown): unknown {
  if (value instanceof Date) return { $date: value };
  if (Array.isArray(value))
    return value.map((item: unknown) => (item === undefined ? { $undefined: true } : toWire(item)));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.startsWith("$") ? `$${name}` : name, toWire(member)]),
  );
}

/** Input is plain JSON; output is JSON in which dates are marked. */
export const transformer = { serialize: (value: unknown) => value, deserialize: fromWire };
