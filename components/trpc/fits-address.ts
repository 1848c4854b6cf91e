/** Longest address in which the service is asked. */
export const maxAddress = 4_000;
/** Of it, for the name of the procedure and what stands around its input. */
const around = 300;

/** Whether the input of a query has room in an address: the client can only refuse one that has not, and nothing would be asked. */
export function fitsAddress(input: unknown): boolean {
  return encodeURIComponent(JSON.stringify(input ?? null)).length <= maxAddress - around;
}
