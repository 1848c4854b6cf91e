"use client";

import { Coins } from "lucide-react";
import { Outdated } from "../charts/outdated.tsx";
import { CostExports } from "../exports/cost-exports.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { filterNames, ReportFilterBar } from "../reports/report-filters.tsx";
import { SavedViewsMenu } from "../saved-views/saved-views-menu.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { Select } from "../ui/select.tsx";
import { Period } from "../reports/period-text.tsx";
import { Link } from "../ui/link.tsx";
import { CostCharts } from "./cost-charts.tsx";
import { CostHeadline } from "./cost-headline.tsx";
import { monthChoices, statementMonth } from "./cost-period.ts";
import { currencyOf, useCosts } from "./use-costs.ts";

const periodChoices = [
  { value: "month", label: "This month" },
  { value: "30d", label: "Last 30 days" },
  { value: "90d", label: "Last 90 days" },
  { value: "12m", label: "Last 12 months" },
];

/** What messages cost, in a period, by anything that tells them apart. */
export function CostsPage() {
  const { environment, href, can } = usePortal();
  const costs = useCosts();
  const { view, setView, now, current } = costs;
  const report = current.data;
  const shown = report ? currencyOf(report, view.in) : null;
  const narrowed = filterNames.some((name) => view[name] !== null);
  const currencies = report?.totals.map(({ currency }) => currency) ?? [];
  const own = report?.own?.currency;
  const clear = () => void setView(Object.fromEntries(filterNames.map((name) => [name, null])));

  return (
    <PageFrame className="report">
      <PageHeader
        title="Costs"
        description={
          <>
            Messaging costs in {view.everywhere ? "all environments" : environment.name} by day (UTC)
            <span className="hidden print:block">
              <Period from={costs.bounds.from.toISOString()} to={costs.bounds.to.toISOString()} />
            </span>
          </>
        }
        environmentScoped={!view.everywhere}
        actions={
          <>
            {currencies.length > 1 || (own !== undefined && currencies.some((each) => each !== own)) ? (
              <Select
                aria-label="Currency"
                className="w-36"
                value={shown && !shown.own ? shown.currency : "own"}
                onValueChange={(value) => void setView({ in: value === "own" ? null : value })}
                options={[
                  ...(own === undefined ? [] : [{ value: "own", label: `All, in ${own}` }]),
                  ...currencies.map((each) => ({ value: each, label: `Only ${each}` })),
                ]}
              />
            ) : null}
            <Select
              aria-label="Environments"
              className="w-44"
              value={view.everywhere ? "all" : "one"}
              onValueChange={(value) => void setView({ everywhere: value === "all" ? true : null })}
              options={[
                { value: "one", label: environment.name },
                { value: "all", label: "All environments" },
              ]}
            />
            <Select
              aria-label="Period"
              className="w-44"
              value={costs.period}
              onValueChange={(period) => void setView({ period: period === "month" ? null : period })}
              options={[...periodChoices, ...monthChoices(now)]}
            />
            <SavedViewsMenu page="costs" />
            <Button asChild>
              <Link href={href("/costs/budgets")}>Budgets</Link>
            </Button>
            <Button asChild>
              <Link href={href(`/costs/statement/${statementMonth(costs.period, now)}`)}>Statement</Link>
            </Button>
            <CostExports />
          </>
        }
      />
      <ReportFilterBar
        by={view.by}
        filters={view}
        names={costs.names}
        onBy={(by) => void setView({ by })}
        onFilter={(name, value) => void setView({ [name]: value })}
      />
      {current.isError && !report ? (
        <QueryFailed what="the costs" query={current} />
      ) : report && !shown && !current.isPlaceholderData ? (
        narrowed ? (
          <NoMatch
            what="costs"
            hint="Choose another period, or remove a filter to see more."
            onClear={clear}
          />
        ) : (
          <NothingYet
            icon={Coins}
            title="No costs in this period"
            action={
              can("providers:manage") ? (
                <Button asChild>
                  <Link href={href("/providers")}>Go to Providers</Link>
                </Button>
              ) : null
            }
          >
            A message has a cost if its provider reports a price or its connection has a price list. The
            sandbox is free.
          </NothingYet>
        )
      ) : (
        <Outdated when={current.isPlaceholderData}>
          <CostHeadline costs={costs} shown={shown} />
          <CostCharts costs={costs} shown={shown} />
        </Outdated>
      )}
    </PageFrame>
  );
}
