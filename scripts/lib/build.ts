import { existsSync } from "node:fs";
import path from "node:path";
import { generateClient } from "./generate.ts";
import { hashOf } from "./hash.ts";
import { packFiles } from "./pack-files.ts";
import { packageBin, root } from "./paths.ts";
import { run } from "./run.ts";
import { isStamped, stamp } from "./stamp.ts";

const SOURCES = [
  "app",
  "components",
  "lib",
  "public",
  "server",
  "prisma/schema",
  "instrumentation.ts",
  "next.config.js",
  "package-lock.json",
  "postcss.config.mjs",
  "proxy.ts",
  "tsconfig.json",
] as const;

/** Where Next keeps a build; a test may use another folder so that it disturbs nobody. */
const outputFolder = () => path.join(root, ".next");

/** Whether the portal has been built from the present sources. */
export function isBuilt(): boolean {
  return (
    existsSync(path.join(outputFolder(), "BUILD_ID")) &&
    isStamped(path.join(outputFolder(), ".sources"), sourcesHash())
  );
}

const sourcesHash = () => hashOf(SOURCES, ["server/kernel/prisma/generated", "server/testing"]);

/** Generates the database client and builds the portal. Throws with Next's output when that fails. */
export async function build(options: { quiet: boolean; signal?: AbortSignal }): Promise<void> {
  await generateClient();
  const hash = sourcesHash();
  const result = await run(packageBin("next"), ["build"], {
    ...options,
    env: { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
  });
  if (result.code !== 0) throw new Error(`next build failed.\n${result.output}`);
  await packFiles(path.join(outputFolder(), "static"));
  stamp(path.join(outputFolder(), ".sources"), hash);
}
