import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { chromium } from "@playwright/test";
import { packageBin } from "./paths.ts";
import { run } from "./run.ts";

const WELL_KNOWN = [
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome-stable",
  "/usr/bin/google-chrome",
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
];

/** An installed browser: CHROMIUM_PATH, the system's, or the one that Playwright has downloaded. */
export function findChromium(): string | undefined {
  return [process.env.CHROMIUM_PATH, ...WELL_KNOWN, chromium.executablePath()].find(
    (candidate) => candidate && existsSync(candidate),
  );
}

const isDebianRoot = () => process.getuid?.() === 0 && existsSync("/usr/bin/apt-get");

/** Finds a browser for the end-to-end tests, or installs one. Throws when neither works. */
export async function ensureChromium(): Promise<string> {
  const found = findChromium();
  if (found) return found;
  if (isDebianRoot()) {
    console.log("Installing Debian's chromium …");
    try {
      const options = {
        stdio: "inherit" as const,
        env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" },
      };
      execFileSync("apt-get", ["update", "-qq"], options);
      execFileSync("apt-get", ["install", "-y", "-qq", "--no-install-recommends", "chromium"], options);
    } catch {
      console.log("That did not work; trying Playwright's own.");
    }
  }
  if (!findChromium()) await run(packageBin("playwright"), ["install", "chromium"]);
  const installed = findChromium();
  if (!installed) {
    throw new Error("The browser tests need Chromium: install it, or name it in CHROMIUM_PATH.");
  }
  return installed;
}
