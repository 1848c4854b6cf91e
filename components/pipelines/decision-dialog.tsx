"use client";

import { useMutation } from "@tanstack/react-query";
import { useId, useState } from "react";
import { toast } from "sonner";
import { promotionLimits, type Promotion } from "../../server/pipelines/schemas.ts";
import { useTRPC } from "../trpc/client.tsx";
import { fieldErrors } from "../trpc/error-text.ts";
import { Button } from "../ui/button.tsx";
import { Dialog } from "../ui/dialog.tsx";
import { Field } from "../ui/field.tsx";
import { plural } from "../ui/format.ts";
import { Textarea } from "../ui/textarea.tsx";
import { PromotionRefusal } from "./promotion-refusal.tsx";
import { usePromotionChanged } from "./use-promotion-changed.ts";

/** `withdraw` is a rejection by whoever asked. */
export type Decision = "approve" | "reject" | "withdraw";

const words: Record<Decision, { verb: string; done: string; placeholder: string | undefined }> = {
  approve: { verb: "Approve", done: "Approved", placeholder: undefined },
  reject: { verb: "Reject", done: "Rejected; nothing was changed", placeholder: "What has to change first" },
  withdraw: { verb: "Withdraw", done: "Withdrawn; nothing was changed", placeholder: "Why it is not needed" },
};

/** Approves or rejects a promotion, with a comment that goes into its history. */
export function DecisionDialog({
  decision,
  promotion,
  to,
  onClose,
}: {
  decision: Decision;
  promotion: Promotion;
  /** Name of the stage. */
  to: string;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const formId = useId();
  const changed = usePromotionChanged();
  const [comment, setComment] = useState("");
  const approving = decision === "approve";

  const callbacks = {
    onSuccess: async (result: Promotion) => {
      onClose();
      if (approving && result.state === "deployed") {
        toast.success(`Approved: ${plural(result.templates, "template")} live in ${to}`);
      } else
        toast.success(result.state === "approved" ? "Approved; it is not live yet" : words[decision].done);
      await changed();
    },
    // Somebody else may have been faster: the page behind shows how it stands now.
    onError: changed,
  };
  const approve = useMutation(trpc.promotions.approve.mutationOptions(callbacks));
  const reject = useMutation(trpc.promotions.reject.mutationOptions(callbacks));
  const mutation = approving ? approve : reject;

  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`${words[decision].verb} ${plural(promotion.templates, "template")} to ${to}?`}
      description={
        approving
          ? promotion.automatic
            ? `With the last approval, and once its other gates have passed, it goes live in ${to}.`
            : `It goes live in ${to} when somebody deploys it.`
          : "That ends this promotion. What is live stays as it is."
      }
      footer={
        <>
          <Button onClick={onClose}>Cancel</Button>
          <Button
            type="submit"
            form={formId}
            variant={approving ? "primary" : "danger"}
            pending={mutation.isPending}
          >
            {words[decision].verb}
          </Button>
        </>
      }
    >
      <form
        id={formId}
        className="grid gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          mutation.mutate({ id: promotion.id, comment: comment.trim() === "" ? undefined : comment.trim() });
        }}
      >
        {mutation.error ? <PromotionRefusal error={mutation.error} /> : null}
        <Field label="Comment" optional error={fieldErrors(mutation.error).comment}>
          {(control) => (
            <Textarea
              {...control}
              value={comment}
              onChange={(event) => setComment(event.target.value)}
              maxLength={promotionLimits.note}
              placeholder={words[decision].placeholder}
              autoFocus
            />
          )}
        </Field>
      </form>
    </Dialog>
  );
}
