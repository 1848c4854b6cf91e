/** The metrics that the product serves, by their names in Prometheus, with their labels. */
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { Registry, collectDefaultMetrics } from "prom-client";
import { root } from "../../scripts/lib/paths.ts";

export interface DeclaredMetric {
  name: string;
  type: string;
  labels: string[];
}

/** Every metric that the sources make. */
export function declaredMetrics(): DeclaredMetric[] {
  const files = globSync("{server,worker}/**/*.ts", { cwd: root }).filter(
    (file) => !file.endsWith(".test.ts"),
  );
  return files
    .flatMap((file) => {
      const text = readFileSync(path.join(root, file), "utf8").replace(/\/\*[^]*?\*\//g, "");
      const made = text.matchAll(/\b(counter|gauge|histogram)\(\s*"(\w+)",\s*"[^"]*",?\s*(?:\[([^\]]*)\])?/g);
      return [...made].map(([, type = "", name = "", labels = ""]) => ({
        name,
        type,
        labels: [...labels.matchAll(/"(\w+)"/g)].map(([, label = ""]) => label),
      }));
    })
    .sort((one, other) => one.name.localeCompare(other.name));
}

/** Series as Prometheus has them: those of a histogram are counters. */
export interface KnownMetric {
  type: "counter" | "gauge";
  labels: string[];
}

/** With what prom-client knows of every process, and `up` of Prometheus itself. */
export async function knownMetrics(): Promise<Map<string, KnownMetric>> {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const ofNode = (await registry.getMetricsAsJSON()).map(({ name, type }) => ({
    name,
    type: String(type),
    labels: [],
  }));
  registry.clear();
  const up = { name: "up", type: "gauge", labels: [] };
  const series = [...ofNode, ...declaredMetrics(), up].flatMap(
    ({ name, type, labels }): [string, KnownMetric][] =>
      type === "histogram"
        ? ["_bucket", "_count", "_sum"].map((end) => [name + end, { type: "counter", labels }])
        : [[name, { type: type === "counter" ? "counter" : "gauge", labels }]],
  );
  return new Map(series);
}
