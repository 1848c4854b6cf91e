import { env } from "../kernel/env.ts";
import { startDraining } from "../kernel/lifecycle.ts";
import { logger } from "../kernel/log.ts";
import { startMetricsServer } from "../kernel/metrics.ts";
import { guardRequests } from "./guard-requests.ts";

/**
 * What the web process does beside answering: it keeps requests from Next that Next cannot take, serves metrics on a port of its own, and when told to end it says so on
 * /readyz and closes connections after their next answer. Next itself stops listening then, waits for the requests in
 * flight and exits.
 */
export async function startWeb(): Promise<void> {
  guardRequests();
  const port = env().webMetricsPort;
  if (port !== undefined) {
    const metrics = await startMetricsServer(port);
    logger().info({ port: metrics.port }, "metrics are served");
  }
  process.once("SIGTERM", startDraining);
  process.once("SIGINT", startDraining);
}
