import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, afterEach, expect, test, vi } from "vitest";
import { nodePart, Part } from "./part.ts";
import { isAlive } from "./processes.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tidings-part-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const WAITS = "setInterval(() => {}, 1000)";

let part: Part | undefined;
afterEach(() => part?.stop());

function makePart(program: string, patienceMs = 5_000) {
  const lines: string[] = [];
  const pids: (number | undefined)[] = [];
  const made: Part = new Part(
    nodePart({
      name: "worker",
      args: ["--eval", program],
      env: { ...process.env },
      logFile: path.join(folder, "worker.log"),
      patienceMs,
    }),
    (line) => lines.push(line),
    () => pids.push(made.pid),
  );
  part = made;
  return { part: made, lines, pids };
}

test("a process that exists but hangs is ended and restarted", async () => {
  const lines: string[] = [];
  const pids: (number | undefined)[] = [];
  let answers = true;
  const made: Part = new Part(
    {
      ...nodePart({
        name: "worker",
        args: ["--eval", WAITS],
        env: { ...process.env },
        logFile: path.join(folder, "hung.log"),
        patienceMs: 5_000,
      }),
      liveness: {
        check: () => (answers ? Promise.resolve(true) : Promise.reject(new Error("no answer"))),
        timeoutMs: 50,
        everyMs: 20,
        patienceMs: 200,
        startPatienceMs: 60_000,
      },
    },
    (line) => lines.push(line),
    () => {
      pids.push(made.pid);
      answers = true;
    },
  );
  part = made;
  await made.run();
  await new Promise((resolve) => setTimeout(resolve, 400));
  expect(pids).toHaveLength(1);
  // Stopped as by SIGSTOP: it cannot be asked to end.
  process.kill(made.pid ?? 0, "SIGSTOP");
  answers = false;
  await vi.waitFor(() => expect(pids).toHaveLength(2), { timeout: 10_000 });
  expect(lines).toEqual([
    expect.stringMatching(/^worker has not answered for \d+ s; ending it$/),
    "worker ended (SIGKILL); starting it again",
  ]);
  expect(isAlive(pids[0] ?? 0)).toBe(false);
});

test("a machine that slept does not make its processes hang: one check that fails afterwards ends nothing", async () => {
  let checks = 0;
  const pids: (number | undefined)[] = [];
  const made: Part = new Part(
    {
      ...nodePart({
        name: "worker",
        args: ["--eval", WAITS],
        env: { ...process.env },
        logFile: path.join(folder, "slept.log"),
        patienceMs: 5_000,
      }),
      liveness: {
        check: () => {
          checks += 1;
          if (checks !== 3) return Promise.resolve(true);
          // Neither this process nor that one runs for longer than the patience.
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 600);
          return Promise.resolve(false);
        },
        timeoutMs: 50,
        everyMs: 20,
        patienceMs: 200,
        startPatienceMs: 60_000,
      },
    },
    () => undefined,
    () => pids.push(made.pid),
  );
  part = made;
  await made.run();
  await vi.waitFor(() => expect(checks).toBeGreaterThan(6), { timeout: 10_000 });
  expect(pids).toHaveLength(1);
});

test("a process that is killed is restarted, and the user is informed", async () => {
  const { part, lines, pids } = makePart(WAITS);
  await part.run();
  process.kill(part.pid ?? 0, "SIGKILL");
  await vi.waitFor(() => expect(pids).toHaveLength(2), { timeout: 10_000 });
  expect(pids[1]).not.toBe(pids[0]);
  expect(lines).toEqual(["worker ended (SIGKILL); starting it again"]);
});

test("a process that ends without an error is restarted, too", async () => {
  const { part, pids } = makePart("");
  await part.run();
  await vi.waitFor(() => expect(pids.length).toBeGreaterThan(1), { timeout: 10_000 });
});

test("a process that was stopped stays stopped", async () => {
  const { part, lines, pids } = makePart(WAITS);
  await part.run();
  const pid = part.pid ?? 0;
  await part.stop();
  expect(isAlive(pid)).toBe(false);
  expect(pids).toHaveLength(1);
  expect(lines).toEqual([]);
});

test("a process that ignores the request to end is killed", async () => {
  const { part } = makePart(`process.on("SIGTERM", () => {}); ${WAITS}`, 300);
  await part.run();
  const pid = part.pid ?? 0;
  await part.stop();
  expect(isAlive(pid)).toBe(false);
});
