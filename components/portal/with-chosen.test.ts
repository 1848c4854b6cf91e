import { expect, test } from "vitest";
import { withChosen } from "./with-chosen.ts";

const [shop, club, old] = [{ name: "shop" }, { name: "club" }, { name: "old" }];

test("a choice always holds what is chosen, also when it is not offered any more", () => {
  expect(withChosen([shop], [shop, club, old], "old")).toEqual([shop, old]);
  expect(withChosen([shop], [shop, club, old], "shop")).toEqual([shop]);
});

test("nothing chosen, or what the reader cannot see, adds nothing to a choice", () => {
  expect(withChosen([shop], [shop, club], null)).toEqual([shop]);
  expect(withChosen([shop], [shop, club], "gone")).toEqual([shop]);
});
