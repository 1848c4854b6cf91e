/** Names longer than this are not compared: what is that far from any known name is near to none. */
const MAX_LENGTH = 64;

/**
 * The known name that somebody probably meant: by typing errors, spelling (`scheduled_at`) or a part of it; undefined when
 * none is near. Time grows with the number of known names.
 */
export function nearestName(name: string, known: readonly string[]): string | undefined {
  if (name.length > MAX_LENGTH) return undefined;
  const wanted = plain(name);
  let nearest: { name: string; distance: number } | undefined;
  for (const each of known) {
    const other = plain(each);
    const longer = Math.max(wanted.length, other.length);
    const allowed = Math.max(1, Math.floor(longer / 3));
    if (longer > MAX_LENGTH || Math.abs(wanted.length - other.length) > allowed) continue;
    const distance = edits(wanted, other);
    if (distance > allowed || distance >= longer) continue;
    if (!nearest || distance < nearest.distance) nearest = { name: each, distance };
  }
  if (nearest || wanted.length < 4) return nearest?.name;
  return known
    .filter((each) => plain(each).includes(wanted) || (each.length >= 4 && wanted.includes(plain(each))))
    .toSorted((a, b) => a.length - b.length)[0];
}

const plain = (name: string) => name.toLowerCase().replaceAll(/[-_\s]/g, "");

/** Letters to insert, remove, replace or swap with the next one. */
function edits(a: string, b: string): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let least = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + (same ? 0 : 1));
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        least = Math.min(least, (beforeLast[j - 2] ?? 0) + 1);
      }
      row.push(least);
    }
    [beforeLast, last] = [last, row];
  }
  return last[b.length] ?? 0;
}

/** What to do about a name that is not known: remove it, or which one was probably meant. */
export function unknownName(name: string, known: readonly string[]): string {
  const meant = nearestName(name, known);
  const short = name.length > MAX_LENGTH ? `${name.slice(0, MAX_LENGTH - 3)}…` : name;
  return `${JSON.stringify(short.toWellFormed())} is not known here${meant === undefined ? "; remove it or correct its name." : `. Did you mean ${meant}?`}`;
}
