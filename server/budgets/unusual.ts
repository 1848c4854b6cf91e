/**
 * When a day's cost is unusual: a plain rule over five daily sums of the same application, provider, country and channel, the day
 * and the same weekday of the four weeks before it. `docs/budgets.md` has it in words.
 */
export const unusualRule = {
  /** By how much a day must exceed the median at least, in the currency of the costs. */
  leastAmount: 10,
  /** By what part of the median. */
  leastShare: 1,
  /** By what part it must exceed the dearest of the four days. */
  overDearest: 0.25,
  /** By how many times the spread of the four days. */
  spreads: 5,
} as const;

const median = (values: readonly number[]): number => {
  const sorted = [...values].sort((a, b) => a - b);
  const half = sorted.length >> 1;
  return sorted.length % 2 === 1 ? (sorted[half] ?? 0) : ((sorted[half - 1] ?? 0) + (sorted[half] ?? 0)) / 2;
};

/** The median of the four days when `amount` is unusually high beside them, else null. */
export function unusual(amount: number, before: readonly number[]): { expected: number } | null {
  const expected = median(before);
  // The median absolute deviation, as a standard deviation of even noise.
  const spread = 1.4826 * median(before.map((each) => Math.abs(each - expected)));
  const more = amount - expected;
  const { leastAmount, leastShare, overDearest, spreads } = unusualRule;
  const high =
    more >= leastAmount &&
    more > leastShare * expected &&
    more > spreads * spread &&
    amount > (1 + overDearest) * Math.max(...before);
  return high ? { expected } : null;
}
