/** Lengths of time, ms. */
export const quarterHour = 15 * 60_000;
export const day = 24 * 60 * 60_000;

/** A time of day as ms since midnight: "08:00", "24:00". */
export function timeOfDay(text: string): number {
  return (Number(text.slice(0, 2)) * 60 + Number(text.slice(3, 5))) * 60_000;
}
