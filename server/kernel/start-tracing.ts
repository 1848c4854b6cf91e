import { env } from "./env.ts";
import { logger } from "./log.ts";
import { isTracing, setTracing } from "./tracing.ts";
import type { Tracing } from "./tracing.ts";

let running: Tracing | undefined;
/** How long a process that ends waits for the collector, ms. */
const lastExportMs = 2_000;

/**
 * Starts tracing where the operator has named a collector (`OTEL_EXPORTER_OTLP_ENDPOINT`), and otherwise loads nothing.
 * @param service the name of this process in traces, unless OTEL_SERVICE_NAME is set
 */
export async function startTracing(service: string): Promise<void> {
  const { tracing: settings } = env();
  if (!settings || isTracing()) return;
  const { otlpTracing } = await import("./otlp-tracing.ts");
  running = otlpTracing({ ...settings, service: settings.service ?? service });
  setTracing(running);
  logger().info({ sampler: settings.sampler.name, ratio: settings.sampler.ratio }, "traces are exported");
}

/** Exports what is left, within two seconds. */
export async function stopTracing(): Promise<void> {
  setTracing(undefined);
  const stopped = running;
  running = undefined;
  await stopped?.stop(lastExportMs);
}
