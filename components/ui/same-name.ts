/** As it is read: accents in either spelling, one blank for several, nothing that cannot be seen. */
const asRead = (name: string) =>
  name
    .normalize("NFC")
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/\s+/g, " ")
    .trim();

/** Whether somebody who reads `name` has typed it: what they cannot see of it they cannot type either. */
export function sameName(typed: string, name: string): boolean {
  return asRead(typed) === asRead(name);
}
