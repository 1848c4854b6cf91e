"use client";

import {
  BadgeCheck,
  Eye,
  Hourglass,
  MailWarning,
  MousePointerClick,
  PlugZap,
  ThumbsDown,
  Webhook,
} from "lucide-react";
import type { ReactNode } from "react";
import { cn } from "../ui/cn.ts";
import { CopyableId } from "../ui/copy-button.tsx";
import { formatDuration } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { AbsoluteTime } from "../ui/time.tsx";
import { type AttemptRow, type TimelineEntry, type WebhookRow } from "./build-timeline.ts";
import { failureMeaning } from "./failure-meaning.ts";
import { statusFace } from "./status.ts";

const extraEvents: Record<string, { label: string; icon: typeof Eye }> = {
  read: { label: "Read", icon: Eye },
  clicked: { label: "Link clicked", icon: MousePointerClick },
  bounced: { label: "Bounced", icon: MailWarning },
  complained: { label: "Complaint", icon: ThumbsDown },
};

const toneText: Record<string, string> = {
  success: "text-success-text bg-success-soft",
  danger: "text-danger-text bg-danger-soft",
  warning: "text-warning-text bg-warning-soft",
  info: "text-info-text bg-info-soft",
  accent: "text-accent-text bg-accent-soft",
  neutral: "text-ink-muted bg-neutral-soft",
};

/** Every event, attempt and webhook of one message in order, with the time that passed between them. */
export function Timeline({
  entries,
  waits,
  webhookHref,
}: {
  entries: readonly TimelineEntry[];
  /** Why nothing happens to it now. */
  waits?: string | null;
  webhookHref?: (delivery: WebhookRow) => string;
}) {
  const start = entries[0]?.at;
  return (
    <ol className="relative">
      {entries.map((entry, index) => (
        <TimelineItem
          key={`${entry.kind}-${entry.order}-${entry.at}-${index}`}
          entry={entry}
          elapsed={start === undefined || index === 0 ? null : entry.at - start}
          last={index === entries.length - 1 && !waits}
          webhookHref={webhookHref}
        />
      ))}
      {waits ? (
        <li className="flex gap-3">
          <span
            aria-hidden
            className={cn("grid size-6 shrink-0 place-items-center rounded-full", toneText.warning)}
          >
            <Hourglass className="size-3.5" strokeWidth={2} />
          </span>
          <div className="min-w-0 flex-1 pt-0.5">
            <p className="text-sm font-medium">Waits</p>
            <p className="mt-0.5 text-sm break-words text-ink-muted">{waits}</p>
          </div>
        </li>
      ) : null}
    </ol>
  );
}

function TimelineItem({
  entry,
  elapsed,
  last,
  webhookHref,
}: {
  entry: TimelineEntry;
  elapsed: number | null;
  last: boolean;
  webhookHref?: (delivery: WebhookRow) => string;
}) {
  const view = describe(entry, webhookHref);
  const Icon = view.icon;
  const main = entry.kind === "event";
  return (
    <li className="relative flex gap-3 pb-4 last:pb-0">
      {last ? null : <span aria-hidden className="absolute top-6 bottom-0 left-[11.5px] w-px bg-line" />}
      <span
        aria-hidden
        className={cn(
          "relative grid size-6 shrink-0 place-items-center rounded-full",
          main ? toneText[view.tone] : "border border-line bg-surface text-ink-faint",
        )}
      >
        <Icon className="size-3.5" strokeWidth={2} />
      </span>
      <div className="min-w-0 flex-1 pt-0.5">
        <div className="flex flex-wrap items-baseline justify-between gap-x-3">
          <p className={cn("min-w-0 text-sm", main ? "font-medium" : "text-ink-muted")}>{view.title}</p>
          <p className="flex items-baseline gap-2 text-xs text-ink-muted tabular">
            {elapsed === null ? null : <span className="text-ink-faint">+{formatDuration(elapsed)}</span>}
            <AbsoluteTime value={entry.at} />
          </p>
        </div>
        {view.detail ? <div className="mt-0.5 text-sm break-words text-ink-muted">{view.detail}</div> : null}
      </div>
    </li>
  );
}

type View = { title: ReactNode; detail?: ReactNode; tone: string; icon: typeof Eye };

