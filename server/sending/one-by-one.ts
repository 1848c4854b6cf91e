/** So many at once leave the rest of the process its share of the connections to the database. */
const atOnce = 4;

/** Does something with each of a bounded list, a few at a time; the results are in its order. */
export async function oneByOne<Item, Result>(
  items: readonly Item[],
  work: (item: Item) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  for (let from = 0; from < items.length; from += atOnce)
    results.push(...(await Promise.all(items.slice(from, from + atOnce).map(work))));
  return results;
}
