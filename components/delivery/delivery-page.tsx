"use client";

import { ChartNoAxesCombined, X } from "lucide-react";
import { Outdated } from "../charts/outdated.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { Period } from "../reports/period-text.tsx";
import { filterNames, ReportFilterBar } from "../reports/report-filters.tsx";
import { SavedViewsMenu } from "../saved-views/saved-views-menu.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { NoMatch, NothingYet } from "../ui/empty-state.tsx";
import { Link } from "../ui/link.tsx";
import { Select } from "../ui/select.tsx";
import { DeliveryCharts } from "./delivery-charts.tsx";
import { DeliveryFailures } from "./delivery-failures.tsx";
import { DeliveryGroups } from "./delivery-groups.tsx";
import { DeliveryHeadline } from "./delivery-headline.tsx";
import { deliveryPeriods, useDelivery, type DeliveryPeriod } from "./use-delivery.ts";

/** How messages fared in a period, by anything that tells them apart. */
export function DeliveryPage() {
  const { environment, href, can } = usePortal();
  const delivery = useDelivery();
  const { view, setView, current, bounds } = delivery;
  const report = current.data;
  const narrowed = filterNames.some((name) => view[name] !== null);
  const clear = () => void setView(Object.fromEntries(filterNames.map((name) => [name, null])));
  const isEmpty = !current.isPlaceholderData && report?.totals.accepted === 0 && report.totals.sent === 0;

  return (
    <PageFrame className="report">
      <PageHeader
        title="Delivery"
        description={
          <>
            Outcome of messages that {environment.name} accepted. Figures are seconds old
            <span className="hidden print:block">
              <Period {...bounds} />
            </span>
          </>
        }
        actions={
          <>
            {view.from !== null && view.to !== null ? (
              <Button
                onClick={() => void setView({ from: null, to: null })}
                aria-label="Back to the full period"
              >
                <Period {...bounds} />
                <X aria-hidden />
              </Button>
            ) : (
              <Select
                aria-label="Period"
                className="w-44"
                value={view.period}
                onValueChange={(period) => void setView({ period: period as DeliveryPeriod })}
                options={Object.entries(deliveryPeriods).map(([value, { label }]) => ({ value, label }))}
              />
            )}
            <SavedViewsMenu page="delivery" />
          </>
        }
      />
      <ReportFilterBar
        by={view.by}
        filters={view}
        names={delivery.names}
        onBy={(by) => void setView({ by })}
        onFilter={(name, value) => void setView({ [name]: value })}
      />
      {current.isError && !report ? (
        <QueryFailed what="the figures" query={current} />
      ) : isEmpty ? (
        narrowed ? (
          <NoMatch what="messages" hint="Choose another period, or remove a filter." onClear={clear} />
        ) : (
          <NothingYet
            icon={ChartNoAxesCombined}
            title="No messages in this period"
            action={
              can("notifications:send") ? (
                <Button asChild>
                  <Link href={href("/send")}>Send a message</Link>
                </Button>
              ) : null
            }
          >
            Choose a longer period, or another environment.
          </NothingYet>
        )
      ) : (
        <Outdated when={current.isPlaceholderData}>
          <DeliveryHeadline delivery={delivery} />
          <DeliveryCharts delivery={delivery} />
          <DeliveryFailures delivery={delivery} />
          <DeliveryGroups delivery={delivery} />
        </Outdated>
      )}
    </PageFrame>
  );
}