function describe(entry: TimelineEntry, webhookHref?: (delivery: WebhookRow) => string): View {
  if (entry.kind === "event") {
    const { event } = entry;
    const extra = extraEvents[event.type];
    const face = statusFace(event.type);
    const failure = event.failure;
    return {
      title: extra?.label ?? face.label,
      icon: extra?.icon ?? face.icon,
      tone: extra ? "neutral" : face.tone,
      detail: failure ? (
        <Failure {...failure} />
      ) : event.problem ? (
        <>
          {event.provider ? <p>through {event.provider}</p> : null}
          <div className="text-warning-text">
            <Failure {...event.problem} />
          </div>
        </>
      ) : event.url ? (
        event.url
      ) : event.reason ? (
        event.reason.detail
      ) : event.provider ? (
        `through ${event.provider}`
      ) : undefined,
    };
  }
  if (entry.kind === "attempt") return describeAttempt(entry.attempt);
  const { delivery } = entry;
  const host = delivery.url === null ? "a deleted endpoint" : safeHost(delivery.url);
  const title = (
    <>
      Webhook <code className="font-mono text-xs">{delivery.event}</code>{" "}
      {delivery.state === "delivered"
        ? "delivered"
        : delivery.state === "pending"
          ? "waiting"
          : delivery.state === "discarded"
            ? "missed: the endpoint was off"
            : delivery.state}
    </>
  );
  return {
    title:
      webhookHref && delivery.url !== null ? (
        <Link href={webhookHref(delivery)} className="underline-offset-4 hover:underline">
          {title}
        </Link>
      ) : (
        title
      ),
    icon: delivery.state === "delivered" ? BadgeCheck : Webhook,
    tone: "neutral",
    detail: (
      <span className="text-xs">
        {host}
        {delivery.lastStatus ? ` · HTTP ${delivery.lastStatus}` : ""}
        {delivery.attempts > 1 ? ` · ${delivery.attempts} attempts` : ""}
        {delivery.lastError && delivery.state !== "delivered" ? ` · ${delivery.lastError}` : ""}
      </span>
    ),
  };
}

const outcomes: Record<string, string> = {
  sent: "accepted by the provider",
  not_sent: "not sent",
  unknown: "not confirmed",
};

function describeAttempt(attempt: AttemptRow): View {
  const took =
    attempt.finishedAt === null
      ? null
      : formatDuration(new Date(attempt.finishedAt).getTime() - new Date(attempt.startedAt).getTime());
  return {
    title: (
      <>
        Attempt {attempt.number} through {attempt.provider}:{" "}
        {attempt.outcome === null ? "in progress" : (outcomes[attempt.outcome] ?? attempt.outcome)}
        {took ? <span className="text-ink-faint"> in {took}</span> : null}
      </>
    ),
    icon: PlugZap,
    tone: "neutral",
    detail:
      attempt.outcome !== "sent" && attempt.code ? (
        <Failure
          code={attempt.code}
          detail={attempt.detail ?? failureMeaning(attempt.code)}
          providerCode={attempt.providerCode}
          providerMessage={attempt.providerMessage}
        />
      ) : attempt.providerMessageId ? (
        <CopyableId value={attempt.providerMessageId} label="Copy provider message ID" />
      ) : undefined,
  };
}

/** What went wrong in our words, and beneath it what the provider said. */
export function Failure({
  code,
  detail,
  providerCode,
  providerMessage,
}: {
  code: string;
  detail: string;
  providerCode?: string | null;
  providerMessage?: string | null;
}) {
  return (
    <div>
      <p>
        {detail}{" "}
        <code
          title={failureMeaning(code)}
          className="rounded-sm bg-sunken px-1 py-0.5 font-mono text-2xs text-ink-muted"
        >
          {code}
        </code>
      </p>
      {providerCode || providerMessage ? (
        <p className="mt-1 border-l-2 border-line-strong pl-2 text-xs">
          {providerCode ? <code className="mr-1.5 font-mono">{providerCode}</code> : null}
          {providerMessage}
        </p>
      ) : null}
    </div>
  );
}

function safeHost(url: string): string {
  return URL.parse(url)?.host ?? url;
}
