"use client";

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import type { ReactNode } from "react";
import { channelLabel } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatMoney, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { formatSum } from "./cost-headline.tsx";
import { dateFormat } from "../ui/intl.ts";

/** Days that cost far more than usual, and prices that have changed; each leads to the costs behind it. */
export function CostFindings() {
  const { href } = usePortal();
  const trpc = useTRPC();
  const query = useQuery(trpc.budgets.findings.queryOptions());
  const data = query.data;
  if (query.isError && !data)
    return (
      <Card>
        <QueryFailed what="what is unusual" query={query} />
      </Card>
    );
  return (
    <div className="grid gap-4">
      <Card aria-busy={!data}>
        <CardHeader
          title="Unusual days"
          description="Production days in the last 30 that cost more than twice the usual amount, by at least 10. Usual is the median of the same weekday in the four weeks before."
        />
        <Rows
          loading={!data}
          none="No unusual days in the last 30 days."
          head={["Day (UTC)", "What", "Cost", "Usual"]}
          rows={data?.anomalies.map((each) => ({
            key: each.id,
            cells: [
              formatDay(each.day),
              <Link
                key="link"
                className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
                href={href("/costs", {
                  env: each.environment,
                  application: each.applicationName,
                  provider: each.connectionId,
                  channel: each.channel,
                  country: each.country,
                  period: each.day.slice(0, 7),
                  by: "template",
                })}
              >
                {[each.application, each.provider, channelLabel(each.channel), countryOf(each.country)].join(
                  " · ",
                )}
              </Link>,
              formatSum(each.amount, each.currency),
              formatSum(each.expected, each.currency),
            ],
          }))}
        />
      </Card>
      <Card aria-busy={!data}>
        <CardHeader
          title="Price changes"
          description="Average price per SMS segment or message in the last 7 days, where it differs from the four weeks before by more than 5%. Needs at least 50 in both periods."
        />
        <Rows
          loading={!data}
          none="No average price changed by more than 5%."
          head={["What", "Now", "Before", "Difference in 7 days"]}
          rows={data?.priceChanges.map((each) => ({
            key: [each.connectionId, each.channel, each.country, each.currency].join(" "),
            cells: [
              <Link
                key="link"
                className="underline decoration-line-strong underline-offset-2 hover:decoration-current"
                href={href("/costs", {
                  provider: each.connectionId,
                  channel: each.channel,
                  country: each.country,
                  period: "30d",
                  everywhere: "true",
                })}
              >
                {[each.provider, channelLabel(each.channel), countryOf(each.country)].join(" · ")}
              </Link>,
              formatMoney(each.now, each.currency),
              formatMoney(each.before, each.currency),
              `${Number(each.difference) > 0 ? "+" : ""}${formatSum(each.difference, each.currency)} on ${plural(each.units, each.channel === "sms" ? "segment" : "message")}`,
            ],
          }))}
        />
      </Card>
    </div>
  );
}

function Rows({
  loading,
  none,
  head,
  rows,
}: {
  loading: boolean;
  none: string;
  head: readonly string[];
  rows: readonly { key: string; cells: readonly ReactNode[] }[] | undefined;
}) {
  if (loading || !rows)
    return (
      <div className="grid gap-3 px-4 pb-4">
        <Skeleton className="w-2/3" />
        <Skeleton className="w-1/2" />
      </div>
    );
  if (rows.length === 0)
    return (
      <p className="flex items-center gap-2 px-4 pb-4 text-sm text-ink-muted">
        <CircleCheck className="size-4 text-success-text" aria-hidden /> {none}
      </p>
    );
  return (
    <div
      className="overflow-x-auto border-t border-line"
      tabIndex={0}
      role="region"
      aria-label={head.join(", ")}
    >
      <table className="w-full text-sm">
        <thead>
          <tr className="text-left text-xs text-ink-muted">
            {head.map((each) => (
              <th key={each} scope="col" className="px-4 py-2 font-medium">
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line border-t border-line">
          {rows.map(({ key, cells }) => (
            <tr key={key}>
              {cells.map((cell, index) => (
                <td key={head[index]} className="tabular px-4 py-2 align-top">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

const regions = new Intl.DisplayNames("en", { type: "region" });
const countryOf = (code: string) => (code === "" ? "unknown country" : (regions.of(code) ?? code));
const formatDay = (day: string) => dateFormat({ dateStyle: "medium", timeZone: "UTC" }).format(new Date(day));
