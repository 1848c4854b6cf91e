/**
 * The web process: the front door with our own handlers and, behind it, the portal as Next has built it. `node
 * server/front-door/main.ts [-H host] [-p port]`; default: HOST and PORT, or port 3000 on all addresses.
 */
import "./production.ts";
import "../kernel/console-to-log.ts";
import path from "node:path";
import { setTimeout as drained } from "node:timers/promises";
import { parseArgs } from "node:util";
import nextModule from "next";
import { writeUnits } from "../costs/month-units.ts";
import { sharedDb } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { logger } from "../kernel/log.ts";
import { stopTracing } from "../kernel/start-tracing.ts";
import { answerCounter } from "../objectives/answer-counter.ts";
import { sharedPathTree } from "../rest/serve-path.ts";
import { createFrontDoor } from "./front-door.ts";
import { readPackedFiles } from "./packed-files.ts";
import { startWeb } from "./start-web.ts";

// CommonJS: whether `default` is the function or the module depends on who loads it.
type MakeNext = typeof nextModule;
const loaded = nextModule as unknown as MakeNext | { default: MakeNext };
const makeNext = typeof loaded === "function" ? loaded : loaded.default;

/** How long running requests may take once the process is asked to end. */
const GRACE_MS = 10_000;

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { hostname: { type: "string", short: "H" }, port: { type: "string", short: "p" } },
  });
  const port = values.port === undefined ? env().port : Number(values.port);
  const hostname = values.hostname ?? env().host;
  const log = logger().child({ part: "web" });
  // Until it listens there is nothing to finish.
  const leave = () => {
    log.info("stopped before it listened");
    process.exit(0);
  };
  process.on("SIGTERM", leave);
  process.on("SIGINT", leave);
  // Before the portal, which would otherwise start all this itself.
  await startWeb({ behindFrontDoor: true });
  const portal = makeNext({ dev: false, dir: process.cwd(), port, hostname: hostname ?? "localhost" });
  await portal.prepare();

  const door = createFrontDoor({
    tree: sharedPathTree(),
    packedFiles: await readPackedFiles(path.join(process.cwd(), ".next", "static")),
    portal: portal.getRequestHandler(),
    trustedProxies: env().trustedProxies,
  });
  await new Promise<void>((resolve, reject) => {
    door.server.once("error", reject);
    door.server.listen({ port, ...(hostname === undefined ? {} : { host: hostname }) }, resolve);
  });
  log.info({ address: door.server.address() }, "web ready");

  let stopping = false;
  const stop = (signal: string) => {
    if (stopping) return;
    stopping = true;
    log.info({ signal }, "stopping: requests under way are finished first");
    drained(env().webDrainMs)
      .then(() => door.close(GRACE_MS))
      .then(async () => {
        await portal.close();
        await answerCounter(sharedDb("web"))
          .exchange()
          .catch((error: unknown) => log.warn({ err: error }, "the last counts of answers were not written"));
        await writeUnits();
        await sharedDb("web").close();
        await stopTracing();
        log.info("stopped");
        process.exit(0);
      })
      .catch((error: unknown) => {
        log.error({ err: error }, "stopping failed");
        process.exit(1);
      });
  };
  process.off("SIGTERM", leave);
  process.off("SIGINT", leave);
  process.on("SIGTERM", stop);
  process.on("SIGINT", stop);
}

// An unhandled rejection somewhere in the portal must not end everybody's requests.
process.on("unhandledRejection", (error) => {
  logger().error({ err: error }, "a promise was rejected that nobody waits for");
});

main().catch((error: unknown) => {
  logger().fatal({ err: error }, "the web process could not start");
  process.exit(1);
});
