"use client";

import { CircleCheck, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import type { Explanation, Timeline } from "../../server/sending/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { periodWords } from "../recipient-limits/limit-words.ts";
import { LeftOut } from "../routing/left-out.tsx";
import { healthWords, ruleName } from "../routing/rule-words.ts";
import { Badge } from "../ui/badge.tsx";
import { cn } from "../ui/cn.ts";
import { Fold } from "../ui/fold.tsx";
import { formatMoney, formatPercent, plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { statusFace } from "./status.ts";

type ExplainedMessage = Explanation["messages"][number];

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
            <LeftOut
              className="mt-1.5"
              summary={`${plural(message.otherTemplates.length, "other template")} considered`}
              items={message.otherTemplates.map(({ name, version, why }) => ({
                name: `${name} v${version}`,
                why,
              }))}
            />
          </>
        ) : (
          <span className="text-ink-muted">No matching template</span>
        )}
      </Row>
      <Row label="Route">
        <ExplainedRoute route={message.route} />
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
          <Fold summary={plural(earlier.length, "earlier attempt")} className="text-sm">
            <ol className="mt-2 grid grid-cols-1 gap-3 border-l border-line pl-3">
              {earlier.map((decision, index) => (
                <li key={index}>
                  <RecordedDecision decision={decision} of={attempts.length} />
                </li>
              ))}
            </ol>
          </Fold>
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
      <ExplainedRoute route={route} />
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
  const { rule } = decision;
  return (
    <div className="text-sm">
      {decision.attempt !== null && of > 1 ? (
        <p className="mb-1 text-xs text-ink-muted">
          Attempt {decision.attempt} of {of}
        </p>
      ) : null}
      <Candidates
        candidates={decision.candidates}
        chosen={decision.connectionId}
        none="No connection could carry it"
        mark={({ state }) => (state ? <Badge tone="warning">{stateWords[state]}</Badge> : null)}
      />
      <p className="mt-1 text-xs text-ink-muted">
        {decision.reply ? (
          "It is a reply, so it used the connection that received the message."
        ) : rule === null ? (
          "No routing rule matched."
        ) : (
          <>
            Decided by the rule <RuleName id={rule.id} name={rule.name} deleted={rule.since === "deleted"} />.{" "}
            <span className="text-warning-text">{sinceWords[rule.since]}</span>
          </>
        )}
      </p>
      <LeftOut
        className="mt-1.5"
        summary={`${plural(decision.leftOut.length, "connection")} excluded`}
        items={decision.leftOut.map(({ name, why }) => ({ name: name ?? "A deleted connection", why }))}
      />
      {decision.more > 0 ? (
        <p className="mt-1 text-xs text-ink-muted">{decision.more} more were not recorded.</p>
      ) : null}
    </div>
  );
}

/** Every connection that could carry the message, in order, and why others were excluded. */
function ExplainedRoute({ route }: { route: ExplainedMessage["route"] }) {
  return (
    <div className="text-sm">
      <Candidates
        candidates={route.candidates}
        none="No connection can send this"
        mark={({ health }) => {
          const words = healthWords(health);
          return words ? (
            <Badge tone={health?.breaker === "open" ? "danger" : "warning"}>{words}</Badge>
          ) : null;
        }}
      />
      <p className="mt-1 text-xs text-ink-muted">
        {route.ruleId === null ? (
          "No routing rule applies."
        ) : (
          <>
            Routing rule <RuleName id={route.ruleId} name={route.ruleName} />.
          </>
        )}
      </p>
      <LeftOut
        className="mt-1.5"
        summary={`${plural(route.excluded.length, "candidate")} excluded`}
        items={route.excluded.map(({ connectionId, name, ruleName: rule, why }) => ({
          name: connectionId === undefined ? ruleName(rule) : (name ?? "A connection"),
          why,
        }))}
      />
    </div>
  );
}

/** Connections in the order in which they are used. */
function Candidates<Candidate extends { connectionId: string; name: string; tier: number; share: number }>({
  candidates,
  chosen,
  none,
  mark,
}: {
  candidates: readonly Candidate[];
  chosen?: string | null;
  /** What is said when there are none. */
  none: string;
  mark: (candidate: Candidate) => ReactNode;
}) {
  if (candidates.length === 0) return <span className="text-ink-muted">{none}</span>;
  return (
    <ol className="grid grid-cols-1 gap-1.5">
      {candidates.map((candidate) => {
        const { connectionId, name, tier, share } = candidate;
        const isChosen = connectionId === chosen;
        return (
          <li key={connectionId} className="flex flex-wrap items-center gap-x-2 gap-y-0.5">
            <span className={cn("max-w-full truncate", isChosen && "font-medium")} title={name}>
              {name}
            </span>
            <span className="text-xs text-ink-muted tabular">
              tier {tier + 1}
              {share < 100 ? ` · ${formatPercent(share / 100, 0)}` : ""}
            </span>
            {isChosen ? <Badge tone="accent">chosen</Badge> : null}
            {mark(candidate)}
          </li>
        );
      })}
    </ol>
  );
}

/** A rule, as a link for those who may see its page. */
function RuleName({ id, name, deleted = false }: { id: string; name: string | null; deleted?: boolean }) {
  const { href, can } = usePortal();
  if (deleted || !can("providers:read")) return ruleName(name);
  return (
    <Link href={href(`/routing/rules/${id}`)} className="text-accent-text hover:underline">
      {ruleName(name)}
    </Link>
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
