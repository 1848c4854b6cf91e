import path from "node:path";
import { root } from "./paths.ts";

/**
 * How the web process and the worker are started. The heap is kept small on purpose: V8 would otherwise let garbage
 * grow to several times what is in use. What is in use at once is bounded (requests and jobs in flight, body sizes,
 * caches). In the web process half of the limit is for the code of all pages and routes, which is loaded when they are first asked for.
 * The young generation is not smaller still: at 8 MiB the process spends a fifth of its time collecting.
 */
const memory = ["--max-old-space-size=512", "--max-semi-space-size=16"];
export const workerMemory = (semiSpace: number) => [
  "--max-old-space-size=192",
  `--max-semi-space-size=${String(semiSpace)}`,
];

/** Environment of the processes: with more arenas than cores, glibc keeps what threads once used. */
export const memoryEnvironment = { MALLOC_ARENA_MAX: "2" };

/** Node's compile cache is kept from one start to the next. */
const compileCache = ["--import", "./scripts/lib/compile-cache.mjs"];

/** Node's arguments for the web process; `listen` are its own, e.g. `-p 3000`. In development Next serves alone. */
export function webArguments(mode: "start" | "dev", listen: readonly string[]): string[] {
  if (mode === "start") return [...compileCache, ...memory, "server/front-door/main.ts", ...listen];
  return [path.join(root, "node_modules", "next", "dist", "bin", "next"), "dev", ...listen];
}

/**
 * The processes that divide the lanes among themselves on one machine: urgent lanes have one of their own, so that
 * neither the event loop nor the database connections of volume can delay them, and the processor serves them first
 * (`nice`).
 */
export const workerGroups = [
  { name: "worker-urgent", lanes: ["otp", "transactional"], nice: 0, semiSpace: 8 },
  { name: "worker-volume", lanes: ["bulk", "sandbox", "webhook", "maintenance"], nice: 10, semiSpace: 24 },
] as const;

/** Arguments of Node for the worker process of a group. */
export function workerArguments(
  mode: "start" | "dev",
  group: { lanes: readonly string[]; semiSpace: number },
): string[] {
  return [
    ...(mode === "start" ? [...compileCache, ...workerMemory(group.semiSpace)] : ["--watch"]),
    "worker/main.ts",
    "--lanes",
    group.lanes.join(","),
  ];
}
