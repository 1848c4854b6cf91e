import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { Counter, Gauge, Histogram, collectDefaultMetrics, register } from "prom-client";
import { env } from "./env.ts";
import { logger } from "./log.ts";
import type { Logger } from "./log.ts";
import { metricsPorts } from "./metrics-ports.ts";

/*
 * One registry a process. It is prom-client's own, because Next may load this module once per bundle but loads packages
 * like prom-client once; hence "get or make" below.
 */

/** A number that only grows, e.g. `counter("tidings_callbacks_total", "Provider callbacks", ["result"])`. */
export function counter<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
): Counter<Label> {
  const known = register.getSingleMetric(name);
  return known instanceof Counter ? known : new Counter({ name, help, labelNames });
}

/** A number that goes up and down. @param collect sets it, whenever somebody asks for the metrics */
export function gauge<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  collect?: (gauge: Gauge<Label>) => void,
): Gauge<Label> {
  const known = register.getSingleMetric(name);
  if (known instanceof Gauge) return known;
  return new Gauge<Label>({
    name,
    help,
    labelNames,
    ...(collect && {
      collect(this: Gauge<Label>) {
        collect(this);
      },
    }),
  });
}

/** A distribution; by default of seconds, from a millisecond to half a minute. */
export function histogram<Label extends string>(
  name: string,
  help: string,
  labelNames: readonly Label[] = [],
  buckets: number[] = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30],
): Histogram<Label> {
  const known = register.getSingleMetric(name);
  return known instanceof Histogram ? known : new Histogram({ name, help, labelNames, buckets });
}

export interface MetricsServer {
  port: number;
  close(): Promise<void>;
}

/**
 * Serves `GET /metrics` (Prometheus text), `GET /healthz` and, when `isReady` is given, `GET /readyz` on a port of its
 * own, which is not public: on loopback unless METRICS_HOST says otherwise. Port 0 takes a free one.
 */
export async function startMetricsServer(
  port: number,
  host: string = env().metricsHost,
  isReady?: () => Promise<boolean>,
): Promise<MetricsServer> {
  if (!register.getSingleMetric("process_cpu_user_seconds_total")) collectDefaultMetrics();
  const server = createServer((request, response) => {
    const path = request.url?.split("?", 1)[0];
    if (request.method !== "GET" && request.method !== "HEAD") {
      response.writeHead(405, { allow: "GET, HEAD" }).end();
    } else if (path === "/healthz") {
      response.writeHead(200, { "content-type": "text/plain; charset=utf-8" }).end("ok\n");
    } else if (path === "/readyz" && isReady) {
      isReady().then(
        (ready) => response.writeHead(ready ? 200 : 503).end(ready ? "ready\n" : "not ready\n"),
        () => response.writeHead(503).end("not ready\n"),
      );
    } else if (path === "/metrics") {
      register.metrics().then(
        (text) => response.writeHead(200, { "content-type": register.contentType }).end(text),
        (error: unknown) => {
          logger().error({ err: error }, "metrics could not be collected");
          response.writeHead(500).end();
        },
      );
    } else {
      response.writeHead(404).end();
    }
  });
  server.headersTimeout = 5_000;
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject);
    server.listen(port, host, resolve);
  });
  // Never keeps a process alive.
  server.unref();
  return {
    port: (server.address() as AddressInfo).port,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

/**
 * Serves the metrics of a process. A port that is taken never keeps the process from its work: without `setting` the next free
 * one is used, a given one is tried again until it is free. Both are logged, as is where metrics are.
 * @param options.setting a port, 0 for any free one, "off" for none; undefined: `defaultPort`, or the next that is free
 * @param options.retryMs how long after a failure the port is tried again
 */
export async function serveMetrics(options: {
  setting: number | "off" | undefined;
  defaultPort: number;
  log: Logger;
  host?: string;
  isReady?: () => Promise<boolean>;
  retryMs?: number;
}): Promise<{ close(): Promise<void> }> {
  const { setting, defaultPort, log, host = env().metricsHost, isReady, retryMs = 10_000 } = options;
  let server: MetricsServer | undefined;
  let timer: NodeJS.Timeout | undefined;
  const close = async () => {
    clearTimeout(timer);
    await server?.close();
  };
  if (setting === "off") return { close };
  const listen = async (port: number) => {
    server = await startMetricsServer(port, host, isReady);
    const name = host.includes(":") ? `[${host}]` : host;
    log.info({ address: `http://${name}:${String(server.port)}/metrics` }, "metrics are served");
  };
  const again = async (port: number): Promise<void> => {
    try {
      await listen(port);
    } catch (error) {
      log.error({ err: error, port }, "metrics cannot be served on this port; it is tried again");
      timer = setTimeout(() => void again(port), retryMs);
      timer.unref();
    }
  };
  if (setting !== undefined) {
    await again(setting);
    return { close };
  }
  for (let port = defaultPort; port < defaultPort + metricsPorts.tried; port++) {
    try {
      await listen(port);
      return { close };
    } catch (error) {
      log.info({ port, err: error }, "the port for metrics is taken; the next one is tried");
    }
  }
  await again(defaultPort);
  return { close };
}
