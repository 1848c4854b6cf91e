const day = 86_400_000;

export const startOfDay = (at: Date): Date => new Date(Math.floor(at.getTime() / day) * day);
export const daysBefore = (at: Date, days: number): Date => new Date(at.getTime() - days * day);
/** A day as the database has it. */
export const dayText = (at: Date): string => at.toISOString().slice(0, 10);
/** The first day of the month (UTC) that is so many months from that of `at`. */
export const startOfMonth = (at: Date, offset = 0): Date =>
  new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth() + offset, 1));
