"use client";

import { useMutation } from "@tanstack/react-query";
import { toast } from "../ui/toast.ts";
import { promotionDecisionSchema, type Promotion } from "../../server/pipelines/schemas.ts";
import { promotionLimits } from "../../server/pipelines/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextareaField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { PromotionRefusal } from "./promotion-refusal.tsx";
import { usePromotionChanged } from "./use-promotion-changed.ts";

/** `withdraw` is a rejection by whoever asked. */
export type Decision = "approve" | "reject" | "withdraw";

const words: Record<Decision, { verb: string; done: string; placeholder: string | undefined }> = {
  approve: { verb: "Approve", done: "Approved", placeholder: undefined },
  reject: { verb: "Reject", done: "Rejected. Nothing was changed", placeholder: "What has to change" },
  withdraw: {
    verb: "Withdraw",
    done: "Withdrawn. Nothing was changed",
    placeholder: "Why it is no longer needed",
  },
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
  const changed = usePromotionChanged();
  const approving = decision === "approve";
  const { verb, done, placeholder } = words[decision];
  // Somebody else may have been faster: the page behind shows how it stands now.
  const callbacks = { onError: changed };
  const approve = useMutation(trpc.promotions.approve.mutationOptions(callbacks));
  const reject = useMutation(trpc.promotions.reject.mutationOptions(callbacks));
  const form = useOperationForm({
    schema: promotionDecisionSchema,
    defaultValues: { comment: "" },
    input: ({ comment }) => ({ comment: comment.trim() || undefined }),
    send: async (input) => {
      const { state, templates } = await (approving ? approve : reject).mutateAsync({
        id: promotion.id,
        ...input,
      });
      onClose();
      toast.success(
        approving && state === "deployed"
          ? `Approved: ${plural(templates, "template")} live in ${to}`
          : state === "approved"
            ? "Approved. Not live yet"
            : done,
      );
      await changed();
    },
  });

  return (
    <FormDialog
      form={form}
      title={`${verb} ${plural(promotion.templates, "template")} to ${to}?`}
      description={
        approving
          ? promotion.automatic
            ? `Once it has all approvals and its other gates have passed, it goes live in ${to} automatically.`
            : `It goes live in ${to} when someone deploys it.`
          : "This ends the promotion. Live versions don't change."
      }
      submitLabel={verb}
      danger={!approving}
      refused={(error) => <PromotionRefusal error={error} />}
      onClose={onClose}
    >
      <TextareaField
        {...form.field("comment")}
        label="Comment"
        optional
        maxLength={promotionLimits.note}
        placeholder={placeholder}
        autoFocus
      />
    </FormDialog>
  );
}
