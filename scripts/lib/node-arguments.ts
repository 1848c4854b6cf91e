import path from "node:path";
import { root } from "./paths.ts";

/**
 * How the web process and the worker are started. The heap is kept small on purpose: V8 would otherwise let garbage pile up to several
 * times what is in use before it cleans up. What is in use at once is bounded (requests and jobs in flight, body sizes, caches).
 * The young generation is not made smaller still: at 8 MiB the process spends a fifth of its time collecting.
 */
const memory = ["--max-old-space-size=256", "--max-semi-space-size=32"];

/** Arguments of Node for the web process; `listen` are its own, e.g. `-p 3000`. In development Next serves alone. */
export function webArguments(mode: "start" | "dev", listen: readonly string[]): string[] {
  if (mode === "start") return [...memory, "server/front-door/main.ts", ...listen];
  return [path.join(root, "node_modules", "next", "dist", "bin", "next"), "dev", ...listen];
}

/** Arguments of Node for the worker. */
export function workerArguments(mode: "start" | "dev"): string[] {
  return [...(mode === "start" ? memory : ["--watch"]), "worker/main.ts"];
}
