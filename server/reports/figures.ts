import { costReport } from "../insights/cost-report.ts";
import { deliveryReport } from "../insights/delivery-report.ts";
import { reportFilterSchema } from "../insights/schemas.ts";
import type { CostReport, DeliveryReport } from "../insights/schemas.ts";
import type { Ctx } from "../kernel/ctx.ts";
import type { Permission } from "../operations/permissions.ts";
import { getCatalogue } from "../tenancy/catalogue.ts";
import type { reportPages } from "./vocabulary.ts";

type ReportPage = (typeof reportPages)[number];

/** A line of a mail: what, how much, and how much in the period before. */
export type Figure = readonly [label: string, value: string, before: string];

interface Period {
  from: Date;
  to: Date;
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

/** The filters of a view that reports know; of what they do not understand they take nothing. */
async function filterOf(ctx: Ctx, query: string) {
  const { environments, units } = await getCatalogue(ctx);
  const parameters = new URLSearchParams(query);
  const env = parameters.get("env");
  const environment =
    parameters.get("everywhere") === "true"
      ? null
      : (environments.find(({ slug }) => slug === env) ??
        // As the page without a choice.
        environments.find(({ kind }) => kind === "production") ??
        environments[0]);
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
      unitId: units.find(({ slug }) => slug === parameters.get("unit"))?.id,
    },
  };
}

/**
 * The main figures of a view in a period and in the one before it that is as long, as far as the caller may see them: two people may
 * get different ones.
 */
export async function figuresOf(
  ctx: Ctx,
  view: { page: ReportPage; query: string },
  period: Period,
): Promise<{ environment: string; figures: Figure[] }> {
  const { environment, filter } = await filterOf(ctx, view.query);
  const length = period.to.getTime() - period.from.getTime();
  const both = <T>(reportOf: (part: { from: string; to: string; interval: "day" }) => Promise<T>) =>
    Promise.all(
      [period, { from: new Date(period.from.getTime() - length), to: period.from }].map(({ from, to }) =>
        reportOf({ from: from.toISOString(), to: to.toISOString(), interval: "day" }),
      ),
    ) as Promise<[T, T]>;
  return {
    environment: environment?.name ?? "All environments",
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
      line("Average a message", ({ averagePerMessage }) => averagePerMessage, 6),
    ];
  });
  const own = [now.own, before.own];
  return [
    ...(own[0] && several
      ? [
          [
            `All at your own rates${own[0].withoutRate.length > 0 ? `, without ${own[0].withoutRate.join(", ")}` : ""}`,
            money(own[0].total, own[0].currency, 2),
            own[1] ? money(own[1].total, own[1].currency, 2) : "",
          ] as const,
        ]
      : []),
    ...figures,
    ...(figures.length === 0 ? [["Total", "no costs", "no costs"] as const] : []),
  ];
}
