import path from "node:path";
import { build, isBuilt } from "../../scripts/lib/build.ts";
import { hashOf } from "../../scripts/lib/hash.ts";
import { root } from "../../scripts/lib/paths.ts";
import { run } from "../../scripts/lib/run.ts";
import { isStamped, stamp } from "../../scripts/lib/stamp.ts";
import { nextCli } from "./product.ts";

/** Builds the portal unless the existing build is of these sources. */
export async function buildProduct(): Promise<void> {
  if (!isBuilt() && process.env.BENCH_USE_BUILD !== "1") await build({ quiet: true });
}

/** Builds the bare Next app that accepting is compared with, once. */
export async function buildFloor(): Promise<void> {
  const stampFile = path.join(root, "bench/floor/.next/.sources");
  const hash = hashOf(["bench/floor/app", "bench/floor/next.config.js", "package-lock.json"], []);
  if (isStamped(stampFile, hash)) return;
  const result = await run(process.execPath, [nextCli(), "build", "bench/floor"], {
    quiet: true,
    env: { NEXT_TELEMETRY_DISABLED: "1", NODE_ENV: "production" },
  });
  if (result.code !== 0) throw new Error(`next build of the floor failed.\n${result.output}`);
  stamp(stampFile, hash);
}
