/** Those of the fields that differ from what a form began with: saving leaves alone what somebody else has changed since. */
export function changedFields<Values extends object>(
  start: Readonly<Partial<Record<keyof Values, unknown>>>,
  now: Values,
): Partial<Values> {
  const names = Object.keys(now) as (keyof Values)[];
  const changed = names.filter((name) => JSON.stringify(now[name]) !== JSON.stringify(start[name]));
  return Object.fromEntries(changed.map((name) => [name, now[name]])) as Partial<Values>;
}
