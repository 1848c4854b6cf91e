import { CircleAlert } from "lucide-react";
import type { Rule } from "../../server/routing/schemas.ts";
import { titleWhatIsCut } from "../data-table/title-what-is-cut.ts";
import { Dot } from "../ui/badge.tsx";
import { cn } from "../ui/cn.ts";
import { formatPercent } from "../ui/format.ts";
import { Tooltip } from "../ui/tooltip.tsx";
import { healthWords } from "./rule-words.ts";

/** A rule's connections in the order in which they are tried, with their shares and what is wrong with them. */
export function TierSummary({ tiers }: { tiers: Rule["tiers"] }) {
  return (
    <ol className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1 text-sm">
      {tiers.map((tier, index) => (
        <li key={index} className="flex min-w-0 flex-wrap items-center gap-x-1.5 gap-y-1">
          {index > 0 ? <span className="text-xs text-ink-faint">then</span> : null}
          <span className="inline-flex min-w-0 flex-wrap items-center gap-x-2 gap-y-0.5 rounded-md border border-line bg-canvas px-2 py-0.5">
            {tier.map((member) => (
              <Member key={member.connectionId} member={member} alone={tier.length === 1} />
            ))}
          </span>
        </li>
      ))}
    </ol>
  );
}

function Member({ member, alone }: { member: Rule["tiers"][number][number]; alone: boolean }) {
  const health = healthWords(member.health);
  const trouble = member.problem?.detail ?? (health ? `${member.name ?? "It"} is ${health}` : null);
  const name =
    member.name ?? (member.problem?.code === "unknown_connection" ? "Missing connection" : "Hidden");
  const text = (
    <span className="flex max-w-full min-w-0 items-center gap-1.5">
      {member.problem ? (
        <CircleAlert className="size-3.5 shrink-0 text-warning-text" aria-hidden />
      ) : health ? (
        <Dot tone={member.health?.breaker === "open" ? "danger" : "warning"} />
      ) : null}
      <span
        onPointerEnter={titleWhatIsCut}
        className={cn("truncate", member.problem && "text-ink-muted line-through")}
      >
        {name}
      </span>
      {alone ? null : (
        <span className="text-xs text-ink-muted tabular">{formatPercent(member.share / 100, 0)}</span>
      )}
    </span>
  );
  return trouble ? (
    <Tooltip content={trouble}>
      <button type="button" className="max-w-full min-w-0 rounded-sm text-left">
        {text}
        <span className="sr-only">. {trouble}</span>
      </button>
    </Tooltip>
  ) : (
    text
  );
}
