"use client";

import { useQuery } from "@tanstack/react-query";
import { TriangleAlert } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import type { RetentionState } from "../../server/privacy/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { QueryFailed } from "../trpc/query-failed.tsx";
import { Badge } from "../ui/badge.tsx";
import { Button } from "../ui/button.tsx";
import { Card, CardHeader } from "../ui/card.tsx";
import { formatNumber, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { RelativeTime } from "../ui/time.tsx";
import { SettingsHeader } from "./settings-frame.tsx";
import { SettingsSkeleton } from "./settings-skeleton.tsx";
import { dateFormat } from "../ui/intl.ts";

const RetentionDialog = dynamic(() =>
  import("./retention-dialog.tsx").then((module) => module.RetentionDialog),
);

type Step = RetentionState["steps"][number];

/** How long what is kept, and what the purge has removed. */
export function RetentionPage() {
  const trpc = useTRPC();
  const query = useQuery(trpc.privacy.retention.queryOptions(undefined, { refetchInterval: 30_000 }));
  const [changing, setChanging] = useState(false);
  if (!query.data) {
    return query.isError ? (
      <Card>
        <QueryFailed what="the periods" query={query} />
      </Card>
    ) : (
      <SettingsSkeleton />
    );
  }
  const state = query.data;
  return (
    <>
      <SettingsHeader
        path="/retention"
        actions={<Button onClick={() => setChanging(true)}>Change periods</Button>}
      />
      <div className="grid grid-cols-1 gap-4">
        <Periods state={state} />
        <Progress state={state} />
      </div>
      {changing ? <RetentionDialog state={state} onClose={() => setChanging(false)} /> : null}
    </>
  );
}

function Periods({ state }: { state: RetentionState }) {
  const { href, can } = usePortal();
  const link = (path: string, text: string) => (
    <Link href={href(path)} className="text-accent-text underline underline-offset-4">
      {text}
    </Link>
  );
  const rows = [
    {
      what: "Addresses and content",
      length: plural(state.contentDays, "day"),
      says: "Recipients, variable values, provider answers and replies. The message stays in the list without them.",
    },
    {
      what: "Messages",
      length: plural(state.metadataMonths, "month"),
      says: "The record of a message: its type, time and status. Report counts and costs are kept.",
    },
    {
      what: "Webhook log",
      length: plural(state.webhookLogDays, "day"),
      says: "Deliveries to your endpoints and their responses.",
    },
    {
      what: "Audit trail",
      length: null,
      says: can("audit:read") ? (
        <>24 months, unless another period is set under {link("/audit", "Audit → Details")}.</>
      ) : (
        "24 months, unless another period is set."
      ),
    },
    {
      what: "Consent and suppressed addresses",
      length: null,
      says: "Until the recipient is erased. Opt-outs remain effective even then.",
    },
    {
      what: "Short links",
      length: null,
      says: (
        <>
          Until they expire, as set in {link("/settings/short-links", "the shortener of their environment")}.
        </>
      ),
    },
    {
      what: "Other data",
      length: null,
      says: "One-time codes are redacted once their message has completed. Sign-ins are deleted after 90 days, expired invitations after 30, notices after 180, and routing history and AI usage after two years.",
    },
  ];
  return (
    <Card>
      <CardHeader title="How long data is kept" description="The same for all teams and environments" />
      <ul className="divide-y divide-line border-t border-line">
        {rows.map(({ what, length, says }) => (
          <li
            key={what}
            className="grid gap-x-6 gap-y-0.5 px-4 py-3 text-sm sm:grid-cols-[13rem_minmax(0,1fr)]"
          >
            <p className="font-medium">
              {what}
              {length === null ? null : (
                <span className="ml-2 tabular font-normal text-ink-muted sm:ml-0 sm:block">{length}</span>
              )}
            </p>
            <p className="text-ink-muted">{says}</p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

function Progress({ state }: { state: RetentionState }) {
  const problems = state.steps.filter((step) => step.problem !== null);
  return (
    <Card>
      <CardHeader
        title="Removed data"
        description={
          state.lastRunAt === null ? (
            "The first run starts within an hour."
          ) : (
            <>
              Runs every hour, last <RelativeTime value={state.lastRunAt} />
            </>
          )
        }
      />
      {problems.length > 0 ? (
        <p className="mx-4 mb-3 flex gap-2 rounded-md bg-warning-soft px-3 py-2.5 text-sm text-warning-text">
          <TriangleAlert className="mt-0.5 size-4 shrink-0" aria-hidden />
          {problems.map((step) => step.what).join(", ")}: {problems[0]?.problem}
        </p>
      ) : null}
      <div className="overflow-x-auto border-t border-line">
        <table className="w-full text-sm">
          <thead>
            <tr className="text-left text-xs text-ink-muted">
              <th className="px-4 py-2 font-medium">What</th>
              <th className="hidden px-4 py-2 font-medium sm:table-cell">Older than</th>
              <th className="px-4 py-2 text-right font-medium">Removed</th>
              <th className="hidden px-4 py-2 font-medium md:table-cell">Last time</th>
            </tr>
          </thead>
          <tbody className="divide-y divide-line">
            {state.steps.map((step) => (
              <StepRow key={step.id} step={step} />
            ))}
          </tbody>
        </table>
      </div>
      <p className="border-t border-line px-4 py-3 text-xs text-ink-muted">
        Complete months are dropped as a whole and not counted here.
      </p>
    </Card>
  );
}

function StepRow({ step }: { step: Step }) {
  const { what, before, removed, lastRemoved, removedAt, checkedAt } = step;
  return (
    <tr>
      <td className="px-4 py-2">
        {what} {step.action === "blank" ? <Badge tone="outline">content only</Badge> : null}{" "}
        {checkedAt === null && removed > 0 ? <Badge tone="info">in progress</Badge> : null}
      </td>
      <td className="hidden px-4 py-2 whitespace-nowrap text-ink-muted tabular sm:table-cell">
        {dateFormat({ dateStyle: "medium" }).format(new Date(before))}
      </td>
      <td className="px-4 py-2 text-right tabular">{formatNumber(removed)}</td>
      <td className="hidden px-4 py-2 whitespace-nowrap text-ink-muted md:table-cell">
        {removedAt === null ? (
          "Nothing yet"
        ) : (
          <>
            {formatNumber(lastRemoved)}, <RelativeTime value={removedAt} />
          </>
        )}
      </td>
    </tr>
  );
}
