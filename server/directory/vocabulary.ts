/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

/** How much there may be of it in one organisation. */
export const directoryLimits = {
  domains: 20,
  tokens: 10,
  /** People that a directory may have made members. */
  people: 50_000,
  groups: 2_000,
  membersOfGroup: 5_000,
  /** Roles of groups, in all places together. */
  mappings: 200,
  /** Requests a minute of one token, over all processes. */
  requestsPerMinute: 1_500,
  /** How long a token that was replaced still works. */
  overlapHours: 24,
} as const;
