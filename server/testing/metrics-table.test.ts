import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { describe, expect, it } from "vitest";
import { root } from "../../scripts/lib/paths.ts";
import { declaredMetrics } from "./made-metrics.ts";
import type { DeclaredMetric } from "./made-metrics.ts";

const byName = (one: DeclaredMetric, other: DeclaredMetric) => one.name.localeCompare(other.name);

/** The rows of the table in docs/metrics.md about metrics of our own. */
function documented(): (DeclaredMetric & { meaning: string })[] {
  const page = readFileSync(path.join(root, "docs/metrics.md"), "utf8");
  const rows = [...page.matchAll(/^\| `(tidings_\w+)` \|\s*(\w+)\s*\|([^|]*)\|([^|]*)\|[^|]*\|$/gm)];
  return rows
    .map(([, name = "", type = "", labels = "", meaning = ""]) => ({
      name,
      type,
      labels: [...labels.matchAll(/`(\w+)`/g)].map(([, label = ""]) => label),
      meaning,
    }))
    .sort(byName);
}

describe("the table of metrics", () => {
  it("has every metric of the sources with its type and labels, and no other", () => {
    const rows = documented().map(({ name, type, labels }) => ({ name, type, labels }));
    expect(rows.length).toBeGreaterThan(30);
    expect(rows).toEqual(declaredMetrics());
  });

  it("says of each what it means", () => {
    for (const { name, meaning } of documented()) expect(meaning.trim(), name).not.toBe("");
  });

  it("is the only place where metrics are made: by the functions of the kernel", () => {
    const files = globSync("{server,worker,app,components}/**/*.{ts,tsx}", { cwd: root });
    const others = files.filter(
      (file) =>
        !file.includes(".test.") &&
        !file.startsWith("server/testing/") &&
        readFileSync(path.join(root, file), "utf8").includes('from "prom-client"'),
    );
    expect(others).toEqual(["server/kernel/metrics.ts"]);
  });

  it("has no label that names an organisation or a person", () => {
    const labels = new Set(declaredMetrics().flatMap((metric) => metric.labels));
    for (const label of labels)
      expect(label).not.toMatch(/tenant_?id|organisation|recipient|address|key|user/i);
  });
});
