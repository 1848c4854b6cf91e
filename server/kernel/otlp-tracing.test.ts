import { execFile } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { promisify } from "node:util";
import { afterEach, describe, expect, it, vi } from "vitest";
import { root } from "../../scripts/lib/paths.ts";
import { childEnvironment } from "../testing/api-server.ts";
import { exportTo, startOtlpStub } from "../testing/otlp-stub.ts";
import { otlpTracing } from "./otlp-tracing.ts";
import type { Tracing } from "./tracing.ts";

const run = promisify(execFile);
const batch = { queueSize: 1_000, batchSize: 100, delayMs: 20, timeoutMs: 60_000 };
const everything = { name: "parentbased_always_on", ratio: 1 } as const;
const root_ = { name: "test", kind: "internal", parent: null } as const;
const ends: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const end of ends.splice(0)) await end();
});

function tracingTo(url: string, fields: Partial<Parameters<typeof otlpTracing>[0]> = {}): Tracing {
  exportTo(url);
  return otlpTracing({ service: "test", sampler: everything, batch, ...fields });
}

describe("OpenTelemetry", () => {
  /**
   * What a process has loaded of it once it has started tracing as web and worker do. Not the bare interface, which prom-client
   * loads for itself.
   */
  async function loadedBy(env: Record<string, string>): Promise<string[]> {
    const code = `
      import { registerHooks } from "node:module";
      const loaded = new Set();
      registerHooks({ load: (url, context, next) => (loaded.add(url), next(url, context)) });
      const { startTracing, stopTracing } = await import("./server/kernel/start-tracing.ts");
      await startTracing("test");
      await import("./server/sending/deliver-notification.ts");
      await import("./server/webhooks/deliver-webhook.ts");
      await import("./server/rest/serve-route.ts");
      await stopTracing();
      process.stdout.write(JSON.stringify([...loaded].filter((url) => /@opentelemetry\\/(?!api\\/)/.test(url))));
      process.exit(0);`;
    const { stdout } = await run(process.execPath, ["--input-type=module", "-e", code], {
      cwd: root,
      env: childEnvironment({ LOG_LEVEL: "silent", ...env }),
      maxBuffer: 4_194_304,
    });
    return JSON.parse(stdout) as string[];
  }

  it("is not loaded unless a collector is named, or when it is switched off by its own variables", async () => {
    const OTEL_EXPORTER_OTLP_ENDPOINT = "http://127.0.0.1:9";
    expect((await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT })).length).toBeGreaterThan(10);
    expect(await loadedBy({})).toEqual([]);
    expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_SDK_DISABLED: "true" })).toEqual([]);
    expect(await loadedBy({ OTEL_EXPORTER_OTLP_ENDPOINT, OTEL_TRACES_EXPORTER: "none" })).toEqual([]);
  }, 30_000);

  it("is imported by one file, which is imported only when tracing starts", () => {
    const files = globSync("{app,components,server,worker}/**/*.{ts,tsx}", { cwd: root });
    const naming = (pattern: RegExp) =>
      files.filter(
        (file) => !file.includes(".test.") && pattern.test(readFileSync(path.join(root, file), "utf8")),
      );
    expect(naming(/from "@opentelemetry\//)).toEqual(["server/kernel/otlp-tracing.ts"]);
    expect(naming(/from "[^"]*otlp-tracing\.ts"/)).toEqual([]);
    expect(naming(/import\("[^"]*otlp-tracing\.ts"\)/)).toEqual(["server/kernel/start-tracing.ts"]);
  });

  it("keeps a bounded number of spans while the collector hangs, delays nobody, and lets the process end", async () => {
    let asked = 0;
    const hung = await startOtlpStub(() => {
      asked++;
    });
    const tracing = tracingTo(hung.url);
    const made = 60_000;
    let slowest = 0;
    for (let i = 0; i < made; i++) {
      const from = performance.now();
      const span = tracing.start({ ...root_, attributes: { "tidings.notification.id": `n${String(i)}` } });
      span.set({ "tidings.outcome": "sent" });
      span.end();
      slowest = Math.max(slowest, performance.now() - from);
      if (i % 100 === 0) await new Promise(setImmediate);
    }
    await vi.waitFor(() => expect(asked).toBe(1));
    // Nothing waits for the collector: the longest was a garbage collection.
    expect(slowest).toBeLessThan(1_000);
    const from = performance.now();
    await tracing.stop(500);
    expect(performance.now() - from).toBeLessThan(2_000);
    // Every span that was kept has been put into a request by now, which nobody answered; the others were dropped.
    await vi.waitFor(() => expect(hung.spans.length).toBeGreaterThan(0));
    expect(hung.spans.length).toBeLessThanOrEqual(batch.queueSize + batch.batchSize);
    await hung.close();
  }, 30_000);

  it("survives a collector that is not there, one that refuses and one that cuts the connection", async () => {
    const refusing = await startOtlpStub((response) => response.writeHead(400).end("no"));
    const cutting = await startOtlpStub((response) => response.destroy());
    ends.push(
      () => refusing.close(),
      () => cutting.close(),
    );
    const thrown: unknown[] = [];
    const note = (error: unknown) => thrown.push(error);
    process.on("unhandledRejection", note);
    ends.push(async () => process.off("unhandledRejection", note));
    for (const url of ["http://127.0.0.1:9", refusing.url, cutting.url]) {
      const tracing = tracingTo(url, { batch: { ...batch, timeoutMs: 200 } });
      for (let i = 0; i < 500; i++) tracing.start(root_).end();
      await new Promise((resolve) => setTimeout(resolve, 300));
      await tracing.stop(1_000);
    }
    expect(refusing.bodies.length).toBeGreaterThan(0);
    expect(thrown).toEqual([]);
  });

  it("samples as OTEL_TRACES_SAMPLER says, and the same traces in every process", async () => {
    const collector = await startOtlpStub();
    ends.push(() => collector.close());
    const sampler = { name: "parentbased_traceidratio", ratio: 0.25 } as const;
    const web = tracingTo(collector.url, { sampler, batch: { ...batch, queueSize: 5_000 } });
    const worker = tracingTo(collector.url, { sampler: { name: "traceidratio", ratio: 0.25 } });
    const contexts = Array.from({ length: 2_000 }, () => {
      const span = web.start(root_);
      span.end();
      return span.context;
    });
    const sampled = contexts.filter((context) => context.sampled);
    expect(sampled.length).toBeGreaterThan(400);
    expect(sampled.length).toBeLessThan(600);
    for (const parent of contexts)
      expect(worker.start({ ...root_, parent }).context.sampled).toBe(parent.sampled);
    await web.stop(2_000);
    expect(collector.spans.length).toBe(sampled.length);
    expect(new Set(collector.spans.map(({ service }) => service))).toEqual(new Set(["test"]));
    await worker.stop(100);
  });

  it("leaves out attributes that are not in the list, and cuts long values", async () => {
    const collector = await startOtlpStub();
    ends.push(() => collector.close());
    const tracing = tracingTo(collector.url);
    const span = tracing.start({
      ...root_,
      attributes: { recipient: "+4915112345678", "tidings.outcome": "x".repeat(500) } as object,
    });
    span.set({ subject: "Hello" } as object);
    span.end();
    await tracing.stop(2_000);
    expect(collector.spans[0]?.attributes).toEqual({ "tidings.outcome": "x".repeat(128) });
  });
});
