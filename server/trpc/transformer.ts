import { checkInput } from "./check-input.ts";

/** A value as JSON that says which texts are dates: `{ "$date": … }`. A member's own leading `$` is doubled. */
function toWire(value: unknown): unknown {
  if (value instanceof Date) return { $date: value };
  if (Array.isArray(value)) return value.map(toWire);
  if (typeof value !== "object" || value === null) return value;
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) {
    throw new TypeError(`The output holds a ${value.constructor.name}, which the portal cannot read.`);
  }
  const members = Object.entries(value).map(([name, member]): [string, unknown] => [
    name.startsWith("$") ? `$${name}` : name,
    toWire(member),
  ]);
  return Object.fromEntries(members);
}

/**
 * What travels between the portal and the service; components/trpc/transformer.ts is the other end. Input is plain JSON.
 * Throws `invalid_encoding` or `depth_exceeded` for input that no procedure can use.
 */
export const transformer = {
  input: {
    serialize: (value: unknown) => value,
    deserialize: (value: unknown) => {
      checkInput(value);
      return value;
    },
  },
  output: { serialize: toWire, deserialize: (value: unknown) => value },
};
