import autocannon from "autocannon";

import { cpuOfTree } from "./children.ts";
import type { Child } from "./children.ts";
import type { BenchCluster } from "./cluster.ts";

export interface LoadResult {
  /**
   * Processor time per request, of the web process and of Postgres, ms: unlike times, not affected by a busy machine.
   */
  cpuMs: { web: number; postgres: number };
  peakMiB: number;
  /** Answers with status 2xx per second. */
  requestsPerSecond: number;
  accepted: number;
  /** Anything but 2xx, and requests without an answer. */
  failed: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

/** Posts `body` over and over, with `[<id>]` replaced by another text each time. */
export async function load(options: {
  web: Child;
  cluster: BenchCluster;
  url: string;
  body: string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
  warmUpSeconds?: number;
}): Promise<LoadResult> {
  const common = {
    url: options.url,
    method: "POST" as const,
    headers: { "content-type": "application/json", ...options.headers },
    body: options.body,
    idReplacement: options.body.includes("[<id>]"),
    connections: options.connections,
    timeout: 30,
  };
  if (options.warmUpSeconds) await autocannon({ ...common, duration: options.warmUpSeconds });
  const before = { web: cpuOfTree(options.web.process.pid ?? 0), postgres: options.cluster.cpuSeconds() };
  const result = await autocannon({ ...common, duration: options.seconds });
  const each = (seconds: number) => (seconds * 1_000) / Math.max(1, result["2xx"]);
  return {
    cpuMs: {
      web: each(cpuOfTree(options.web.process.pid ?? 0) - before.web),
      postgres: each(options.cluster.cpuSeconds() - before.postgres),
    },
    peakMiB: options.web.peakBytes() / 1_048_576,
    requestsPerSecond: result["2xx"] / result.duration,
    accepted: result["2xx"],
    failed: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
