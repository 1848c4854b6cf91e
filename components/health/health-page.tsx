"use client";

import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { Plug } from "lucide-react";
import { parseAsString, parseAsStringLiteral, useQueryStates } from "nuqs";
import { Outdated } from "../charts/outdated.tsx";
import { PeriodPicker } from "../charts/period-picker.tsx";
import { periods } from "../charts/period.ts";
import { ChoiceFilter } from "../data-table/filter-menu.tsx";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { channels } from "../messages/channel.tsx";
import { ChannelFilter } from "../messages/channel-filter.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { ConnectionStates } from "./connection-states.tsx";
import { HealthCharts } from "./health-charts.tsx";
import { Incidents } from "./incidents.tsx";

/** How the connections do: now, what happened, and over time. */
export function HealthPage() {
  const trpc = useTRPC();
  const [view, setView] = useQueryStates(
    {
      connection: parseAsString,
      channel: parseAsStringLiteral(channels),
      range: parseAsStringLiteral(periods).withDefault("24h"),
      before: parseAsString,
    },
    { history: "push" },
  );
  const now = useQuery(trpc.health.now.queryOptions(undefined, { refetchInterval: 5_000 }));
  const connections = now.data?.data;
  // A link to a connection that is gone, or somebody else's, shows the page without it.
  const chosen = connections?.find((each) => each.id === view.connection)?.id ?? null;
  const report = useQuery(
    trpc.health.report.queryOptions(
      { range: view.range, connectionId: chosen ?? undefined, channel: view.channel ?? undefined },
      { enabled: connections !== undefined, refetchInterval: 15_000, placeholderData: keepPreviousData },
    ),
  );
  const choose = (connection: string | null) => void setView({ connection, before: null });
  const carrying = connections?.filter(
    (each) => view.channel === null || each.channels.includes(view.channel),
  );

  return (
    <PageFrame>
      <PageHeader
        title="Health"
        description="Live status, incidents and calls"
        environmentScoped={false}
        actions={
          <>
            <ChoiceFilter
              label="Connection"
              value={chosen}
              onChange={choose}
              options={(connections ?? []).map((each) => ({ value: each.id, label: each.name }))}
            />
            <ChannelFilter value={view.channel} onChange={(channel) => void setView({ channel })} />
            <PeriodPicker
              value={view.range}
              options={periods}
              onChange={(range) => void setView({ range })}
            />
          </>
        }
      />
      {now.isError && !connections ? (
        <QueryFailed what="the connections" query={now} />
      ) : connections?.length === 0 ? (
        <NothingYet icon={Plug} title="No connections">
          Add a connection to a provider to see its health.
        </NothingYet>
      ) : (
        <>
          <ConnectionStates
            connections={carrying}
            error={now.isError ? now.error : null}
            chosen={chosen}
            onChoose={choose}
          />
          {report.isError && !report.data ? (
            <QueryFailed what="the figures" query={report} />
          ) : (
            <Outdated when={report.isPlaceholderData}>
              <HealthCharts
                report={report.data}
                period={view.range}
                connectionId={chosen}
                channel={view.channel}
              />
            </Outdated>
          )}
          <Incidents connectionId={chosen} />
        </>
      )}
    </PageFrame>
  );
}
