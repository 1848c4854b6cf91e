"use client";

import { useQuery } from "@tanstack/react-query";
import { Coins, Download, Printer } from "lucide-react";
import { useRouter } from "next/navigation";
import { budgetLimits } from "../../server/budgets/vocabulary.ts";
import type { Statement, StatementSums } from "../../server/budgets/schemas.ts";
import { toCsv } from "../charts/prepare-series.ts";
import { PageFrame } from "../layout/page-frame.tsx";
import { PageHeader } from "../layout/page-header.tsx";
import { channelLabel } from "../messages/channel.tsx";
import { usePortal } from "../portal/portal-context.tsx";
import { useDrawnAt } from "../portal/use-drawn-at.ts";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Button } from "../ui/button.tsx";
import { Card } from "../ui/card.tsx";
import { NothingYet } from "../ui/empty-state.tsx";
import { formatNumber } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Select } from "../ui/select.tsx";
import { Skeleton } from "../ui/skeleton.tsx";
import { formatUtc } from "../ui/time.tsx";
import { monthChoices } from "./cost-period.ts";
import { dateFormat, numberFormat } from "../ui/intl.ts";

/** What a month has cost, for the accounts: to print, or as CSV. */
export function StatementPage({ month }: { month: string }) {
  const { href } = usePortal();
  const router = useRouter();
  const trpc = useTRPC();
  const query = useQuery(trpc.budgets.statement.queryOptions({ month }));
  const statement = query.data;
  const now = new Date(useDrawnAt());
  const thisMonth = now.toISOString().slice(0, 7);
  const choices = [{ value: thisMonth, label: monthName(thisMonth) }, ...monthChoices(now)];
  return (
    <PageFrame className="statement">
      <div className="print:hidden">
        <PageHeader
          title={`Statement of ${monthName(month)}`}
          description="All environments, by day (UTC). Amounts in different currencies are not added up."
          back={{ href: href("/costs"), label: "Costs" }}
          environmentScoped={false}
          actions={
            <>
              <Select
                aria-label="Month"
                className="w-44"
                value={month}
                onValueChange={(value) => router.push(href(`/costs/statement/${value}`))}
                options={
                  choices.some(({ value }) => value === month)
                    ? choices
                    : [...choices, { value: month, label: monthName(month) }]
                }
              />
              {statement && statement.lines.length > 0 ? (
                <>
                  <Button onClick={() => download(statement)}>
                    <Download aria-hidden /> CSV
                  </Button>
                  <Button variant="primary" onClick={() => window.print()}>
                    <Printer aria-hidden /> Print
                  </Button>
                </>
              ) : null}
            </>
          }
        />
      </div>
      {statement ? (
        statement.lines.length === 0 ? (
          <Card>
            <NothingYet icon={Coins} title={`No charges in ${monthName(month)}`}>
              A message has a cost if its provider reports a price or its connection has a price list.
            </NothingYet>
          </Card>
        ) : (
          <StatementSheet statement={statement} />
        )
      ) : query.isError ? (
        <Card>
          <QueryFailed what="the statement" query={query} />
        </Card>
      ) : (
        <Card className="grid gap-4 p-6" aria-busy>
          <Skeleton className="h-6 w-1/3" />
          <Skeleton className="w-2/3" />
          <Skeleton className="w-full" />
          <Skeleton className="w-full" />
        </Card>
      )}
    </PageFrame>
  );
}

const sumHead = ["Charged attempts", "Segments", "Reported", "Estimated", "Platform fees", "Total"];

