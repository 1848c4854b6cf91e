import { Check, Rocket, Send, Undo2, X, type LucideIcon } from "lucide-react";
import type { Promotion } from "../../server/pipelines/schemas.ts";
import { Card, CardHeader } from "../ui/card.tsx";
import { RelativeTime } from "../ui/time.tsx";

type Step = {
  at: string;
  icon: LucideIcon;
  what: string;
  by: string | null;
  text: string | null;
  tone: string;
};

function stepsOf(promotion: Promotion, to: string): Step[] {
  const steps: Step[] = [
    {
      at: promotion.requestedAt,
      icon: Send,
      what: "Requested",
      by: promotion.requestedBy.name,
      text: null,
      tone: "text-ink-muted",
    },
    ...promotion.decisions.map((decision) => ({
      at: decision.at,
      icon: decision.decision === "approve" ? Check : X,
      what:
        decision.decision === "approve"
          ? decision.counts
            ? "Approved"
            : "Approved. Doesn't count while they can't sign in"
          : decision.withdrawn
            ? "Withdrawn"
            : "Rejected",
      by: decision.by,
      text: decision.comment,
      tone:
        decision.decision === "approve"
          ? "text-success-text"
          : decision.withdrawn
            ? "text-ink-muted"
            : "text-danger-text",
    })),
  ];
  if (promotion.deployedAt) {
    steps.push({
      at: promotion.deployedAt,
      icon: Rocket,
      what: `Live in ${to}`,
      by: promotion.deployedBy,
      text: null,
      tone: "text-success-text",
    });
  }
  if (promotion.rolledBackAt) {
    steps.push({
      at: promotion.rolledBackAt,
      icon: Undo2,
      what: "Rolled back",
      by: promotion.rolledBackBy,
      text: promotion.rollbackNote,
      tone: "text-ink-muted",
    });
  }
  return steps;
}

/** What happened with a promotion, in order. */
export function PromotionHistory({
  promotion,
  to,
  className,
}: {
  promotion: Promotion;
  /** Name of the stage. */
  to: string;
  className?: string;
}) {
  return (
    <Card aria-label="History" className={className}>
      <CardHeader title="History" />
      <ol className="grid gap-3 px-4 pb-4">
        {stepsOf(promotion, to).map((step) => (
          <li key={`${step.what} ${step.at} ${step.by ?? ""}`} className="flex items-start gap-2.5 text-sm">
            <step.icon className={`mt-0.5 size-4 shrink-0 ${step.tone}`} aria-hidden />
            <div className="min-w-0 flex-1">
              <p>
                <span className="font-medium">{step.what}</span>
                {step.by ? <span className="text-ink-muted"> by {step.by}</span> : null}
              </p>
              {step.text ? <p className="mt-0.5 break-words whitespace-pre-wrap">{step.text}</p> : null}
            </div>
            <RelativeTime value={step.at} className="text-xs text-ink-muted" />
          </li>
        ))}
      </ol>
    </Card>
  );
}
