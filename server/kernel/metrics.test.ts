import { afterAll, describe, expect, it } from "vitest";
import { counter, histogram, startMetricsServer } from "./metrics.ts";

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
