import { expect, test } from "vitest";
import { ExportPlaces } from "./export-places.ts";

async function* pieces() {
  await Promise.resolve();
  yield "first";
  yield "second";
}

test("however many begin at once, no more than there are places for go on, and each gives its place back", async () => {
  const places = new ExportPlaces({ organisation: 2, process: 3 });
  // All of them were told that there is a place.
  for (let count = 0; count < 4; count++) places.check("a");
  const begun = await Promise.allSettled(
    ["a", "a", "a", "a", "b", "b"].map((who) => places.begin(who, pieces)),
  );
  expect(begun.map(({ status }) => status)).toEqual([
    "fulfilled",
    "fulfilled",
    "rejected",
    "rejected",
    "fulfilled",
    "rejected",
  ]);
  for (const each of begun)
    if (each.status === "rejected") expect(each.reason).toMatchObject({ code: "rate_limited" });
    else await each.value.rest.return(undefined);
  const { first, rest } = await places.begin("a", pieces);
  const all = [first];
  for await (const piece of rest) all.push(piece);
  expect(all).toEqual(["first", "second"]);
  places.check("a");
});
