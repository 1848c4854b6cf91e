import { expect, test } from "vitest";
import { safeTarget } from "./safe-target.ts";

test("a page of this site is where somebody goes after signing in", () => {
  for (const page of ["/", "/acme/messages?env=production&open=1#x", "/acme/it's", "/@acme"]) {
    expect(safeTarget(page)).toBe(page);
  }
  expect(safeTarget(undefined)).toBe("/");
});

test("nothing leads to another site, however it is written", () => {
  for (const target of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "\\\\evil.example",
    "/\t/evil.example",
    "/\n/evil.example",
    "/\r\n//evil.example",
    "\t//evil.example",
    " //evil.example",
    "/.//evil.example",
    "/..//evil.example",
    "/%09//evil.example/..//..//",
    "///evil.example",
    "/\\/evil.example",
    "javascript:alert(1)",
    "data:text/html,x",
    "evil.example",
    "http:evil.example",
    "",
  ]) {
    const led = new URL(safeTarget(target), "https://tidings.example/sign-in");
    expect(led.origin, JSON.stringify(target)).toBe("https://tidings.example");
    expect(safeTarget(target), JSON.stringify(target)).not.toMatch(/^\/[/\\]/);
  }
});
