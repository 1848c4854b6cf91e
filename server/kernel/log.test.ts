import { execFile } from "node:child_process";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { parseStrictJson } from "../testing/strict-json.ts";
import { createLogger } from "./log.ts";

/** What a process without a good end prints. */
function endOf(args: string[], level: string): Promise<{ code: unknown; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    // eslint-disable-next-line no-restricted-syntax -- handed on, not read
    const env = { ...process.env, LOG_LEVEL: level };
    execFile(process.execPath, args, { env }, (error, stdout, stderr) => {
      resolve({ code: error?.code ?? 0, stdout, stderr });
    });
  });
}

function recorded() {
  const lines: string[] = [];
  const log = createLogger("info", { write: (line: string) => lines.push(line) });
  return { log, last: () => parseStrictJson(lines.at(-1) ?? "") as Record<string, unknown> };
}

describe("a line of the log", () => {
  it("is refused by the parser of these tests if it names a field twice", () => {
    expect(() => parseStrictJson('{"a":[{"b":"}"}],"c":{"d":1,"d":1}}')).toThrow('"d" is there twice');
    expect(parseStrictJson('{"a":[{"b":"\\"}"},{"b":null}],"c":-1.5e3}')).toEqual({
      a: [{ b: '"}' }, { b: null }],
      c: -1500,
    });
  });

  it("holds a field once that its logger is bound to as well, with the line's own value", () => {
    const { log, last } = recorded();
    const child = log.child({ requestId: "r", tenantId: "t" });
    child.info({ tenantId: "t", n: 1 }, "the same");
    expect(last()).toMatchObject({ requestId: "r", tenantId: "t", n: 1, msg: "the same" });
    child.info({ tenantId: "other" }, "another");
    expect(last()).toMatchObject({ requestId: "r", tenantId: "other" });
    child.info({ tenantId: undefined }, "nothing");
    expect(last()).toMatchObject({ requestId: "r", tenantId: "t" });
  });

  it("holds a field once that a logger and its parent are bound to", () => {
    const { log, last } = recorded();
    log.child({ part: "worker", a: 1 }).child({ part: "runner" }).child({ b: 2 }).info("go");
    expect(last()).toMatchObject({ part: "runner", a: 1, b: 2, msg: "go" });
  });

  it("keeps its level, time and message whatever it is given", () => {
    const { log, last } = recorded();
    log.child({ level: "x" }).info({ msg: "theirs", time: 5 }, "ours");
    expect(last()).toMatchObject({ level: "info", level_: "x", msg: "ours", msg_: "theirs", time_: 5 });
    log.warn({ err: new Error("broken"), msg: "theirs" });
    expect(last()).toMatchObject({ level: "warn", msg: "broken", err: { message: "broken" } });
  });

  it("says of an error what it says without a child, and redacts as before", () => {
    const { log, last } = recorded();
    const child = log.child({ err: "bound", password: "p" });
    child.error(new Error("broken"));
    expect(last()).toMatchObject({ msg: "broken", err: { type: "Error", message: "broken" } });
    child.error({ err: new Error("broken"), secret: "s", password: "q" }, "failed");
    expect(last()).toMatchObject({ msg: "failed", secret: "[redacted]", password: "[redacted]" });
  });
});

describe("a process that imports console-to-log first", () => {
  it("prints nothing but lines of JSON, also what libraries print, warnings and the error that ends it", async () => {
    const file = path.join(import.meta.dirname, "console-to-log.ts");
    const program = `
      await import(${JSON.stringify(file)});
      console.log("\\u001b[1m▲ Next.js 16\\u001b[22m", { port: 3000 });
      console.log("");
      console.error(" ⨯", new TypeError("no such page"));
      process.emitWarning("old", "DeprecationWarning");
      setTimeout(() => { throw new Error("the end"); }, 50);`;
    const ended = await endOf(["--input-type=module", "--eval", program], "info");
    expect(ended).toMatchObject({ code: 1, stderr: "" });
    const lines = ended.stdout.trimEnd().split("\n").map(parseStrictJson);
    expect(lines).toMatchObject([
      { level: "info", from: "console", msg: "▲ Next.js 16 { port: 3000 }" },
      { level: "error", from: "console", msg: "⨯", err: { type: "TypeError", message: "no such page" } },
      { level: "warn", from: "node", msg: "old", err: { type: "DeprecationWarning" } },
      { level: "fatal", err: { message: "the end" } },
    ]);
  });

  it("says a wrong configuration in JSON, too", async () => {
    const worker = path.join(import.meta.dirname, "../../worker/main.ts");
    const ended = await endOf([worker], "loud");
    expect(ended).toMatchObject({ code: 1, stderr: "" });
    expect(parseStrictJson(ended.stdout)).toMatchObject({
      level: "fatal",
      err: { message: expect.stringContaining("LOG_LEVEL") as string },
    });
  });
});
