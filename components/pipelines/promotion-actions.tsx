"use client";

import { useMutation } from "@tanstack/react-query";
import { Check, Rocket, Undo2, X } from "lucide-react";
import dynamic from "next/dynamic";
import { useState } from "react";
import { toast } from "../ui/toast.ts";
import type { Promotion } from "../../server/pipelines/schemas.ts";
import { usePortal } from "../portal/portal-context.tsx";
import { useTRPC } from "../trpc/client.tsx";
import { errorText } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { plural } from "../ui/format.ts";
import type { Decision } from "./decision-dialog.tsx";
import { usePromotionChanged } from "./use-promotion-changed.ts";

const DecisionDialog = dynamic(() => import("./decision-dialog.tsx").then((module) => module.DecisionDialog));
const RollBackDialog = dynamic(() =>
  import("./roll-back-dialog.tsx").then((module) => module.RollBackDialog),
);

/**
 * What the reader may do with a promotion, in a bar that stays in view while a long list of changes is read, and why
 * they may not where they would expect to.
 */
export function PromotionActions({ promotion, to }: { promotion: Promotion; to: string }) {
  const trpc = useTRPC();
  const changed = usePromotionChanged();
  const [asked, setAsked] = useState<Decision | "rollBack" | null>(null);
  const why = useWhyNot(promotion);
  const close = () => setAsked(null);

  const deploy = useMutation(
    trpc.promotions.deploy.mutationOptions({
      onSuccess: async (result) => {
        toast.success(
          result.state === "deployed"
            ? `${plural(result.templates, "template")} live in ${to}`
            : "Still waiting for a gate",
        );
        await changed();
      },
      onError: async (error) => {
        toast.error(errorText(error));
        await changed();
      },
    }),
  );
  const { may } = promotion;
  const something = may.decide || may.withdraw || may.deploy || may.rollBack;
  const shown = something || why !== null;
  // A dialog says by itself that somebody else was faster, when there is nothing left to do.
  if (!shown && asked === null) return null;

  return (
    <>
      {shown ? (
        <div
          role="group"
          aria-label="Next step"
          className="sticky bottom-0 z-20 -mx-4 mt-6 flex flex-wrap items-center justify-end gap-2 border-t border-line bg-canvas px-4 py-3 sm:bottom-4 sm:mx-0 sm:rounded-lg sm:border sm:border-line-strong sm:bg-raised sm:shadow-md"
        >
          <p className="min-w-0 basis-full text-sm text-ink-muted sm:flex-1 sm:basis-0">
            {why ??
              (may.decide
                ? `${promotion.requestedBy.name} awaits your decision.`
                : may.deploy
                  ? promotion.automatic
                    ? "All gates have passed. It goes live automatically, or you deploy it now."
                    : "All gates have passed. Someone has to deploy it."
                  : may.rollBack
                    ? "You can roll back to the previous versions in one step."
                    : null)}
          </p>
          {may.rollBack ? (
            <Button variant="quietDanger" onClick={() => setAsked("rollBack")}>
              <Undo2 aria-hidden /> Roll back…
            </Button>
          ) : null}
          {may.withdraw && !may.decide ? (
            <Button variant="quietDanger" onClick={() => setAsked("withdraw")}>
              <X aria-hidden /> Withdraw…
            </Button>
          ) : null}
          {may.decide ? (
            <>
              <Button variant="quietDanger" onClick={() => setAsked("reject")}>
                <X aria-hidden /> Reject…
              </Button>
              <Button variant="primary" onClick={() => setAsked("approve")}>
                <Check aria-hidden /> Approve…
              </Button>
            </>
          ) : null}
          {may.deploy ? (
            <Button
              variant="primary"
              pending={deploy.isPending}
              onClick={() => deploy.mutate({ id: promotion.id })}
            >
              <Rocket aria-hidden /> Deploy to {to}
            </Button>
          ) : null}
        </div>
      ) : null}
      {asked === "rollBack" ? (
        <RollBackDialog promotion={promotion} to={to} onClose={close} />
      ) : asked ? (
        <DecisionDialog decision={asked} promotion={promotion} to={to} onClose={close} />
      ) : null}
    </>
  );
}

/** Why the reader cannot decide on a promotion that waits for approval; null when they can, or nobody has to. */
function useWhyNot(promotion: Promotion): string | null {
  const { applications, canIn, user } = usePortal();
  if (promotion.state !== "pending" || promotion.may.decide) return null;
  if (promotion.requestedBy.type === "user" && promotion.requestedBy.id === user.id) {
    return "You requested this. Someone else has to approve it.";
  }
  const unitId = applications.find((each) => each.id === promotion.applicationId)?.unitId ?? null;
  if (!canIn("promotions:approve", unitId)) {
    return "You don't have permission to approve promotions here.";
  }
  if (promotion.requestedBy.type === "apiKey") {
    return "You have already decided, or it was requested with your API key. Someone else has to approve it.";
  }
  return "You have already decided. Someone else has to approve it.";
}
