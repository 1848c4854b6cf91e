/** The field for complaints about something of another name: by its name, or told by its path, such as `addresses.0.address`. */
type ShownAt = Readonly<Record<string, string>> | ((path: string) => string | undefined);

/**
 * Puts each complaint at the field that it is about or that stands for it, and else at the one that what it is about is a part of; of
 * several at one field the first. `others` have no field on the page; of what is wrong in one thing, the first is told.
 */
export function placeComplaints(
  complaints: readonly (readonly [path: string, message: string])[],
  shownAt: ShownAt,
  hasField: (name: string) => boolean,
): { atFields: ReadonlyMap<string, string>; others: readonly (readonly [path: string, message: string])[] } {
  const atFields = new Map<string, string>();
  const others = new Map<string, readonly [string, string]>();
  for (const complaint of complaints) {
    const [path, message] = complaint;
    const [first = ""] = path.split(".");
    const standsFor = typeof shownAt === "function" ? shownAt(path) : shownAt[first];
    const field = [standsFor, path, first].find((name) => name !== undefined && hasField(name));
    if (field !== undefined) atFields.set(field, atFields.get(field) ?? message);
    else others.set(first, others.get(first) ?? complaint);
  }
  return { atFields, others: [...others.values()] };
}
