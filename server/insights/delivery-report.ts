import { tenantConnections } from "../connections/load-connection.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { DomainError } from "../kernel/errors.ts";
import { visibleScopes } from "../operations/authorize.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import { quantile } from "./histogram.ts";
import type { HistogramEntry } from "./histogram.ts";
import { selectBreakdown, selectFailures, selectLatencies, selectSeries } from "./queries.ts";
import type { DeliveryCounts, DeliveryReport, DeliveryReportQuery } from "./schemas.ts";

const hour = 3_600_000;
const day = 24 * hour;
/** How far back one report may reach. */
const longest = 400 * day;

interface Row {
  status: string;
  final: boolean;
  count: number;
}

/**
 * Outcomes of the messages accepted in a period: totals, course over time, by channel, application and provider, why
 * some did not arrive, and how long it took. Reads the counts that are kept beside the messages, never the messages.
 */
export async function deliveryReport(
  ctx: Ctx,
  input: DeliveryReportQuery & { environmentId?: string | undefined; unitId?: string | undefined },
): Promise<DeliveryReport> {
  const scopes = visibleScopes(ctx, "reports:read");
  const to = new Date(Math.ceil((input.to ? Date.parse(input.to) : ctx.now().getTime()) / hour) * hour);
  const from = new Date(Math.floor((input.from ? Date.parse(input.from) : to.getTime() - day) / hour) * hour);
  if (from >= to || to.getTime() - from.getTime() > longest) {
    throw new DomainError(
      "invalid_request",
      "The period must begin before it ends and may span at most 400 days.",
      {
        errors: [
          { pointer: "/from", code: "invalid_period", detail: "Before `to`, and at most 400 days before it" },
        ],
      },
    );
  }
  const span = to.getTime() - from.getTime();
  const bucket = input.bucket ?? (span <= 3 * day ? "hour" : "day");
  if (bucket === "hour" && span > 31 * day) {
    throw new DomainError("invalid_request", "Hourly figures are given for at most 31 days.", {
      errors: [{ pointer: "/bucket", code: "too_fine", detail: "Use bucket=day for longer periods" }],
    });
  }
  const catalogue = await getCatalogue(ctx);
  const applicationId =
    input.application === undefined
      ? undefined
      : (catalogue.applications.find((entry) => entry.name === input.application)?.id ?? nothing);
  const filter = {
    from,
    to,
    environmentId: input.environmentId,
    unitId: input.unitId,
    applicationId,
    channel: input.channel,
  };
  const [series, byChannel, byApplication, byConnection, failures, latencies, connections] =
    await Promise.all([
      selectSeries(ctx, scopes, filter, bucket),
      selectBreakdown(ctx, scopes, filter, "channel"),
      selectBreakdown(ctx, scopes, filter, "application_id"),
      selectBreakdown(ctx, scopes, filter, "connection_id"),
      selectFailures(ctx, scopes, filter),
      selectLatencies(ctx, scopes, filter, bucket),
      tenantConnections(ctx),
    ]);
  const keyed = (rows: (Row & { key: string | null })[]) => group(rows, (row) => row.key);
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    bucket,
    totals: countsOf(series),
    latencyMs: { sent: percentilesOf(latencies, "sent"), delivered: percentilesOf(latencies, "delivered") },
    series: timeline(from, to, bucket).map((at) => {
      const sent = latencies.filter((row) => row.status === "sent" && row.at?.getTime() === at.getTime());
      return {
        at: at.toISOString(),
        ...countsOf(series.filter((row) => row.at.getTime() === at.getTime())),
        sentP50Ms: quantile(sent, 0.5),
        sentP95Ms: quantile(sent, 0.95),
      };
    }),
    byChannel: keyed(byChannel).map(([channel, rows]) => ({ channel: channel ?? "", ...countsOf(rows) })),
    byApplication: keyed(byApplication).map(([id, rows]) => ({
      application: catalogue.applications.find((entry) => entry.id === id)?.name ?? id ?? "",
      ...countsOf(rows),
    })),
    byProvider: keyed(byConnection).flatMap(([id, rows]) =>
      id === null
        ? []
        : [
            {
              connectionId: id,
              provider: connections.get(id)?.name ?? "Removed connection",
              ...countsOf(rows),
            },
          ],
    ),
    failures,
  };
}

/** Matches no application. */
const nothing = "00000000-0000-0000-0000-000000000000";

function group<T, K>(rows: readonly T[], keyOf: (row: T) => K): [K, T[]][] {
  const groups = new Map<K, T[]>();
  for (const row of rows) {
    const key = keyOf(row);
    const members = groups.get(key);
    if (members) members.push(row);
    else groups.set(key, [row]);
  }
  return [...groups];
}

function countsOf(rows: readonly Row[]): DeliveryCounts {
  const sum = (status: string, final?: boolean) =>
    Math.max(
      0,
      rows.reduce(
        (total, row) =>
          row.status === status && (final === undefined || row.final === final) ? total + row.count : total,
        0,
      ),
    );
  const counts = {
    accepted: sum("accepted"),
    sent: sum("sent"),
    delivered: sum("delivered"),
    sentWithoutReceipt: sum("sent", true),
    failed: sum("failed"),
    rejected: sum("rejected"),
    expired: sum("expired"),
    canceled: sum("canceled"),
    undetermined: sum("undetermined"),
  };
  const ended = counts.delivered + counts.failed + counts.expired + counts.undetermined;
  return { ...counts, deliveryRate: ended === 0 ? null : counts.delivered / ended };
}

function percentilesOf(
  rows: readonly (HistogramEntry & { status: string })[],
  status: "sent" | "delivered",
): DeliveryReport["latencyMs"]["sent"] {
  const merged = group(
    rows.filter((row) => row.status === status),
    (row) => row.latency,
  )
    .map(([latency, entries]) => ({ latency, count: entries.reduce((sum, entry) => sum + entry.count, 0) }))
    .sort((a, b) => a.latency - b.latency);
  const [p50, p95, p99] = [quantile(merged, 0.5), quantile(merged, 0.95), quantile(merged, 0.99)];
  return p50 === null || p95 === null || p99 === null ? null : { p50, p95, p99 };
}

/** Every bucket of the period, including hours without messages. */
function timeline(from: Date, to: Date, bucket: "hour" | "day"): Date[] {
  const step = bucket === "hour" ? hour : day;
  const first = Math.floor(from.getTime() / step) * step;
  return Array.from(
    { length: Math.ceil((to.getTime() - first) / step) },
    (_, index) => new Date(first + index * step),
  );
}
