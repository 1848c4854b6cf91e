import { startDraining } from "../kernel/lifecycle.ts";
import { logger } from "../kernel/log.ts";
import { sharedDb, warmUp } from "../kernel/db.ts";
import { env } from "../kernel/env.ts";
import { metricsPorts } from "../kernel/metrics-ports.ts";
import { serveMetrics } from "../kernel/metrics.ts";
import { startTracing } from "../kernel/start-tracing.ts";
import { normalizeAllRequests } from "./normalize-request.ts";
import { answerCounter } from "../objectives/answer-counter.ts";
import { announceSetUp } from "../onboarding/announce-set-up.ts";
import { prepareAccepting } from "../sending/prepare-connection.ts";

const key = Symbol.for("tidings.web-started");
const shared = globalThis as typeof globalThis & { [key]?: boolean };

/**
 * What a web process does besides answering: it serves metrics on a port of their own, exports traces if it is told to, logs how
 * to set up an installation without any organisation, and when asked to end it says so on /readyz and closes connections after their next answer. Runs
 * once per process: behind the front door, which has done all this, Next asks for it again with its own copy of this module.
 * @param options.behindFrontDoor false: Next serves alone, and each request is normalised as it arrives
 */
export async function startWeb(options: { behindFrontDoor: boolean }): Promise<void> {
  if (shared[key]) return;
  shared[key] = true;
  if (!options.behindFrontDoor) normalizeAllRequests();
  await startTracing("tidings-web");
  await serveMetrics({ setting: env().webMetricsPort, defaultPort: metricsPorts.web, log: logger() });
  process.once("SIGTERM", startDraining);
  process.once("SIGINT", startDraining);
  const db = sharedDb("web");
  await warmUp(db, prepareAccepting);
  answerCounter(db).start();
  void announceSetUp(db);
}
