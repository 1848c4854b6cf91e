/** Values, limits and words of this domain that pages use as well: without zod, so that a page that only reads them does not load it. */

export const routingLimits = { rules: 500, tiers: 10, connections: 20, dryRunRules: 500 } as const;

/** Up to 100 weights as whole percent that add up to 100, each at least 1; the largest remainders get the rest. */
export function wholePercent(weights: readonly number[]): number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const free = 100 - weights.length;
  const exact = weights.map((weight) => (total > 0 ? (weight / total) * free : free / weights.length));
  const shares = exact.map((share) => 1 + Math.floor(share));
  const left = 100 - shares.reduce((sum, share) => sum + share, 0);
  const byRemainder = exact
    .map((share, index) => ({ index, remainder: share - Math.floor(share) }))
    .sort((a, b) => b.remainder - a.remainder || a.index - b.index);
  for (const { index } of byRemainder.slice(0, left)) shares[index] = (shares[index] ?? 0) + 1;
  return shares;
}