function StatementSheet({ statement }: { statement: Statement }) {
  const { href } = usePortal();
  const { own, totals, lines, rates } = statement;
  const title = `${statement.organisation} · ${monthName(statement.month)}`;
  return (
    <article className="grid gap-6 rounded-lg border border-line bg-surface p-6 print:block print:border-0 print:p-0">
      <header className="print:mb-6">
        <h2 className="text-lg font-semibold">{statement.organisation}</h2>
        <p className="text-sm">Messaging costs of {monthName(statement.month)}</p>
        <p className="mt-1 text-xs text-ink-muted">
          As of {formatUtc(statement.asOf).slice(0, 16)} UTC.{" "}
          {statement.closed
            ? "The month is complete. Providers may still correct prices."
            : "The month is not complete."}
          {statement.partial ? " It covers what you have access to, not the whole organisation." : ""}
        </p>
      </header>
      <Section title="Totals by currency">
        <Table head={["Currency", ...sumHead, "Still estimated"]} title={title}>
          {totals.map((sums) => (
            <tr key={sums.currency}>
              <th scope="row" className="py-1.5 pr-3 text-left font-medium">
                {sums.currency}
              </th>
              <SumCells sums={sums} />
              <td className="tabular py-1.5 pl-3 text-right">{estimatedShare(sums)}</td>
            </tr>
          ))}
        </Table>
      </Section>
      {own ? (
        <Section title={`In ${own.currency}, by your own rates`}>
          <p className="tabular text-sm">
            {own.total === null
              ? `No total: on some days there is no rate for ${own.withoutRate.join(", ")}. Add it under Settings → Currency.`
              : `${amountText(own.total)} ${own.currency}`}
          </p>
          {rates.length > 0 ? (
            <ul className="tabular mt-1 text-xs text-ink-muted">
              {rates.map((rate) => (
                <li key={`${rate.currency} ${rate.from}`}>
                  1 {rate.currency} = {formatNumber(Number(rate.rate), 9)} {own.currency}, {rate.from} to{" "}
                  {rate.to}
                </li>
              ))}
            </ul>
          ) : null}
        </Section>
      ) : null}
      <Section title="By application, provider, channel and country">
        <Table head={["What", ...sumHead, "Currency"]} title={title}>
          {lines.map((line, index) => (
            // Connections that are gone, or that share a name, have lines that read the same.
            <tr key={index}>
              <td className="min-w-44 py-1.5 pr-3">
                <span className="font-medium">{line.application}</span>
                <span className="block text-xs text-ink-muted">
                  {[line.provider, channelText(line.channel), countryText(line.country)]
                    .filter(Boolean)
                    .join(" · ")}
                </span>
              </td>
              <SumCells sums={line} />
              <td className="py-1.5 pl-3 text-right">{line.currency}</td>
            </tr>
          ))}
        </Table>
        {statement.foldedLines > 0 ? (
          <p className="mt-2 text-xs text-ink-muted">
            These are the {formatNumber(budgetLimits.lines)} largest lines. The{" "}
            {formatNumber(statement.foldedLines)} smaller ones are added up as “All others”.{" "}
            <Link href={href("/exports")} className="text-accent-text underline underline-offset-4">
              Export costs
            </Link>{" "}
            contains every line.
          </p>
        ) : null}
      </Section>
    </article>
  );
}

function Section({ title, children }: { title: string; children: React.ReactNode }) {
  return (
    <section className="min-w-0 print:mb-6">
      <h3 className="mb-2 text-sm font-semibold">{title}</h3>
      {children}
    </section>
  );
}

/** A table whose head, with whose statement it is, is printed again on each page. */
function Table({
  head,
  title,
  children,
}: {
  head: readonly string[];
  title: string;
  children: React.ReactNode;
}) {
  return (
    <div
      className="overflow-x-auto print:overflow-visible"
      tabIndex={0}
      role="region"
      aria-label={head.join(", ")}
    >
      <table className="w-full text-sm print:text-[8pt]">
        <thead>
          <tr className="hidden print:table-row">
            <th colSpan={head.length} scope="colgroup" className="pb-1 text-left text-xs font-normal">
              {title}
            </th>
          </tr>
          <tr className="border-b border-line-strong text-xs text-ink-muted">
            {head.map((each, index) => (
              <th
                key={each}
                scope="col"
                className={
                  index === 0 ? "py-1.5 pr-3 text-left font-medium" : "py-1.5 pl-3 text-right font-medium"
                }
              >
                {each}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="divide-y divide-line">{children}</tbody>
      </table>
    </div>
  );
}

function SumCells({ sums }: { sums: StatementSums }) {
  const cells = [
    ...[sums.messages, sums.segments].map((count) => (count === 0 ? "–" : formatNumber(count))),
    ...[sums.reported, sums.estimated, sums.platformFees].map((sum) =>
      Number(sum) === 0 ? "–" : amountText(sum),
    ),
    amountText(sums.total),
  ];
  return cells.map((cell, index) => (
    <td key={sumHead[index]} className="tabular py-1.5 pl-3 text-right whitespace-nowrap">
      {cell}
    </td>
  ));
}

/** All six places, as they add up, and in every cell, so that the points stand below each other. */
const amountText = (amount: string) =>
  numberFormat({ minimumFractionDigits: 6, maximumFractionDigits: 6 }).format(amount as unknown as number);
const estimatedShare = ({ reported, estimated }: StatementSums) => {
  const all = Number(reported) + Number(estimated);
  return all === 0
    ? "–"
    : numberFormat({ style: "percent", maximumFractionDigits: 1 }).format(Number(estimated) / all);
};
const channelText = (channel: string) => (channel === "" ? "" : channelLabel(channel));
const regions = new Intl.DisplayNames("en", { type: "region" });
const countryText = (country: string) => (country === "" ? "" : (regions.of(country) ?? country));
const monthName = (month: string) =>
  dateFormat({ month: "long", year: "numeric", timeZone: "UTC" }).format(new Date(`${month}-01T00:00:00Z`));

/** The lines as CSV; their sums are those of the page. */
function download({ month, lines, own }: Statement) {
  const text = toCsv(
    [
      ...["application", "provider", "channel", "country", "currency", "messages", "segments", "reported"],
      ...["estimated", "platform_fees", "total", own ? `total_${own.currency}` : "total_own"],
    ],
    lines.map((line) => [
      ...[line.application, line.provider, line.channel, line.country, line.currency, line.messages],
      ...[line.segments, line.reported, line.estimated, line.platformFees, line.total, line.own],
    ]),
  );
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob(["\uFEFF", text], { type: "text/csv;charset=utf-8" }));
  link.download = `statement-${month}.csv`;
  link.click();
  URL.revokeObjectURL(link.href);
}
