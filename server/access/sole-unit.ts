/** The unit in which all of it holds; null: several, the whole tenant, or nothing. */
export function soleUnit(places: readonly { unitId: string | null }[]): string | null {
  const [first, ...others] = new Set(places.map(({ unitId }) => unitId));
  return others.length === 0 ? (first ?? null) : null;
}
