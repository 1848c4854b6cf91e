import path from "node:path";
import { defineConfig, devices } from "@playwright/test";
import { findChromium } from "./scripts/lib/chromium.ts";

const port = Number(process.env.E2E_PORT ?? 3210);
const aiPort = port + 1;
const dataDir = path.resolve(import.meta.dirname, process.env.E2E_DATA_DIR ?? "test-results/data");

// Tests read the sign-in and keys of the installation under test from here.
process.env.E2E_DATA_DIR = dataDir;
process.env.E2E_BASE_URL = `http://localhost:${port}`;
/** Where a test opens a name server of its own. */
process.env.E2E_DNS_PORT = String(port + 2);

/** The browser tests drive a whole Tidings, started the way a user starts it, with a data folder of its own. */
export default defineConfig({
  testDir: "e2e",
  outputDir: "test-results/e2e",
  fullyParallel: false,
  workers: 1,
  forbidOnly: Boolean(process.env.CI),
  timeout: 60_000,
  expect: { timeout: 15_000 },
  reporter: [["list"]],
  use: {
    ...devices["Desktop Chrome"],
    baseURL: `http://localhost:${port}`,
    // A trace of each test, kept or not, doubles what it takes. `npx playwright test --trace on` records one.
    trace: "off",
    screenshot: "only-on-failure",
    launchOptions: {
      executablePath: findChromium(),
      args: [
        "--no-sandbox",
        "--disable-background-networking",
        "--disable-component-update",
        "--disable-sync",
        "--no-first-run",
      ],
    },
  },
  webServer: [
    {
      command: `"${process.execPath}" e2e/ai-service.ts ${aiPort}`,
      port: aiPort,
      reuseExistingServer: Boolean(process.env.E2E_REUSE),
    },
    {
      command: `"${process.execPath}" scripts/supervisor.ts`,
      url: `http://127.0.0.1:${port}/readyz`,
      env: {
        PORT: String(port),
        DATA_DIR: dataDir,
        // Webhook receivers of the tests live on this machine.
        OUTBOUND_ALLOW: "127.0.0.1/32",
        DNS_SERVERS: `127.0.0.1:${port + 2}`,
        AI_BASE_URL: `http://127.0.0.1:${aiPort}/v1`,
        AI_API_KEY: "of-the-browser-tests",
        AI_MODEL: "test-model",
        AI_MODERATION_MODEL: "test-moderation",
      },
      reuseExistingServer: Boolean(process.env.E2E_REUSE),
      timeout: 240_000,
      gracefulShutdown: { signal: "SIGTERM", timeout: 25_000 },
      // What ended and was started again while a test failed.
      stdout: "pipe",
      stderr: "pipe",
    },
  ],
});
