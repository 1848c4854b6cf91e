"use client";

import { useQuery } from "@tanstack/react-query";
import { ArrowRight, CircleX, Radar, TriangleAlert } from "lucide-react";
import { parseAsStringLiteral, useQueryState } from "nuqs";
import type { Unroutable } from "../../server/routing/schemas.ts";
import { ChannelMark } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { AllDone, NothingYet } from "../ui/empty-state.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Segmented } from "../ui/segmented.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { ruleName } from "./rule-words.ts";

const ranges = ["24h", "7d"] as const;

/** What nothing carries: by the rules as they stand, and of the messages that were really sent. */
export function UnroutableTab() {
  const { environment, unit } = usePortal();
  const [range, setRange] = useQueryState("range", parseAsStringLiteral(ranges).withDefault("24h"));
  const query = useQuery(
    useTRPC().routing.unroutable.queryOptions({
      environmentId: environment.id,
      hours: range === "24h" ? 24 : 168,
      ...(unit ? { unitId: unit.id } : {}),
    }),
  );
  if (query.isError && !query.data) {
    return (
      <Card>
        <QueryFailed what="the report" query={query} />
      </Card>
    );
  }
  const report = query.data;
  return (
    <div className="grid gap-4">
      <Card aria-busy={!report}>
        <CardHeader
          title="Under the current rules"
          description={
            report
              ? `Looked at ${plural(report.checked, "combination")} of application, channel, type and region that live templates can be sent for.`
              : "Checking everything that live templates can be sent for."
          }
        />
        {!report ? (
          <Lines />
        ) : report.checked === 0 ? (
          <NothingYet icon={Radar} title="No live templates yet">
            No template is live in {environment.name}, so there is nothing to route.
          </NothingYet>
        ) : report.gaps.length === 0 ? (
          <AllDone title="No unroutable messages">
            Each message that can be sent in {environment.name} has a connection.
          </AllDone>
        ) : (
          <ul className="border-t border-line">
            {report.gaps.map((gap, index) => (
              <Gap key={index} gap={gap} />
            ))}
            {report.moreGaps > 0 ? (
              <li className="px-4 py-2 text-xs text-ink-muted">
                {plural(report.moreGaps, "more gap")} not shown.
              </li>
            ) : null}
          </ul>
        )}
      </Card>
      <Card aria-busy={!report}>
        <CardHeader
          title="Unroutable messages"
          description="Accepted messages that failed because no connection could send them."
          actions={
            <Segmented
              label="Period"
              value={range}
              onValueChange={(next) => void setRange(next)}
              options={[
                { value: "24h", label: "24 hours" },
                { value: "7d", label: "7 days" },
              ]}
            />
          }
        />
        {!report ? (
          <Lines />
        ) : report.traffic.length === 0 ? (
          <AllDone title="No unroutable messages">
            In the last {range === "24h" ? "24 hours" : "7 days"} in {environment.name}.
          </AllDone>
        ) : (
          <Traffic traffic={report.traffic} range={range} />
        )}
      </Card>
    </div>
  );
}

function Lines() {
  return (
    <div className="grid gap-3 border-t border-line px-4 py-4">
      <Skeleton className="w-2/3" />
      <Skeleton className="w-1/2" />
      <Skeleton className="w-3/5" />
    </div>
  );
}

function Gap({ gap }: { gap: Unroutable["gaps"][number] }) {
  const { href, can } = usePortal();
  const blocked = gap.severity === "blocked";
  const regions = [...new Set(gap.about.map(({ region }) => region))];
  const types = [
    ...new Set(gap.about.map(({ type, subtype }) => [type, subtype].filter(Boolean).join(" / "))),
  ];
  const list = (all: readonly string[]) =>
    `${all.slice(0, 5).join(", ")}${all.length > 5 ? ` and ${String(all.length - 5)} more` : ""}`;
  return (
    <li className="flex gap-3 border-b border-line px-4 py-3 last:border-0">
      {blocked ? (
        <CircleX className="mt-0.5 size-4 shrink-0 text-danger-text" aria-hidden />
      ) : (
        <TriangleAlert className="mt-0.5 size-4 shrink-0 text-warning-text" aria-hidden />
      )}
      <div className="grid min-w-0 flex-1 gap-1 text-sm">
        <p className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
          <span className="font-medium">{gap.title}</span>
          <ChannelMark channel={gap.channel} className="text-xs text-ink-muted" />
          <span className="text-xs text-ink-muted">
            {list(regions)} · {list(types)}
          </span>
        </p>
        <p>
          <span className="sr-only">{blocked ? "Not sent: " : "Warning: "}</span>
          {gap.problem.detail}
        </p>
        {gap.reasons.length > 0 ? (
          <ul className="list-disc pl-4 text-xs text-ink-muted">
            {gap.reasons.map((reason) => (
              <li key={reason}>{reason}</li>
            ))}
          </ul>
        ) : null}
      </div>
      {gap.ruleId ? (
        <Link
          href={href(`/routing/rules/${gap.ruleId}`)}
          className="h-fit max-w-44 shrink-0 truncate rounded-sm text-xs text-accent-text hover:underline"
        >
          {ruleName(gap.ruleName)}
        </Link>
      ) : can("routing:manage") ? (
        <Link
          href={href("/routing/rules/new")}
          className="h-fit shrink-0 rounded-sm text-xs text-accent-text hover:underline"
        >
          Create rule
        </Link>
      ) : null}
    </li>
  );
}

function Traffic({ traffic, range }: { traffic: Unroutable["traffic"]; range: string }) {
  const { href, can } = usePortal();
  return (
    <ul className="border-t border-line">
      {traffic.map((line) => (
        <li
          key={`${line.application} ${line.channel}`}
          className="flex flex-wrap items-center gap-x-4 gap-y-1 border-b border-line px-4 py-2.5 text-sm last:border-0"
        >
          <span className="min-w-0 flex-1 basis-40 truncate font-medium">{line.title}</span>
          <ChannelMark channel={line.channel} className="w-28 text-ink-muted" />
          <span className="w-24 text-right tabular">{formatNumber(line.count)}</span>
          <span className="w-36 text-right text-xs text-ink-muted">
            last in the hour of <RelativeTime value={line.lastHour} />
          </span>
          {can("notifications:read") ? (
            <Link
              href={href("/messages", {
                status: "failed",
                code: "no_route",
                application: line.application,
                channel: line.channel,
                range,
              })}
              className="inline-flex items-center gap-1 rounded-sm text-xs text-accent-text hover:underline"
            >
              Show messages <ArrowRight className="size-3.5" aria-hidden />
            </Link>
          ) : null}
        </li>
      ))}
    </ul>
  );
}
