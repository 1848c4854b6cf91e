import type { ImportKind } from "./kinds.ts";
import { manyColumns } from "./schemas.ts";
import type { ImportMapping } from "./schemas.ts";

/** A header's name without what people write differently: case, accents, spaces, signs. */
const plainName = (header: string): string =>
  header
    .normalize("NFKD")
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, "");

/** What the columns of a file probably become, by their names; each target is given once unless several columns may become it. */
export function guessMapping(
  { names }: Pick<ImportKind<unknown>, "names">,
  header: readonly string[],
): ImportMapping {
  const given = new Set<string>();
  const columns = header.map((name) => {
    const plain = plainName(name);
    if (plain === "") return null;
    const found = Object.entries(names).find(([target, words]) => {
      const fits = plain === plainName(target) || words.includes(plain);
      return fits && (!given.has(target) || manyColumns.includes(target));
    })?.[0];
    if (found === undefined) return null;
    given.add(found);
    return found;
  });
  return { columns, constants: {}, groupIds: [] };
}
