import { readFileSync } from "node:fs";
import { z } from "zod";

/** Tests of one runner. */
export type Counts = { passed: number; failed: number; skipped: number };

const vitestReport = z.object({
  numPassedTests: z.int(),
  numFailedTests: z.int(),
  numPendingTests: z.int(),
  numTodoTests: z.int().default(0),
  /** Files that failed outside any test, while loading or cleaning up, among them. */
  testResults: z.array(
    z.object({ status: z.string(), assertionResults: z.array(z.object({ status: z.string() })) }),
  ),
});

const playwrightReport = z.object({
  stats: z.object({ expected: z.int(), unexpected: z.int(), flaky: z.int(), skipped: z.int() }),
  errors: z.array(z.unknown()).default([]),
});

function read(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8"));
  } catch {
    return undefined;
  }
}

/** Counts of vitest's JSON report; a run that left none counts as one failure. */
export function vitestCounts(file: string): Counts {
  const report = vitestReport.safeParse(read(file)).data;
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const brokenFiles = report.testResults.filter(
    (result) =>
      result.status === "failed" && !result.assertionResults.some((test) => test.status === "failed"),
  );
  return {
    passed: report.numPassedTests,
    failed: report.numFailedTests + brokenFiles.length,
    skipped: report.numPendingTests + report.numTodoTests,
  };
}

/** Counts of Playwright's JSON report; a run that left none counts as one failure. */
export function playwrightCounts(file: string): Counts {
  const report = playwrightReport.safeParse(read(file)).data;
  if (!report) return { passed: 0, failed: 1, skipped: 0 };
  const { expected, flaky, unexpected, skipped } = report.stats;
  return { passed: expected + flaky, failed: unexpected + report.errors.length, skipped };
}

const documentationReport = z.object({ passed: z.int(), failed: z.int(), skipped: z.int() });

/** Counts of what scripts/check-documentation.ts leaves; a run that left none counts as one failure. */
export function documentationCounts(file: string): Counts {
  return documentationReport.safeParse(read(file)).data ?? { passed: 0, failed: 1, skipped: 0 };
}

export function sum(counts: readonly Counts[]): Counts {
  return counts.reduce(
    (total, one) => ({
      passed: total.passed + one.passed,
      failed: total.failed + one.failed,
      skipped: total.skipped + one.skipped,
    }),
    { passed: 0, failed: 0, skipped: 0 },
  );
}
