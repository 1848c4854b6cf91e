import { expect, it } from "vitest";
import { onApple } from "./use-mod-key.ts";

it("is ⌘ on Apple's keyboards and Ctrl on all others", () => {
  expect(onApple({ platform: "MacIntel", userAgent: "" })).toBe(true);
  expect(onApple({ platform: "iPad", userAgent: "" })).toBe(true);
  expect(onApple({ platform: "", userAgent: "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7)" })).toBe(true);
  for (const platform of ["Win32", "Linux x86_64", "Android", ""])
    expect(onApple({ platform, userAgent: "Mozilla/5.0 (X11; Linux x86_64)" }), platform).toBe(false);
});
