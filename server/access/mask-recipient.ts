/** An entry of an agent's list for those who may not see addresses: what stands for many people stays as it is. */
export function maskRecipient(entry: string): string {
  if (entry.startsWith("*@")) return entry;
  const at = entry.indexOf("@");
  if (at > 0) return `${entry.slice(0, 1)}•••${entry.slice(at)}`;
  // The beginning of a number that leaves at least four digits open.
  if (entry.endsWith("*") && entry.length <= 9) return entry;
  return `${entry.slice(0, 3)}•••${entry.slice(-2)}`;
}
