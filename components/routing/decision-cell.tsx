"use client";

import { CircleX, TriangleAlert } from "lucide-react";
import type { RouteDecision } from "../../server/routing/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { cn } from "../ui/cn.ts";
import { formatPercent } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { Popover, PopoverContent, PopoverTrigger } from "../ui/popover.tsx";
import { ruleName } from "./rule-words.ts";

/** The first choice in a few words: the connections of the first tier that can be used. */
export function firstChoice(decision: RouteDecision): string {
  const [first] = decision.tiers;
  return first ? first.map(({ name }) => name).join(" + ") : "Not sent";
}

/** One cell: where its messages go first; more on a click, with the way to the rule. */
export function DecisionCell({
  decisions,
  live,
  place,
  by,
}: {
  decisions: readonly RouteDecision[] | null;
  live: boolean;
  /** For screen readers: whose cell it is. */
  place: string;
  by: "region" | "type";
}) {
  const [main, ...others] = decisions ?? [];
  if (!main) {
    return (
      <span className="px-1.5 text-ink-faint" title="No live template">
        –
      </span>
    );
  }
  const blocked = main.tiers.length === 0;
  return (
    <Popover>
      <PopoverTrigger
        aria-label={`${place}: ${firstChoice(main)}${others.length > 0 ? ` and ${String(others.length)} more` : ""}`}
        className={cn(
          "flex h-7 max-w-52 items-center gap-1.5 rounded-sm px-1.5 text-left text-sm hover:bg-hover",
          blocked && live && "bg-danger-soft text-danger-text",
          blocked && !live && "text-ink-faint",
        )}
      >
        {blocked && live ? (
          <CircleX className="size-3.5 shrink-0" aria-hidden />
        ) : main.problem && live ? (
          <TriangleAlert className="size-3.5 shrink-0 text-warning-text" aria-hidden />
        ) : null}
        <span className="truncate">{firstChoice(main)}</span>
        {others.length > 0 ? <span className="shrink-0 text-xs text-ink-muted">+{others.length}</span> : null}
      </PopoverTrigger>
      <PopoverContent className="grid max-h-96 w-80 gap-3 overflow-y-auto">
        {live ? null : <p className="text-xs text-ink-muted">No live template for this channel yet.</p>}
        {[main, ...others].map((decision, index) => (
          <Decision key={index} decision={decision} by={by} several={others.length > 0} />
        ))}
      </PopoverContent>
    </Popover>
  );
}

/** A decision in full: for what, by which rule, over which connections. */
export function Decision({
  decision,
  by,
  several,
}: {
  decision: RouteDecision;
  by: "region" | "type";
  /** There are others: say what this one is about. */
  several: boolean;
}) {
  const { href } = usePortal();
  const about = aboutWords(decision, by);
  return (
    <div className="grid gap-1 text-sm">
      {several && about !== "" ? <p className="text-xs break-words text-ink-muted">{about}</p> : null}
      {decision.problem ? (
        <p className={cn("text-xs", decision.tiers.length === 0 ? "text-danger-text" : "text-warning-text")}>
          {decision.problem.detail}
        </p>
      ) : null}
      {decision.tiers.length > 0 ? (
        <ol className="grid gap-0.5">
          {decision.tiers.map((tier, index) => (
            <li key={index} className="flex gap-2">
              <span className="w-4 shrink-0 text-right text-xs leading-5 text-ink-faint tabular">
                {index + 1}
              </span>
              <span className="min-w-0 break-words">
                {tier
                  .map(({ name, share }) =>
                    tier.length > 1 ? `${name} ${formatPercent(share / 100, 0)}` : name,
                  )
                  .join(" · ")}
              </span>
            </li>
          ))}
        </ol>
      ) : null}
      {decision.ruleId ? (
        <Link
          href={href(`/routing/rules/${decision.ruleId}`)}
          className="w-fit rounded-sm text-xs text-accent-text underline-offset-4 hover:underline"
        >
          {ruleName(decision.ruleName)}
        </Link>
      ) : null}
    </div>
  );
}

/** Which types or regions a decision is about, the other dimension than the columns. */
function aboutWords(decision: RouteDecision, by: "region" | "type"): string {
  const words = decision.about.map((each) =>
    by === "region"
      ? [each.type, each.subtype].filter(Boolean).join(" / ")
      : `${each.region} ${each.subtype ?? ""}`,
  );
  const distinct = [...new Set(words.map((word) => word.trim()))].filter((word) => word !== "");
  const shown = distinct.slice(0, 6);
  const more = distinct.length - shown.length;
  return `${shown.join(", ")}${more > 0 ? ` and ${String(more)} more` : ""}`;
}
