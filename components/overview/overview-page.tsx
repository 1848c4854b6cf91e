"use client";

import { Send } from "lucide-react";
import { overviewPeriods } from "../../server/insights/vocabulary.ts";
import { PeriodPicker } from "../charts/period-picker.tsx";
import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { OverviewSkeleton } from "../layout/page-skeletons.tsx";
import { Outdated } from "../charts/outdated.tsx";
import { ChannelFilter } from "../messages/channel-filter.tsx";
import { SavedViewsMenu } from "../saved-views/saved-views-menu.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Checklist, useChecklist } from "../onboarding/checklist.tsx";
import { Link } from "../ui/link.tsx";
import { FirstSteps } from "./first-steps.tsx";
import { OverviewCharts } from "./overview-charts.tsx";
import { OverviewHeadline } from "./overview-headline.tsx";
import { ProviderHealth } from "./provider-health.tsx";
import { useOverview } from "./use-overview.ts";

export function OverviewPage() {
  const { applications, can, environment, href } = usePortal();
  const { view, setView, query } = useOverview();
  const checklist = useChecklist();
  const report = query.data;
  const narrowed = view.application !== null || view.channel !== null;
  // In the last hour little may have happened; what to do first is not said because of that.
  const fresh =
    report !== undefined &&
    !query.isPlaceholderData &&
    view.period !== "1h" &&
    report.totals.accepted === 0 &&
    report.previous.totals.accepted === 0 &&
    !narrowed;

  // The list stands above everything else, which would move when it came in later.
  if (checklist.isAwaited) return <OverviewSkeleton />;

  return (
    <PageFrame>
      <PageHeader
        title="Overview"
        description={`What ${environment.name} accepted, and the outcome`}
        actions={
          <>
            {applications.length > 1 ? (
              <ChoiceFilter
                label="Application"
                value={view.application}
                onChange={(application) => void setView({ application })}
                options={applications.map((each) => ({ value: each.name, label: each.title }))}
              />
            ) : null}
            <ChannelFilter value={view.channel} onChange={(channel) => void setView({ channel })} />
            <PeriodPicker
              value={view.period}
              options={overviewPeriods}
              onChange={(period) => void setView({ period })}
            />
            <SavedViewsMenu page="overview" />
            {can("notifications:send") ? (
              <Button asChild variant="primary">
                <Link href={href("/send")}>
                  <Send aria-hidden /> Send
                </Link>
              </Button>
            ) : null}
          </>
        }
      />
      <Checklist />
      {query.isError && !report ? (
        <QueryFailed what="the figures" query={query} />
      ) : fresh ? (
        <FirstSteps guided={Boolean(checklist.steps)} />
      ) : (
        <Outdated when={query.isPlaceholderData}>
          <OverviewHeadline report={report} view={view} />
          <OverviewCharts report={report} view={view} />
        </Outdated>
      )}
      <ProviderHealth />
    </PageFrame>
  );
}
