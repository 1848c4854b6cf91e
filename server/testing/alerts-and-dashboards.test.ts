import { execFileSync, spawnSync } from "node:child_process";
import { globSync, readFileSync } from "node:fs";
import path from "node:path";
import { register } from "prom-client";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { root } from "../../scripts/lib/paths.ts";
import { knownMetrics } from "./made-metrics.ts";
// They make the series that an alert waits for.
import "../inbound/record-inbound.ts";
import "../kernel/otlp-tracing.ts";

/* Alerts, dashboards and runbooks are files that no code reads: these tests read them against the system. */

const read = (file: string) => readFileSync(path.join(root, file), "utf8");

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; runbook_url: string };
}
const rulesFile = "deploy/prometheus/alerts.yml";
const { groups } = parse(read(rulesFile)) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

interface Panel {
  type: string;
  title: string;
  targets?: { expr: string; legendFormat: string }[];
  options?: { legend: { showLegend: boolean } };
}
interface Dashboard {
  uid: string;
  title: string;
  panels: Panel[];
  templating: { list: { name: string; type: string; query: string }[] };
}
const dashboards = globSync("deploy/grafana/*.json", { cwd: root })
  .sort()
  .map((file) => ({ file, dashboard: JSON.parse(read(file)) as Dashboard }));

/** Words of PromQL, and labels that Prometheus itself adds. */
const promql = new Set(
  "sum max min avg by time rate increase delta absent vector histogram_quantile min_over_time or and".split(
    " ",
  ),
);
const addedLabels = new Set(["le", "instance", "job"]);

/** What an expression reads: metrics with the labels that are selected or grouped by, and the values they are compared with. */
function readsOf(expr: string) {
  const bare = expr.replaceAll(/"[^"]*"/g, '""').replaceAll(/\[[^\]]*\]/g, "");
  const grouped = [...bare.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, list = ""]) => list.split(/,\s*/));
  const withoutGroups = bare.replaceAll(/\bby \([^)]*\)/g, "");
  const selectors = [...expr.matchAll(/(\w+)\{([^}]*)\}/g)].map(([, metric = "", inside = ""]) => ({
    metric,
    labels: [...inside.matchAll(/(\w+)\s*(?:=~|!=|=)\s*"([^"]*)"/g)].map(([, name = "", value = ""]) => ({
      name,
      value,
    })),
  }));
  const metrics = [...withoutGroups.replaceAll(/\{[^}]*\}/g, "").matchAll(/\b[a-z]\w+\b/g)]
    .map(([name]) => name)
    .filter((name) => !promql.has(name));
  return { metrics: [...new Set(metrics)], grouped, selectors };
}

const known = await knownMetrics();
/** Where values of labels are written; reasons of refusals are put together, so their list stands for them. */
const sources = globSync("{server,worker}/**/*.ts", { cwd: root })
  .filter((file) => !file.includes(".test.") && !file.startsWith("server/testing/"))
  .concat("docs/api.md")
  .map(read)
  .join("\n");

/** What an expression names that the product does not have. */
function unknownIn(expr: string): string[] {
  const { metrics, grouped, selectors } = readsOf(expr);
  const labelsOf = (metric: string) => known.get(metric)?.labels ?? [];
  const allLabels = new Set(metrics.flatMap(labelsOf));
  return [
    ...metrics.filter((metric) => !known.has(metric)),
    ...grouped
      .filter((label) => !allLabels.has(label) && !addedLabels.has(label))
      .map((label) => `label ${label}`),
    ...selectors.flatMap(({ metric, labels }) =>
      labels.flatMap(({ name, value }) => {
        if (addedLabels.has(name)) return [];
        if (!labelsOf(metric).includes(name)) return [`label ${name} of ${metric}`];
        if (name === "status" || value.startsWith("$")) return [];
        // A value that is in no source is a misspelt one.
        return value
          .split("|")
          .filter((one) => !new RegExp(`["'\`]${one}["'\`]|\\b${one}:`).test(sources))
          .map((one) => `value ${one} of ${name}`);
      }),
    ),
  ];
}

const closes: Record<string, string> = { ")": "(", "]": "[", "}": "{" };
/** Functions over a time, and the type of what they are for. */
const overTime: Record<string, string> = {
  rate: "counter",
  increase: "counter",
  delta: "gauge",
  min_over_time: "gauge",
};

