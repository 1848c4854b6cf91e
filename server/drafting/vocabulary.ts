/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

export const draftTones = ["neutral", "friendly", "formal", "urgent", "playful"] as const;
