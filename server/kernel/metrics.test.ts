import { createServer } from "node:net";
import type { AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, describe, expect, it, vi } from "vitest";
import { createLogger } from "./log.ts";
import { metricsPorts } from "./metrics-ports.ts";
import { counter, gauge, histogram, serveMetrics, startMetricsServer } from "./metrics.ts";

const server = await startMetricsServer(0);
afterAll(() => server.close());
const get = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${server.port}${path}`, init);

describe("the metrics server", () => {
  it("serves the process's own figures and what the product counts", async () => {
    counter("test_things_total", "Things", ["kind"]).inc({ kind: "a" }, 2);
    histogram("test_seconds", "Seconds").observe(0.02);
    const response = await get("/metrics");
    const text = await response.text();
    expect(response.headers.get("content-type")).toContain("text/plain");
    expect(text).toContain('test_things_total{kind="a"} 2');
    expect(text).toContain('test_seconds_bucket{le="0.025"} 1');
    expect(text).toContain("process_resident_memory_bytes");
  });

  it("counts into one metric however often it is asked for", async () => {
    counter("test_twice_total", "Twice").inc();
    counter("test_twice_total", "Twice").inc();
    expect(await (await get("/metrics")).text()).toContain("test_twice_total 2");
  });

  it("knows nothing else", async () => {
    expect((await get("/")).status).toBe(404);
    expect((await get("/metrics", { method: "POST" })).status).toBe(405);
    expect((await get("/healthz")).status).toBe(200);
  });
});

/** What this process says of a metric without labels. */
async function figure(name: string): Promise<number> {
  const text = await (await get("/metrics")).text();
  return Number(new RegExp(`^${name} (\\S+)$`, "m").exec(text)?.[1]);
}

describe("a process's own figures", () => {
  it("say how late its event loop is: half of the time, seldom, at most, up and down again", async () => {
    await get("/metrics");
    // The first turn after somebody looked is not measured.
    await pause(50);
    const until = performance.now() + 300;
    while (performance.now() < until);
    await pause(30);
    expect(await figure("nodejs_eventloop_lag_max_seconds")).toBeGreaterThan(0.2);
    await pause(200);
    for (const name of ["max", "p99", "p50"])
      expect(await figure(`nodejs_eventloop_lag_${name}_seconds`), name).toBeLessThan(0.2);
  });

  it("are asked for when somebody looks, where they are computed then", async () => {
    let value = 1;
    gauge("test_collected", "Collected", [], (made) => made.set(value));
    expect(await figure("test_collected")).toBe(1);
    value = 2;
    expect(await figure("test_collected")).toBe(2);
  });
});

describe("the port of the metrics", () => {
  const lines: { level: string; msg: string; address?: string; port?: number }[] = [];
  const log = createLogger("info", {
    write: (line: string) => lines.push(JSON.parse(line) as (typeof lines)[number]),
  });
  const said = () => lines.splice(0);
  const host = "127.0.0.1";
  /** Something else that listens. */
  async function occupied() {
    const other = createServer();
    await new Promise<void>((resolve) => other.listen(0, host, resolve));
    const { port } = other.address() as AddressInfo;
    return { port, free: () => new Promise((resolve) => other.close(resolve)) };
  }
  const answers = (port: number) =>
    fetch(`http://${host}:${String(port)}/metrics`).then(
      ({ status }) => status,
      () => null,
    );

  it("is a known one for web and worker, with room between the groups of npm start", () => {
    expect(metricsPorts).toMatchObject({ web: 9464, worker: 9465 });
  });

  it("is the next free one where the default is taken, and the log says which", async () => {
    const other = await occupied();
    const metrics = await serveMetrics({ setting: undefined, defaultPort: other.port, log, host });
    const [taken, served] = said();
    expect(taken).toMatchObject({ level: "info", port: other.port });
    const port = Number(new URL(served?.address ?? "").port);
    expect(port).toBeGreaterThan(other.port);
    expect(await answers(port)).toBe(200);
    await metrics.close();
    await other.free();
  });

  it("that was asked for and is taken stops nothing: it is logged, and served once it is free", async () => {
    const other = await occupied();
    const metrics = await serveMetrics({ setting: other.port, defaultPort: 1, log, host, retryMs: 20 });
    expect(said()[0]).toMatchObject({ level: "error", port: other.port });
    await other.free();
    await vi.waitFor(async () => expect(await answers(other.port)).toBe(200), { timeout: 5_000 });
    await metrics.close();
    expect(await answers(other.port)).toBeNull();
  });

  it("is any free one for 0, and none for off", async () => {
    said();
    const any = await serveMetrics({ setting: 0, defaultPort: 1, log, host });
    expect(await answers(Number(new URL(said()[0]?.address ?? "").port))).toBe(200);
    await any.close();
    await (await serveMetrics({ setting: "off", defaultPort: 1, log, host })).close();
    expect(said()).toEqual([]);
  });
});
