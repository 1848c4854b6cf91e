import { expect, test, vi } from "vitest";
import { guardPage, holdsWork, leave, leaveAll, leavesPage, shownOnce } from "./leaving.ts";

const now = "https://example.com/acme/settings/branding?env=sandbox";

test("another page is left for, another place on the same one is not", () => {
  expect(leavesPage("/acme/messages?env=sandbox", [], now)).toBe(true);
  expect(leavesPage("https://example.com/acme/settings/teams", [], now)).toBe(true);
  expect(leavesPage("/acme/settings/branding?env=production#logo", [], now)).toBe(false);
  expect(leavesPage("?env=production", [], now)).toBe(false);
});

test("where a parameter of the address says what the work is about, another value of it leaves the work", () => {
  const begun = "https://example.com/acme/providers/new?env=sandbox&provider=twilio";
  expect(leavesPage("/acme/providers/new?env=sandbox", ["provider"], begun)).toBe(true);
  expect(leavesPage("/acme/providers/new?provider=infobip", ["provider"], begun)).toBe(true);
  expect(leavesPage("/acme/providers/new?provider=twilio&env=production", ["provider"], begun)).toBe(false);
  expect(leavesPage("/acme/providers/new?env=sandbox", [], begun)).toBe(false);
  const ofBoth = ["provider", "env"];
  expect(leavesPage("/acme/providers/new?provider=twilio&env=production", ofBoth, begun)).toBe(true);
  expect(leavesPage("/acme/providers/new?provider=twilio&env=sandbox&q=a", ofBoth, begun)).toBe(false);
});

test("another environment leaves unsaved work that is of one environment only when its guard says so", () => {
  const go = vi.fn();
  const asked: (() => void)[] = [];
  const ask = (goOn: () => void) => asked.push(goOn);
  const leaves = () => true;
  const ends = [
    guardPage({ ask, leaves, ofEnvironment: true }),
    guardPage({ ask, leaves, ofEnvironment: false }),
  ];
  leave(go);
  expect(go).not.toHaveBeenCalled();
  expect(asked).toEqual([go]);
  for (const end of ends) end();
  leave(go);
  expect(go).toHaveBeenCalledTimes(1);
});

test("a page that shows a secret this once holds it", () => {
  vi.stubGlobal("document", {
    querySelector: (selector: string) => (selector === `[${Object.keys(shownOnce).join()}]` ? {} : null),
  });
  expect(holdsWork()).toBe(true);
  vi.stubGlobal("document", { querySelector: () => null });
  expect(holdsWork()).toBe(false);
  vi.unstubAllGlobals();
});

test("what ends every page, as signing out, waits for an answer while there is unsaved work", () => {
  const go = vi.fn();
  const asked: (() => void)[] = [];
  const end = guardPage({
    ask: (goOn) => asked.push(goOn),
    leaves: () => false,
    ofEnvironment: false,
  });
  expect(holdsWork()).toBe(true);
  leaveAll(go);
  expect(go).not.toHaveBeenCalled();
  asked[0]?.();
  expect(go).toHaveBeenCalledTimes(1);
  end();
  expect(holdsWork()).toBe(false);
  leaveAll(go);
  expect(go).toHaveBeenCalledTimes(2);
});
