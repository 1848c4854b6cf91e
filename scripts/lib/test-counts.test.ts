import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { afterAll, expect, test } from "vitest";
import { documentationCounts, playwrightCounts, sum, vitestCounts } from "./test-counts.ts";

const folder = mkdtempSync(path.join(tmpdir(), "tidings-counts-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

function report(name: string, content: unknown): string {
  const file = path.join(folder, name);
  writeFileSync(file, JSON.stringify(content));
  return file;
}

test("a file that fails outside its tests counts as a failure", () => {
  const file = report("vitest.json", {
    numPassedTests: 5,
    numFailedTests: 1,
    numPendingTests: 2,
    testResults: [
      { status: "failed", assertionResults: [{ status: "passed" }] },
      { status: "failed", assertionResults: [{ status: "failed" }] },
      { status: "passed", assertionResults: [] },
    ],
  });
  expect(vitestCounts(file)).toEqual({ passed: 5, failed: 2, skipped: 2 });
});

test("a browser run that could not start counts as a failure", () => {
  const file = report("playwright.json", {
    stats: { expected: 0, unexpected: 0, flaky: 0, skipped: 0 },
    errors: [{ message: "no server" }],
  });
  expect(playwrightCounts(file)).toEqual({ passed: 0, failed: 1, skipped: 0 });
});

test("a runner that left no report counts as a failure", () => {
  const none = [vitestCounts("/nowhere"), playwrightCounts("/nowhere"), documentationCounts("/nowhere")];
  expect(sum(none)).toEqual({
    passed: 0,
    failed: 3,
    skipped: 0,
  });
});
