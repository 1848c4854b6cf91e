/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** How months of keeping are bounded: 12 at least, so that nobody sweeps up behind themselves. */
export const retentionMonths = { min: 12, max: 120 } as const;
