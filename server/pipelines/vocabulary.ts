/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

export const promotionLimits = { templates: 1_000, note: 2_000 } as const;

export const promotionStates = [
  "pending",
  "approved",
  "deployed",
  "rejected",
  "withdrawn",
  "rolled_back",
] as const;
