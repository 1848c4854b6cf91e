import { defineConfig } from "vitest/config";

export default defineConfig({
  test: {
    include: [
      "server/**/*.test.ts",
      "worker/**/*.test.ts",
      "scripts/**/*.test.ts",
      "components/**/*.test.ts",
      "packages/**/*.test.ts",
    ],
    globalSetup: ["server/testing/global-setup.ts"],
    setupFiles: ["server/testing/environment.ts"],
    // Every file has a process and a database of its own.
    pool: "forks",
    isolate: true,
    maxWorkers: 2,
    testTimeout: 30_000,
    hookTimeout: 60_000,
    allowOnly: !process.env.CI,
  },
});
