/** What is offered, with what is chosen already: that may be archived, or of another team than the one chosen on top. */
export function withChosen<Named extends { name: string }>(
  offered: readonly Named[],
  all: readonly Named[],
  chosen: string | null,
): Named[] {
  const missing = all.find(({ name }) => name === chosen && !offered.some((each) => each.name === name));
  return missing ? [...offered, missing] : [...offered];
}
