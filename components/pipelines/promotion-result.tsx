"use client";

import { CircleCheck, Clock } from "lucide-react";
import type { Promotion, Stage } from "../../server/pipelines/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { Button } from "../ui/button.tsx";
import { plural } from "../ui/format.ts";
import { Link } from "../ui/link.tsx";
import { GateList } from "./gate-list.tsx";

/** What became of a promotion that was just requested. */
export function PromotionResult({ promotion, stage }: { promotion: Promotion; stage: Stage }) {
  const deployed = promotion.state === "deployed";
  const waiting = promotion.gates.filter((gate) => gate.state !== "passed");
  const approval = waiting.some((gate) => gate.gate === "approvals");
  const Icon = deployed ? CircleCheck : Clock;
  const text = deployed
    ? `${plural(promotion.templates, "template")} of ${promotion.application} went live in ${stage.name}. Messages accepted from now on use the new versions.`
    : approval
      ? `It is awaiting approval. Everyone who can approve in ${stage.name} has been notified.`
      : waiting.length > 0
        ? `It is approved and waiting for ${waiting.length === 1 ? "one gate" : `${waiting.length} gates`}.`
        : "All gates have passed. Someone has to deploy it.";
  return (
    <div className="grid gap-4">
      <p role="status" className="flex items-start gap-2 text-sm">
        <Icon
          className={
            deployed ? "mt-0.5 size-4 shrink-0 text-success-text" : "mt-0.5 size-4 shrink-0 text-warning-text"
          }
          aria-hidden
        />
        {text}
      </p>
      {promotion.gates.length > 0 ? <GateList gates={promotion.gates} items={promotion.items} /> : null}
    </div>
  );
}

/** The ways out of it. */
export function PromotionResultActions({
  promotion,
  onClose,
}: {
  promotion: Promotion;
  onClose: () => void;
}) {
  const { href } = usePortal();
  return (
    <>
      <Button onClick={onClose}>Done</Button>
      <Button asChild variant="primary">
        <Link href={href(`/pipeline/promotions/${promotion.id}`)}>Open promotion</Link>
      </Button>
    </>
  );
}
