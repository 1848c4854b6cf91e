import { channelSchema } from "../kernel/channel.ts";
import type { Ctx } from "../kernel/ctx.ts";
import { deliveryReport } from "../insights/delivery-report.ts";
import type { DeliveryCounts } from "../insights/schemas.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { Permission } from "../operations/permissions.ts";
import type { ViewPage } from "./schemas.ts";

/** A line of a mail: what, how much, and how much in the period before. */
export type Figure = readonly [label: string, value: string, before: string];

/** What somebody needs to get the figures of a page, whoever has scheduled them. */
export const figurePermission: Partial<Record<ViewPage, Permission>> = {
  overview: "reports:read",
  delivery: "reports:read",
};

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const shares = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const seconds = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });

/** The filters of a view that reports know. */
async function filterOf(ctx: Ctx, query: string) {
  const { environments, units } = await getCatalogue(ctx);
  const parameters = new URLSearchParams(query);
  const env = parameters.get("env");
  const environment =
    environments.find(({ slug }) => slug === env) ??
    // As the page without a choice.
    environments.find(({ kind }) => kind === "production") ??
    environments[0];
  const channel = channelSchema.safeParse(parameters.get("channel")).data;
  return {
    environment,
    filter: {
      environmentId: environment?.id,
      unitId: units.find(({ slug }) => slug === parameters.get("unit"))?.id,
      application: parameters.get("application") ?? undefined,
      channel,
    },
  };
}

/**
 * The main figures of a view in a period and in the one before it that is as long, as far as the caller may see them: two people may
 * get different ones.
 */
export async function figuresOf(
  ctx: Ctx,
  view: { query: string },
  period: { from: Date; to: Date },
): Promise<{ environment: string; figures: Figure[] }> {
  const { environment, filter } = await filterOf(ctx, view.query);
  const length = period.to.getTime() - period.from.getTime();
  const reportOf = (from: Date, to: Date) =>
    deliveryReport(ctx, {
      ...filter,
      from: from.toISOString(),
      to: to.toISOString(),
      bucket: "day",
    });
  const [now, before] = await Promise.all([
    reportOf(period.from, period.to),
    reportOf(new Date(period.from.getTime() - length), period.from),
  ]);
  const count = (label: string, of: (counts: DeliveryCounts) => number): Figure => [
    label,
    numbers.format(of(now.totals)),
    numbers.format(of(before.totals)),
  ];
  const rate = (counts: DeliveryCounts) =>
    counts.deliveryRate === null ? "none ended" : shares.format(counts.deliveryRate);
  const slowest = (report: typeof now) => {
    const ms = report.latencyMs.delivered?.p95;
    return ms === undefined ? "none delivered" : `${seconds.format(ms / 1_000)} s`;
  };
  return {
    environment: environment?.name ?? "",
    figures: [
      count("Accepted", ({ accepted }) => accepted),
      count("Delivered", ({ delivered }) => delivered),
      ["Delivered, of those that ended", rate(now.totals), rate(before.totals)],
      count("Sent, without a receipt", ({ sentWithoutReceipt }) => sentWithoutReceipt),
      count("Failed", ({ failed }) => failed),
      count("Rejected", ({ rejected }) => rejected),
      count("Expired or undetermined", ({ expired, undetermined }) => expired + undetermined),
      ["95 of 100 delivered within", slowest(now), slowest(before)],
    ],
  };
}
