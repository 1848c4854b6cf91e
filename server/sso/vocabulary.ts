/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** Whose rules say which address of a token counts as proven. */
export const providerKinds = ["entra", "google", "okta", "oidc"] as const;
