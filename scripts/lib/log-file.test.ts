import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test, vi } from "vitest";
import { LogFile } from "./log-file.ts";
import { root } from "./paths.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tidings-log-test-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** A process that prints to a pipe, as parts do. */
const printing = (program: string): ChildProcess =>
  spawn(process.execPath, ["--eval", program], { stdio: ["ignore", "pipe", "pipe"] });

async function run(log: LogFile, program: string): Promise<void> {
  const child = printing(program);
  log.take(child);
  await once(child, "exit");
  await log.written();
}

/** The lines of a log, those put aside first. */
function linesOf(file: string): string[] {
  const files = [...Array(10).keys()].map((n) => `${file}.${10 - n}`).filter((each) => existsSync(each));
  return [...files, file].flatMap((each) => readFileSync(each, "utf8").split("\n").slice(0, -1));
}

const numbered = (from: number, to: number) =>
  `for (let n = ${from}; n < ${to}; n += 1) (n % 7 ? console.log : console.error)(n + " ${"x".repeat(80)}")`;

test("a log is put aside while its process runs, and no line is lost or torn", async () => {
  const file = path.join(folder, "whole.log");
  const log = new LogFile(file, { largest: 192 * 1024, older: 9 });
  await run(log, numbered(0, 3_000));
  // The next run of the same part.
  await run(log, numbered(3_000, 6_000));
  const lines = linesOf(file);
  expect(lines.every((line) => /^\d+ x{80}$/.test(line))).toBe(true);
  const numbers = lines.map((line) => Number.parseInt(line, 10)).sort((a, b) => a - b);
  expect(numbers).toEqual([...Array(6_000).keys()]);
  expect(existsSync(`${file}.1`)).toBe(true);
});

test("however much is printed, a log takes bounded room, and what was printed last is there", async () => {
  const file = path.join(folder, "bounded.log");
  await run(new LogFile(file, { largest: 128 * 1024, older: 2 }), numbered(0, 20_000));
  const files = readdirSync(folder).filter((name) => name.startsWith("bounded.log"));
  expect(files.sort()).toEqual(["bounded.log", "bounded.log.1", "bounded.log.2"]);
  for (const name of files) expect(statSync(path.join(folder, name)).size).toBeLessThanOrEqual(192 * 1024);
  expect(linesOf(file).some((line) => line.startsWith("19998 "))).toBe(true);
});

test("a log that is there already is continued, and one that is too large put aside with the first line", async () => {
  const file = path.join(folder, "continued.log");
  await run(new LogFile(file), numbered(0, 100));
  await run(new LogFile(file), numbered(100, 200));
  expect(linesOf(file)).toHaveLength(200);
  const log = new LogFile(file, { largest: 1_000, older: 5 });
  await run(log, "process.stdout.write('without an end')");
  await run(log, "console.log('more')");
  expect(readFileSync(file, "utf8")).toBe("more\n");
  expect(linesOf(file)).toHaveLength(202);
});

test.runIf(existsSync("/dev/full"))("a full disk does not end who writes or who is written for", async () => {
  await run(new LogFile("/dev/full"), numbered(0, 10_000));
});

test("a part whose supervisor was killed ends in its own time, whatever it prints then", async () => {
  const marks = [path.join(folder, "started"), path.join(folder, "ended")] as const;
  const part = `
    import { writeFileSync } from "node:fs";
    process.on("SIGTERM", () => {
      const timer = setInterval(() => process.stdout.write("x".repeat(1000) + "\\n"), 10);
      setTimeout(() => { clearInterval(timer); writeFileSync(${JSON.stringify(marks[1])}, ""); process.exit(0); }, 500);
    });
    setInterval(() => {}, 1000);
    writeFileSync(${JSON.stringify(marks[0])}, "");`;
  const supervisor = `
    import { nodePart } from ${JSON.stringify(path.join(root, "scripts/lib/part.ts"))};
    await nodePart({ name: "part", args: ["--input-type=module", "--eval", ${JSON.stringify(part)}], env: process.env,
      logFile: ${JSON.stringify(path.join(folder, "part.log"))}, patienceMs: 1000 }).start();`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", supervisor], { stdio: "inherit" });
  await vi.waitFor(() => expect(existsSync(marks[0])).toBe(true), { timeout: 20_000, interval: 50 });
  child.kill("SIGKILL");
  await vi.waitFor(() => expect(existsSync(marks[1])).toBe(true), { timeout: 20_000, interval: 50 });
});