/** What of an expression Prometheus would refuse, or answer with nothing or nonsense. */
function mistakesIn(expr: string): string[] {
  const open = [...expr.replaceAll(/"[^"]*"/g, "").matchAll(/[()[\]{}]/g)].reduce<string[]>(
    (stack, [one]) => {
      const wanted = closes[one];
      return wanted !== undefined && stack[0] === wanted ? stack.slice(1) : [one, ...stack];
    },
    [],
  );
  const wrong = [...expr.matchAll(/\b([a-z]\w+)(?:\{[^}]*\})?(\[[^\]]+\])?/g)].flatMap(
    ({ 0: text, 1: metric = "", 2: range, index }) => {
      const type = known.get(metric)?.type;
      if (type === undefined) return [];
      const [, call = ""] = /(\w+)\($/.exec(expr.slice(0, index)) ?? [];
      return overTime[call] === (range === undefined ? undefined : type) ? [] : [`${call}(${text})`];
    },
  );
  const quantiles = [...expr.matchAll(/histogram_quantile\(([^,]*), (.{0,60})/g)]
    .filter(([, , of = ""]) => !/^sum by \((?:\w+, )*le\) \(rate\(\w+_bucket\b/.test(of))
    .map(([text]) => text);
  // Two vectors are put together by their labels.
  const groups = new Set(
    [...expr.matchAll(/\b(?:sum|max|min|avg)(?: by \(([^)]*)\))?\s*\(/g)].map(([, by = ""]) => by),
  );
  const isJoined = /\) (?:\/|and) |[\d.] and /.test(expr);
  return [
    ...(open.length > 0 ? ["brackets"] : []),
    ...wrong,
    ...quantiles,
    ...(isJoined && groups.size > 1 ? ["labels"] : []),
  ];
}

it("what an expression gets wrong is found", () => {
  for (const [expr, mistake] of [
    ["sum(rate(tidings_attempts_total[5m]) > 1", "brackets"],
    ["sum(rate(tidings_attempts_total)) > 1", "rate(tidings_attempts_total)"],
    ["sum(rate(tidings_queue_tenants[5m]))", "rate(tidings_queue_tenants[5m])"],
    ["sum(delta(tidings_attempts_total[5m]))", "delta(tidings_attempts_total[5m])"],
    ["sum(tidings_queue_tenants[5m])", "sum(tidings_queue_tenants[5m])"],
    ["sum by (lane) (tidings_queue_tenants) / sum(tidings_queue_tenants)", "labels"],
  ] as const)
    expect(mistakesIn(expr)).toEqual([mistake]);
  expect(
    mistakesIn("histogram_quantile(0.9, sum by (lane) (rate(tidings_attempt_seconds_bucket[5m])))"),
  ).toHaveLength(1);
});

describe("the rules for alerts", () => {
  it("name metrics, labels and values that the product has", () => {
    expect(rules.length).toBeGreaterThan(20);
    expect(unknownIn("sum by (planet) (rate(tidings_nothing_total[5m])) > 1")).toEqual([
      "tidings_nothing_total",
      "label planet",
    ]);
    expect(unknownIn('max(tidings_queue_oldest_seconds{lane="otpp", colour="red"}) > 5')).toEqual([
      "value otpp of lane",
      "label colour of tidings_queue_oldest_seconds",
    ]);
    for (const { alert, expr } of rules) expect([...unknownIn(expr), ...mistakesIn(expr)], alert).toEqual([]);
  });

  it("tell of what is left in their result", () => {
    for (const { alert, expr, annotations } of rules) {
      const told = [...annotations.description.matchAll(/\$labels\.(\w+)/g)].map(([, label = ""]) => label);
      const { grouped, metrics } = readsOf(expr);
      const there = /\b(?:sum|max|min|avg)\b/.test(expr)
        ? grouped
        : [...addedLabels, ...metrics.flatMap((metric) => known.get(metric)?.labels ?? [])];
      expect(there, alert).toEqual(expect.arrayContaining(told));
    }
  });

  it("notice the first of what they count: its series is there before, at zero", async () => {
    const first = rules.flatMap(({ expr }) =>
      [...expr.matchAll(/increase\((\w+\{[^}]*\})\[\w+\]\)\) > 0/g)].map(([, series = ""]) => series),
    );
    expect(first.length).toBeGreaterThan(1);
    const served = await register.metrics();
    for (const series of first) expect(served).toContain(`${series} 0\n`);
  });

  it("are what docs/metrics.md says: each alert stands with its metric, with every threshold of the rule", () => {
    const rows = read("docs/metrics.md")
      .split("\n")
      .filter((line) => line.startsWith("| `"));
    for (const { alert, expr } of rules) {
      if (alert === "TidingsProcessDown") continue;
      const row = rows.find((line) => line.includes(`\`${alert}\``));
      expect(row, alert).toBeDefined();
      const { metrics } = readsOf(expr);
      const names = metrics.flatMap((metric) => [metric, metric.replace(/_(?:bucket|count|sum)$/, "")]);
      expect(
        names.some((name) => row?.includes(`\`${name}\``)),
        alert,
      ).toBe(true);
      const thresholds = [...expr.matchAll(/(?:>|<|==|histogram_quantile\()\s*([\d.]+)/g)].map(
        ([, value = ""]) => Number(value),
      );
      expect(thresholds.length, alert).toBeGreaterThan(0);
      const numbers = new Set(
        [...(row ?? "").matchAll(/(?<![\w.])\d[\d,]*(?:\.\d+)?/g)].map(([text]) =>
          Number(text.replaceAll(",", "")),
        ),
      );
      for (const threshold of thresholds) expect([...numbers], `${alert}: ${threshold}`).toContain(threshold);
    }
    // And the other way round.
    const named = new Set(
      [...read("docs/metrics.md").matchAll(/`(Tidings[A-Z]\w+)`/g)].map(([, name = ""]) => name),
    );
    expect([...named].filter((name) => !rules.some(({ alert }) => alert === name))).toEqual([]);
  });

  it("lead to a runbook that names the alert, and no runbook is about another", () => {
    const pages = globSync("docs/operations/runbooks/*.md", { cwd: root }).filter(
      (file) => !file.endsWith("index.md"),
    );
    const about = new Map(
      pages.map((file) => {
        const [, list = ""] = /^\*\*Alerts:\*\* (.*)$/m.exec(read(file)) ?? [];
        return [path.basename(file, ".md"), [...list.matchAll(/`(\w+)`/g)].map(([, name = ""]) => name)];
      }),
    );
    for (const { alert, annotations } of rules) {
      const [, page = ""] =
        /^\{\{ \$externalLabels\.tidings \}\}\/docs\/operations\/runbooks\/([\w-]+)$/.exec(
          annotations.runbook_url,
        ) ?? [];
      expect(about.get(page), alert).toContain(alert);
    }
    const alerts = rules.map(({ alert }) => alert);
    expect([...about.values()].flat().sort()).toEqual([...alerts].sort());
    const index = read("docs/operations/runbooks/index.md");
    for (const [page, names] of about)
      for (const name of names) expect(index, name).toMatch(new RegExp(`\`${name}\`.*\\(${page}\\.md\\)`));
    for (const file of pages) {
      const headings = [...read(file).matchAll(/^## (.*)$/gm)].map(([, heading]) => heading);
      expect(headings, file).toEqual([
        "What it means",
        "What users notice",
        "Check first",
        "What to do",
        "When it clears",
      ]);
      // Metrics and lines of the log that it sends somebody to look for at night.
      for (const [, metric = ""] of read(file).matchAll(/`((?:tidings|nodejs|process)_\w+)`/g))
        expect(known.has(metric) || known.has(`${metric}_count`), `${file}: ${metric}`).toBe(true);
    }
  });

  it("are valid for Prometheus, if its tool is installed", ({ skip }) => {
    if (spawnSync("promtool", ["--version"]).error) {
      process.stderr.write(
        "SKIPPED: promtool is not installed, so Prometheus itself does not check the rules.\n",
      );
      skip();
    }
    expect(
      execFileSync("promtool", ["check", "rules", path.join(root, rulesFile)], { encoding: "utf8" }),
    ).toContain(`SUCCESS: ${rules.length} rules found`);
  });
});

describe("the dashboards", () => {
  const exprs = dashboards.flatMap(({ file, dashboard }) =>
    dashboard.panels.flatMap(({ title, targets = [] }) =>
      targets.map(({ expr }) => ({ at: `${file}: ${title}`, expr })),
    ),
  );

  it("name metrics, labels and values that the product has", () => {
    expect(exprs.length).toBeGreaterThan(40);
    for (const { at, expr } of exprs) expect([...unknownIn(expr), ...mistakesIn(expr)], at).toEqual([]);
  });

  it("offer the values of labels that the product has, and use no variable that they lack", () => {
    for (const { file, dashboard } of dashboards) {
      const variables = dashboard.templating.list;
      for (const { type, query } of variables.filter((variable) => variable.type !== "datasource")) {
        const [, metric = "", label = ""] = /^label_values\((\w+), (\w+)\)$/.exec(query) ?? [];
        expect([type, known.get(metric)?.labels ?? []], file).toEqual([
          "query",
          expect.arrayContaining([label]),
        ]);
      }
      const used = [...read(file).matchAll(/\$\{?([a-z]\w*)/g)].map(([, name]) => name);
      expect([...new Set(used)].sort(), file).toEqual(variables.map(({ name }) => name).sort());
    }
  });

  it("group by the labels that their legends show", () => {
    for (const { dashboard } of dashboards) {
      for (const { title, targets = [], options } of dashboard.panels) {
        if (targets.length > 0) expect(options?.legend.showLegend, title).toBe(true);
        for (const { expr, legendFormat } of targets) {
          const shown = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = ""]) => label);
          const { grouped } = readsOf(expr);
          // Without aggregation all labels are there.
          if (/\b(?:sum|max|min|avg)\b/.test(expr))
            expect(grouped, title).toEqual(expect.arrayContaining(shown));
        }
      }
    }
  });

  it("show every lane's age, what the alerts are about, and have ids of their own", () => {
    const shown = exprs.map(({ expr }) => expr).join("\n");
    const watched = new Set(
      rules.flatMap(({ expr }) => readsOf(expr).metrics).filter((name) => name.startsWith("tidings_")),
    );
    // Counted rarely enough that a line would always be zero.
    const rare = [
      "tidings_audit_failing_chains",
      "tidings_malformed_settings_total",
      "tidings_malformed_recipient_limits_total",
    ];
    expect([...watched].filter((metric) => !shown.includes(metric) && !rare.includes(metric))).toEqual([]);
    expect(new Set(dashboards.map(({ dashboard }) => dashboard.uid)).size).toBe(dashboards.length);
  });
});
