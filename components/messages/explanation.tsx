"use client";

import { ChevronRight, CircleCheck, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import type { Explanation, Timeline } from "../../server/sending/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { periodWords } from "../recipient-limits/limit-words.ts";
import { healthWords, ruleName } from "../routing/rule-words.ts";
import { Badge } from "../ui/badge.tsx";
import { cn } from "../ui/cn.ts";
import { formatMoney, formatPercent, humanize, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { statusFace } from "./status.ts";

export type ExplainedMessage = Explanation["messages"][number];

const consentPolicies: Record<ExplainedMessage["consent"]["policy"], string> = {
  opt_in_required: "Needs an opt-in",
  opt_out: "Allowed unless opted out",
  exempt: "Needs no consent",
};

function specificity(template: NonNullable<ExplainedMessage["template"]>): string {
  const exact = [
    template.language ? `language ${template.language}` : null,
    template.region ? `region ${template.region}` : null,
    template.provider ? `provider ${template.provider}` : null,
  ].filter((each) => each !== null);
  return exact.length > 0
    ? `the most specific match: ${exact.join(", ")}`
    : "the general one, for any region and language";
}

/** Which template, which route, which consent, and what it costs — each with its reason. */
export function ExplainedDecision({ message, sample }: { message: ExplainedMessage; sample?: boolean }) {
  return (
    <dl className="grid gap-4 text-sm">
      <Row label="Outcome">
        {message.outcome === "would_send" ? (
          <span className="inline-flex items-center gap-1.5 font-medium text-success-text">
            <CircleCheck className="size-4" aria-hidden /> {sample ? "Would be sent" : "Will be sent"}
          </span>
        ) : (
          <span className="inline-flex items-start gap-1.5 font-medium text-danger-text">
            <CircleX className="mt-0.5 size-4 shrink-0" aria-hidden />
            {message.reason?.detail ?? "Would not be sent"}
          </span>
        )}
      </Row>
      <Row label="Template">
        {message.template ? (
          <>
            <span className="font-medium">{message.template.name}</span> version {message.template.version}
            <span className="block text-ink-muted">{specificity(message.template)}</span>
            {message.otherTemplates.length > 0 ? (
              <Losers
                summary={`${plural(message.otherTemplates.length, "other template")} considered`}
                items={message.otherTemplates.map((other) => ({
                  name: `${other.name} v${other.version}`,
                  why: other.why,
                }))}
              />
            ) : null}
          </>
        ) : (
          <span className="text-ink-muted">No matching template</span>
        )}
      </Row>
      <Row label="Route">
        <ExplainedRoute route={message.route} chosen={null} />
      </Row>
      <Row label="Consent">
        {consentPolicies[message.consent.policy]}
        <span className="block text-ink-muted">
          {message.suppressed
            ? "This address is suppressed"
            : message.consent.state === "opted_in"
              ? "The recipient has opted in"
              : message.consent.state === "opted_out"
                ? "The recipient has opted out"
                : "No consent recorded"}
        </span>
      </Row>
      {message.limits.waits || message.limits.caps.length > 0 ? (
        <Row label="Quiet hours and caps">
          {message.limits.waits ? (
            <span className="block">{message.limits.waits.detail}</span>
          ) : (
            <span className="block">No quiet hours now</span>
          )}
          {message.limits.caps.map((cap, index) => (
            <span key={index} className="block text-ink-muted">
              {plural(cap.had, "message")} of at most {cap.most} within {periodWords(cap.hours)}
              {cap.had < cap.most ? null : cap.over === "wait" ? ": waits" : ": would be rejected"}
            </span>
          ))}
        </Row>
      ) : null}
      <Row label="Size and cost">
        {[message.segments === null ? null : plural(message.segments, "segment"), message.encoding]
          .filter((each) => each !== null)
          .join(" · ") || (message.estimatedCost ? null : <span className="text-ink-muted">Not priced</span>)}
        {message.estimatedCost ? (
          <span className="block tabular">
            {formatMoney(message.estimatedCost.amount, message.estimatedCost.currency)}{" "}
            <span className="text-ink-muted">estimated</span>
          </span>
        ) : null}
      </Row>
    </dl>
  );
}

const stateWords = {
  out: "was out",
  slow: "was slow",
  busy: "had no room",
  failed: "had failed with this message",
} as const;

const sinceWords = {
  unchanged: null,
  changed: "The rule has been changed since.",
  disabled: "The rule has been turned off since.",
  deleted: "The rule has been deleted since.",
} as const;

/** Why a message went the way it went, as it was decided then: the last attempt first, earlier ones folded. */
export function RecordedRoute({ timeline }: { timeline: Timeline }) {
  const { decisions, attempts, notification, route } = timeline;
  const last = decisions.at(-1);
  if (last) {
    const earlier = decisions.slice(0, -1);
    return (
      <div className="grid grid-cols-1 gap-3">
        <RecordedDecision decision={last} of={attempts.length} />
        {earlier.length > 0 ? (
          <details className="group text-sm">
            <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-xs text-ink-muted hover:text-ink">
              <ChevronRight className="size-3 transition-transform group-open:rotate-90" aria-hidden />
              {plural(earlier.length, "earlier attempt")}
            </summary>
            <ol className="mt-2 grid grid-cols-1 gap-3 border-l border-line pl-3">
              {earlier.map((decision, index) => (
                <li key={index}>
                  <RecordedDecision decision={decision} of={attempts.length} />
                </li>
              ))}
            </ol>
          </details>
        ) : null}
      </div>
    );
  }
  if (attempts.length > 0) {
    return (
      <p className="text-sm text-ink-muted">
        Not recorded: this message was sent before routing decisions were stored.
      </p>
    );
  }
  if (notification.final || statusFace(notification.status).terminal)
    return <p className="text-sm text-ink-muted">It was completed before a connection was chosen.</p>;
  return (
    <div className="grid gap-2">
      <p className="text-sm text-ink-muted">No connection has been chosen yet. The current rules give:</p>
      <ExplainedRoute route={route} chosen={null} />
    </div>
  );
}

function RecordedDecision({
  decision,
  of,
}: {
  decision: Timeline["decisions"][number];
  /** So many attempts were made. */
  of: number;
}) {
  const { href, can } = usePortal();
  const { rule } = decision;
  return (
    <div className="text-sm">
      {decision.attempt !== null && of > 1 ? (
        <p className="mb-1 text-xs text-ink-muted">
          Attempt {decision.attempt} of {of}
        </p>
      ) : null}
      {decision.candidates.length > 0 ? (
        <ol className="grid grid-cols-1 gap-1.5">
          {decision.candidates.map((candidate) => {
            const chosen = candidate.connectionId === decision.connectionId;
            return (
              <li key={candidate.connectionId} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                <span className={cn("max-w-full truncate", chosen && "font-medium")} title={candidate.name}>
                  {candidate.name}
                </span>
                <span className="text-xs text-ink-muted tabular">
                  tier {candidate.tier + 1}
                  {candidate.share < 100 ? ` · ${formatPercent(candidate.share / 100, 0)}` : ""}
                </span>
                {chosen ? <Badge tone="accent">chosen</Badge> : null}
                {candidate.state ? <Badge tone="warning">{stateWords[candidate.state]}</Badge> : null}
              </li>
            );
          })}
        </ol>
      ) : (
        <span className="text-ink-muted">No connection could carry it</span>
      )}
      <p className="mt-1 text-xs text-ink-muted">
        {decision.reply ? (
          "It is a reply, so it used the connection that received the message."
        ) : rule === null ? (
          "No routing rule matched."
        ) : (
          <>
            Decided by the rule{" "}
            {can("providers:read") && rule.since !== "deleted" ? (
              <Link href={href(`/routing/rules/${rule.id}`)} className="text-accent-text hover:underline">
                {ruleName(rule.name)}
              </Link>
            ) : (
              ruleName(rule.name)
            )}
            . <span className="text-warning-text">{sinceWords[rule.since]}</span>
          </>
        )}
      </p>
      {decision.leftOut.length > 0 ? (
        <Losers
          summary={`${plural(decision.leftOut.length, "connection")} excluded`}
          items={decision.leftOut.map((each) => ({
            name: each.name ?? "A deleted connection",
            why: each.why,
          }))}
        />
      ) : null}
      {decision.more > 0 ? (
        <p className="mt-1 text-xs text-ink-muted">{decision.more} more were not recorded.</p>
      ) : null}
    </div>
  );
}

/** Every connection that could carry the message, in order, and why others were excluded. */
export function ExplainedRoute({
  route,
  chosen,
}: {
  route: ExplainedMessage["route"];
  /** The connection that did carry it, once one did. */
  chosen: string | null;
}) {
  const { href, can } = usePortal();
  return (
    <div className="text-sm">
      {route.candidates.length > 0 ? (
        <ol className="grid grid-cols-1 gap-1.5">
          {route.candidates.map((candidate) => {
            const health = healthWords(candidate.health);
            return (
              <li key={candidate.connectionId} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
                <span
                  className={cn("max-w-full truncate", candidate.connectionId === chosen && "font-medium")}
                  title={candidate.name}
                >
                  {candidate.name}
                </span>
                <span className="text-xs text-ink-muted tabular">
                  tier {candidate.tier + 1}
                  {candidate.share < 100 ? ` · ${formatPercent(candidate.share / 100, 0)}` : ""}
                </span>
                {candidate.connectionId === chosen ? <Badge tone="accent">sent it</Badge> : null}
                {health ? (
                  <Badge tone={candidate.health?.breaker === "open" ? "danger" : "warning"}>{health}</Badge>
                ) : null}
              </li>
            );
          })}
        </ol>
      ) : (
        <span className="text-ink-muted">No connection can send this</span>
      )}
      <p className="mt-1 text-xs text-ink-muted">
        {route.ruleId === null ? (
          "No routing rule applies."
        ) : (
          <>
            Routing rule{" "}
            {can("providers:read") ? (
              <Link
                href={href(`/routing/rules/${route.ruleId}`)}
                className="text-accent-text hover:underline"
              >
                {ruleName(route.ruleName)}
              </Link>
            ) : (
              ruleName(route.ruleName)
            )}
            .
          </>
        )}
      </p>
      {route.excluded.length > 0 ? (
        <Losers
          summary={`${plural(route.excluded.length, "candidate")} excluded`}
          items={route.excluded.map((each) => ({
            name: each.connectionId === undefined ? ruleName(each.ruleName) : (each.name ?? "A connection"),
            why: each.why,
          }))}
        />
      ) : null}
    </div>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-3">
      <dt className="text-ink-muted">{label}</dt>
      <dd className="min-w-0 break-words">{children}</dd>
    </div>
  );
}

function Losers({ summary, items }: { summary: string; items: readonly { name: string; why: string }[] }) {
  return (
    <details className="group mt-1.5">
      <summary className="inline-flex cursor-pointer list-none items-center gap-1 rounded-sm text-xs text-ink-muted hover:text-ink">
        <ChevronRight className="size-3 transition-transform group-open:rotate-90" aria-hidden />
        {summary}
      </summary>
      <ul className="mt-1.5 grid grid-cols-1 gap-1 border-l border-line pl-3 text-xs">
        {items.map((item, index) => (
          <li key={index} className="break-words">
            <span className="font-medium">{item.name}</span>:{" "}
            <span className="text-ink-muted">{humanize(item.why)}</span>
          </li>
        ))}
      </ul>
    </details>
  );
}
