import { isDeepStrictEqual } from "node:util";

/**
 * What of a thing has changed, for an audit event: of both, the members that differ.
 * @param before the thing as it was
 * @param after the thing as it is; members that it lacks are left out of both
 */
export function changes<Thing extends object>(
  before: Thing,
  after: Partial<Thing>,
): { before: Partial<Thing>; after: Partial<Thing> } {
  const names = (Object.keys(after) as (keyof Thing)[]).filter(
    (name) => after[name] !== undefined && !isDeepStrictEqual(plain(before[name]), plain(after[name])),
  );
  const part = (of: Partial<Thing>) =>
    Object.fromEntries(names.map((name) => [name, of[name] ?? null])) as Partial<Thing>;
  return { before: part(before), after: part(after) };
}

/** As JSON has it: dates are texts. */
function plain(value: unknown): unknown {
  return value === undefined ? null : (JSON.parse(JSON.stringify(value)) as unknown);
}
