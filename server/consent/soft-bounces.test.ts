import fc from "fast-check";
import { expect, test } from "vitest";
import { softBouncesInARow, softBouncesOf } from "./soft-bounces.ts";
import type { MailOutcome } from "./soft-bounces.ts";

const kinds = {
  S: { status: "failed", code: "mailbox_full" },
  s: { status: "failed", code: "mailbox_unavailable" },
  F: { status: "failed", code: "content_rejected" },
  D: { status: "delivered", code: null },
  t: { status: "sent", code: null },
  q: { status: "queued", code: null },
  r: { status: "rejected", code: null },
} as const;
type Kind = keyof typeof kinds;

/** Oldest first, as they were sent. */
const of = (letters: readonly Kind[]): MailOutcome[] =>
  letters.map((letter, index) => ({ id: String(index), ...kinds[letter] })).toReversed();

test("five in a row are enough, whatever is still under way; a message that arrived begins the count anew", () => {
  const said = (text: string) => softBouncesOf(of(text.split(/(?:)/) as Kind[])) !== null;
  expect(said("SSSS")).toBe(false);
  expect(said("SSSSS")).toBe(true);
  expect(said("SsSsStt")).toBe(true);
  expect(said("SqSSrSSq")).toBe(true);
  expect(said("SSSDS")).toBe(false);
  expect(said("SSSSSD")).toBe(false);
  expect(said("SSSSSF")).toBe(false);
  expect(said("SStSSS")).toBe(false);
});

test("it is exactly the newest five that are known, in the words of a pattern", () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...(Object.keys(kinds) as Kind[])), { maxLength: 14 }),
      (letters) => {
        const text = letters.filter((letter) => letter !== "q" && letter !== "r").join("");
        const wanted = new RegExp(`[Ss]{${String(softBouncesInARow)}}t*$`).test(text);
        expect(softBouncesOf(of(letters)) !== null).toBe(wanted);
      },
    ),
    { numRuns: 3_000 },
  );
});
