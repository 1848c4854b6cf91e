import { Worker } from "node:worker_threads";
import { describe, expect, it } from "vitest";
import { BusyError, JobThread, TooSlowError } from "./job-thread.ts";
import type { JobThreadOptions } from "./job-thread.ts";

/**
 * Does as a job says: answers, asks its host, works for a time, works for ever, gets no processor, fills its memory, or
 * breaks.
 */
const source = `
const { parentPort } = require("node:worker_threads");
const cpuMs = () => { const { user, system } = process.threadCpuUsage(); return (user + system) / 1000; };
const spin = (ms) => { const before = cpuMs(); while (cpuMs() - before < ms); };

parentPort.on("message", (message) => {
  if ("told" in message) { parentPort.postMessage({ id: message.id, answer: message.told, cpuMs: cpuMs() }); return; }
  const { id, job } = message;
  if (job.ask) { parentPort.postMessage({ id, ask: job.ask }); return; }
  if (job.spin) spin(job.spin);
  if (job.hang) for (;;);
  if (job.starve) Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
  if (job.search) /(a+)+$/.test("a".repeat(60) + "b");
  if (job.fill) { const all = []; for (;;) all.push(new Array(1000).fill(all.length)); }
  if (job.fail) throw new Error("broken");
  parentPort.postMessage({ id, answer: job.answer ?? "done", cpuMs: cpuMs() });
});
parentPort.postMessage({ ready: true, cpuMs: cpuMs() });
`;
const budget = { cpuMs: 100, wallMs: 20_000 };

function start(options: Partial<JobThreadOptions> = {}) {
  const threads: Worker[] = [];
  const pool = new JobThread({
    name: "test",
    spawn: () => {
      const thread = new Worker(source, { eval: true, resourceLimits: { maxOldGenerationSizeMb: 32 } });
      threads.push(thread);
      return thread;
    },
    allowance: { atOnce: 3_000, perSecond: 600 },
    waiting: { all: 100, each: 50 },
    waitMs: 30_000,
    idleMs: 60_000,
    ...options,
  });
  return { threads, run: (tenant: string, job: unknown, own = budget) => pool.run(tenant, job, own) };
}
const outcome = (promise: Promise<unknown>) => promise.catch((error: unknown) => error);

describe("a thread for jobs", () => {
  it("starts with the first job, and serves them all", async () => {
    const { threads, run } = start();
    expect(threads).toHaveLength(0);
    expect(await Promise.all(["a", "b", "c"].map((answer) => run("tenant", { answer })))).toEqual([
      "a",
      "b",
      "c",
    ]);
    expect(threads).toHaveLength(1);
  });

  it.each([
    ["loops for ever", { hang: true }],
    ["searches for ever", { search: true }],
    ["breaks", { fail: true }],
  ])("is ended when a job %s, and the next job gets another one", async (_, job) => {
    const { threads, run } = start();
    expect(await outcome(run("tenant", job))).toBeInstanceOf(TooSlowError);
    expect(await run("tenant", {})).toBe("done");
    expect(threads).toHaveLength(2);
  });

  it("is ended when a job fills its memory, and the process goes on", async () => {
    const { run } = start();
    expect(await outcome(run("tenant", { fill: true }))).toBeInstanceOf(TooSlowError);
    expect(await run("tenant", {})).toBe("done");
  });

  it("takes tenants in turns, however many jobs one of them has", async () => {
    const { run } = start();
    const order: string[] = [];
    const done = (name: string) => () => order.push(name);
    const many = Array.from({ length: 20 }, () => run("greedy", { spin: 5 }).then(done("greedy")));
    const one = run("other", {}).then(done("other"));
    await Promise.all([...many, one]);
    expect(order.indexOf("other")).toBeLessThanOrEqual(2);
  });

  it("refuses a tenant that has used its allowance, each job with a later time to retry, and works for the others", async () => {
    const { run } = start({ allowance: { atOnce: 2_000, perSecond: 10 } });
    const outcomes: unknown[] = [];
    for (let index = 0; index < 8; index++) outcomes.push(await outcome(run("greedy", { hang: true })));
    const away = outcomes.filter((one): one is BusyError => one instanceof BusyError);
    expect(outcomes.some((one) => one instanceof TooSlowError)).toBe(true);
    expect(away.length).toBeGreaterThan(0);
    const times = away.map(({ retryAt }) => retryAt);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    expect(Math.min(...times)).toBeGreaterThan(Date.now());
    expect(await run("other", {})).toBe("done");
  });

  it("keeps a bounded number of jobs waiting", async () => {
    const { run } = start({ waiting: { all: 4, each: 2 } });
    const outcomes = await Promise.all(Array.from({ length: 4 }, () => outcome(run("greedy", {}))));
    expect(outcomes.filter((one) => one instanceof BusyError).length).toBe(2);
  });

  it("waits for what a job asks its host for, and does not count it", async () => {
    const ask = async (tenantId: string, question: unknown) => {
      await new Promise((resolve) => setTimeout(resolve, 2 * budget.cpuMs));
      return `${tenantId} ${String(question)}`;
    };
    const { threads, run } = start({ ask });
    expect(await run("tenant", { ask: "what" })).toBe("tenant what");
    expect(threads).toHaveLength(1);
  });

  it("fails as its host fails, which does not count as the job's own fault", async () => {
    const busy = new Error("too many texts are being compiled");
    const { threads, run } = start({ ask: () => Promise.reject(busy) });
    expect(await outcome(run("tenant", { ask: "what" }))).toBe(busy);
    expect(await run("tenant", {})).toBe("done");
    expect(threads).toHaveLength(1);
  });

  it("lets a job be retried that the machine starved, even if its processor time is unknown", async () => {
    const { threads, run } = start();
    await run("tenant", {});
    // As if it had no processor to answer with.
    if (threads[0]) threads[0].cpuUsage = () => new Promise(() => undefined);
    const starved = await outcome(run("tenant", { starve: true }, { cpuMs: 100, wallMs: 500 }));
    expect(starved).toBeInstanceOf(BusyError);
    expect((starved as BusyError).retryAt).toBeGreaterThan(Date.now() - 1_000);
    expect(await run("tenant", {})).toBe("done");
  });

  it("ends when there is nothing to do, and comes back", async () => {
    const { threads, run } = start({ idleMs: 20 });
    await run("tenant", {});
    await new Promise((resolve) => threads[0]?.once("exit", resolve));
    expect(await run("tenant", {})).toBe("done");
    expect(threads).toHaveLength(2);
  });
});
