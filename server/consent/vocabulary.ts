/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** Bounds of one call. */
export const consentLimits = { items: 1_000, evidencePairs: 16, evidenceText: 500, reason: 500 } as const;

/** What a recipient can be asked to agree to: codes that they ask for are none of these. */
export const confirmableClasses = ["marketing", "service", "transactional"] as const;

/** What an organisation's consent policy may have of overrides. */
export const mostOverrides = 200;

/** Bounds of one call. */
export const suppressionLimits = { items: 1_000, note: 500, reason: 500 } as const;

export const suppressionReasons = ["hard_bounce", "complaint", "soft_bounces", "manual"] as const;
