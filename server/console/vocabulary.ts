/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** The counts of a queue end here. */
export const mostCounted = 10_000;
