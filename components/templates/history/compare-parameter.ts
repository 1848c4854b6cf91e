import { createParser } from "nuqs";

/** One side of a comparison: a stored version, or what is being written. */
export type Side = number | "draft";
export type Comparison = { left: Side; right: Side };

/** `?compare=3..5` and `?compare=5..draft`. Anything else is no comparison. */
export const parseAsComparison = createParser<Comparison>({
  parse(text) {
    const match = /^([1-9]\d{0,8}|draft)\.\.([1-9]\d{0,8}|draft)$/.exec(text);
    if (!match) return null;
    return { left: sideOf(match[1]), right: sideOf(match[2]) };
  },
  serialize: ({ left, right }) => `${left}..${right}`,
  eq: (a, b) => a.left === b.left && a.right === b.right,
});

function sideOf(text: string | undefined): Side {
  return text === "draft" ? "draft" : Number(text);
}
