import { Decimal } from "decimal.js";
import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { selectCosts, selectOwnCurrency, selectPriced } from "./queries.ts";
import type { CostRow } from "./queries.ts";
import {
  checkCourses,
  groupNames,
  groupRows,
  readFilter,
  readPeriod,
  startOf,
  timeline,
} from "./report-period.ts";
import type { ReportFilter } from "./report-period.ts";
import type { CostReport, CostReportQuery, CostSums } from "./schemas.ts";

/**
 * Costs of a period: what providers charge and the operator's fees, by currency and in the organisation's own, over time and by up
 * to three dimensions, and how many of the tries have a price. Reads the rollups of the cost ledger. Throws `invalid_request`
 * for periods that cannot be answered.
 */
export async function costReport(ctx: Ctx, input: CostReportQuery & ReportFilter): Promise<CostReport> {
  const scopes = visibleScopes(ctx, "costs:read");
  const period = readPeriod(ctx, input, (end) => startOf("month", new Date(end.getTime() - 1)));
  const { from, to, interval } = period;
  const filter = { ...(await readFilter(ctx, period, input)), currency: input.currency };
  const by = input.groupBy ?? [];
  const limit = input.limit ?? (input.interval ? 20 : 100);
  if (input.interval && by.length > 0) checkCourses(period, limit);
  const [own, catalogue, connections, series, grouped] = await Promise.all([
    selectOwnCurrency(ctx),
    getCatalogue(ctx),
    tenantConnections(ctx),
    selectCosts(ctx, scopes, filter, { by: [], interval }),
    by.length === 0 ? [] : selectCosts(ctx, scopes, filter, { by, interval: null }),
  ]);
  const sandboxes = catalogue.environments.filter(({ kind }) => kind === "sandbox").map(({ id }) => id);
  const groups = [...groupRows(grouped, ({ key }) => JSON.stringify(key))]
    .map(([id, rows]) => ({ id, key: rows[0]?.key ?? [], rows, weight: weightOf(rows) }))
    .sort((a, b) => b.weight - a.weight || a.id.localeCompare(b.id));
  const shown = groups.slice(0, limit);
  const keys = shown.map(({ key }) => key);
  const [priced, courses, nameOf] = await Promise.all([
    selectPriced(ctx, scopes, filter, sandboxes),
    input.interval && keys.length > 0 ? selectCosts(ctx, scopes, filter, { by, interval }, keys) : [],
    groupNames(ctx, by, keys),
  ]);
  const at = groupRows(series, (row) => String(row.at?.getTime()));
  const coursesOf = groupRows(courses, ({ key }) => JSON.stringify(key));
  const sums = (rows: readonly CostRow[]) => ({ costs: sumsOf(rows), own: ownOf(rows, own) });
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    interval,
    totals: sumsOf(series),
    own: ownOf(series, own),
    series: timeline(from, to, interval).map((moment) => ({
      at: moment.toISOString(),
      ...sums(at.get(String(moment.getTime())) ?? []),
    })),
    groups: shown.map(({ id, key, rows }) => ({
      key: nameOf(key),
      ...sums(rows),
      series: [...groupRows(coursesOf.get(id) ?? [], (row) => row.at?.toISOString() ?? "")].map(
        ([moment, points]) => ({ at: moment, ...sums(points) }),
      ),
    })),
    moreGroups: groups.length > limit,
    unpriced: priced.map((row) => ({
      ...row,
      provider: connections.get(row.connectionId)?.name ?? "Removed connection",
    })),
  };
}

/** By what groups are sorted: the own currency where everything has a rate, else the largest of their currencies. */
function weightOf(rows: readonly CostRow[]): number {
  if (rows.every(({ rated }) => rated)) return Decimal.sum(0, ...rows.map((row) => row.own ?? 0)).toNumber();
  return Math.max(0, ...sumsOf(rows).map(({ total }) => Number(total)));
}

function add(rows: readonly CostRow[], of: (row: CostRow) => string | number): Decimal {
  return rows.reduce((sum, row) => sum.plus(of(row)), new Decimal(0));
}

function sumsOf(rows: readonly CostRow[]): CostSums[] {
  return [...groupRows(rows, ({ currency }) => currency)]
    .map(([currency, all]) => {
      const messages = all.filter(({ kind }) => kind === "message");
      const amount = (part: readonly CostRow[]) => add(part, (row) => row.amount);
      const charged = add(messages, (row) => row.entries).toNumber();
      const segments = add(messages, (row) => row.segments).toNumber();
      return {
        currency,
        messages: amount(messages).toFixed(6),
        platformFees: amount(all.filter(({ kind }) => kind === "platform_fee")).toFixed(6),
        total: amount(all).toFixed(6),
        reported: amount(messages.filter(({ source }) => source === "reported")).toFixed(6),
        estimated: amount(messages.filter(({ source }) => source === "estimated")).toFixed(6),
        charged,
        segments,
        averagePerMessage: charged === 0 ? null : amount(messages).div(charged).toFixed(6),
        averagePerSegment:
          segments === 0
            ? null
            : add(messages, (row) => row.segmentAmount)
                .div(segments)
                .toFixed(6),
      };
    })
    .sort((a, b) => Number(b.total) - Number(a.total) || a.currency.localeCompare(b.currency));
}

function ownOf(rows: readonly CostRow[], currency: string | null): CostReport["own"] {
  if (currency === null) return null;
  const amount = (kind?: CostRow["kind"]) =>
    add(
      rows.filter((row) => kind === undefined || row.kind === kind),
      (row) => row.own ?? 0,
    ).toFixed(6);
  return {
    currency,
    messages: amount("message"),
    platformFees: amount("platform_fee"),
    total: amount(),
    withoutRate: [...new Set(rows.filter(({ rated }) => !rated).map((row) => row.currency))].sort(),
  };
}
