const browsers: readonly [RegExp, string][] = [
  [/Edg\//, "Edge"],
  [/OPR\//, "Opera"],
  [/Firefox\//, "Firefox"],
  [/Chrome\//, "Chrome"],
  [/Safari\//, "Safari"],
];
const systems: readonly [RegExp, string][] = [
  [/iPhone|iPad/, "iOS"],
  [/Android/, "Android"],
  [/Mac OS X/, "macOS"],
  [/Windows/, "Windows"],
  [/Linux/, "Linux"],
];

/** A User-Agent header in words, as far as it can be told; it is what the browser claims, nothing more. */
export function describeBrowser(userAgent: string | null): { name: string; mobile: boolean } {
  const text = userAgent ?? "";
  const browser = browsers.find(([pattern]) => pattern.test(text))?.[1];
  const system = systems.find(([pattern]) => pattern.test(text))?.[1];
  return {
    name: browser && system ? `${browser} on ${system}` : (browser ?? system ?? "Unknown browser"),
    mobile: /iPhone|Android|Mobile/.test(text),
  };
}
