import { costReport } from "../insights/cost-report.ts";
import { deliveryReport } from "../insights/delivery-report.ts";
import { startOf } from "../insights/report-period.ts";
import type { ReportFilter } from "../insights/report-period.ts";
import { reportFilterSchema } from "../insights/schemas.ts";
import type { CostReport, DeliveryReport } from "../insights/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Permission } from "../operations/permissions.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { CatalogueEnvironment } from "../tenancy/catalogue.ts";
import type { reportPages } from "./vocabulary.ts";

type ReportPage = (typeof reportPages)[number];

/** A line of a mail: what, how much, and how much in the period before. */
export type Figure = readonly [label: string, value: string, before: string];

interface Period {
  /** Where the period before begins; it ends where this one begins. */
  before: Date;
  from: Date;
  to: Date;
}

export interface Figures {
  environment: string;
  figures: Figure[];
  /** Whether days are counted from the full hour before midnight: in their zone it is between two hours of UTC. */
  early: boolean;
}

/** What somebody needs to get the figures of a page, whoever has scheduled them. */
export const figurePermission: Record<ReportPage, Permission> = {
  overview: "reports:read",
  delivery: "reports:read",
  costs: "costs:read",
};

const numbers = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });
const shares = new Intl.NumberFormat("en", { style: "percent", maximumFractionDigits: 1 });
const seconds = new Intl.NumberFormat("en", { maximumFractionDigits: 1 });
/** To the last digit of the ledger where that says more than cents. */
const money = (amount: string, currency: string, places: number) =>
  new Intl.NumberFormat("en", {
    style: "currency",
    currency,
    currencyDisplay: "code",
    minimumFractionDigits: 2,
    maximumFractionDigits: places,
  })
    .format(amount as Intl.StringNumericLiteral)
    .replaceAll("\u00A0", " ");

/**
 * The filters of a view that reports know; of what they do not understand they take nothing. `gone`: an environment or a team of
 * the view that is no more.
 */
async function filterOf(
  ctx: Ctx,
  query: string,
): Promise<
  { gone: string } | { environment: CatalogueEnvironment | null | undefined; filter: ReportFilter }
> {
  const { environments, units } = await getCatalogue(ctx);
  const parameters = new URLSearchParams(query);
  const [env, unit] = [parameters.get("env") || null, parameters.get("unit") || null];
  const everywhere = parameters.get("everywhere") === "true";
  const environment = everywhere
    ? null
    : env === null
      ? // As the page without a choice.
        (environments.find(({ kind }) => kind === "production") ?? environments[0])
      : environments.find(({ slug }) => slug === env);
  const unitId = units.find(({ slug }) => slug === unit)?.id;
  if (environment === undefined && env !== null) return { gone: `environment “${env}”` };
  if (unitId === undefined && unit !== null) return { gone: `team “${unit}”` };
  const filter = Object.fromEntries(
    Object.entries(reportFilterSchema.shape).flatMap(([name, schema]) => {
      const given = parameters.get(name);
      return name === "unit" || given === null || !schema.safeParse(given).success ? [] : [[name, given]];
    }),
  );
  return {
    environment,
    filter: {
      ...reportFilterSchema.parse(filter),
      environmentId: environment?.id,
      unitId,
    },
  };
}

/**
 * The main figures of a view in a period and in the one before it, as far as the caller may see them: two people may get different
 * ones. Sums are kept by hours of UTC, so each period is counted from the full hour that it begins in to the one that it ends in:
 * none is in two periods. `gone`: there are no figures, because the view is of something that no longer exists.
 */
export async function figuresOf(
  ctx: Ctx,
  view: { page: ReportPage; query: string },
  period: Period,
): Promise<Figures | { gone: string }> {
  const known = await filterOf(ctx, view.query);
  if ("gone" in known) return known;
  const { environment, filter } = known;
  const hourOf = (at: Date) => startOf("hour", at).toISOString();
  const [before, from, to] = [hourOf(period.before), hourOf(period.from), hourOf(period.to)];
  const both = <T>(
    reportOf: (part: { from: string; to: string; interval: "day" }) => Promise<T>,
  ): Promise<[T, T]> =>
    Promise.all([
      reportOf({ from, to, interval: "day" }),
      reportOf({ from: before, to: from, interval: "day" }),
    ]);
  return {
    environment: environment?.name ?? "All environments",
    early: [period.before, period.from, period.to].some((at) => at > startOf("hour", at)),
    figures:
      view.page === "costs"
        ? costFigures(...(await both((part) => costReport(ctx, { ...filter, ...part }))))
        : deliveryFigures(...(await both((part) => deliveryReport(ctx, { ...filter, ...part })))),
  };
}

function deliveryFigures(now: DeliveryReport, before: DeliveryReport): Figure[] {
  const figure = (label: string, of: (report: DeliveryReport) => string): Figure => [
    label,
    of(now),
    of(before),
  ];
  const count = (label: string, of: (totals: DeliveryReport["totals"]) => number) =>
    figure(label, ({ totals }) => numbers.format(of(totals)));
  return [
    count("Accepted", ({ accepted }) => accepted),
    count("Delivered", ({ delivered }) => delivered),
    ...(now.simulated.sent + before.simulated.sent > 0
      ? [figure("Of these simulated", ({ simulated }) => numbers.format(simulated.delivered))]
      : []),
    figure("Delivered, of those that ended", ({ totals: { deliveryRate } }) =>
      deliveryRate === null ? "none ended" : shares.format(deliveryRate),
    ),
    count("Sent, without a receipt", ({ sentWithoutReceipt }) => sentWithoutReceipt),
    count("Failed", ({ failed }) => failed),
    count("Rejected", ({ rejected }) => rejected),
    count("Expired or undetermined", ({ expired, undetermined }) => expired + undetermined),
    figure("95 of 100 delivered within", ({ latencyMs: { delivered } }) =>
      delivered === null ? "none delivered" : `${seconds.format(delivered.p95 / 1_000)} s`,
    ),
  ];
}

function costFigures(now: CostReport, before: CostReport): Figure[] {
  const currencies = [...new Set([...now.totals, ...before.totals].map(({ currency }) => currency))];
  const several = currencies.length > 1;
  const figures = currencies.flatMap((currency): Figure[] => {
    const sums = [now, before].map(({ totals }) => totals.find((each) => each.currency === currency));
    const line = (
      label: string,
      of: (sum: CostReport["totals"][number]) => string | null,
      places = 2,
    ): Figure => {
      const [value, then] = sums.map((sum) => {
        const amount = sum ? of(sum) : "0";
        return amount === null ? "none" : money(amount, currency, places);
      });
      return [several ? `${label}, ${currency}` : label, value ?? "", then ?? ""];
    };
    return [
      line("Total", ({ total }) => total),
      line("Providers", ({ messages }) => messages),
      line("Platform fees", ({ platformFees }) => platformFees),
      line("Estimated, of the providers’", ({ estimated }) => estimated),
      line("Average a charged attempt", ({ averagePerMessage }) => averagePerMessage, 6),
    ];
  });
  // Each with what it lacks: a rate may have begun with the later period.
  const inOwn = (own: CostReport["own"]) =>
    own === null
      ? ""
      : [money(own.total, own.currency, 2), ...own.withoutRate.map((each) => `without ${each}`)].join(", ");
  return [
    ...(currencies.some((each) => now.own !== null && each !== now.own.currency)
      ? [["All at your own rates", inOwn(now.own), inOwn(before.own)] as const]
      : []),
    ...figures,
    ...(figures.length === 0 ? [["Total", "no costs", "no costs"] as const] : []),
  ];
}
