import type { ImportKind } from "./kinds.ts";
import { attributePrefix, manyColumns } from "./vocabulary.ts";
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
  const attributes = "attributes" in names;
  const columns = header.map((name) => {
    // As exports write them.
    if (name.startsWith(attributePrefix)) return attributes ? name : null;
    const plain = plainName(name);
    if (plain === "") return null;
    const found = Object.entries(names).find(([target, words]) => {
      const many = manyColumns.includes(target);
      // A second number, a third.
      const word = many ? plain.replace(/(?<!\d)\d+$/, "") : plain;
      return (word === plainName(target) || words.includes(word)) && (many || !given.has(target));
    })?.[0];
    if (found === undefined) return null;
    given.add(found);
    return found;
  });
  return { columns, constants: {}, groupIds: [] };
}
