"use client";

import { useMutation } from "@tanstack/react-query";
import { useWatch } from "react-hook-form";
import { toast } from "../ui/toast.ts";
import { promotionRollbackSchema, type Promotion } from "../../server/pipelines/schemas.ts";
import { promotionLimits } from "../../server/pipelines/vocabulary.ts";
import { useTRPC } from "../trpc/client.tsx";
import { errorCode } from "../trpc/error-text.ts";
import { FormDialog } from "../ui/form-dialog.tsx";
import { TextareaField, TextField } from "../ui/form-fields.tsx";
import { plural } from "../ui/format.ts";
import { useOperationForm } from "../ui/use-operation-form.ts";
import { PromotionRefusal } from "./promotion-refusal.tsx";
import { usePromotionChanged } from "./use-promotion-changed.ts";

/** Puts back what a promotion replaced; what moved since is named, and overridden only by naming the stage. */
export function RollBackDialog({
  promotion,
  to,
  onClose,
}: {
  promotion: Promotion;
  /** Name of the stage. */
  to: string;
  onClose: () => void;
}) {
  const trpc = useTRPC();
  const changed = usePromotionChanged();
  const rollBack = useMutation(trpc.promotions.rollBack.mutationOptions({ onError: changed }));
  const moved = errorCode(rollBack.error) === "promotion_conflict";
  const form = useOperationForm({
    schema: promotionRollbackSchema,
    defaultValues: { note: "", named: "" },
    input: ({ note }) => ({ note: note.trim() || undefined, force: moved }),
    send: async (input) => {
      await rollBack.mutateAsync({ id: promotion.id, ...input });
      onClose();
      toast.success(`Rolled back to the previous versions in ${to}`);
      await changed();
    },
  });
  const named = useWatch({ control: form.control, name: "named" }).trim() === to;

  return (
    <FormDialog
      form={form}
      title={`Roll back ${plural(promotion.templates, "template")} in ${to}?`}
      description={`${to} returns to exactly the versions this promotion replaced. Messages already accepted keep their version.`}
      submitLabel={moved ? "Roll back anyway" : "Roll back"}
      danger
      disabled={moved && !named}
      refused={(error) => <PromotionRefusal error={error} />}
      onClose={onClose}
    >
      <TextareaField
        {...form.field("note")}
        label="Reason"
        optional
        maxLength={promotionLimits.note}
        placeholder="What went wrong"
        autoFocus
      />
      {moved ? (
        <TextField
          {...form.field("named")}
          label={
            <>
              Type <strong className="font-semibold">{to}</strong> to overwrite newer versions as well
            </>
          }
          autoComplete="off"
        />
      ) : null}
    </FormDialog>
  );
}
