import { CircleX, TriangleAlert } from "lucide-react";
import type { DryRunResult, Rule } from "../../server/routing/schemas.ts";
import { Badge } from "../ui/badge.tsx";
import { formatPercent, plural } from "../ui/format.ts";
import { LeftOut } from "./left-out.tsx";
import { healthWords, ruleName } from "./rule-words.ts";

/** How a message would go: the rule that decides, its connections in turn, and why each of the others is not taken. */
export function RouteResult({
  result,
  own,
  known,
}: {
  result: DryRunResult;
  /** Id of the rule that is being edited. */
  own: string;
  known: readonly Rule[];
}) {
  const { route, problem, warnings } = result;
  // A rule that is not stored yet has an id of its own in each answer.
  const mine =
    route.ruleId !== null && (route.ruleId === own || !known.some((rule) => rule.id === route.ruleId));
  const lost = route.excluded.filter((entry) => entry.connectionId !== undefined);
  const rules = route.excluded.filter((entry) => entry.connectionId === undefined);
  return (
    <div className="grid grid-cols-1 gap-3 text-sm">
      {problem ? (
        <p className="flex gap-2 rounded-md bg-danger-soft px-3 py-2 text-danger-text">
          <CircleX className="mt-0.5 size-4 shrink-0" aria-hidden />
          <span>
            {problem.code === "no_working_connection" ? "Would wait." : "Would not be sent."} {problem.detail}
          </span>
        </p>
      ) : null}
      {route.ruleId === null ? null : (
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1">
          <span className="text-ink-muted">Routed by</span>
          <span className="max-w-full min-w-0 truncate font-medium" title={ruleName(route.ruleName)}>
            {ruleName(route.ruleName)}
          </span>
          {mine ? <Badge tone="accent">this rule</Badge> : null}
        </p>
      )}
      {route.candidates.length > 0 ? (
        <ol className="grid grid-cols-1 gap-1.5">
          {route.candidates.map((candidate) => {
            const health = healthWords(candidate.health);
            return (
              <li
                key={candidate.connectionId}
                className="flex flex-wrap items-center gap-x-2 gap-y-1 rounded-md border border-line bg-canvas px-2.5 py-1.5"
              >
                <span className="min-w-0 flex-1 truncate font-medium" title={candidate.name}>
                  {candidate.name}
                </span>
                {health ? (
                  <Badge tone={candidate.health?.breaker === "open" ? "danger" : "warning"}>{health}</Badge>
                ) : null}
                <span className="text-xs text-ink-muted tabular">
                  tier {candidate.tier + 1} · {formatPercent(candidate.share / 100, 0)}
                </span>
              </li>
            );
          })}
        </ol>
      ) : null}
      {warnings.map((warning) => (
        <p key={`${warning.connectionId} ${warning.code}`} className="flex gap-1.5 text-xs text-warning-text">
          <TriangleAlert className="mt-px size-3.5 shrink-0" aria-hidden />
          {warning.detail}
        </p>
      ))}
      <LeftOut
        summary={`${plural(lost.length, "connection")} of the rule left out`}
        open
        items={lost.map((entry) => ({ name: entry.name ?? "Missing connection", why: entry.why }))}
      />
      <LeftOut
        summary={`${plural(rules.length, "other rule")} did not apply`}
        items={rules.map((entry) => ({ name: ruleName(entry.ruleName), why: entry.why }))}
      />
    </div>
  );
}
