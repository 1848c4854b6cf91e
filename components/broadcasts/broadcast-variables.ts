import type { DeclaredVariable } from "../send/variable-fields.tsx";

/** Templates in turns of their channels, so that a bound leaves no channel out. */
export function spread<T extends { channel: string }>(templates: readonly T[]): T[] {
  const seen = new Map<string, number>();
  return templates
    .map((template) => {
      const turn = seen.get(template.channel) ?? 0;
      seen.set(template.channel, turn + 1);
      return { template, turn };
    })
    .toSorted((a, b) => a.turn - b.turn)
    .map(({ template }) => template);
}

/** Variables by name; of two of one name the first. What only one text needs is required of none. */
export function unionOf(declared: readonly (readonly DeclaredVariable[])[]): DeclaredVariable[] {
  const byName = new Map<string, DeclaredVariable>();
  for (const variable of declared.flat()) {
    if (!byName.has(variable.name)) byName.set(variable.name, { ...variable, required: false });
  }
  return [...byName.values()];
}
