import autocannon from "autocannon";

export interface LoadResult {
  /** Answers with status 2xx a second. */
  requestsPerSecond: number;
  accepted: number;
  /** Anything but 2xx, and requests without an answer. */
  failed: number;
  seconds: number;
  p50Ms: number;
  p99Ms: number;
}

/** Posts `body` over and over; `[<id>]` in it becomes another text each time. */
export async function load(options: {
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
  const result = await autocannon({ ...common, duration: options.seconds });
  return {
    requestsPerSecond: result["2xx"] / result.duration,
    accepted: result["2xx"],
    failed: result.non2xx + result.errors + result.timeouts,
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
  };
}
