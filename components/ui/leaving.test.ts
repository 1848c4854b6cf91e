import { expect, test, vi } from "vitest";
import { guardPage, leave, leavesPage } from "./leaving.ts";

const now = "https://example.com/acme/settings/branding?env=sandbox";

test("another page is left for, another place on the same one is not", () => {
  expect(leavesPage("/acme/messages?env=sandbox", now)).toBe(true);
  expect(leavesPage("https://example.com/acme/settings/teams", now)).toBe(true);
  expect(leavesPage("/acme/settings/branding?env=production#logo", now)).toBe(false);
  expect(leavesPage("?env=production", now)).toBe(false);
});

test("another environment leaves unsaved work that is of one environment only when its guard says so", () => {
  const go = vi.fn();
  const asked: (() => void)[] = [];
  const ask = (goOn: () => void) => asked.push(goOn);
  const ends = [guardPage({ ask, ofEnvironment: true }), guardPage({ ask, ofEnvironment: false })];
  leave(go);
  expect(go).not.toHaveBeenCalled();
  expect(asked).toEqual([go]);
  for (const end of ends) end();
  leave(go);
  expect(go).toHaveBeenCalledTimes(1);
});
