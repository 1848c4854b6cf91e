import { existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { readFolder, writeFolder } from "../src/cli/template-folder.ts";

const root = mkdtempSync(path.join(tmpdir(), "tidings-templates-"));
afterAll(() => {
  rmSync(root, { recursive: true });
});

const file = (name: string, content = "x\n") => ({ path: name, content });

describe("a folder of templates", () => {
  it("mirrors what was pulled: writes what differs, removes what is gone, and leaves other files alone", () => {
    const folder = path.join(root, "mirror");
    expect(writeFolder(folder, [file("a/sms/body.txt"), file("b/sms/body.txt")])).toEqual({
      written: 2,
      removed: 0,
    });
    writeFileSync(path.join(folder, "README.md"), "ours");
    mkdirSync(path.join(folder, ".git"));
    writeFileSync(path.join(folder, ".git", "HEAD"), "x");
    expect(writeFolder(folder, [file("a/sms/body.txt", "new\n")])).toEqual({ written: 1, removed: 1 });
    expect(readFolder(folder)).toEqual([file("README.md", "ours"), file("a/sms/body.txt", "new\n")]);
    expect(existsSync(path.join(folder, "b"))).toBe(false);
    expect(existsSync(path.join(folder, ".git", "HEAD"))).toBe(true);
  });

  it("is never written outside of itself", () => {
    expect(() => writeFolder(path.join(root, "inside"), [file("../outside.txt")])).toThrow(/leads out/);
    expect(existsSync(path.join(root, "outside.txt"))).toBe(false);
  });
});
