import path from "node:path";
import { hashOf } from "./hash.ts";
import { packageBin, root } from "./paths.ts";
import { run } from "./run.ts";
import { isStamped, stamp } from "./stamp.ts";

const OUTPUT = path.join(root, "server", "kernel", "prisma", "generated");

/**
 * Generates the Prisma client when prisma/schema has changed since the last time. Works offline: the command line
 * requires a native schema engine to exist, but does not run it here, so any file will do.
 */
export async function generateClient(): Promise<void> {
  const hash = hashOf(["prisma/schema", "prisma.config.ts", "node_modules/prisma/package.json"]);
  const stampFile = path.join(OUTPUT, ".stamp");
  if (isStamped(stampFile, hash)) return;
  const result = await run(packageBin("prisma"), ["generate"], {
    quiet: true,
    env: {
      PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
      PRISMA_HIDE_UPDATE_MESSAGE: "1",
      CHECKPOINT_DISABLE: "1",
    },
  });
  if (result.code !== 0) throw new Error(`prisma generate failed:\n${result.output}`);
  stamp(stampFile, hash);
}
